#!/usr/bin/env python3
"""Writes fixed.json and fitted.json beside itself: Gaussian processes as scikit-learn computes them.

fixed.json: likelihood, means, deviations and covariances at given hyper-parameters.
fitted.json: the best likelihood of a search over the bounds that ampere uses.
y is centred here and its mean put back, as ampere does; standard deviations are of the function.
"""
import json
import pathlib
import warnings

import numpy as np
from sklearn.gaussian_process import GaussianProcessRegressor
from sklearn.gaussian_process.kernels import ConstantKernel, Matern, WhiteKernel

FOLDER = pathlib.Path(__file__).parent


def fixed_case(name, x, y, noise, signal, lengths, fitted_noise, at):
    # The fitted noise goes into alpha, since scikit-learn's White kernel would widen predictions.
    kernel = ConstantKernel(signal) * Matern(lengths, nu=2.5)
    model = GaussianProcessRegressor(kernel, alpha=noise + fitted_noise, optimizer=None).fit(x, y - y.mean())
    mean, covariance = model.predict(at, return_cov=True)
    _, deviation = model.predict(at, return_std=True)
    return {"name": name, "x": x.tolist(), "y": y.tolist(), "noise": noise.tolist(), "signal_variance": signal,
            "length_scales": lengths, "noise_variance": fitted_noise, "at": at.tolist(),
            "lml": model.log_marginal_likelihood_value_, "mean": (mean + y.mean()).tolist(),
            "deviation": deviation.tolist(), "covariance": covariance.tolist()}


def fixed_cases(rng):
    def surface(x):
        return 3 + np.sin(x).sum(1) + 0.1 * x.prod(1)

    def case(name, dimensions, points, lengths, noise, x=None):
        x = rng.uniform(0, 6, (points, dimensions)) if x is None else x
        at = np.vstack([rng.uniform(-1, 8, (5, dimensions)), x[:1]])
        return fixed_case(name, x, surface(x), noise, 1.7, lengths, 0.01, at)

    yield case("one input", 1, 12, [0.8], np.zeros(12))
    yield case("two inputs", 2, 20, [0.9, 2.5], np.zeros(20))
    yield case("three inputs", 3, 25, [1.1, 3.0, 7.0], np.zeros(25))
    yield case("noise per point", 2, 15, [1.5, 1.0], rng.uniform(1e-4, 0.3, 15))
    repeated = np.repeat(rng.uniform(0, 6, (5, 2)), 3, axis=0)
    yield case("repeated points", 2, 15, [1.5, 1.0], np.full(15, 1e-3), repeated)


def fitted_case(name, x, y, noise, restarts=20):
    variance, ranges = y.var(), np.ptp(x, axis=0)
    kernel = ConstantKernel(variance, (1e-4 * variance, 1e4 * variance)) * Matern(
        0.5 * ranges, [(0.05 * r, 20 * r) for r in ranges], nu=2.5
    ) + WhiteKernel(1e-3 * variance, (1e-8 * variance, variance))
    model = GaussianProcessRegressor(kernel, alpha=noise, n_restarts_optimizer=restarts, random_state=0)
    model.fit(x, y - y.mean())
    return {"name": name, "x": x.tolist(), "y": y.tolist(), "noise": noise.tolist(),
            "lml": model.log_marginal_likelihood_value_}


def fitted_cases(rng):
    x = np.floor(rng.uniform(1, 129, (20, 1)))
    y = 2 + 0.05 * x[:, 0] + rng.normal(0, 0.1, 20)
    yield fitted_case("line", x, y, np.zeros(20))
    x = np.floor(rng.uniform(1, 129, (25, 1)))
    y = 1 + 0.3 * np.ceil(x[:, 0] / 32) + rng.normal(0, 0.02, 25)
    yield fitted_case("steps", x, y, np.full(25, 4e-4))
    x = np.floor(rng.uniform(1, 129, (30, 2)))
    y = 1 + 0.01 * x.sum(1) + (x / 64).prod(1) + 0.1 * np.sin(x[:, 0] / 9) + rng.normal(0, 0.03, 30)
    yield fitted_case("product and ripple", x, y, rng.uniform(1e-4, 1e-3, 30))
    x = rng.uniform(0, 1, (30, 2))
    y = 1e-3 * (np.sin(9 * x[:, 0]) * np.cos(5 * x[:, 1]) + rng.normal(0, 0.1, 30))
    yield fitted_case("waves in small units", x, y, np.zeros(30))
    x = np.floor(rng.uniform(1, 65, (40, 3)))
    y = 1e4 * (np.sqrt(x[:, 0] * x[:, 1]) + 5 * np.log(x[:, 2]) + rng.normal(0, 0.5, 40))
    yield fitted_case("three inputs in large units", x, y, np.zeros(40))


def main():
    warnings.simplefilter("ignore")  # optima on a bound
    for name, cases in (("fixed", fixed_cases), ("fitted", fitted_cases)):
        rng = np.random.default_rng(2024)
        lines = ",\n".join(json.dumps(case) for case in cases(rng))
        (FOLDER / f"{name}.json").write_text(f"[\n{lines}\n]\n")


if __name__ == "__main__":
    main()

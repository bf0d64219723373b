#!/usr/bin/env python3
"""Fits the same data with ampere and with scikit-learn: times and log marginal likelihoods.

Both search the same box for the same maximum with the same number of starts, on one core:
Constant * Matern(nu=2.5, one length scale an input) + White, y centred.
Times are processor time, which other load on the machine hardly changes; scikit-learn's likelihood
is the best of its repeats, which differ in their random starts.

    compare_sklearn.py <build folder>/bin/gp_fit_lines [--restarts 4] [--repeats 3]
"""
import argparse
import json
import os
import statistics
import subprocess
import time
import warnings

for threads in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"):
    os.environ[threads] = "1"  # before NumPy loads its BLAS

import numpy as np
import sklearn
from sklearn.exceptions import ConvergenceWarning
from sklearn.gaussian_process import GaussianProcessRegressor
from sklearn.gaussian_process.kernels import ConstantKernel, Matern, WhiteKernel


def data_sets():
    """Energy-like curves and surfaces over channel counts, and two that are not."""
    rng = np.random.default_rng(3)

    def channels(points, dimensions):
        return np.floor(rng.uniform(1, 129, (points, dimensions)))

    x = channels(20, 1)
    yield "line with noise, 20 x 1", x, 2 + 0.05 * x[:, 0] + rng.normal(0, 0.05, 20)
    x = channels(30, 1)
    yield "steps of 32, 30 x 1", x, 1 + 0.3 * np.ceil(x[:, 0] / 32) + rng.normal(0, 0.01, 30)
    x = channels(20, 2)
    yield "product, 20 x 2", x, 1 + 1e-3 * x[:, 0] * x[:, 1] + rng.normal(0, 0.05, 20)
    for points in (25, 50, 100):
        x = channels(points, 2)
        y = 1 + 0.01 * x.sum(1) + (x / 64).prod(1) + 0.1 * np.sin(x[:, 0] / 9)
        yield f"product and ripple, {points} x 2", x, y + rng.normal(0, 0.02, points)
    x = channels(50, 2)
    yield "ripples, 50 x 2", x, np.sin(x[:, 0] / 12) * np.cos(x[:, 1] / 20) + rng.normal(0, 0.1, 50)
    x = channels(50, 2)
    yield "noise alone, 50 x 2", x, rng.normal(0, 1, 50)
    x = channels(60, 3)
    yield "surface, 60 x 3", x, np.sqrt(x[:, 0] * x[:, 1]) + 5 * np.log(x[:, 2]) + rng.normal(0, 0.5, 60)


def fit_sklearn(x, y, noise, restarts, seed):
    centred, variance, ranges = y - y.mean(), y.var(), np.ptp(x, axis=0)
    kernel = ConstantKernel(variance, (1e-4 * variance, 1e4 * variance)) * Matern(
        0.5 * ranges, [(0.05 * r, 20 * r) for r in ranges], nu=2.5
    ) + WhiteKernel(1e-3 * variance, (1e-8 * variance, variance))
    model = GaussianProcessRegressor(kernel, alpha=noise, n_restarts_optimizer=restarts, random_state=seed)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)
        start = time.process_time()
        model.fit(x, centred)
        return time.process_time() - start, model.log_marginal_likelihood_value_


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("gp_fit_lines", help="the program built with -DAMPERE_BENCH=ON")
    parser.add_argument("--restarts", type=int, default=4)
    parser.add_argument("--repeats", type=int, default=3)
    arguments = parser.parse_args()

    ours = subprocess.Popen([arguments.gp_fit_lines], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    print(f"scikit-learn {sklearn.__version__}, {arguments.restarts} restarts, median of {arguments.repeats} fits\n")
    print("| data | ampere CPU ms | scikit-learn CPU ms | ratio | ampere LML | scikit-learn LML |")
    print("| --- | ---: | ---: | ---: | ---: | ---: |")
    for name, x, y in data_sets():
        noise = np.full(len(y), 1e-6 * y.var())
        question = {"x": x.tolist(), "y": y.tolist(), "noise": noise.tolist(),
                    "restarts": arguments.restarts, "repeats": arguments.repeats}
        print(json.dumps(question), file=ours.stdin, flush=True)
        answer = json.loads(ours.stdout.readline())
        runs = [fit_sklearn(x, y, noise, arguments.restarts, seed) for seed in range(arguments.repeats)]
        seconds, lml = statistics.median(r[0] for r in runs), max(r[1] for r in runs)
        print(f"| {name} | {1e3 * answer['seconds']:.2f} | {1e3 * seconds:.0f} "
              f"| {seconds / answer['seconds']:.0f} | {answer['lml']:.6f} | {lml:.6f} |", flush=True)
    ours.stdin.close()
    ours.wait()


if __name__ == "__main__":
    main()

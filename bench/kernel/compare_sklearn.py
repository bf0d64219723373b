#!/usr/bin/env python3
"""The Gaussian process of kernels beside scikit-learn's plain one: the same rows, features and folds.

scikit-learn's has no trend, sees all rows of a fold in its search, and takes the median of the
log-normal distribution; ours takes its mean, which is what adds up over a network. Both are printed.

    compare_sklearn.py <build folder>/bin/kernel_accuracy FILE.csv [KERNEL [MAPPING]]
"""
import json
import subprocess
import sys
import warnings

import numpy as np
from sklearn.exceptions import ConvergenceWarning
from sklearn.gaussian_process import GaussianProcessRegressor
from sklearn.gaussian_process.kernels import ConstantKernel, Matern, WhiteKernel

FOLDS = 5


def cross_validated(x, y, order):
    """Mean and variance of each row's logarithm, by the fit that has not seen it."""
    mean, variance = np.empty(len(y)), np.empty(len(y))
    x = x[:, np.ptp(x, axis=0) > 0]
    for fold in range(FOLDS):
        unseen, seen = order[fold::FOLDS], np.setdiff1d(order, order[fold::FOLDS])
        kernel = ConstantKernel(1, (1e-4, 1e4)) * Matern(
            np.ptp(x, axis=0) / 2, [(0.05 * r, 20 * r) for r in np.ptp(x, axis=0)], nu=2.5
        ) + WhiteKernel(1e-3, (1e-8, 1))
        model = GaussianProcessRegressor(kernel, normalize_y=True)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", ConvergenceWarning)
            model.fit(x[seen], y[seen])
        mean[unseen], deviation = model.predict(x[unseen], return_std=True)
        variance[unseen] = deviation**2
    return mean, variance


def mape(log_errors):
    return f"{100 * np.abs(np.expm1(log_errors)).mean():.1f}"


def main():
    asked = subprocess.run([sys.argv[1], "--rows", *sys.argv[2:]], stdout=subprocess.PIPE, text=True, check=True)
    print("MAPE in % of five folds. 'sizes': without the alignment of channels.\n")
    print("| kernel | rows | ampere | scikit-learn, mean | its median | its median, sizes |")
    print("| --- | ---: | ---: | ---: | ---: | ---: |")
    for line in asked.stdout.splitlines():
        data = json.loads(line)
        x, y, order = (np.array(data[key]) for key in ("rows", "log_energy", "order"))
        mean, variance = cross_validated(x, y, order)
        by_sizes = mean
        if data["aligned"] > 0:
            by_sizes, _ = cross_validated(x[:, : -data["aligned"]], y, order)
        columns = (np.array(data["log_errors"]), mean + np.minimum(variance, 1) / 2 - y, mean - y, by_sizes - y)
        print(f"| {data['kernel']} | {len(y)} | " + " | ".join(map(mape, columns)) + " |", flush=True)


if __name__ == "__main__":
    main()

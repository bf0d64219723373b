"""Writes lasso.json: small regressions and what scikit-learn's LassoCV makes of them.

    /usr/bin/python3 tests/data/baseline/make_lasso.py > tests/data/baseline/lasso.json
"""
import json

import numpy as np
from sklearn.linear_model import LassoCV
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler


def case(name, x, y, folds):
    pipeline = make_pipeline(
        StandardScaler(), LassoCV(cv=folds, n_alphas=100, eps=1e-3, tol=1e-10, max_iter=200000))
    pipeline.fit(x, y)
    new = x[: min(5, len(x))] * 1.1
    return {"name": name, "folds": folds, "x": x.tolist(), "y": y.tolist(),
            "new": new.tolist(), "predicted": pipeline.predict(new).tolist()}


random = np.random.default_rng(7)
sparse = random.normal(size=(40, 12))
sizes = random.integers(1, 64, size=(30, 3)).astype(float)
monomials = np.column_stack(
    [sizes, sizes**2, sizes[:, [0]] * sizes[:, [1]], sizes[:, [1]] * sizes[:, [2]],
     sizes.prod(axis=1)])
print(json.dumps([
    case("sparse", sparse, 3 + sparse[:, 2] - 2 * sparse[:, 7] + 0.1 * random.normal(size=40), 10),
    case("noise", random.normal(size=(25, 4)), random.normal(size=25), 5),
    case("monomials", monomials,
         1e-6 * monomials[:, -1] + 1e-3 * sizes[:, 0] + 1e-3 * random.normal(size=30), 10),
]))

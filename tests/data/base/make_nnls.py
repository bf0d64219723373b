"""Writes nnls.json: least squares problems and what scipy.optimize.nnls makes of them. With a ridge
the problem has a row more for each coefficient: sqrt(ridge) x = sqrt(ridge) prior.

    /usr/bin/python3 tests/data/base/make_nnls.py > tests/data/base/nnls.json
"""
import json

import numpy as np
from scipy.optimize import nnls


def case(name, a, b, ridge=None, prior=None):
    ridge = np.zeros(a.shape[1]) if ridge is None else ridge
    prior = np.zeros(a.shape[1]) if prior is None else prior
    root = np.sqrt(ridge)
    x, _ = nnls(np.vstack([a, np.diag(root)]), np.concatenate([b, root * prior]))
    return {"name": name, "a": a.tolist(), "b": b.tolist(), "ridge": ridge.tolist(),
            "prior": prior.tolist(), "x": x.tolist()}


random = np.random.default_rng(3)
tall = random.normal(size=(30, 6))
positive = random.uniform(size=(25, 5))
alike = random.uniform(1, 2, size=(40, 1)) * np.ones((1, 4)) + 0.03 * random.normal(size=(40, 4))
wide = random.normal(size=(4, 7))
print(json.dumps([
    case("none active", positive, positive @ np.array([1, 2, 0.5, 3, 0.1])),
    case("some active", tall, tall @ np.array([1, -2, 0.5, -0.1, 3, 0]) + 0.1 * random.normal(size=30)),
    case("all active", positive, -np.ones(25)),
    case("nearly equal columns", alike, alike @ np.array([0.2, 0, 0.7, 0.1])
         + 0.01 * random.normal(size=40)),
    case("more columns than rows", wide, random.normal(size=4), 0.1 * np.ones(7), np.ones(7)),
    case("to a prior", tall, 0.2 * random.normal(size=30), np.array([1, 5, 0, 30, 0.5, 2]),
         np.array([1, 0, 0, 2, -1, 0.3])),
]))

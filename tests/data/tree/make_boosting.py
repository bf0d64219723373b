"""Writes boosting.json: functions with jumps, and how far off scikit-learn's boosted trees are on
points they have not seen.

    /usr/bin/python3 tests/data/tree/make_boosting.py > tests/data/tree/boosting.json
"""
import json

import numpy as np
from sklearn.ensemble import GradientBoostingRegressor

SEEDS = 5  # its error is the mean over these


def case(name, x, y, seen):
    errors = []
    for seed in range(SEEDS):
        trees = GradientBoostingRegressor(n_estimators=300, learning_rate=0.1, subsample=0.7,
                                          max_depth=5, max_features=0.5, random_state=seed)
        trees.fit(x[:seen], y[:seen])
        errors.append(np.sqrt(np.mean((trees.predict(x[seen:]) - y[seen:]) ** 2)))
    return {"name": name, "seen": seen, "x": x.tolist(), "y": y.round(6).tolist(),
            "rms_error": float(np.mean(errors))}


random = np.random.default_rng(11)
widths = random.integers(1, 129, size=(240, 2))
remainders = np.column_stack([widths, widths % 8, widths % 32, widths.prod(axis=1)])
steps = (np.log2(widths).sum(axis=1) + 0.5 * (9 * widths[:, 1] % 64 >= 38)
         + 0.2 * (widths[:, 0] % 8 != 0))
waves = random.integers(0, 1000, size=(260, 3)) / 100
smooth = np.sin(waves[:, 0]) + 0.1 * waves[:, 1] * waves[:, 2]
print(json.dumps([
    case("jumps", remainders, steps, 180),
    case("waves", waves, smooth + 0.05 * random.normal(size=len(smooth)), 200),
]))

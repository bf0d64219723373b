#!/usr/bin/env python3
"""Writes forest.json: the data sets of boosting.json, and the error of scikit-learn's random forest
on the points it has not seen."""
import json
import pathlib

import numpy as np
from sklearn.ensemble import RandomForestRegressor

FOLDER = pathlib.Path(__file__).parent
TREES, COLUMNS = 100, 2

cases = []
for case in json.loads((FOLDER / "boosting.json").read_text()):
    x, y, seen = np.array(case["x"]), np.array(case["y"]), case["seen"]
    errors = []
    for seed in range(5):
        forest = RandomForestRegressor(TREES, max_features=min(COLUMNS, x.shape[1]), random_state=seed)
        forest.fit(x[:seen], y[:seen])
        errors.append(float(np.sqrt(np.mean((forest.predict(x[seen:]) - y[seen:]) ** 2))))
    cases.append({"name": case["name"], "rms_error": round(float(np.mean(errors)), 9)})
(FOLDER / "forest.json").write_text(json.dumps({"trees": TREES, "columns": COLUMNS, "cases": cases}) + "\n")

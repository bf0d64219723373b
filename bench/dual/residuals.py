#!/usr/bin/env python3
"""Whether a measurement of a network says something of the next one, beyond its estimate.

    residuals.py [FILE.csv …]     default: the evaluations in docs/results/h200

Every network of an evaluation was estimated by `dual` once and measured twice, so each has two errors. The script prints
two correlations: between the first and the second error of the same network, and between the first error of one network
and the second error of another, over the sixth of all pairs whose widths are most alike (in octaves). The mean of each
round is subtracted first, because it belongs to the host of that hour and not to a network. Only Python is needed.
"""
import csv
import math
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]


def centred(values):
    mean = sum(values) / len(values)
    return [value - mean for value in values]


def octaves(model):
    return [math.log2(max(1, int(width))) for width in re.findall(r"\d+", model.partition(":")[2])]


def correlations(rows):
    first, second = (centred([math.log(float(row[f"{visit}_j"]) / float(row["dual_j"])) for row in rows])
                     for visit in ("first", "second"))
    scale = math.sqrt(sum(x * x for x in first) * sum(y * y for y in second)) / len(rows)
    same = sum(x * y for x, y in zip(first, second)) / len(rows) / scale
    places = [octaves(row["model"]) for row in rows]
    if len({len(place) for place in places}) != 1 or not places[0]:
        return same, None
    pairs = sorted((math.dist(places[i], places[j]), first[i] * second[j] / scale)
                   for i in range(len(rows)) for j in range(len(rows)) if i != j)
    alike = [product for _, product in pairs[:len(pairs) // 6]]
    return same, sum(alike) / len(alike)


def main():
    files = sys.argv[1:] or sorted((ROOT / "docs" / "results" / "h200").glob("*_batch*.csv"))
    print("| evaluation | networks | the same network | networks alike |\n| --- | --- | --- | --- |")
    for file in map(pathlib.Path, files):
        with open(file, encoding="utf-8") as text:
            rows = [row for row in csv.DictReader(text)
                    if row.get("dual_j") and row["first_j"] and row["second_j"]]
        if len(rows) > 2:
            same, alike = correlations(rows)
            print(f"| {file.stem.replace('_batch', ', ').replace('_', ', ')} | {len(rows)} | {same:+.2f} | "
                  f"{'–' if alike is None else f'{alike:+.2f}'} |")


if __name__ == "__main__":
    main()

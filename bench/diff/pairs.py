#!/usr/bin/env python3
"""How good the interval of a difference is, on recordings of a real device.

    pairs.py networks AMPERE [CELL …]   pairs of random networks that were measured, by the method dual
    pairs.py steps AMPERE               pairs of training steps that were measured, by the method operations

AMPERE is the program. Every pair is compared by `ampere diff --json`, whose difference is set against that of the
measurements. Prints one row per cell: how many pairs, the share of them inside the interval of the difference, and how
wide that interval is beside the difference of both intervals. A cell is FAMILY_BATCH, as in cnn5_128. Needs nothing but
Python itself.
"""
import csv
import itertools
import json
import pathlib
import random
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
PAIRS = 60  # of a cell, drawn at random
CONFIDENCE_REACH = 1.6449  # standard deviations of a 90 % interval


def ampere(program, *words):
    ran = subprocess.run([program, *map(str, words)], capture_output=True, text=True, check=False)
    if ran.returncode != 0:
        raise SystemExit(f"ampere {' '.join(map(str, words))}: {ran.stderr.strip()}")
    return ran.stdout


def mean(values):
    return sum(values) / len(values)


class Tally:
    """Pairs of one row of the table."""

    def __init__(self):
        self.inside = self.sign_right = self.clear = 0
        self.ratios, self.misses = [], []

    def add(self, diff, measured_before, measured_after):
        interval = diff["difference"]["energy_j_per_iteration"]
        truth = measured_after - measured_before
        self.inside += interval["low"] <= truth <= interval["high"]
        reaches = [CONFIDENCE_REACH * diff[side]["energy_j_per_iteration"]["stddev"] for side in ("before", "after")]
        self.ratios.append((interval["high"] - interval["low"]) / (2 * sum(reaches)))
        self.misses.append(abs(interval["mean"] - truth) / measured_before)
        if abs(truth) > 0.02 * measured_before:
            self.clear += 1
            self.sign_right += (interval["mean"] > 0) == (truth > 0)

    def row(self, name):
        count = len(self.ratios)
        sign = f"{100 * self.sign_right / self.clear:.0f} %" if self.clear else "–"
        return (f"| {name} | {count} | {100 * self.inside / count:.0f} % | {mean(self.ratios):.2f} | "
                f"{max(self.ratios):.2f} | {100 * mean(self.misses):.1f} % | {sign} |")


HEAD = ("| pairs of | pairs | inside the 90 % interval | width of it | largest | mean miss | sign right |\n"
        "| --- | --- | --- | --- | --- | --- | --- |")


def cells(asked):
    """(name, words of evaluate) of each recorded cell, as docs/results/h200/table.csv lists them."""
    seen = {}
    with open(ROOT / "docs/results/h200/table.csv", encoding="utf-8") as file:
        for row in csv.DictReader(file):
            again = "" if row["seed"] == "11" else f"_seed{row['seed']}"
            name = f"{row['family']}_{row['batch']}{again}"
            if asked and name not in asked:
                continue
            seen[name] = [row["family"], "--batch", row["batch"], "--networks", row["networks"], "--seed", row["seed"],
                          "--points", "6", "--measure-error", "0.03", "--point-seconds", "1.4", "--timings", "400",
                          "--profile-networks", "18", "--baseline-limit", row["baseline_limit_s"], "--method", "dual",
                          "--rig", f"recorded:{ROOT}/data/h200_{row['family']}_batch{row['batch']}{again}.jsonl.gz"]
    return seen


def networks(program, asked):
    print(HEAD)
    whole = Tally()
    for name, words in cells(asked).items():
        with tempfile.TemporaryDirectory() as folder:
            store = f"sqlite:{folder}/s.db"
            evaluation = json.loads(ampere(program, "evaluate", *words, "--store", store, "--json"))
            measured = {one["model"]: mean(one["measured_j_per_iteration"]) for one in evaluation["networks"]
                        if len(one["measured_j_per_iteration"]) == 2}
            pairs = list(itertools.combinations(sorted(measured), 2))
            random.Random(1).shuffle(pairs)
            tally = Tally()
            for before, after in pairs[:PAIRS]:
                diff = json.loads(ampere(program, "diff", before, after, "--batch", evaluation["batch"], "--store", store,
                                         "--method", "dual", "--json"))
                for one in (tally, whole):
                    one.add(diff, measured[before], measured[after])
        print(tally.row(name.replace("_", ", ", 1)), flush=True)
    print(whole.row("all"))


def arguments(entry):
    """Of "batch 64, network resnet50": what the script was given."""
    given = dict(one.split(" ", 1) for one in entry.split(", "))
    return [f"--arg={name}={value}" for name, value in given.items()]


def steps(program):
    """Steps of the suite, with the general profile that came with the program."""
    print(HEAD)
    for recording in ("h200_unseen", "h200_unseen_same_host"):
        rig = f"recorded:{ROOT}/data/{recording}.jsonl.gz"
        with tempfile.TemporaryDirectory() as folder:
            store = f"sqlite:{folder}/s.db"
            ampere(program, "profile", "--general", "--store", store, "--rig",
                   f"recorded:{ROOT}/data/h200_general.jsonl.gz")
            lines = ampere(program, "evaluate", "--json", "--store", store, "--suite", ROOT / "bench/suites/unseen.toml",
                           "--rig", rig).splitlines()
            results = [one for one in map(json.loads, lines) if one.get("measured")]
            programs = {}
            for number, one in enumerate(results):
                path = f"{folder}/{number}.program"
                ampere(program, "trace", f"{ROOT}/bench/torch/training_steps.py:build", *arguments(one["entry"]), "--rig",
                       rig, "-o", path)
                programs[one["entry"]] = path
            for title, wanted in (("one family, other setup", True), ("two families", False)):
                pairs = [pair for pair in itertools.combinations(results, 2)
                         if (pair[0]["family"] == pair[1]["family"]) == wanted]
                random.Random(1).shuffle(pairs)
                tally = Tally()
                for before, after in pairs[:4 * PAIRS]:
                    diff = json.loads(ampere(program, "diff", programs[before["entry"]], programs[after["entry"]],
                                             "--device", "h200", "--unrelated", "--json", "--store", store))
                    tally.add(diff, *(one["measured"]["energy_j_per_iteration"]["mean"] for one in (before, after)))
                print(tally.row(f"{recording}: {title}"), flush=True)


if __name__ == "__main__":
    if len(sys.argv) < 3 or sys.argv[1] not in ("networks", "steps"):
        raise SystemExit(__doc__)
    if sys.argv[1] == "networks":
        networks(sys.argv[2], sys.argv[3:])
    else:
        steps(sys.argv[2])

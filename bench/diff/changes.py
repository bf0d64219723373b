#!/usr/bin/env python3
"""What small changes to two networks cost, predicted by `ampere diff` and measured: changes.py AMPERE [--refine] [PROFILE]

AMPERE is the program. The steps are those of bench/suites/changes.toml, replayed from data/h200_modern.jsonl.gz. PROFILE is
the device whose profile predicts (default: h200, which came with the program). With --refine their dearest operations count
as they were timed in the same run. Needs nothing but Python itself.
"""

import argparse
import gzip
import json
import tempfile

from pairs import ROOT, ampere

RECORDING = ROOT / "data/h200_modern.jsonl.gz"
RIG = f"recorded:{RECORDING}"
SCRIPT = ROOT / "bench/diff/variants.py"
BATCHES = {"language": 8, "pictures": 64}
CHANGES = {
    "language": ("wider_mlp", "more_heads", "plain_attention", "relu", "rms_norm", "one_layer_less", "vocabulary"),
    "pictures": ("wider_block", "silu", "group_norm", "one_block_more"),
}
SMALL = 2  # the batch at which the host was looked at
CLEAR = 0.02  # a difference whose sign should be right


def arguments(network, change):
    given = {"network": network, "change": change, "batch": BATCHES[network]}
    return [f"--arg={name}={value}" for name, value in given.items()]


def measurements():
    """Joules per iteration by network and change, as they were recorded."""
    joules = {}
    with gzip.open(RECORDING, "rt", encoding="utf-8") as file:
        for line in map(json.loads, file):
            script = line.get("script", {})
            if line.get("do") != "script" or script["path"] != SCRIPT.name or script["arguments"]["batch"] == SMALL:
                continue
            given = script["arguments"]
            joules[given["network"], given["change"]] = line["measured"]["measurement"]["energy_j_per_iteration"]["mean"]
    return joules


def main(program, refine, profile):
    at_hand = ["--refine", "--rig", RIG] if refine else []
    joules = measurements()
    print("| network | change | measured | predicted | 90 % interval | off by |\n| --- | --- | --- | --- | --- | --- |")
    misses, inside, clear, right = [], 0, 0, 0
    with tempfile.TemporaryDirectory() as folder:
        store = f"sqlite:{folder}/none.db"

        def traced(network, change):
            path = f"{folder}/{network}-{change}.program"
            ampere(program, "trace", f"{SCRIPT}:build", *arguments(network, change), "--rig", RIG, "-o", path)
            return path

        for network, changes in CHANGES.items():
            before, before_j = traced(network, "none"), joules[network, "none"]
            for change in changes:
                truth = joules[network, change] / before_j - 1
                diff = json.loads(ampere(program, "diff", before, traced(network, change), "--device", profile, "--unrelated",
                                         "--store", store, "--json", *at_hand))
                of = diff["before"]["energy_j_per_iteration"]["mean"]
                low, mean, high = (diff["difference"]["energy_j_per_iteration"][key] / of for key in ("low", "mean", "high"))
                misses.append(abs(mean - truth))
                inside += low <= truth <= high
                if abs(truth) > CLEAR:
                    clear += 1
                    right += (mean > 0) == (truth > 0)
                print(f"| {network} | {change} | {100 * truth:+.1f} % | {100 * mean:+.1f} % | {100 * low:+.1f} to "
                      f"{100 * high:+.1f} % | {100 * misses[-1]:.1f} |", flush=True)
    print(f"\n{len(misses)} changes: sign right in {right} of the {clear} that differ by more than {100 * CLEAR:.0f} %; off by "
          f"{100 * sum(misses) / len(misses):.1f} percentage points on average, {100 * max(misses):.1f} at most; {inside} "
          "inside the interval")


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("ampere")
    parser.add_argument("--refine", action="store_true")
    parser.add_argument("profile", nargs="?", default="h200")
    options = parser.parse_args()
    main(options.ampere, options.refine, options.profile)

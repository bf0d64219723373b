#!/usr/bin/env python3
"""What small changes to two networks cost, predicted by `ampere diff` and then measured: changes.py AMPERE FOLDER

AMPERE is the program. The steps are those of variants.py. Each pair is predicted from the profile alone and with the device
at hand (--refine), and both are then measured in turns (--check). FOLDER has one recording per pair, which answers as the
device did; with --live the device itself is asked, and FOLDER gets the recordings. A pair that is recorded already is not
measured again. Needs nothing but Python itself.
"""

import argparse
import json
import os
import pathlib

from pairs import ROOT, ampere

SCRIPT = "bench/diff/variants.py"  # a recording keeps the command, and nobody needs the folder of the checkout
BATCHES = {"language": 8, "pictures": 64}
CHANGES = {
    "language": ("wider_mlp", "more_heads", "plain_attention", "relu", "rms_norm", "one_layer_less", "vocabulary"),
    "pictures": ("wider_block", "silu", "group_norm", "one_block_more"),
}
PAIRS = [(network, change) for network, changes in CHANGES.items() for change in changes]
CLEAR = 0.02  # a difference whose sign should be right
NEAR = 0.03


class Tally:
    """What is said of all pairs together."""

    def __init__(self, title):
        self.title = title
        self.misses, self.inside, self.clear, self.right = [], 0, 0, 0

    def add(self, predicted, truth):
        self.misses.append(abs(predicted["relative"] - truth))
        self.inside += predicted["relative_low"] <= truth <= predicted["relative_high"]
        if abs(truth) > CLEAR:
            self.clear += 1
            self.right += (predicted["relative"] > 0) == (truth > 0)

    def text(self):
        near = sum(miss <= NEAR for miss in self.misses)
        return (f"{self.title}: {len(self.misses)} changes, sign right in {self.right} of the {self.clear} that differ by more than "
                f"{100 * CLEAR:.0f} %; off by {100 * sum(self.misses) / len(self.misses):.1f} percentage points on average, "
                f"{100 * max(self.misses):.1f} at most, {near} within {100 * NEAR:.0f}; {self.inside} inside the interval")


def recording(options, network, change):
    return pathlib.Path(options.folder) / f"{network}-{change}.jsonl.gz"


def words(options, network, change):
    return ["diff", f"{SCRIPT}:build", f"{SCRIPT}:build", f"--arg=network={network}", f"--arg=batch={BATCHES[network]}",
            "--arg-before=change=none", f"--arg-after=change={change}", "--device", options.profile, "--unrelated", "--store",
            f"sqlite:{options.folder}/none.db", "--json"]


CHECK = ["--check", "--rounds", "3"]


def record(options, network, change):
    """Asks the device. A recording has its name only when it is whole."""
    path = recording(options, network, change)
    if path.exists():
        return
    unfinished = path.with_name(f"unfinished-{path.name}")
    unfinished.unlink(missing_ok=True)
    said = ampere(options.ampere, *words(options, network, change), "--refine", *CHECK, "--rig", "torch", "--record", unfinished)
    answer = json.loads(said)
    line = {"network": network, "change": change, "predicted": answer["difference"]["energy_j_per_iteration"],
            "measured": answer["checked"]["difference"]["energy_j_per_iteration"]}
    with open(live_answers(options), "a", encoding="utf-8") as file:
        print(json.dumps(line), file=file)
    unfinished.rename(path)


def live_answers(options):
    """What was predicted before it was measured, one line per pair."""
    return pathlib.Path(options.folder) / "live.jsonl"


def percent(share):
    return f"{100 * share:+.1f} %"


def row(network, change, alone, at_hand, measured):
    truth = measured["relative"]
    spread = truth / measured["mean"] * (measured["high"] - measured["mean"])
    low, high = (percent(at_hand[key]) for key in ("relative_low", "relative_high"))
    return (f"| {network}: {change} | {percent(truth)} | {100 * spread:.1f} | {percent(alone['relative'])} | "
            f"{percent(at_hand['relative'])} | {low} to {high} | {100 * abs(at_hand['relative'] - truth):.1f} |")


def main(options):
    print("| change | measured | ± | predicted alone | at hand | 90 % interval | off by |\n"
          "| --- | --- | --- | --- | --- | --- | --- |")
    tallies = Tally("profile alone"), Tally("device at hand")
    for network, change in PAIRS:
        if options.only and f"{network}-{change}" not in options.only:
            continue
        if options.live:
            record(options, network, change)
        asked = [*words(options, network, change), "--rig", f"recorded:{recording(options, network, change)}"]
        answers = [json.loads(ampere(options.ampere, *asked, *more)) for more in (CHECK, ["--refine"])]
        predicted = [answer["difference"]["energy_j_per_iteration"] for answer in answers]
        measured = answers[0]["checked"]["difference"]["energy_j_per_iteration"]
        for tally, one in zip(tallies, predicted):
            tally.add(one, measured["relative"])
        print(row(network, change, *predicted, measured), flush=True)
    for tally in tallies:
        print(tally.text())
    if live_answers(options).exists():
        live = Tally("as it was predicted live")
        for line in live_answers(options).read_text(encoding="utf-8").splitlines():
            answer = json.loads(line)
            live.add(answer["predicted"], answer["measured"]["relative"])
        print(live.text())


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("ampere")
    parser.add_argument("folder")
    parser.add_argument("--live", action="store_true")
    parser.add_argument("--profile", default="h200", help="the device whose profile predicts (default: h200, which came with the program)")
    parser.add_argument("--only", nargs="*", help="these pairs alone, as in language-relu")
    given = parser.parse_args()
    given.ampere, given.folder = os.path.abspath(given.ampere), os.path.abspath(given.folder)
    os.chdir(ROOT)
    main(given)

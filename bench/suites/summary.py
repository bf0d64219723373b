#!/usr/bin/env python3
"""How good the estimates of a suite are: summary.py FILE

FILE has what `ampere evaluate --suite SUITE --json` printed. Prints one table of all steps, of those of each number format,
and of those whose batch is the largest of their network, which no profile has seen; then one row per network. The family
of a step is not known to the estimates. One line says how well operations add up. Of families of random networks it prints
how far each method is off, and what was measured for it. Needs nothing but Python itself.
"""

import json
import sys
from collections import defaultdict

BUSY = 0.5  # of the device's time: a host that takes less is hardly waited for
WAYS = {"at_hand": "device at hand", "alone": "profile alone"}


def arguments_of(step):
    return dict(one.split(" ", 1) for one in step["entry"].split(", "))


def error(step, way, what="energy_j"):
    measured = step["measured"][f"{what}_per_iteration"]["mean"]
    return step["estimates"][way][what]["mean"] / measured - 1


def is_inside(step, way):
    estimate = step["estimates"][way]["energy_j"]
    return estimate["low"] <= step["measured"]["energy_j_per_iteration"]["mean"] <= estimate["high"]


def mean(values):
    return sum(values) / len(values)


def nine_in_ten(values):
    """What 90 % of the values are below, between two of them where it must be."""
    ordered = sorted(values)
    place = 0.9 * (len(ordered) - 1)
    lower = ordered[int(place)]
    return lower + (place - int(place)) * (ordered[min(int(place) + 1, len(ordered) - 1)] - lower)


def percent(share, is_best=False):
    return f"**{100 * share:.1f} %**" if is_best else f"{100 * share:.1f} %"


def cells(steps, way):
    errors = [error(step, way) for step in steps]
    sizes = [abs(each) for each in errors]
    return [percent(mean(sizes)), percent(nine_in_ten(sizes)), f"{100 * mean(errors):+.1f} %",
            f"{100 * mean([is_inside(step, way) for step in steps]):.0f} %",
            percent(mean([abs(error(step, way, 'time_s')) for step in steps]))]


def print_row(*words):
    print("| " + " | ".join(map(str, words)) + " |")


def print_selections(steps):
    largest = defaultdict(int)
    for step in steps:
        given = arguments_of(step)
        key = (given["network"], given.get("length"))
        largest[key] = max(largest[key], int(given["batch"]))

    def is_largest(given):
        return int(given["batch"]) == largest[given["network"], given.get("length")]

    selections = {
        "all": lambda given: True,
        "fp32": lambda given: given.get("precision") == "fp32",
        "bf16": lambda given: given.get("precision") == "bf16",
        "a batch never profiled": is_largest,
    }
    print_row("steps", "number", "known", "energy, mean error", "90 % are below", "bias", "inside 90 % interval", "time, mean error")
    print_row(*["---"] * 8)
    for title, wanted in selections.items():
        chosen = [step for step in steps if wanted(arguments_of(step))]
        for way, name in WAYS.items() if chosen else ():
            print_row(title, len(chosen), name, *cells(chosen, way))


def print_sums(steps):
    """Of steps in which the device hardly waits: their operations alone, most of which were timed, and their time."""
    errors = [step["estimates"]["at_hand"]["device_s"] / step["measured"]["time_s_per_iteration"]["mean"] - 1 for step in steps
              if step["estimates"]["at_hand"]["host_s"] < BUSY * step["estimates"]["at_hand"]["device_s"]]
    if not errors:
        return
    sizes = [abs(each) for each in errors]
    print()
    print_row("steps whose host takes less than half of the device's time", "sum of operations against time, mean error",
              "90 % are below", "bias")
    print_row(*["---"] * 4)
    print_row(len(errors), percent(mean(sizes)), percent(nine_in_ten(sizes)), f"{100 * mean(errors):+.1f} %")


def print_networks(steps):
    by_network = defaultdict(list)
    for step in steps:
        given = arguments_of(step)
        by_network[given["network"], given.get("precision", "")].append(step)
    print()
    print_row("network", "format", "steps", "measured J per iteration", *(f"error, {name}" for name in WAYS.values()))
    print_row(*["---"] * 6)
    for (network, precision), chosen in sorted(by_network.items()):
        joules = ", ".join(f"{step['measured']['energy_j_per_iteration']['mean']:.3g}" for step in chosen)
        print_row(network, precision, len(chosen), joules,
                  *(", ".join(f"{100 * error(step, way):+.1f} %" for step in chosen) for way in WAYS))


def scores_of(family):
    """By method, in the order of the file; with the device at hand it is another one."""
    scores = {}
    for name, score in family["methods"].items():
        scores[name] = score
        if score.get("at_hand"):
            scores[f"{name}, device at hand"] = score["at_hand"]
    return scores


def errors_of(family, method):
    """Of single runs. With the device at hand the host was looked at, and the network estimated, for each."""
    errors = []
    for network in family["networks"]:
        runs = network["measured_j_per_iteration"]
        estimates = [network["estimates"][method]] * len(runs) if method in network["estimates"] else network["at_hand_estimates"]
        errors += [estimate["mean"] / run - 1 for estimate, run in zip(estimates, runs)]
    return errors


def print_errors(scores, methods, noise):
    """What is best of a family is bold."""
    best = [min(each["mape"] for each in family.values()) for family in scores.values()]
    print_row("energy, mean error (inside 90 % interval)", *scores)
    print_row(*["---"] * (len(scores) + 1))
    for method in methods:
        given = [each.get(method) for each in scores.values()]
        print_row(method, *(f"{percent(each['mape'], each['mape'] == least)} ({100 * each['coverage_90']:.0f} %)" if each else "none"
                            for each, least in zip(given, best)))
    print_row("two runs of one network", *(percent(each) for each in noise))


def print_means(families, scores, methods, noise):
    print_row("all families", "mean error", "of single runs", "of which 90 % are below")
    print_row(*["---"] * 4)
    for method in methods:
        given = [each.get(method) for each in scores.values()]
        if all(given):
            sizes = [abs(error) for family in families for error in errors_of(family, method)]
            print_row(method, percent(mean([each["mape"] for each in given])), percent(mean(sizes)), percent(nine_in_ten(sizes)))
    print_row("two runs of one network", percent(mean(noise)), "", "")


def print_costs(scores, methods):
    print_row("measured for it", *scores)
    print_row(*["---"] * (len(scores) + 1))
    for method in methods:
        spent = [each.get(method, {}) for each in scores.values()]
        if all("seconds" in each for each in spent):
            print_row(method, *(f"{each['points']} in {each['seconds']:.0f} s" for each in spent))


def print_families(families):
    scores = {family["family"]: scores_of(family) for family in families}
    methods = list(dict.fromkeys(method for each in scores.values() for method in each))
    noise = [family["repeat_noise"]["mape"] for family in families]
    print_errors(scores, methods, noise)
    print()
    print_means(families, scores, methods, noise)
    print()
    print_costs(scores, methods)


def main():
    with open(sys.argv[1], encoding="utf-8") as file:
        lines = [json.loads(line) for line in file]
    families = [line for line in lines if "family" in line and "repeat_noise" in line]
    if families:
        print_families(families)
    steps = [line for line in lines if line.get("measured")]
    if not steps and not families:
        raise SystemExit(f"{sys.argv[1]}: no step was measured")
    if steps:
        print_selections(steps)
        print_sums(steps)
        print_networks(steps)


if __name__ == "__main__":
    if len(sys.argv) != 2:
        raise SystemExit(__doc__)
    main()

#!/usr/bin/env python3
"""How two sittings of one kind of device differ: sittings.py RECORDING RECORDING

The recordings are those of `ampere profile --general` or `ampere evaluate --suite`, plain or compressed. Prints how warm the
device was at the same power, by a line through all that was measured; and what the second sitting needed for each program
that both measured, compared with the first. The last line has the programs that keep the device busy: those whose times
differ by less than 5 %. Needs nothing but Python itself.
"""

import gzip
import json
import math
import sys

SAME_TIME = 0.05
POWERS_W = (150, 400, 650)


def mean(values):
    return sum(values) / len(values)


class Program:
    """Of one iteration, as it was measured."""

    def __init__(self, measurement):
        self.energy_j, self.time_s = (measurement[f"{what}_per_iteration"]["mean"] for what in ("energy_j", "time_s"))
        self.power_w = self.energy_j / self.time_s
        self.celsius = mean([window["temperature_c"] for window in measurement["windows"]])


def read(path):
    """Programs of a profile by their names, and all that was measured."""
    named, everything = {}, []
    with (gzip.open if path.endswith(".gz") else open)(path, "rt") as lines:
        for line in lines:
            entry = json.loads(line)
            measurement = entry.get("measurement") or entry.get("measured", {}).get("measurement")
            if not measurement:
                continue
            everything.append(Program(measurement))
            if "model" in entry:
                setup = entry["setup"]
                name = f"{entry['model']['name']}, batch {setup['batch']}, {setup['optimizer']}, {setup['precision']}"
                named.setdefault(name, everything[-1])
    return named, everything


def warmth(programs):
    """The line through temperature over power, at some powers."""
    power, celsius = mean([one.power_w for one in programs]), mean([one.celsius for one in programs])
    slope = (sum((one.power_w - power) * (one.celsius - celsius) for one in programs)
             / sum((one.power_w - power) ** 2 for one in programs))
    return ", ".join(f"{celsius + slope * (at - power):.1f} °C at {at} W" for at in POWERS_W)


def main():
    (first, all_first), (second, all_second) = (read(path) for path in sys.argv[1:3])
    print(f"first: {warmth(all_first)}\nsecond: {warmth(all_second)}")
    both = [name for name in first if name in second]
    if not both:
        return
    print("\n| program | energy | time | power | temperature |\n| --- | --- | --- | --- | --- |")
    busy = []
    for name in both:
        before, after = first[name], second[name]
        energy, time = after.energy_j / before.energy_j, after.time_s / before.time_s
        print(f"| {name} | {100 * (energy - 1):+.1f} % | {100 * (time - 1):+.1f} % "
              f"| {before.power_w:.0f} → {after.power_w:.0f} W | {before.celsius:.0f} → {after.celsius:.0f} °C |")
        if abs(math.log(time)) < SAME_TIME:
            busy.append(math.log(energy))
    print(f"\n{len(busy)} busy programs: energy {100 * math.expm1(mean(busy)):+.1f} % on average, root mean square "
          f"{100 * math.sqrt(mean([one * one for one in busy])):.1f} %")


if __name__ == "__main__":
    main()

"""Means, differences and tables of a recording."""

from __future__ import annotations

import math
import statistics
from dataclasses import dataclass
from typing import Any, Optional

NOT_MEASURED = "-"


@dataclass
class Mean:
    value: float
    error: Optional[float]  # standard error; unknown with a single round


def mean_of(values: list[float]) -> Optional[Mean]:
    if not values:
        return None
    error = statistics.stdev(values) / math.sqrt(len(values)) if len(values) > 1 else None
    return Mean(statistics.fmean(values), error)


def loop_value(windows: list[dict[str, Any]], key: str) -> Optional[float]:
    """Energy or time per iteration over the windows of one round."""
    if any(window[key] is None for window in windows):
        return None
    return sum(window[key] for window in windows) / sum(window["iterations"] for window in windows)


def rig_value(measurement: dict[str, Any], key: str) -> Optional[float]:
    """The same of a measurement. Modelled energy is no energy here."""
    if key == "energy_j" and measurement["source"] != "measured":
        return None
    statistic = measurement.get(f"{key}_per_iteration")
    if statistic:
        return float(statistic["mean"])
    return loop_value([window for window in measurement["windows"] if not window["rejected"]], key)


def pairs(row: dict[str, Any], key: str) -> list[tuple[float, float]]:
    """(loop, rig) of every round in which both are known."""
    found = []
    for each in row["rounds"]:
        loop, rig = loop_value(each["loop"], key), rig_value(each["rig"], key)
        if loop is not None and rig is not None:
            found.append((loop, rig))
    return found


def off_percent(both: list[tuple[float, float]]) -> Optional[Mean]:
    """By how much the rig's mean differs from the loop's, with the error over paired rounds."""
    if not both:
        return None
    loop, rig = (statistics.fmean(values) for values in zip(*both))
    spread = mean_of([math.log(b / a) for a, b in both])
    error = None if spread is None or spread.error is None else 100 * spread.error
    return Mean(100 * (rig / loop - 1), error)


def quantity(mean: Optional[Mean], unit: str) -> str:
    """As in "244.1 ± 0.8 mJ": four digits of the mean, and its error to the same place."""
    if mean is None:
        return NOT_MEASURED
    scale, prefix = (1, "") if mean.value >= 10 or (unit == "J" and mean.value >= 4) else (1000, "m")
    value = mean.value * scale
    places = max(0, 3 - int(math.floor(math.log10(value)))) if value > 0 else 0
    error = "" if mean.error is None else f" ± {mean.error * scale:.{places}f}"
    return f"{value:.{places}f}{error} {prefix}{unit}"


def signed_percent(mean: Optional[Mean]) -> str:
    return NOT_MEASURED if mean is None else f"{mean.value:+.1f} %".replace("-", "−")


def error_percent(mean: Optional[Mean]) -> str:
    return NOT_MEASURED if mean is None or mean.error is None else f"{mean.error:.1f} %"


def markdown(header: list[str], lines: list[list[str]]) -> str:
    rows = [header, ["---"] * len(header), *lines]
    return "\n".join("| " + " | ".join(cells) + " |" for cells in rows)


def comparison(rows: list[dict[str, Any]]) -> str:
    lines = []
    for row in rows:
        cells = [row["row"]["title"]]
        for key, unit in (("energy_j", "J"), ("time_s", "s")):
            both = pairs(row, key)
            cells.append(quantity(mean_of([loop for loop, _ in both]), unit))
            cells.append(quantity(mean_of([rig for _, rig in both]), unit))
            cells.append(signed_percent(off_percent(both)))
        lines.append(cells)
    header = ["network", "loop energy", "rig energy", "off", "loop time", "rig time", "off"]
    return markdown(header, lines)


def conditions(rows: list[dict[str, Any]]) -> str:
    """How much was measured, and how sure the differences are."""
    lines = []
    for row in rows:
        lines.append(
            [
                row["row"]["title"],
                str(len(row["rounds"])),
                str(sum(len(each["loop"]) for each in row["rounds"])),
                str(sum(len(each["rig"]["windows"]) for each in row["rounds"])),
                error_percent(off_percent(pairs(row, "energy_j"))),
                error_percent(off_percent(pairs(row, "time_s"))),
            ]
        )
    errors = ["standard error of the energy's off", "of the time's off"]
    return markdown(["network", "rounds", "loop windows", "rig windows", *errors], lines)


def remarks(recording: dict[str, Any]) -> list[str]:
    """What a reader of the tables must know: failures, missing energy, notes of the rig."""
    found = []
    if not recording["loop"].get("energy"):
        found.append("Energy is not measured on this device: only times are compared.")
    for row in recording["rows"]:
        if row["error"]:
            found.append(f"{row['row']['title']}: {row['error']}")
        notes: dict[str, int] = {}
        for each in row["rounds"]:
            for note in each["rig"].get("notes", []):
                notes[note] = notes.get(note, 0) + 1
        found += [f"{row['row']['title']}: rig, {count} of {len(row['rounds'])} rounds: {note}"
                  for note, count in notes.items()]
    return found


def report(recording: dict[str, Any]) -> str:
    device, loop = recording["rig"].get("device", {}), recording["loop"]
    head = (f"{device.get('name')}; loop: {loop.get('framework')}; rig: {device.get('framework')}; "
            f"meter: {device.get('meter')}")
    notes = "\n".join(f"- {each}" for each in remarks(recording))
    parts = [head, comparison(recording["rows"]), conditions(recording["rows"]), notes]
    return "\n\n".join(part for part in parts if part)

"""Estimated against measured: summary.py FOLDER SIZE…, as on_gpu fills it.

One row per call, then two tables: estimates from the profile alone, and with the device at hand. They are compared with the
first round of measurements. If there was a second one, its differences from the first show what the machine itself changes.
"""

from __future__ import annotations

import json
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any

WAYS = {"alone": "{}.json", "at hand": "{}_refined.json"}


@dataclass(frozen=True)
class Error:
    energy: float
    time: float
    inside: bool  # the measured energy lies in the interval


def estimated(answer: Any, row: Any) -> tuple[Any, Any]:
    """Energy per token and time of one execution."""
    batch = next(each for each in answer["batches"] if each["batch"] == row["batch"])
    if row["stage"] == "prefill":
        return batch["energy_j_per_prompt_token"], batch["time_to_first_token_s"]
    cost = next(each for each in batch["contexts"] if each["context"] == row["context"])
    return cost["energy_j_per_token"], cost["time_s"]


def error_of(answer: Any, row: Any) -> Error:
    energy, time = estimated(answer, row)
    return Error(energy["mean"] / row["j_per_token"] - 1, time["mean"] / row["time_s"] - 1,
                 energy["low"] <= row["j_per_token"] <= energy["high"])


def mean(numbers: list[float]) -> float:
    return sum(numbers) / len(numbers)


def print_calls(rows: list[Any]) -> None:
    print("| model | call | batch | measured J per token | alone | at hand |\n| --- | --- | --- | --- | --- | --- |")
    for row in rows:
        call = "prefill" if row["stage"] == "prefill" else f"decode at {row['context']}"
        errors = " | ".join(f"{row['errors'][way].energy:+.1%}" for way in WAYS)
        print(f"| {row['model']} | {call} | {row['batch']} | {row['j_per_token']:.4g} | {errors} |")


def print_way(way: str, rows: list[Any], sizes: list[str]) -> None:
    source = ", ".join(sorted({row["source"] for row in rows}))
    print(f"\nErrors of the estimates {way} ({source}), energy per token:\n")
    print("| model | calls | decodes: mean | prefills: mean | worst | time: mean | inside |")
    print("| --- | --- | --- | --- | --- | --- | --- |")
    for name, models in [*((size, [size]) for size in sizes), ("all", sizes)]:
        found = [row for row in rows if row["model"] in models]
        errors = [row["errors"][way] for row in found]
        by_stage = " | ".join(
            f"{mean([abs(row['errors'][way].energy) for row in found if row['stage'] == stage]):.1%}"
            for stage in ("decode", "prefill"))
        print(f"| {name} | {len(found)} | {by_stage} | {max((each.energy for each in errors), key=abs):+.1%} | "
              f"{mean([abs(each.time) for each in errors]):.1%} | {mean([each.inside for each in errors]):.0%} |")


def place(row: Any) -> tuple[Any, ...]:
    return row["model"], row["stage"], row["batch"], row["context"]


def waits_for(answer: Any, row: Any) -> str:
    """What the call waits for by its estimate: "host", "device" or "power". Of decodes only that of all contexts is known."""
    batch = next(each for each in answer["batches"] if each["batch"] == row["batch"])
    return batch["prefill" if row["stage"] == "prefill" else "decode"]["limit"]


def print_limits(rows: list[Any], answers: dict[Any, Any]) -> None:
    print("\nAt hand, by what the calls wait for:\n\n| waits for | calls | energy: mean | time: mean | inside |\n"
          "| --- | --- | --- | --- | --- |")
    for name, limits in {"the host": ("host",), "the device": ("device", "power")}.items():
        errors = [row["errors"]["at hand"] for row in rows if waits_for(answers[row["model"], "at hand"], row) in limits]
        if errors:
            print(f"| {name} | {len(errors)} | {mean([abs(each.energy) for each in errors]):.1%} | "
                  f"{mean([abs(each.time) for each in errors]):.1%} | {mean([each.inside for each in errors]):.0%} |")


def print_repeats(rows: list[Any], again: list[Any], sizes: list[str]) -> None:
    first = {place(row): row for row in rows}
    print("\nThe second round against the first:\n\n| model | energy: mean | worst | time: mean | worst |\n"
          "| --- | --- | --- | --- | --- |")
    for name, models in [*((size, [size]) for size in sizes), ("all", sizes)]:
        cells: list[str] = []
        for what in ("energy_j", "time_s"):
            found = [row[what] / first[place(row)][what] - 1 for row in again if row["model"] in models]
            if not found:
                break
            cells += [f"{mean([abs(each) for each in found]):.1%}", f"{max(found, key=abs):+.1%}"]
        if cells:
            print(f"| {name} | {' | '.join(cells)} |")


def main() -> None:
    folder, sizes = Path(sys.argv[1]), sys.argv[2:]
    measured = [json.loads(line) for line in (folder / "measured.jsonl").read_text().splitlines()]
    answers = {(size, way): json.loads((folder / name.format(size)).read_text())
               for size in sizes for way, name in WAYS.items()}
    silent = [row for row in measured if row["energy_j"] is None]
    if silent:
        sys.exit(f"no energy was measured: {silent[0]['reason']}")
    rows = [row for row in measured if row.get("round", 1) == 1]
    for row in rows:
        tokens = row["batch"] * (answers[row["model"], "alone"]["prompt"] if row["stage"] == "prefill" else 1)
        row["j_per_token"] = row["energy_j"] / tokens
        row["errors"] = {way: error_of(answers[row["model"], way], row) for way in WAYS}
    print_calls(rows)
    for way in WAYS:
        print_way(way, rows, sizes)
    print_limits(rows, answers)
    again = [row for row in measured if row.get("round", 1) == 2]
    if again:
        print_repeats(rows, again, sizes)


if __name__ == "__main__":
    main()

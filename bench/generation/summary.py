"""Estimated against measured: summary.py FOLDER, as on_gpu fills it. One row per call, then the means."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any


def estimated(answer: Any, row: Any) -> tuple[Any, Any]:
    """Energy and time of one execution."""
    batch = next(each for each in answer["batches"] if each["batch"] == row["batch"])
    if row["stage"] == "prefill":
        return batch["prefill_energy_j"], batch["time_to_first_token_s"]
    cost = next(each for each in batch["contexts"] if each["context"] == row["context"])
    energy = {key: value * (1 if key == "confidence" else row["batch"]) for key, value in cost["energy_j_per_token"].items()}
    return energy, cost["time_s"]


def main() -> None:
    folder = Path(sys.argv[1])
    rows = [json.loads(line) for line in (folder / "measured.jsonl").read_text().splitlines()]
    answers = {size: json.loads((folder / f"{size}.json").read_text()) for size in {row["model"] for row in rows}}
    print("| model | call | batch | measured J | energy | time | inside |\n| --- | --- | --- | --- | --- | --- | --- |")
    errors: dict[str, list[tuple[float, float, bool]]] = {}
    for row in rows:
        if row["energy_j"] is None:
            print(f"# {row['model']}, {row['stage']}: no energy: {row['reason']}")
            continue
        energy, time = estimated(answers[row["model"]], row)
        off, late = energy["mean"] / row["energy_j"] - 1, time["mean"] / row["time_s"] - 1
        inside = energy["low"] <= row["energy_j"] <= energy["high"]
        errors.setdefault(row["stage"], []).append((abs(off), abs(late), inside))
        call = "prefill" if row["stage"] == "prefill" else f"decode at {row['context']}"
        print(f"| {row['model']} | {call} | {row['batch']} | {row['energy_j']:.4g} | {off:+.1%} | {late:+.1%} | "
              f"{'yes' if inside else 'no'} |")
    for stage, found in errors.items():
        count = len(found)
        print(f"\n{stage}: {count} calls ({', '.join(sorted({row['source'] for row in rows}))}), mean error of the energy "
              f"{sum(each[0] for each in found) / count:.1%}, of the time {sum(each[1] for each in found) / count:.1%}; "
              f"{sum(each[2] for each in found)} energies inside of the interval")


if __name__ == "__main__":
    main()

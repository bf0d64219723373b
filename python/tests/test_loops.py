"""What is published about the rig against a plain loop, from the windows that were measured."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]


def published(*files: str) -> dict[str, tuple[float, float]]:
    """By network, how far the rig is off in energy and in time, in per cent."""
    paths = [str(ROOT / "data" / f"h200_loops_{name}.json.gz") for name in files]
    program = str(ROOT / "bench" / "torch" / "compare_loop.py")
    printed = subprocess.run([sys.executable, program, "--print", *paths], check=True, text=True, capture_output=True)
    table = printed.stdout.split("| network | rounds")[0]
    rows = [[cell.strip() for cell in line.split("|")[1:-1]] for line in table.splitlines() if line.startswith("| ")]
    percent = re.compile(r"([+−-]?[\d.]+) %")

    def number(cell: str) -> float:
        found = percent.fullmatch(cell)
        assert found, cell
        return float(found[1].replace("−", "-"))

    return {row[0]: (number(row[3]), number(row[6])) for row in rows if percent.fullmatch(row[3])}


def test_networks_that_wait_for_the_host_are_within_five_per_cent_in_energy() -> None:
    rows = published("host")
    assert len(rows) == 5
    assert all(abs(energy) <= 5 for energy, _ in rows.values()), rows


@pytest.mark.parametrize("file, names", [("eager", ["resnet50 at", "GPT-2 small"]), ("compiled", [""]),
                                         ("compiled2", [""])])
def test_networks_that_wait_for_the_gpu_are_within_three_per_cent_in_energy(file: str, names: list[str]) -> None:
    rows = {name: off for name, off in published(file).items() if name.startswith(tuple(names))}
    assert rows
    assert all(abs(energy) <= 3 for energy, _ in rows.values()), rows

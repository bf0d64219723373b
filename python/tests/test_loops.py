"""What is published about the rig against a plain loop, from the windows that were measured."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
PROGRAM = ROOT / "bench" / "torch" / "compare_loop.py"
PAGE = ROOT / "docs" / "results" / "h200-pytorch.md"

WAIT_FOR_THE_HOST = ("lenet5, batch 10, SGD", "transformer, batch 10, SGD", "resnet18, batch 10, SGD",
                     "transformer, batch 128, Adam")

Table = dict[str, list[str]]


def tables(text: str) -> list[Table]:
    """The Markdown tables of a text: the cells of each row by its first cell."""
    found: list[Table] = []
    inside = False
    for line in text.splitlines():
        if not line.startswith("| "):
            inside = False
            continue
        cells = [cell.strip() for cell in line.split("|")[1:-1]]
        if not inside:
            found.append({})
            inside = True
        elif cells[0] != "---":
            found[-1][cells[0]] = cells[1:]
    return found


def printed(*arguments: str) -> list[Table]:
    command = [sys.executable, str(PROGRAM), "--print", *arguments]
    return tables(subprocess.run(command, check=True, text=True, capture_output=True, cwd=ROOT).stdout)


@pytest.fixture(scope="module")
def published() -> list[Table]:
    """The two tables of the command on the page: the comparison, and how much was measured."""
    commands = [line for line in PAGE.read_text(encoding="utf-8").splitlines() if " --print " in line]
    assert len(commands) == 1
    both = printed(*commands[0].split(" --print ")[1].split())
    assert len(both) == 2 and both[0].keys() == both[1].keys() and len(both[0]) == 10
    return both


def percent(cell: str) -> float:
    assert cell.endswith(" %"), cell
    return float(cell[:-2].replace("−", "-"))


def test_every_network_rests_on_ten_windows_of_each_side(published: list[Table]) -> None:
    for network, (_, loop, rig, *_) in published[1].items():
        assert int(loop) >= 10 and int(rig) >= 10, network


def test_networks_that_wait_for_the_host_are_within_five_per_cent_in_energy(published: list[Table]) -> None:
    for network in WAIT_FOR_THE_HOST:
        assert abs(percent(published[0][network][2])) <= 5, network


def test_networks_that_wait_for_the_gpu_are_within_three_per_cent_in_energy(published: list[Table]) -> None:
    for network in published[0].keys() - set(WAIT_FOR_THE_HOST):
        assert abs(percent(published[0][network][2])) <= 3, network


def test_the_page_shows_the_printed_differences(published: list[Table]) -> None:
    """Its rows have shorter names in the same order, so the rows are compared one by one."""
    rows = [line for line in PAGE.read_text(encoding="utf-8").splitlines() if line.startswith("| ")]
    for network, (energy, time) in enumerate(zip(rows[2:12], rows[14:24])):
        comparison, conditions = (list(table.values())[network] for table in published)
        assert [cell.strip() for cell in energy.split("|")[2:4]] == conditions[1:3]
        assert [cell.strip() for cell in energy.split("|")[6:8]] == [comparison[2], conditions[3]]
        assert time.split("|")[2].strip() == conditions[0]
        assert [cell.strip() for cell in time.split("|")[5:7]] == [comparison[5], conditions[4]]


def test_rounds_of_the_same_row_are_taken_together() -> None:
    first, second = "data/h200_loops_host.json.gz", "data/h200_loops_host2.json.gz"
    name = "lenet5, batch 10, SGD"
    alone = [printed(file)[1][name] for file in (first, second)]
    together = printed(first, second)[1][name]
    assert [int(cell) for cell in together[:3]] == [int(a) + int(b) for a, b in zip(alone[0][:3], alone[1][:3])]


def test_a_file_may_contribute_some_of_its_rows() -> None:
    whole = printed("data/h200_loops_host.json.gz")[0]
    some = printed("data/h200_loops_host.json.gz:resnet18,lenet5")[0]
    assert list(some) == ["lenet5, batch 10, SGD", "resnet18, batch 10, SGD"]
    assert all(whole[name] == cells for name, cells in some.items())

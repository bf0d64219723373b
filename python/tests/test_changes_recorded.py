"""What docs/diff.md says of small changes to two networks, measured on an NVIDIA H200, replayed from recordings."""

import re
import subprocess
import sys

import pytest
from pages import ROOT


@pytest.fixture(scope="module")
def said(real_program):
    done = subprocess.run([sys.executable, ROOT / "bench" / "diff" / "changes.py", real_program, ROOT / "data" / "h200_changes"],
                          capture_output=True, text=True, timeout=240)
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.mark.parametrize("title, points, most, near, inside", [
    ("profile alone", 3.2, 15, 6, 9), ("device at hand", 0.8, 3, 11, 11), ("as it was predicted live", 1.3, 6, 10, 10)])
def test_small_changes(said, title, points, most, near, inside):
    found = re.search(title + r": (\d+) changes, sign right in (\d+) of the (\d+) .* off by (\S+) .* average, (\S+) at most, "
                      r"(\d+) within 3; (\d+) inside", said)
    changes, right, clear = (int(found[i]) for i in (1, 2, 3))
    assert changes == 11 and clear == 10 and right == 10
    assert float(found[4]) < points and float(found[5]) < most
    assert int(found[6]) >= near and int(found[7]) >= inside


def test_the_page_has_the_table(said):
    page = (ROOT / "docs" / "diff.md").read_text(encoding="utf-8")
    table = page[page.index("## Small changes"):].replace("\N{MINUS SIGN}", "-")
    for row in said.splitlines():
        if row.startswith(("| language", "| pictures")):
            assert " | ".join(row.replace(" % to ", " to ").split(" | ")[1:]) in table, row

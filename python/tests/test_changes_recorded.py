"""What docs/diff.md says of small changes to two networks, measured on an NVIDIA H200, replayed from recordings."""

import re
import subprocess
import sys

import pytest
from pages import ROOT


@pytest.mark.parametrize("options, points, signs, within", [([], 3.2, 10, 7), (["--refine"], 2.5, 11, 8)])
def test_small_changes(real_program, options, points, signs, within):
    done = subprocess.run([sys.executable, ROOT / "bench" / "diff" / "changes.py", real_program, *options], capture_output=True,
                          text=True, timeout=240)
    assert done.returncode == 0, done.stderr
    assert sum(float(off) <= 3 for off in re.findall(r"(\S+) \|$", done.stdout, re.MULTILINE) if off[0].isdigit()) >= within
    right, clear, mean = re.search(r"right in (\d+) of the (\d+) .* off by (\S+) percentage", done.stdout).groups()
    assert int(clear) == 11 and int(right) >= signs and float(mean) < points

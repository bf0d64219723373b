"""The example of docs/search.md, in a short version, on a simulated device."""

import re
import subprocess
import sys

import pytest
from ampere._program import environment
from pages import ROOT

EXAMPLE = ROOT / "examples" / "search" / "search.py"


def test_the_example_finds_a_network_by_each_guide_and_runs_both(real_program):
    pytest.importorskip("torch", reason="skipped: no torch")
    done = subprocess.run([sys.executable, str(EXAMPLE), "--model", "cnn5", "--steps", "40", "--timings", "150",
                           "--networks", "14"], capture_output=True, text=True, timeout=240,
                          env={**environment(), "AMPERE_PROGRAM": real_program})
    assert done.returncode == 0, done.stderr
    found = dict(re.findall(r"^by (\S+): \S+ J simulated \((\d+) % of the limit", done.stdout, re.MULTILINE))
    assert set(found) == {"ampere.cost", "FLOPs"}
    assert 85 <= int(found["ampere.cost"]) <= 110  # the estimate is off by some percent

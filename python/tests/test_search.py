"""The example of docs/search.md, in a short version, on a simulated device."""

import random
import re
import struct
import subprocess
import sys

import pytest
from ampere._program import environment
from pages import ROOT

EXAMPLE = ROOT / "examples" / "search" / "search.py"


def example(program, *options):
    pytest.importorskip("torch", reason="skipped: no torch")
    done = subprocess.run([sys.executable, str(EXAMPLE), *options], capture_output=True, text=True, timeout=240,
                          env={**environment(), "AMPERE_PROGRAM": program})
    assert done.returncode == 0, done.stderr
    return done.stdout


def write_images(folder, kind, count):
    numbers = random.Random(1)
    (folder / f"{kind}-images-idx3-ubyte").write_bytes(struct.pack(">IIII", 2051, count, 28, 28) + numbers.randbytes(784 * count))
    (folder / f"{kind}-labels-idx1-ubyte").write_bytes(struct.pack(">II", 2049, count) +
                                                       bytes(numbers.randrange(10) for _ in range(count)))


def test_the_example_trains_what_it_finds(real_program, tmp_path):
    for kind, count in (("train", 32), ("t10k", 16)):
        write_images(tmp_path, kind, count)
    printed = example(real_program, "--steps", "5", "--timings", "60", "--networks", "6", "--batch", "16", "--data", str(tmp_path),
                      "--epochs", "1")
    trained = re.findall(r"^(\S+), trained for 1 epochs: \S+ % of the test set, (\S+) J modelled", printed, re.MULTILINE)
    assert [name for name, _ in trained] == ["original", "ampere.cost", "FLOPs"]
    assert all(float(energy) > 0 for _, energy in trained)


def test_the_example_finds_a_network_by_each_guide_and_runs_both(real_program):
    printed = example(real_program, "--model", "cnn5", "--steps", "40", "--timings", "150", "--networks", "14")
    found = dict(re.findall(r"^by (\S+): \S+ J simulated \((\d+) % of the limit", printed, re.MULTILINE))
    assert set(found) == {"ampere.cost", "FLOPs"}
    assert 85 <= int(found["ampere.cost"]) <= 110  # the estimate is off by some percent

"""What docs/generation.md says of three language models on an NVIDIA H200, replayed from recordings."""

import os
import re
import subprocess
import sys

from pages import ROOT


def tables(text):
    """By way, then by model: shares as numbers, in the order of the columns."""
    found = {}
    for way, table in re.findall(r"estimates (alone|at hand) .*?\n\n((?:\|.*\n)+)", text):
        rows = [[cell.strip() for cell in line.strip("|").split("|")] for line in table.splitlines()[2:]]
        found[way] = {row[0]: [float(cell.rstrip("%")) / 100 for cell in row[2:]] for row in rows}
    return found


def replayed(run, program, folder):
    variables = {**os.environ, "AMPERE": str(program), "PYTHON": sys.executable}
    done = subprocess.run([ROOT / "bench" / "generation" / "replay", folder, run], env=variables, capture_output=True, text=True,
                          timeout=240)
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_estimates_before_the_calls_of_the_same_machine(real_program, tmp_path):
    printed = replayed("live", real_program, tmp_path)
    found = tables(printed)
    decodes, prefills, _, _, inside = found["at hand"]["all"]
    assert decodes < 0.086 and prefills < 0.037 and inside >= 0.97
    decodes, prefills, _, _, inside = found["alone"]["all"]
    assert decodes < 0.481 and prefills < 0.385 and inside >= 0.77
    calls, energy, *_ = re.search(r"^\| the device \| (\d+) \| (\S+)% ", printed, re.MULTILINE).groups()
    assert int(calls) == 20 and float(energy) < 3.6
    again = re.search(r"The second round.*?^\| all \| (\S+)% ", printed, re.MULTILINE | re.DOTALL)
    assert again and float(again[1]) > 11, "the machine differs from itself by more than the estimates are off"


def test_estimates_that_looked_at_the_host_once(real_program, tmp_path):
    decodes, prefills, _, _, inside = tables(replayed("earlier", real_program, tmp_path))["at hand"]["all"]
    assert decodes < 0.192 and prefills < 0.098 and inside >= 0.72


def test_estimates_beside_the_calls_of_another_machine(real_program, tmp_path):
    found = tables(replayed("across", real_program, tmp_path))
    decodes, prefills, _, _, inside = found["at hand"]["all"]
    assert decodes < 0.105 and prefills < 0.098 and inside >= 0.88
    decodes, prefills, _, _, inside = found["alone"]["all"]
    assert decodes < 0.438 and prefills < 0.290 and inside >= 0.88
    decodes, prefills, *_ = found["at hand"]["large"]
    assert decodes < 0.033 and prefills < 0.033

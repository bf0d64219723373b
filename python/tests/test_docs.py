"""Every example on docs/python.md runs, in the order of the page, on a simulated device."""

import subprocess
import sys
from pathlib import Path

import pytest
from ampere import _run_job
from ampere._program import environment
from pages import ROOT, code_blocks, run_code

PAGE = ROOT / "docs" / "python.md"


@pytest.fixture
def place(store, monkeypatch, tmp_path):
    """A folder to work in; the settings choose the device and the store, so that the page need not."""
    monkeypatch.setenv("AMPERE_STORE", store)
    monkeypatch.setenv("AMPERE_RIG", "sim:xavier")
    folder = tmp_path / "work"
    folder.mkdir()
    monkeypatch.chdir(folder)
    return folder


def test_examples_of_the_page_run(place, monkeypatch):
    pytest.importorskip("torch", reason="skipped: no torch")
    monkeypatch.setattr(_run_job, "_WINDOW_S", 0.1)
    namespace = {"__name__": "__main__"}
    blocks = list(code_blocks(PAGE, "python"))
    assert len(blocks) >= 8
    for line, code in blocks:
        if code.startswith("# train.py"):
            (place / "train.py").write_text(code)
            monkeypatch.syspath_prepend(str(place))
        elif code.startswith(("# Hugging Face", "# Lightning")):
            compile(code, f"python.md:{line}", "exec")  # test_callbacks runs the same calls
        else:
            run_code(code, f"python.md:{line}", namespace)


def test_training_step_of_the_page_is_measured(real_program, place):
    """The program must be one that takes scripts, and PyTorch must be there."""
    pytest.importorskip("torch", reason="skipped: no torch")
    if "--arg" not in subprocess.run([real_program, "run", "--help"], capture_output=True, text=True).stdout:
        pytest.skip("skipped: this program runs no scripts")
    if not (Path(real_program).parent / "ampere-runner").exists():
        pytest.skip("skipped: no ampere-runner beside the program")
    ((_, script),) = [block for block in code_blocks(PAGE, "python") if block[1].startswith("# train.py")]
    (place / "train.py").write_text(script)
    done = subprocess.run([real_program, "run", "train.py:build", "--arg", "batch=4", "--rig", "torch:cpu", "--python",
                           sys.executable, "--iterations", "3", "--point-seconds", "1", "--json"],
                          capture_output=True, text=True, env=environment())
    assert done.returncode == 0, done.stderr

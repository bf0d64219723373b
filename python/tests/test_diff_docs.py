"""The example of docs/diff.md runs in a local git repository, exactly as it is written there."""

import json
import os
import shutil
import subprocess
import sys

import pytest
from pages import ROOT, code_blocks

PAGE = ROOT / "docs" / "diff.md"


@pytest.fixture
def shell(real_program, tmp_path):
    """One shell for all blocks of the page; the program is found as `ampere`."""
    if shutil.which("git") is None:
        pytest.skip("skipped: no git")
    tools = tmp_path / "bin"
    tools.mkdir()
    (tools / "ampere").symlink_to(real_program)
    variables = {**os.environ, "PATH": f"{tools}:{os.environ['PATH']}", "AMPERE_FOLDER": str(ROOT),
                 "GIT_CONFIG_GLOBAL": os.devnull, "HOME": str(tmp_path)}
    summary = tmp_path / "summary.md"
    variables["GITHUB_STEP_SUMMARY"] = str(summary)
    variables["GITHUB_OUTPUT"] = str(tmp_path / "output")

    def run(blocks):
        script = "".join(f"echo '== {i}'\n{block}" for i, block in enumerate(blocks))
        done = subprocess.run(["bash", "-c", "set -e\n" + script], cwd=tmp_path, env=variables, capture_output=True,
                              text=True, timeout=240)
        assert done.returncode == 0, done.stdout + done.stderr
        return done.stdout.split("== ")[1:], done.stderr

    return run, summary, tmp_path


def test_the_example_of_the_page_runs(shell):
    run, summary, folder = shell
    blocks = [code for _, code in code_blocks(PAGE, "sh")]
    assert len(blocks) == 4
    (_, compared, hooked, acted), said = run(blocks)
    assert "HEAD:net.json → net.json on NVIDIA H200" in compared and "changed" in compared
    assert "FAILED energy" in said  # git sends to standard error what a hook prints
    assert "stopped with status 1" in hooked  # git's own status of a hook that refused
    log = subprocess.run(["git", "log", "--oneline"], cwd=folder / "demo", capture_output=True, text=True, check=True)
    assert len(log.stdout.splitlines()) == 1
    assert "### Energy of training" in acted and "ok time" in acted
    assert "| energy |" in summary.read_text()
    assert "exceeded=false" in (folder / "output").read_text()


def test_the_repository_and_its_index_stay_as_they_are(shell):
    run, _, folder = shell
    blocks = [code for _, code in code_blocks(PAGE, "sh")][:2]
    run(blocks)
    status = subprocess.run(["git", "status", "--porcelain"], cwd=folder / "demo", capture_output=True, text=True)
    assert status.stdout == " M net.json\n"


SCRIPT = """
import ampere, torch
from sizes import WIDTH

def build(batch=8):
    model = torch.nn.Sequential(torch.nn.Linear(32, WIDTH), torch.nn.ReLU(), torch.nn.Linear(WIDTH, 10))
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    x, y = torch.randn(batch, 32), torch.zeros(batch, dtype=torch.long)

    def step():
        optimizer.zero_grad()
        torch.nn.functional.cross_entropy(model(x), y).backward()
        optimizer.step()
    return ampere.Job(step, model=model, batch=batch)
"""


def test_a_script_at_a_revision_imports_files_of_that_revision(shell, real_program):
    pytest.importorskip("torch", reason="skipped: no torch")
    if not os.path.exists(os.path.join(os.path.dirname(real_program), "ampere-runner")):
        pytest.skip("skipped: no ampere-runner beside the program")
    run, _, folder = shell
    (folder / "train.py").write_text(SCRIPT)
    (folder / "sizes.py").write_text("WIDTH = 64\n")
    (compared,), _ = run([f"""git init -q . && git config user.name n && git config user.email e@example.org
git add train.py sizes.py && git commit -q -m one
echo 'WIDTH = 128' > sizes.py
{real_program} diff HEAD:train.py:build train.py:build --rig torch:cpu --python {sys.executable} --device h200 \
  --arg batch=16 --json --store sqlite:none.db
git status --porcelain --untracked-files=no
"""])
    _, answer, status = compared.splitlines()
    parameters = [json.loads(answer)[side]["parameters"] for side in ("before", "after")]
    assert parameters == [32 * 64 + 64 + 64 * 10 + 10, 32 * 128 + 128 + 128 * 10 + 10]
    assert status == " M sizes.py"


def test_a_script_of_the_index_imports_what_is_staged_and_errors_name_its_revision(shell, real_program):
    pytest.importorskip("torch", reason="skipped: no torch")
    if not os.path.exists(os.path.join(os.path.dirname(real_program), "ampere-runner")):
        pytest.skip("skipped: no ampere-runner beside the program")
    run, _, folder = shell
    (folder / "train.py").write_text(SCRIPT)
    (folder / "sizes.py").write_text("WIDTH = 'wide'\n")
    options = f"--rig torch:cpu --python {sys.executable} --device h200 --json --store sqlite:none.db"
    (compared,), said = run([f"""git init -q . && git config user.name n && git config user.email e@example.org
git add train.py sizes.py && git commit -q -m one
echo 'WIDTH = 128' > sizes.py && git add sizes.py
echo 'WIDTH = 256' > sizes.py
{real_program} diff :train.py:build train.py:build {options}
{real_program} diff HEAD:train.py:build train.py:build {options} || true
git status --porcelain --untracked-files=no
"""])
    _, answer, status = compared.splitlines()
    parameters = [json.loads(answer)[side]["parameters"] for side in ("before", "after")]
    assert parameters == [32 * 128 + 128 + 128 * 10 + 10, 32 * 256 + 256 + 256 * 10 + 10]
    assert status == "MM sizes.py"
    assert "HEAD:train.py" in said and "ampere-revision-" not in said, said

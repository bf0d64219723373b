"""The example of docs/diff.md runs in a local git repository, exactly as it is written there."""

import os
import shutil
import subprocess

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

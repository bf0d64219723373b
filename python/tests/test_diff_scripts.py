"""The hook for git and pre-commit and the script of the action, in local git repositories."""

import os
import re
import shlex
import shutil
import subprocess

import pytest
from pages import ROOT

HOOK = ROOT / "scripts" / "ampere-diff-hook"
ACTION = ROOT / "scripts" / "ampere-diff-action"
LIMIT = "--device h200 --batch 64 --fail-above +5% --store sqlite:none.db"
CHEAP, COSTLY = "cnn5", "cnn5:160,320,640,900"


class Repository:
    def __init__(self, folder, program):
        self.folder = folder / "repository"
        self.folder.mkdir()
        self.program = program
        self.variables = {**os.environ, "AMPERE_PROGRAM": program, "GIT_CONFIG_GLOBAL": os.devnull, "HOME": str(folder)}
        self.git("init", "-q", "-b", "main")
        self.git("config", "user.name", "n")
        self.git("config", "user.email", "e@example.org")

    def run(self, *words, below=".", **variables):
        return subprocess.run(words, cwd=self.folder / below, env={**self.variables, **variables}, capture_output=True,
                              text=True, timeout=120)

    def git(self, *words):
        done = self.run("git", *words)
        assert done.returncode == 0, done.stderr
        return done.stdout

    def put(self, path, network):
        shown = self.run(self.program, "show", network, "--json")
        (self.folder / path).parent.mkdir(exist_ok=True)
        (self.folder / path).write_text(shown.stdout)

    def install(self, files):
        hook = self.folder / ".git" / "hooks" / "pre-commit"
        hook.write_text(f'#!/bin/sh\nexec "{HOOK}" {LIMIT} -- {files}\n')
        hook.chmod(0o755)

    def commit(self, *words):
        return self.run("git", "commit", "-q", "-m", "message", *words)

    def hook(self, *files, below="."):
        return self.run(str(HOOK), *shlex.split(LIMIT), "--", *files, below=below)


@pytest.fixture
def repository(real_program, tmp_path):
    """One commit of net.json and notes.txt, and the hook of docs/diff.md on net.json."""
    if shutil.which("git") is None:
        pytest.skip("skipped: no git")
    one = Repository(tmp_path, real_program)
    one.put("net.json", CHEAP)
    (one.folder / "notes.txt").write_text("one\n")
    one.git("add", ".")
    one.git("commit", "-q", "-m", "first")
    one.install("net.json")
    return one


def test_what_is_committed_is_compared_and_not_the_working_tree(repository):
    repository.put("net.json", COSTLY)
    repository.git("add", "net.json")
    repository.put("net.json", CHEAP)
    done = repository.commit()
    assert done.returncode == 1 and "FAILED energy" in done.stderr
    assert "HEAD:net.json → :net.json" in done.stderr


def test_commits_of_other_files_pass(repository):
    repository.put("net.json", COSTLY)
    (repository.folder / "notes.txt").write_text("two\n")
    repository.git("add", "notes.txt")
    done = repository.commit()
    assert (done.returncode, done.stderr) == (0, "")


def test_the_files_of_a_partial_commit_are_compared(repository):
    (repository.folder / "notes.txt").write_text("two\n")
    repository.put("net.json", COSTLY)
    repository.git("add", "net.json")
    done = repository.commit("notes.txt")
    assert (done.returncode, done.stderr) == (0, "")
    done = repository.commit("--", "net.json")
    assert done.returncode == 1 and "FAILED energy" in done.stderr
    done = repository.commit("-a")
    assert done.returncode == 1 and "FAILED energy" in done.stderr


def test_networks_can_be_deleted(repository):
    repository.git("rm", "-q", "net.json")
    assert repository.commit().returncode == 0
    (repository.folder / "notes.txt").write_text("two\n")
    done = repository.commit("-a")
    assert done.returncode == 0 and "git has no file net.json, so it is not checked" in done.stderr


def test_new_networks_are_passed_over_and_named(repository):
    repository.put("other.json", COSTLY)
    repository.git("add", "other.json")
    repository.install("net.json other.json")
    done = repository.commit()
    assert done.returncode == 0 and "other.json is new: HEAD does not have it" in done.stderr


def test_the_first_commit_passes(real_program, tmp_path):
    if shutil.which("git") is None:
        pytest.skip("skipped: no git")
    one = Repository(tmp_path, real_program)
    one.put("net.json", CHEAP)
    one.git("add", ".")
    one.install("net.json")
    done = one.commit()
    assert done.returncode == 0 and "net.json is new" in done.stderr


def test_a_renamed_network_is_compared_with_its_old_name(repository):
    repository.git("mv", "net.json", "renamed.json")
    repository.put("renamed.json", "cnn5:16,32,64,140")
    repository.git("add", "renamed.json")
    done = repository.hook("renamed.json")
    assert "HEAD:net.json → :renamed.json" in done.stdout, done.stdout + done.stderr


def test_names_begin_in_the_current_folder_and_may_hold_anything(repository):
    name = "a net [1] *.json"
    repository.put(f"nets/{name}", CHEAP)
    repository.git("add", ".")
    repository.git("commit", "-q", "--no-verify", "-m", "second")
    repository.put(f"nets/{name}", COSTLY)
    repository.git("add", ".")
    assert repository.hook(f"nets/{name}").returncode == 6
    assert repository.hook(name, below="nets").returncode == 6
    assert repository.hook("../net.json", below="nets").returncode == 0


def test_without_a_mark_before_the_files_it_fails(repository):
    done = repository.run(str(HOOK), "--device", "h200", "net.json")
    assert done.returncode == 2
    assert "there is no -- before the files, so nothing would be checked" in done.stderr
    done = repository.hook(".")
    assert done.returncode == 2 and ". is a folder" in done.stderr


def test_a_network_that_cannot_be_compared_stops_the_commit(repository):
    (repository.folder / "net.json").write_text("{")
    repository.git("add", "net.json")
    done = repository.commit()
    assert done.returncode == 1 and ":net.json: not valid JSON" in done.stderr


def described_hook():
    """(words of the command, pattern of the files) of .pre-commit-hooks.yaml."""
    text = (ROOT / ".pre-commit-hooks.yaml").read_text()
    entry, args, files = (re.search(rf"^  {key}: (.*)$", text, re.MULTILINE).group(1)
                          for key in ("entry", "args", "files"))
    return [str(ROOT / entry), *args.strip("[]").split(", ")], re.compile(files)


def test_pre_commit_runs_it_on_networks_alone(repository):
    words, files = described_hook()
    names = ["net.onnx", "nets/step.program", "package.json", "net.json", "notes.txt"]
    assert [name for name in names if files.search(name)] == ["net.onnx", "nets/step.program"]
    repository.put("net.json", COSTLY)
    assert repository.run(*words, "net.json").returncode == 0  # not staged; pre-commit would put it aside
    repository.git("add", "net.json")
    assert repository.run(*words, "net.json").returncode == 6


def test_the_page_names_json_files_for_pre_commit():
    page = (ROOT / "docs" / "diff.md").read_text()
    pattern = re.compile(re.search(r"^        files: (.*)$", page, re.MULTILINE).group(1))
    assert pattern.search("nets/net.json") and not pattern.search("package.json")
    assert not pattern.search("nets/README.md")


def test_the_variables_of_the_action_are_no_settings(repository):
    done = repository.run(str(ACTION), AMPERE_DIFF_BEFORE="HEAD:net.json", AMPERE_DIFF_AFTER="net.json",
                          AMPERE_DIFF_OPTIONS="--device h200 --store sqlite:none.db", AMPERE_FOLDER=str(ROOT),
                          GITHUB_STEP_SUMMARY="", GITHUB_OUTPUT="")
    assert (done.returncode, done.stderr) == (0, "")

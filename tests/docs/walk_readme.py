#!/usr/bin/env python3
"""Runs the commands of README from top to bottom, as a new user would, and looks at what they say.

    walk_readme.py README AMPERE RIG

Every line of README's code that begins with `ampere` is run in an empty home whose settings name the
rig. On a real device, profiles are cut short: what is walked here is the way, not its accuracy.
"""
import os
import pathlib
import re
import shlex
import shutil
import subprocess
import sys
import tempfile
import urllib.request

# What the answer of a verb must contain; `--check` and the like have words of their own.
KEY_LINES = {
    "doctor": ["a profile taken here will be based on"],
    "profile": ["blocks timed", "cross-validated on its"],
    "estimate": ["energy", "% interval", "per iteration"],
    "generation": ["new token", "% interval", "between tokens"],
    "--battery": ["battery"],
    "--check": ["trained on the device", "difference"],
    "prune": ["of original", "networks tried"],
    "run": ["energy", "per iteration"],
    "choose": ["alternative", "best", "90 % interval"],
    "serve": ["listening on http://127.0.0.1", '"device"'],
}
SHORT = ["--timings", "60", "--networks", "8", "--point-seconds", "0.5", "--measure-error", "0.1"]


def commands_of(readme: str) -> list[str]:
    blocks = re.findall(r"^```\n(.*?)^```", readme, re.M | re.S)
    lines = [line.split(" #")[0].strip() for block in blocks for line in block.splitlines()]
    return [line for line in lines if line.startswith("ampere ")]


def words_of(command: str, real: bool) -> list[str]:
    words = shlex.split(command)[1:]
    if real and words[0] == "profile":
        words += SHORT
    if words[0] == "run":  # in Python, so never on a simulated device
        words += ["--rig", "torch:cpu", "--measure-error", "0.1", "--point-seconds", "0.5"]
    if "generation" in words:
        words += ["--rig", "torch:cpu"]
    if real and words[0] == "prune":
        words += ["--measure-error", "0.1", "--point-seconds", "0.5", "--no-verify",
                  "--confidence", "0.6"]
    if words[0] == "serve":
        words += ["--listen", "127.0.0.1:0"]  # a port that nobody else has
    return words


def serve(program: list[str], **options) -> subprocess.CompletedProcess:
    """Starts a server, asks it once, and ends it as an operator would."""
    server = subprocess.Popen(program, stderr=subprocess.PIPE, **options)
    said, answer = server.stderr.readline(), ""
    found = re.search(r"listening on (http://[\d.:]+)", said)
    if found:
        with urllib.request.urlopen(found[1] + "/v1/profiles", timeout=60) as reply:
            answer = reply.read().decode()
    server.terminate()
    said += server.communicate(timeout=60)[1]
    return subprocess.CompletedProcess(program, server.returncode, answer, said)


def run(program: list[str], **options) -> subprocess.CompletedProcess:
    if program[1] == "serve":
        return serve(program, **options)
    return subprocess.run(program, capture_output=True, check=False, **options)


def missing_from(text: str, words: list[str]) -> list[str]:
    said = words[1:] if "generation" in words else words  # tokens instead of iterations
    wanted = [line for key, lines in KEY_LINES.items() if key in said for line in lines]
    return [line for line in wanted if line not in text]


def walk(readme: pathlib.Path, ampere: str, rig: str) -> int:
    commands = commands_of(readme.read_text(encoding="utf-8"))
    if len(commands) < 5:
        print(f"{readme}: only {len(commands)} commands were found")
        return 1
    bad = 0
    with tempfile.TemporaryDirectory() as home:
        settings = pathlib.Path(home, ".config", "ampere", "config.toml")
        settings.parent.mkdir(parents=True)
        settings.write_text(f'rig = "{rig}"\n', encoding="utf-8")
        for script in ("train/train.py", "generate/gpt.py"):  # README's own networks
            shutil.copy(readme.resolve().parent / "examples" / script, home)
        environment = {"HOME": home, "PATH": os.environ["PATH"]}
        for command in commands:
            words = words_of(command, not rig.startswith("sim:"))
            # A shared machine may become slower on the way; what is refused then may work later.
            for _ in range(1 if rig.startswith("sim:") else 3):
                ran = run([ampere, *words], cwd=home, env=environment, text=True)
                if ran.returncode != 1:
                    break
            missing = missing_from(ran.stdout + ran.stderr, words)
            print(f"{'ok ' if ran.returncode == 0 and not missing else 'BAD'} {command}")
            if ran.returncode != 0 or missing:
                bad += 1
                print(f"status {ran.returncode}; not said: {missing}\n{ran.stdout}{ran.stderr}")
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(walk(pathlib.Path(sys.argv[1]), os.path.abspath(sys.argv[2]), sys.argv[3]))

"""Types commands into real shells and presses the key: completion.py SHELL PROGRAM SCRIPTS

A shell that is not installed is skipped, with status 77.
"""

import os
import pty
import select
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

# What is typed, and what the line is afterwards.
CASES = [
    ("ampere est", "ampere estimate"),
    ("ampere fleet pl", "ampere fleet plan"),
    ("ampere estimate lene", "ampere estimate lenet5"),
    ("ampere profile lenet5 --rig sim:x", "ampere profile lenet5 --rig sim:xavier"),
    ("ampere profile lenet5 --rig=sim:x", "ampere profile lenet5 --rig=sim:xavier"),
    ("ampere estimate lenet5 --optimizer plain", "ampere estimate lenet5 --optimizer plain-sgd"),
    ("ampere estimate lenet5 --iter", "ampere estimate lenet5 --iterations"),
    ("ampere estimate lenet5 --rig recorded:recor", "ampere estimate lenet5 --rig recorded:recording.jsonl"),
    ("ampere evaluate lenet5 --output-folder fig", "ampere evaluate lenet5 --output-folder figures"),
]

START = {
    "bash": (["bash", "--norc", "--noprofile", "-i"], "bind 'set bell-style none'; source {scripts}/ampere.bash; PS1='>'"),
    "zsh": (
        ["zsh", "-f", "-i"],
        "fpath=({scripts} $fpath); autoload -Uz compinit; compinit -u -D; unsetopt beep; unset zle_bracketed_paste; PS1='>'",
    ),
}


class Terminal:
    """A shell at the other end of a terminal."""

    def __init__(self, command, environment, folder):
        self.master, slave = pty.openpty()
        self.process = subprocess.Popen(
            command, stdin=slave, stdout=slave, stderr=slave, env=environment, cwd=folder, start_new_session=True
        )
        os.close(slave)

    def send(self, text):
        os.write(self.master, text.encode())

    def read_until(self, wanted, seconds):
        """What arrives until one of the texts is in it, or until the time is over."""
        text, end = "", time.monotonic() + seconds
        while time.monotonic() < end and wanted not in text:
            if select.select([self.master], [], [], 0.2)[0]:
                text += os.read(self.master, 65536).decode(errors="replace")
        return text

    def close(self):
        self.process.kill()
        self.process.wait()
        os.close(self.master)


def in_terminal(shell, scripts, environment, folder):
    command, start = START[shell]
    terminal = Terminal(command, environment, folder)
    try:
        # The marks are written in two parts, so that the echo of what is typed does not look like them.
        terminal.send(start.format(scripts=scripts) + "; echo rea''dy\n")
        if "ready" not in terminal.read_until("ready\r\n", 30):
            sys.exit(f"{shell} does not start")
        for typed, expected in CASES:
            terminal.send(typed + "\t")
            time.sleep(0.2)
            terminal.read_until(expected, 15)
            # The completed line becomes the text of an echo, so that it is printed as a whole and not executed.
            terminal.send("\x01echo 'li''ne:' '\x05'; echo e''nd\n")
            shown = terminal.read_until("end\r\n", 15)
            if f"line: {expected}" not in shown:
                sys.exit(f"{shell}: '{typed}' did not become '{expected}': {shown!r}")
    finally:
        terminal.close()


def in_fish(scripts, environment, folder):
    for typed, expected in CASES:
        ran = subprocess.run(
            ["fish", "--no-config", "-c", f"source {scripts}/ampere.fish; complete -C '{typed}'"],
            env=environment, cwd=folder, capture_output=True, text=True, check=False,
        )
        words = [line.split("\t")[0].rstrip("/") for line in ran.stdout.splitlines()]
        if expected.split(" ")[-1] not in words:
            sys.exit(f"fish: '{typed}' offers {words} {ran.stderr}, not {expected.split(' ')[-1]}")


def main():
    shell, program, scripts = sys.argv[1], Path(sys.argv[2]).resolve(), Path(sys.argv[3]).resolve()
    if shutil.which(shell) is None:
        print(f"skipped: there is no {shell} here; install it to test its completion")
        sys.exit(77)
    with tempfile.TemporaryDirectory() as folder:
        (Path(folder) / "recording.jsonl").touch()
        (Path(folder) / "figures").mkdir()
        environment = {
            "HOME": folder, "PATH": f"{program.parent}:/usr/bin:/bin", "TERM": "dumb", "LANG": "C.UTF-8", "COLUMNS": "200",
        }
        if shell == "fish":
            in_fish(scripts, environment, folder)
        else:
            in_terminal(shell, scripts, environment, folder)
    print(f"{shell}: {len(CASES)} completions")


main()

"""Runs one verb of the program to its end."""

from __future__ import annotations

import errno
import json
import os
import selectors
import signal
import subprocess
from typing import Any, Dict, List, Optional, Sequence, Tuple

from ._messages import Messages, ProgressCallback
from ._program import environment, program
from .errors import ProgramError, error_of_status

JsonObject = Dict[str, Any]

_SECONDS_TO_STOP = 30.0  # for an interrupted program to write down what it measured


class Answer:
    """What a verb printed: its objects, and what it said on standard error."""

    def __init__(self, status: int, output: str, messages: Messages) -> None:
        self.status = status
        self.objects = json_lines(output) if status in (0, 3) else []
        self._messages = messages

    def check(self) -> "Answer":
        """Throws the error that the exit status stands for; passes warnings on."""
        self._messages.warn()
        if self.status != 0:
            raise error_of_status(self.status, self._messages.error_text())
        return self

    def one(self) -> JsonObject:
        if len(self.objects) != 1:
            raise ProgramError(f"the ampere program printed {len(self.objects)} answers, 1 was expected")
        return self.objects[0]


def json_lines(text: str) -> List[JsonObject]:
    """One object per line. Throws ProgramError for anything else."""
    return [json_object(line) for line in text.splitlines() if line.strip()]


def json_object(line: str) -> JsonObject:
    try:
        value = json.loads(line)
    except ValueError as error:
        raise ProgramError(f"the ampere program answered something that is not JSON: {line[:200]!r}") from error
    if not isinstance(value, dict):
        raise ProgramError(f"the ampere program answered something that is not an object: {line[:200]!r}")
    return value


def _in_environment(words: Sequence[str]) -> Tuple[List[str], Dict[str, str]]:
    """Words and environment of the child. The URL of a database server may contain a password, and
    everybody on the machine can read a command line: it becomes the setting AMPERE_STORE."""
    option = "--store="
    variables = environment()
    left = []
    for word in words:
        if word.startswith(option + "postgres"):
            variables["AMPERE_STORE"] = word[len(option):]
        else:
            left.append(word)
    return left, variables


def call(words: Sequence[str], progress: Optional[ProgressCallback] = None) -> Answer:
    """Runs ``ampere WORDS``. ``progress`` gets a line of text whenever there is news.

    KeyboardInterrupt, and an exception of the callback, stops the program, which keeps what it
    measured, and then goes on to the caller.
    """
    messages = Messages(progress)
    to_read, to_write = _error_channel(progress is not None)
    words, variables = _in_environment(words)
    try:
        # In a session of its own: Ctrl-C must reach it once, from here. A second signal would kill it.
        child = subprocess.Popen([program(), *words], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                                 stderr=to_write, env=variables, start_new_session=True)
    except BaseException:
        os.close(to_read)
        raise
    finally:
        os.close(to_write)
    try:
        output = _read_all(child, to_read, messages)
        return Answer(child.wait(), output, messages)
    except BaseException:
        _stop(child)
        raise
    finally:
        os.close(to_read)
        assert child.stdout is not None
        child.stdout.close()


def _error_channel(terminal: bool) -> Tuple[int, int]:
    """(to read, to write). The program shows its progress only to a terminal."""
    if terminal:
        try:
            import pty
            import tty
            master, slave = pty.openpty()
            tty.setraw(slave)
            return master, slave
        except (ImportError, OSError):
            pass  # no terminals here: no progress
    return os.pipe()


def _read_all(child: "subprocess.Popen[bytes]", error_channel: int, messages: Messages) -> str:
    assert child.stdout is not None
    output: List[bytes] = []
    with selectors.DefaultSelector() as selector:
        selector.register(child.stdout.fileno(), selectors.EVENT_READ)
        selector.register(error_channel, selectors.EVENT_READ)
        while selector.get_map():
            for key, _ in selector.select():
                piece = _read(key.fd)
                if not piece:
                    selector.unregister(key.fd)
                elif key.fd == error_channel:
                    messages.add(piece.decode("utf-8", "replace"))
                else:
                    output.append(piece)
    messages.finish()
    return b"".join(output).decode("utf-8", "replace")


def _read(fd: int) -> bytes:
    try:
        return os.read(fd, 65536)
    except OSError as error:
        if error.errno == errno.EIO:  # how Linux says that the other end of a terminal was closed
            return b""
        raise


def _stop(child: "subprocess.Popen[bytes]") -> None:
    if child.poll() is not None:
        return
    child.send_signal(signal.SIGINT)
    try:
        child.communicate(timeout=_SECONDS_TO_STOP)
    except (subprocess.TimeoutExpired, KeyboardInterrupt, ValueError):
        child.kill()
        child.wait()

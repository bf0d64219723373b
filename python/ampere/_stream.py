"""``ampere estimate -``, kept alive: many questions with the same options, each answered in a moment."""

from __future__ import annotations

import atexit
import os
import selectors
import subprocess
import threading
import time
from collections import OrderedDict
from typing import Any, List, Sequence, Tuple

from ._call import JsonObject, json_object
from ._messages import Messages
from ._program import environment, program
from .errors import Error, ProgramError, error_of, error_of_status

_MOST_STREAMS = 4
# A stream reads the store once. Starting anew takes 10 ms, so that what others add is soon seen.
_LONGEST_LIFE_S = 5.0
_LONGEST_ANSWER_S = 300.0


class Stream:
    """One process, ``ampere WORDS``, that answers lines. After an exception it is dead and must be forgotten."""

    def __init__(self, words: Sequence[str]) -> None:
        self._errors_read, errors_write = os.pipe()
        try:
            self._child = subprocess.Popen([program(), *words], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                           stderr=errors_write, env=environment(), start_new_session=True)
        except BaseException:
            os.close(self._errors_read)
            raise
        finally:
            os.close(errors_write)
        self._unread = b""
        self._messages = Messages()
        self.begun = time.monotonic()
        self.owner = os.getpid()

    def ask(self, question: str) -> JsonObject:
        assert self._child.stdin is not None
        try:
            self._child.stdin.write(question.encode("utf-8") + b"\n")
            self._child.stdin.flush()
        except BrokenPipeError:
            pass  # the reason is read below
        return self.read()

    def read(self) -> JsonObject:
        """The next line, for what the program says without being asked."""
        return json_object(self._read_line().decode("utf-8", "replace"))

    def take_warnings(self) -> List[str]:
        taken, self._messages.warnings = self._messages.warnings, []
        return taken

    def close(self) -> None:
        if self.owner != os.getpid():  # a fork of the process that asks; the child is not ours
            return
        for pipe in (self._child.stdin, self._child.stdout):
            assert pipe is not None
            try:
                pipe.close()
            except OSError:
                pass
        self._child.kill()
        self._child.wait()
        os.close(self._errors_read)

    def _read_line(self) -> bytes:
        """The next line of the answer. Standard error is read meanwhile, lest it fill up."""
        assert self._child.stdout is not None
        answers = self._child.stdout.fileno()
        end = time.monotonic() + _LONGEST_ANSWER_S
        with selectors.DefaultSelector() as selector:
            selector.register(answers, selectors.EVENT_READ)
            selector.register(self._errors_read, selectors.EVENT_READ)
            while b"\n" not in self._unread:
                ready = selector.select(max(0.0, end - time.monotonic()))
                if not ready:
                    raise ProgramError(f"the ampere program did not answer for {_LONGEST_ANSWER_S:g} s")
                for key, _ in ready:
                    piece = os.read(key.fd, 65536)
                    if not piece:
                        selector.unregister(key.fd)
                        if not selector.get_map():
                            raise self._death()
                    elif key.fd == answers:
                        self._unread += piece
                    else:
                        self._messages.add(piece.decode("utf-8", "replace"))
        line, _, self._unread = self._unread.partition(b"\n")
        return line

    def _death(self) -> Error:
        self._messages.finish()
        status = self._child.wait()
        if status == 0:
            return ProgramError("the ampere program ended without an answer")
        return error_of_status(status, self._messages.error_text())


_streams: "OrderedDict[Tuple[str, ...], Stream]" = OrderedDict()
_lock = threading.Lock()


def ask(words: Sequence[str], question: str) -> Tuple[JsonObject, List[str]]:
    """The answer to one line of ``ampere estimate - WORDS``, and warnings that came with it.

    Throws what the program answers as an error. A process that died since the last question is
    replaced once; one that dies again has a reason, which is thrown.
    """
    key = tuple(words)
    with _lock:
        known = key in _streams
        try:
            answer, said = _ask_once(key, question)
        except ProgramError:
            if not known:
                raise
            answer, said = _ask_once(key, question)
    error = answer.get("error")
    if isinstance(error, dict):
        raise error_of(str(error.get("code")), str(error.get("message")))
    return answer, said


def forget_streams() -> None:
    """Ends all processes, so that the next question sees what was stored meanwhile."""
    with _lock:
        while _streams:
            _streams.popitem()[1].close()


def _ask_once(key: Tuple[str, ...], question: str) -> Tuple[JsonObject, List[str]]:
    try:
        stream = _stream(key)
        return stream.ask(question), stream.take_warnings()
    except BaseException:  # also KeyboardInterrupt: a later answer would be taken for another question's
        broken = _streams.pop(key, None)
        if broken is not None:
            broken.close()
        raise


def _stream(key: Tuple[str, ...]) -> Stream:
    stream = _streams.pop(key, None)
    if stream is not None and (stream.owner != os.getpid() or time.monotonic() - stream.begun > _LONGEST_LIFE_S):
        stream.close()
        stream = None
    if stream is None:
        stream = Stream(["estimate", "-", "--json", *key])
    _streams[key] = stream
    while len(_streams) > _MOST_STREAMS:
        _streams.popitem(last=False)[1].close()
    return stream


def _after_fork() -> None:
    """The lock may have been held by a thread that does not exist in the new process."""
    global _lock
    _lock = threading.Lock()
    _streams.clear()


def _register_cleanup() -> Any:
    atexit.register(forget_streams)
    if hasattr(os, "register_at_fork"):
        os.register_at_fork(after_in_child=_after_fork)


_register_cleanup()

"""A child process that is asked in lines of JSON and answers in lines of JSON."""

from __future__ import annotations

import json
import os
import select
import signal
import subprocess
import tempfile
import time
from typing import Any, Callable, NoReturn, Optional


class ChildFailed(Exception):
    """The child ended, hung or wrote something else."""


class LineProcess:
    def __init__(self, command: list[str], env: Optional[dict[str, str]] = None) -> None:
        self._name = os.path.basename(command[0])
        self._errors = tempfile.TemporaryFile()
        self._process = subprocess.Popen(
            command,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=self._errors,
            env=env,
            start_new_session=True,  # so that everything it starts can be ended with it
        )
        self._buffer = b""

    def send_line(self, text: str) -> None:
        assert self._process.stdin is not None
        try:
            self._process.stdin.write(text.encode() + b"\n")
            self._process.stdin.flush()
        except BrokenPipeError:
            raise ChildFailed(self._ended()) from None

    def send(self, message: dict[str, Any]) -> None:
        self.send_line(json.dumps(message))

    def receive(self, timeout_s: float) -> dict[str, Any]:
        """The next line that is a JSON object; other lines are skipped."""
        until = time.monotonic() + timeout_s
        while True:
            try:
                message = json.loads(self._line(until, timeout_s))
            except ValueError:
                continue
            if isinstance(message, dict):
                return message

    def close(self) -> None:
        """Closes its stdin, which lets it end, and kills it if it does not."""
        assert self._process.stdin is not None
        try:
            self._process.stdin.close()
        except BrokenPipeError:
            pass
        try:
            self._process.wait(5)
        except subprocess.TimeoutExpired:
            self.kill()

    def kill(self) -> None:
        try:
            os.killpg(self._process.pid, signal.SIGKILL)
        except ProcessLookupError:
            pass
        self._process.wait()

    def _line(self, until: float, timeout_s: float) -> bytes:
        assert self._process.stdout is not None
        while b"\n" not in self._buffer:
            left = until - time.monotonic()
            if left <= 0 or not select.select([self._process.stdout], [], [], left)[0]:
                raise ChildFailed(f"{self._name} did not answer within {timeout_s:.0f} s")
            part = os.read(self._process.stdout.fileno(), 1 << 16)
            if not part:
                raise ChildFailed(self._ended())
            self._buffer += part
        line, self._buffer = self._buffer.split(b"\n", 1)
        return line

    def _ended(self) -> str:
        try:
            status: object = self._process.wait(5)
        except subprocess.TimeoutExpired:
            status = "unknown"
        self._errors.seek(0)
        last = self._errors.read().decode(errors="replace").splitlines()[-8:]
        return "\n".join([f"{self._name} ended with status {status}", *last])


class LineClient:
    """Keeps one child for all requests. After a failure the next request starts a new one."""

    def __init__(
        self,
        name: str,
        command: list[str],
        env: dict[str, str],
        failure: type[Exception],
        time_left: Callable[[], float],
    ) -> None:
        self._name = name
        self._command = command
        self._env = env
        self._failure = failure
        self._time_left = time_left
        self._child: Optional[LineProcess] = None
        self.hello: dict[str, Any] = {}

    def start(self) -> None:
        if not self._child:
            self._child = LineProcess(self._command, self._env)
            self.hello = self._greeting(self._receive())

    def close(self) -> None:
        if self._child:
            self._child.close()

    def _greeting(self, line: dict[str, Any]) -> dict[str, Any]:
        """What the first line says."""
        return line

    def _send(self, request: dict[str, Any]) -> None:
        self.start()
        assert self._child is not None
        try:
            self._child.send(request)
        except ChildFailed as error:
            self._give_up(str(error))

    def _receive(self) -> dict[str, Any]:
        assert self._child is not None
        try:
            return self._child.receive(self._time_left())
        except ChildFailed as error:
            self._give_up(str(error))

    def _give_up(self, why: str) -> NoReturn:
        assert self._child is not None
        self._child.kill()
        self._child = None
        raise self._failure(f"{self._name}: {why}") from None

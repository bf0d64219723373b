"""The process that times operations, seen from the worker: started, asked, and replaced if it dies."""

from __future__ import annotations

import json
import os
import select
import signal
import subprocess
import sys
import tempfile
import time
from typing import IO, Any, Optional

from .failure import failed
from .place import Place

START_S = 120.0  # torch and a GPU's driver can take their time
OPERATION_S = 10.0

Answer = dict[str, Any]


class _Died(Exception):
    """The child ended or did not answer; the text says how."""


class OperationChild:
    """Starts on first use."""

    def __init__(self, place: Place, operation_s: float = OPERATION_S) -> None:
        self._place = place
        self._operation_s = operation_s
        self._process: Optional[subprocess.Popen[bytes]] = None
        self._said: Optional[IO[bytes]] = None  # what it wrote to stderr
        self._rest = b""
        self._sent: Optional[list[Any]] = None  # the tensors that it knows

    def time(self, tensors: list[Any], operations: list[Any]) -> list[Answer]:
        """One answer per operation. Raises Failure if the child cannot be started."""
        self._sent = None
        return [self._time_one(tensors, each) for each in operations]

    def close(self) -> None:
        process, self._process = self._process, None
        if process is not None:
            process.kill()
            process.wait()
            for stream in (process.stdin, process.stdout):
                if stream is not None:
                    stream.close()
        if self._said is not None:
            self._said.close()
            self._said = None
        self._rest, self._sent = b"", None

    def _time_one(self, tensors: list[Any], operation: Any) -> Answer:
        if self._process is None:
            self._start()
        try:
            if self._sent is not tensors:
                self._send({"tensors": tensors})
                self._sent = tensors
            self._send({"operation": operation})
            answer = self._receive(self._operation_s)
        except _Died as death:
            self.close()
            return {"error": str(death)}
        if answer.pop("broken", False):
            self.close()
        return answer

    def _start(self) -> None:
        command = [sys.executable, "-m", "ampere.worker.operation_process"]
        command += ["--device", self._place.name]
        command += ["--threads", str(self._place.torch.get_num_threads())]
        package = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
        paths = [package, os.environ.get("PYTHONPATH", "")]
        environment = {**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, paths))}
        self._said = tempfile.TemporaryFile()
        self._process = subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=self._said, env=environment
        )
        try:
            self._receive(START_S)
        except _Died as death:
            self.close()
            raise failed(f"the process that times operations cannot be started: {death}") from None

    def _send(self, message: dict[str, Any]) -> None:
        assert self._process is not None and self._process.stdin is not None
        try:
            self._process.stdin.write(json.dumps(message).encode() + b"\n")
            self._process.stdin.flush()
        except BrokenPipeError:
            raise _Died(self._how_it_ended()) from None

    def _receive(self, seconds: float) -> Answer:
        assert self._process is not None and self._process.stdout is not None
        pipe = self._process.stdout.fileno()
        deadline = time.monotonic() + seconds
        while b"\n" not in self._rest:
            ready, _, _ = select.select([pipe], [], [], max(0.0, deadline - time.monotonic()))
            if not ready:
                raise _Died(f"it took longer than {seconds:g} s")
            piece = os.read(pipe, 1 << 16)
            if not piece:
                raise _Died(self._how_it_ended())
            self._rest += piece
        line, _, self._rest = self._rest.partition(b"\n")
        answer: Answer = json.loads(line)
        return answer

    def _how_it_ended(self) -> str:
        assert self._process is not None
        try:
            status = self._process.wait(5)
        except subprocess.TimeoutExpired:
            return "the process that timed it closed its output"
        ended = f"ended with status {status}"
        if status < 0:
            try:
                ended = f"was ended by {signal.Signals(-status).name}"
            except ValueError:
                ended = f"was ended by signal {-status}"
        last = self._last_line()
        return f"the process that timed it {ended}" + (f": {last}" if last else "")

    def _last_line(self) -> str:
        if self._said is None:
            return ""
        self._said.seek(0)
        text = self._said.read()[-4096:].decode("utf-8", "replace")
        return next((line.strip() for line in reversed(text.splitlines()) if line.strip()), "")[:300]

"""Asks the process of loop.py. After a failure the next request starts a new one."""

from __future__ import annotations

import os
import sys
from typing import Any, Callable, Optional

from lines import ChildFailed, LineProcess

HERE = os.path.dirname(os.path.abspath(__file__))


class LoopFailed(Exception):
    pass


class LoopClient:
    def __init__(self, device: str, threads: Optional[int], time_left: Callable[[], float]) -> None:
        self._command = [sys.executable, os.path.join(HERE, "loop.py"), "--device", device]
        self._env = dict(os.environ)
        if threads:
            self._command += ["--threads", str(threads)]
            # A BLAS with threads of its own does not know torch.set_num_threads().
            self._env.update(OMP_NUM_THREADS=str(threads), OPENBLAS_NUM_THREADS=str(threads))
        self._time_left = time_left
        self._child: Optional[LineProcess] = None
        self.hello: dict[str, Any] = {}

    def prepare(self, row: str) -> dict[str, Any]:
        return self._ask({"do": "prepare", "row": row})

    def window(self, warm_up_s: float, window_s: float) -> dict[str, Any]:
        return self._ask({"do": "window", "warm_up_s": warm_up_s, "window_s": window_s})

    def release(self) -> None:
        if self._child:
            self._ask({"do": "release"})

    def close(self) -> None:
        if self._child:
            self._child.close()

    def start(self) -> None:
        if self._child:
            return
        self._child = LineProcess(self._command, self._env)
        self.hello = self._receive()["hello"]

    def _ask(self, request: dict[str, Any]) -> dict[str, Any]:
        self.start()
        assert self._child is not None
        try:
            self._child.send(request)
        except ChildFailed as error:
            self._give_up(error)
        reply = self._receive()
        if "error" in reply:
            # Some errors leave CUDA unusable, so the next row gets a new process.
            self.close()
            self._child = None
            raise LoopFailed(f"loop: {reply['error']}")
        result: dict[str, Any] = reply["answer"]
        return result

    def _receive(self) -> dict[str, Any]:
        assert self._child is not None
        try:
            return self._child.receive(self._time_left())
        except ChildFailed as error:
            self._give_up(error)
            raise

    def _give_up(self, error: ChildFailed) -> None:
        assert self._child is not None
        self._child.kill()
        self._child = None
        raise LoopFailed(f"loop: {error}") from None

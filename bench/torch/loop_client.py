"""Asks the process of loop.py."""

from __future__ import annotations

import os
import sys
from typing import Any, Callable, Optional

from lines import LineClient

HERE = os.path.dirname(os.path.abspath(__file__))


class LoopFailed(Exception):
    pass


class LoopClient(LineClient):
    def __init__(self, device: str, threads: Optional[int], time_left: Callable[[], float]) -> None:
        command = [sys.executable, os.path.join(HERE, "loop.py"), "--device", device]
        env = dict(os.environ)
        if threads:
            command += ["--threads", str(threads)]
            # A BLAS with threads of its own does not know torch.set_num_threads().
            env.update(OMP_NUM_THREADS=str(threads), OPENBLAS_NUM_THREADS=str(threads))
        super().__init__("loop", command, env, LoopFailed, time_left)

    def prepare(self, row: str) -> dict[str, Any]:
        return self._ask({"do": "prepare", "row": row})

    def window(self, warm_up_s: float, window_s: float) -> dict[str, Any]:
        return self._ask({"do": "window", "warm_up_s": warm_up_s, "window_s": window_s})

    def release(self) -> None:
        if self._child:
            self._ask({"do": "release"})

    def _greeting(self, line: dict[str, Any]) -> dict[str, Any]:
        hello: dict[str, Any] = line["hello"]
        return hello

    def _ask(self, request: dict[str, Any]) -> dict[str, Any]:
        self._send(request)
        reply = self._receive()
        if "error" in reply:
            # Some errors leave CUDA unusable, so the next row gets a new process.
            self.close()
            self._child = None
            raise LoopFailed(f"loop: {reply['error']}")
        result: dict[str, Any] = reply["answer"]
        return result

"""Asks ampere-runner with a Python worker (docs/runner-protocol.md).

One runner serves all rows. After a failure the next request starts a new one.
"""

from __future__ import annotations

import json
import os
import shlex
import subprocess
import sys
from typing import Any, Callable, Optional

from lines import ChildFailed, LineProcess

HERE = os.path.dirname(os.path.abspath(__file__))
PACKAGE = os.path.join(HERE, "..", "..", "python")  # where the worker is


class RigFailed(Exception):
    pass


class RigClient:
    def __init__(
        self, runner: str, device: str, threads: Optional[int], time_left: Callable[[], float]
    ) -> None:
        worker = f"{shlex.quote(sys.executable)} -m ampere.worker"
        self._command = [*shlex.split(runner), "--device", device, "--worker", worker]
        if threads:
            self._command += ["--threads", str(threads)]
        path = [os.path.abspath(PACKAGE), os.environ.get("PYTHONPATH", "")]
        self._env = {**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, path))}
        self._time_left = time_left
        self._child: Optional[LineProcess] = None
        self.hello: dict[str, Any] = {}

    def measure(
        self, model: dict[str, Any], setup: dict[str, Any], precision: dict[str, Any]
    ) -> dict[str, Any]:
        """A measurement as in the protocol."""
        request = {"do": "measure", "model": model, "setup": setup, "precision": precision}
        result: dict[str, Any] = self._ask(request)["measurement"]
        return result

    def measure_script(self, script: dict[str, Any], precision: dict[str, Any]) -> dict[str, Any]:
        """A measurement, with the description of the script under the key "script"."""
        measured = self._ask({"do": "script", "script": script, "precision": precision})["measured"]
        return {**measured["measurement"], "script": measured["script"]}

    def close(self) -> None:
        if self._child:
            self._child.close()

    def start(self) -> None:
        if self._child:
            return
        self._child = LineProcess(self._command, self._env)
        self.hello = self._receive()
        if "error" in self.hello:
            self._give_up(self.hello["error"]["message"])

    def _ask(self, request: dict[str, Any]) -> dict[str, Any]:
        self.start()
        assert self._child is not None
        try:
            self._child.send({"id": 1, **request})
        except ChildFailed as error:
            self._give_up(str(error))
        while True:
            reply = self._receive()
            if "error" in reply:
                raise RigFailed(f"rig: {reply['error']['message']}")
            if "window" not in reply:
                return reply

    def _receive(self) -> dict[str, Any]:
        assert self._child is not None
        try:
            return self._child.receive(self._time_left())
        except ChildFailed as error:
            self._give_up(str(error))
            raise

    def _give_up(self, why: str) -> None:
        assert self._child is not None
        self._child.kill()
        self._child = None
        raise RigFailed(f"rig: {why}") from None


def zoo_network(ampere: str, name: str) -> dict[str, Any]:
    """A network of the zoo as a model file, with its number of parameters."""
    shown = subprocess.run(
        [*shlex.split(ampere), "show", name, "--json"], capture_output=True, text=True
    )
    if shown.returncode != 0:
        raise RigFailed(f"ampere show {name}: {shown.stderr.strip()}")
    model: dict[str, Any] = json.loads(shown.stdout)
    return model

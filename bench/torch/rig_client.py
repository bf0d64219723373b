"""Asks ampere-runner with a Python worker (docs/runner-protocol.md).

One runner serves all rows.
"""

from __future__ import annotations

import json
import os
import shlex
import subprocess
import sys
from typing import Any, Callable, Optional

from lines import LineClient

HERE = os.path.dirname(os.path.abspath(__file__))
PACKAGE = os.path.join(HERE, "..", "..", "python")  # where the worker is


class RigFailed(Exception):
    pass


class RigClient(LineClient):
    def __init__(
        self, runner: str, device: str, threads: Optional[int], time_left: Callable[[], float]
    ) -> None:
        worker = f"{shlex.quote(sys.executable)} -m ampere.worker"
        command = [*shlex.split(runner), "--device", device, "--worker", worker]
        if threads:
            command += ["--threads", str(threads)]
        path = [os.path.abspath(PACKAGE), os.environ.get("PYTHONPATH", "")]
        env = {**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, path))}
        super().__init__("rig", command, env, RigFailed, time_left)

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

    def _greeting(self, line: dict[str, Any]) -> dict[str, Any]:
        if "error" in line:
            self._give_up(line["error"]["message"])
        return line

    def _ask(self, request: dict[str, Any]) -> dict[str, Any]:
        self._send({"id": 1, **request})
        while True:
            reply = self._receive()
            if "error" in reply:
                raise RigFailed(f"rig: {reply['error']['message']}")
            if "window" not in reply:
                return reply


def zoo_network(ampere: str, name: str) -> dict[str, Any]:
    """A network of the zoo as a model file, with its number of parameters."""
    shown = subprocess.run(
        [*shlex.split(ampere), "show", name, "--json"], capture_output=True, text=True
    )
    if shown.returncode != 0:
        raise RigFailed(f"ampere show {name}: {shown.stderr.strip()}")
    model: dict[str, Any] = json.loads(shown.stdout)
    return model

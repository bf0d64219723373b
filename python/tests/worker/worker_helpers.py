"""What the tests of the worker share."""

from __future__ import annotations

import gc
import json
import sys
from pathlib import Path
from typing import Any

HERE = Path(__file__).resolve().parent
PYTHON = HERE.parents[1]
if str(PYTHON) not in sys.path:
    sys.path.insert(0, str(PYTHON))

import torch  # noqa: E402

from ampere.worker.place import Place  # noqa: E402
from ampere.worker.server import Server  # noqa: E402
from ampere.worker.setups import announce  # noqa: E402

# The worker collects garbage after every failure and release. What torch has imported is none.
gc.freeze()

FIXTURES = ("images", "sequences", "tensors", "lines")


def fixture(name: str) -> dict[str, Any]:
    model: dict[str, Any] = json.loads((HERE / "data" / f"{name}.json").read_text())
    return model


def net(*layers: dict[str, Any]) -> dict[str, Any]:
    """A model of the given layers, each reading the one before."""
    return {"name": "net", "layers": list(layers)}


def flat(channels: int) -> dict[str, Any]:
    return {"layout": "flat", "channels": channels}


def mlp(**of_input: Any) -> dict[str, Any]:
    return net(
        {"name": "x", "op": "input", "shape": flat(4), **of_input},
        {"name": "fc1", "op": "linear", "out_features": 8, "shape": flat(8)},
        {"name": "act", "op": "relu", "shape": flat(8)},
        {"name": "fc2", "op": "linear", "out_features": 3, "shape": flat(3)},
    )


class Client:
    """A server in this process, spoken to in JSON objects."""

    def __init__(self) -> None:
        place = Place(torch, None)
        self.server = Server(place, announce(place))

    def ask(self, **request: Any) -> dict[str, Any]:
        answer = self.server.answer(json.dumps(request).encode())
        assert answer is not None
        return json.loads(json.dumps(answer))  # type: ignore[no-any-return]

    def prepare(self, model: Any, job: int = 1, **setup: Any) -> dict[str, Any]:
        whole = {"batch": 3, "optimizer": "sgd", "precision": "fp32", **setup}
        return self.ask(id=1, do="prepare", job=job, model=model, setup=whole)

    def script(self, path: Any, job: int = 1, **keys: Any) -> dict[str, Any]:
        return self.ask(id=1, do="prepare", job=job, script={"path": str(path), **keys})

    def close(self) -> None:
        """Releases what a test has left, so that the next one finds the process as it was."""
        for job in list(self.server._jobs):
            self.ask(id=1, do="release", job=job)
        self.server._defaults.apply()

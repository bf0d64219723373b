"""Whether a network fits into the memory of the machine, where nothing would refuse it.

A GPU answers "out of memory". On a CPU the system would start to swap or kill processes.
"""

from __future__ import annotations

from . import host
from .failure import failed
from .model import Layer, Model
from .setups import Setup

BYTES_PER_NUMBER = 4
USABLE = 0.9  # of what is available: workspaces need the rest


def check_room(model: Model, setup: Setup) -> None:
    host.return_freed_memory()
    available = host.available_memory()
    if available is None:
        return
    needed, usable = needed_bytes(model, setup), USABLE * available
    if needed > usable:
        raise failed(
            f"{model.name}: out of memory: running it with {setup.text} takes about "
            f"{host.gibibytes(needed)}, and {host.gibibytes(usable)} can be used"
        )


def needed_bytes(model: Model, setup: Setup) -> float:
    parameters = float(model.parameters or 0)
    kept = sum(layer.shape.elements + _attention_numbers(layer) for layer in model.layers)
    return BYTES_PER_NUMBER * (_copies(setup) * parameters + float(setup.batch) * kept)


def _attention_numbers(layer: Layer) -> float:
    """Scores and softmax of every head: they grow with the square of the length."""
    if layer.op != "self_attention":
        return 0
    return 2.0 * layer.keys.positive("heads", 1) * layer.shape.positions**2


def _copies(setup: Setup) -> int:
    """Beside the parameter: its gradient, and one momentum, or two moments and a square root."""
    if setup.phase == "inference":
        return 1
    return {"plain-sgd": 2, "sgd": 3}.get(setup.optimizer, 5)

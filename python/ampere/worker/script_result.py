"""What the user's function may return, as one Job."""

from __future__ import annotations

from typing import Any, Optional

from ..job import Job
from .failure import Failure, failed

EXPECTED = "ampere.Job(step, ...) or a tuple (model, inputs, loss, optimizer)"


def job_of(result: object, label: str) -> Job:
    """The Job itself, or one made of a tuple. Raises Failure with what else it is."""
    if isinstance(result, Job):
        return result
    if not isinstance(result, tuple):
        raise failed(f"{label} must return {EXPECTED}, but returned {_kind(result)}")
    if len(result) != 4:
        raise failed(f"{label} must return {EXPECTED}, but returned a tuple of {len(result)}")
    model, inputs, loss, optimizer = result
    if not callable(model):
        raise _wrong(label, "model", "a module", model)
    if not callable(loss):
        raise _wrong(label, "loss", "a function of the output", loss)
    if not callable(getattr(optimizer, "step", None)):
        raise _wrong(label, "optimizer", "an optimizer", optimizer)
    return Job(make_step(model, inputs, loss, optimizer), model=model, batch=first_axis(inputs))


def make_step(model: Any, inputs: Any, loss: Any, optimizer: Any) -> Any:
    """One iteration as it is usually written.

    A tensor is the model's one input. A dict has its inputs by name. A tuple or list ends with the
    target, which the loss is given after the output; what comes before it is the input.
    """
    positional, named, target = (), {}, ()  # type: Any, Any, Any
    if isinstance(inputs, dict):
        named = inputs
    elif isinstance(inputs, (tuple, list)):
        positional, target = tuple(inputs[:-1]), tuple(inputs[-1:])
    else:
        positional = (inputs,)

    def step() -> Any:
        optimizer.zero_grad()
        result = loss(model(*positional, **named), *target)
        result.backward()
        optimizer.step()
        return result

    return step


def first_axis(inputs: Any) -> Optional[int]:
    """Samples in a batch: the length of the first tensor."""
    if isinstance(inputs, dict):
        inputs = tuple(inputs.values())
    first = inputs[0] if isinstance(inputs, (tuple, list)) and inputs else inputs
    shape = getattr(first, "shape", None)
    return int(shape[0]) if shape is not None and len(shape) > 0 else None


def _wrong(label: str, what: str, expected: str, value: object) -> Failure:
    return failed(f"{label}: '{what}' of the tuple must be {expected}, not {_kind(value)}")


def _kind(value: object) -> str:
    return "nothing (None)" if value is None else f"{type(value).__name__}: {value!r:.80}"

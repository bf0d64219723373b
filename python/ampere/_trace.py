"""``ampere.trace``: what one training iteration executes."""

from __future__ import annotations

import os
from typing import Any, Mapping, Optional

from ._arguments import is_script
from ._model_argument import is_module
from ._program_value import Program
from .errors import UsageError, error_of
from .job import Job


def trace(model: Any, inputs: Any = None, *, target: Any = None, loss: Any = None, optimizer: Any = None,
          precision: Optional[str] = None, args: Optional[Mapping[str, Any]] = None, way: Optional[str] = None,
          device: Optional[str] = None) -> Program:
    """Records every operation of one training iteration, without running it where that is possible.

    ``model`` is a module of PyTorch with ``inputs``, one batch as its forward() takes it; or the user's own
    training step: "train.py:build" or the function itself, with ``args`` for it; or an ampere.Job, whose step
    is run twice. ``loss`` gets the output, and ``target`` if there is one; by default it is the loss
    that the output contains, or the mean of its squares. ``optimizer`` is an optimizer of the module's parameters, or
    "sgd" (the default), "plain-sgd", "adam" or "adamw". ``precision`` is "fp32", "tf32", "bf16" or "fp16".

    ``way`` is "fake" (tensors without numbers; nothing is allocated) or "run"; by default "fake" where that works.
    A module is copied and stays as it is. ``device`` chooses where a function traces: "cpu" or "cuda"; a module is
    traced where its parameters are. Needs PyTorch 1.13 or later. Throws ampere.Error.
    """
    of_module = dict(inputs=inputs, target=target, loss=loss, optimizer=optimizer, precision=precision)
    if is_module(model):
        if inputs is None:
            raise UsageError("a module needs inputs: one batch, as its forward() takes it")
        _refuse("a module", args=args, device=device)
        return _trace_module(model, way, **of_module)
    if isinstance(model, Job):
        _refuse("a job", args=args, device=device, **of_module)
    elif callable(model) or is_script(model):
        _refuse("a function that builds a training step", **of_module)
    else:
        raise UsageError(f"{model!r} cannot be traced",
                         "give a module with inputs, 'train.py:build', a function that builds a training step, or a job")
    return _trace_step(model, dict(args or {}), way, device)


def _refuse(what: str, **options: Any) -> None:
    given = [name for name, value in options.items() if value is not None]
    if given:
        raise UsageError(f"{what} takes no {', '.join(given)}")


def _trace_module(model: Any, way: Optional[str], *, inputs: Any, target: Any, loss: Any, optimizer: Any,
                  precision: Optional[str]) -> Program:
    from .worker.failure import Failure
    try:
        from .tracing.objects import module_subject, place_of
        place = place_of(model)
        return traced(place, way, module_subject(model, inputs, target, loss, optimizer or "sgd", precision or "fp32",
                                                  place))
    except Failure as failure:
        raise error_of(failure.code, failure.message) from None


def _trace_step(model: Any, args: Mapping[str, Any], way: Optional[str], device: Optional[str]) -> Program:
    from .worker.failure import Failure
    from .worker.place import choose_place
    from .worker.torch_import import import_torch
    try:
        place = choose_place(import_torch(), device or "local")
        from .tracing.objects import function_subject, job_subject, place_of
        if isinstance(model, Job):
            return traced(place if model.model is None else place_of(model.model), way, job_subject(model))
        if callable(model):
            return traced(place, way, function_subject(model, args))
        from .worker.fields import Fields
        from .worker.trace_request import script_subject
        path, _, function = os.fspath(model).rpartition(":")
        with script_subject(Fields(dict(path=path, function=function, arguments=dict(args)), "script"), place) as subject:
            return traced(place, way, subject)
    except Failure as failure:
        raise error_of(failure.code, failure.message) from None


def traced(place: Any, way: Optional[str], subject: Any) -> Program:
    """Settings of PyTorch that the traced code makes are undone, and so are its random numbers."""
    from .tracing.tracer import trace as trace_subject
    from .worker.globals import Globals
    torch = place.torch
    before = Globals(torch)
    try:
        with torch.random.fork_rng(devices=[] if place.gpu is None else [place.gpu]):
            program, notes = trace_subject(subject, place, way)
    finally:
        before.apply()
    return Program(program, notes)

"""Subjects of Python objects: a module with its inputs, a function that builds a step, a job."""

from __future__ import annotations

import copy
import os
from typing import Any, Callable, Mapping, Optional

import torch

from ..job import Job
from ..worker.failure import Failure, failed, usage
from ..worker.guard import is_out_of_memory, out_of_memory_text
from ..worker.iteration import Iteration as OneStep
from ..worker.optimizers import NAMES, make_optimizer
from ..worker.place import Place
from ..worker.script_job import batch_argument, bound_arguments
from ..worker.script_result import first_axis, job_of
from ..worker.setups import Setup
from ..worker.user_traceback import user_traceback
from .data import iteration_of
from .subject import Iteration, Subject
from .tensors import tensors_in

PRECISIONS = ("fp32", "tf32", "bf16", "fp16")


def place_of(model: Any) -> Place:
    """The device of the module's first parameter."""
    first = next(iter(model.parameters()), None) if hasattr(model, "parameters") else None
    if first is None or first.device.type != "cuda":
        return Place(torch, None)
    return Place(torch, first.device.index or 0)


def module_subject(
    model: Any, inputs: Any, target: Any, loss: Any, optimizer: Any, precision: str, place: Place
) -> Subject:
    """A copy is traced, so that weights, modes and optimizer stay as they are."""
    if precision not in PRECISIONS:
        raise usage(f"precision: '{precision}' is not there: there are {', '.join(PRECISIONS)}")
    if isinstance(optimizer, str) and optimizer not in NAMES:
        raise usage(f"optimizer: '{optimizer}' is not there: there are {', '.join(NAMES)}")
    name = type(model).__name__

    def build(fake: Any) -> Iteration:
        objects = (model, inputs, target, loss, optimizer)
        network, given, wanted, criterion, updater = copied(objects, fake)
        network.train()
        parameters = [each for each in network.parameters() if each.requires_grad]
        if isinstance(updater, str):
            updater = make_optimizer(torch, updater, parameters, None, False)
        samples = first_axis(given)
        setup = Setup(batch=samples or 1, precision=precision)
        positional, named = _arguments(given)
        if precision == "tf32":
            torch.set_float32_matmul_precision("high")
        step = OneStep(
            torch,
            name,
            lambda: network(*positional, **named),
            parameters,
            [],
            lambda output: _loss(criterion, output, wanted),
            updater,
            setup,
            place.kind,
        )
        return Iteration(step.step(), name, network, samples)

    return Subject(build, explained_by(name))


def function_subject(function: Callable[..., Any], arguments: Mapping[str, Any]) -> Subject:
    """A function that builds a job or a tuple (model, inputs, loss, optimizer)."""
    name = getattr(function, "__name__", "build")
    bound = bound_arguments(function, name, dict(arguments), f"{name}()")

    def build(fake: Any) -> Iteration:
        job = job_of(function(**arguments), f"{name}()")
        iteration = iteration_of(job, name, fake)
        iteration.samples = iteration.samples or batch_argument(bound)
        return iteration

    return Subject(build, explained_by(f"{name}()"))


def job_subject(job: Job) -> Subject:
    why = (
        "a job has been built with real tensors; give the function that builds it, which is then "
        "called with fake ones"
    )
    name = job.name or "job"
    return Subject(lambda fake: iteration_of(job, name, fake), explained_by(name), only_real=why)


def copied(objects: Any, fake: Any) -> Any:
    """All objects together, so that an optimizer's parameters are still those of its module."""
    known: dict[int, Any] = {}
    if fake is not None:
        known = {id(each): fake.from_tensor(each) for each in _tensors_of(objects)}
    try:
        return copy.deepcopy(objects, known)
    except Exception as error:
        if fake is not None or is_out_of_memory(error):
            raise
        raise failed(
            f"the objects cannot be copied ({type(error).__name__}: {error}); give a function "
            "that builds them"
        ) from None


def _tensors_of(objects: Any) -> list[Any]:
    model, inputs, target, loss, optimizer = objects
    found: list[Any] = tensors_in([inputs, target])
    for owner in (model, loss):
        for module in owner.modules() if hasattr(owner, "modules") else ():
            found += tensors_in([module._parameters, module._buffers])
            found += [each for each in vars(module).values() if isinstance(each, torch.Tensor)]
    found += [each.grad for each in found if each.is_leaf and each.grad is not None]
    for group in getattr(optimizer, "param_groups", ()):
        found += tensors_in(dict(group))
    for state in getattr(optimizer, "state", {}).values():
        found += tensors_in(dict(state))
    return found


def _arguments(inputs: Any) -> tuple[tuple[Any, ...], dict[str, Any]]:
    if isinstance(inputs, dict):
        return (), inputs
    return (tuple(inputs) if isinstance(inputs, (tuple, list)) else (inputs,)), {}


def _loss(criterion: Optional[Callable[..., Any]], output: Any, target: Any) -> Any:
    """Without a loss, that of the output itself if it has one, and otherwise the mean of squares."""
    if criterion is not None:
        return criterion(output) if target is None else criterion(output, target)
    own = getattr(output, "loss", None)
    if own is None and isinstance(output, dict):
        own = output.get("loss")
    if own is not None:
        return own
    tensors = [each for each in tensors_in(_plain(output)) if each.is_floating_point()]
    if not tensors:
        raise failed("the output has no tensor of real numbers: give a loss")
    return tensors[0].square().mean()


def _plain(output: Any) -> Any:
    return dict(output) if hasattr(output, "keys") else output


def explained_by(name: str, what: str = "step") -> Callable[[BaseException], Failure]:
    def explained(error: BaseException) -> Failure:
        if is_out_of_memory(error):
            return failed(f"{name}: {out_of_memory_text(error)}")
        return failed(f"{name}: the {what} failed\n{user_traceback(error, os.sep)}")

    return explained

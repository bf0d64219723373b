"""Subjects of Python objects that generate text: a module, or a function that builds a language model."""

from __future__ import annotations

from typing import Any, Callable, Mapping

from ..worker.place import Place
from ..worker.script_job import bound_arguments
from .generation import Call, generation_iteration
from .objects import copied, explained_by
from .subject import Iteration, Subject


def module_call(model: Any, call: Call, place: Place) -> Subject:
    """A copy is traced, so that weights, number format and mode stay as they are."""
    name = type(model).__name__

    def build(fake: Any) -> Iteration:
        network = copied((model, None, None, None, None), fake)[0]
        return generation_iteration(network, call, place, name, name)

    return Subject(build, explained_by(name, call.stage))


def function_call(
    function: Callable[..., Any], arguments: Mapping[str, Any], call: Call, place: Place
) -> Subject:
    name = getattr(function, "__name__", "build")
    bound_arguments(function, name, dict(arguments), f"{name}()")

    def build(fake: Any) -> Iteration:
        return generation_iteration(function(**arguments), call, place, name, f"{name}()")

    return Subject(build, explained_by(f"{name}()", call.stage))

"""Traces a subject: with fake tensors where that works, and otherwise by running it.

Of compiled code the kernels are traced that it launches.
"""

from __future__ import annotations

import gc
from typing import Any, Optional

from ..worker.compiling import compilations
from ..worker.failure import Failure, failed, usage
from ..worker.guard import guarded
from ..worker.place import Place
from .compiled import ONLY_REAL, is_compiled, look_at
from .explaining import why_not_fake
from .fake import libraries_ask, without_numbers
from .notes import notes_on
from .recorder import Recorder
from .subject import Iteration, Subject
from .watching import watched

WAYS = ("fake", "run")
FORMAT, VERSION = "ampere-program", 1

Program = dict[str, Any]
Notes = list[str]  # sentences for people


class _NotFake(Exception):
    """The subject cannot be traced with fake tensors; the text says why."""


def trace(subject: Subject, place: Place, way: Optional[str]) -> tuple[Program, Notes]:
    """Raises Failure."""
    if way is not None and way not in WAYS:
        raise usage(f"way: '{way}' is not there: there are {', '.join(WAYS)}")
    notes: Notes = []
    if way != "run":
        try:
            return _trace_fake(subject, place)
        except _NotFake as reason:
            why = str(reason)
        if way == "fake":
            raise failed(f"cannot be traced without running it: {why}")
        notes.append(f"traced by running it, because it cannot be traced without: {why}")
    gc.collect()
    program, more = guarded(subject.explain, lambda: _trace_run(subject, place))
    return program, notes + more


def _trace_run(subject: Subject, place: Place) -> tuple[Program, Notes]:
    iteration = subject.build(None)
    try:
        before = _run_first(iteration, place)
        if is_compiled(iteration.network) or compilations() != before:
            program = _head(iteration, place, "kernels")
            program.update(look_at(iteration, place, before))
            return program, []
        return _recorded(iteration, place, "run")
    finally:
        place.synchronize()


def _trace_fake(subject: Subject, place: Place) -> tuple[Program, Notes]:
    if subject.only_real is not None:
        raise _NotFake(subject.only_real)
    try:
        with without_numbers() as mode:
            iteration = subject.build(mode)
            with libraries_ask():
                if is_compiled(iteration.network):
                    raise _NotFake(ONLY_REAL)
                before = _run_first(iteration, place)
                if compilations() != before:
                    raise _NotFake(ONLY_REAL)
                return _recorded(iteration, place, "fake")
    except (Failure, _NotFake):
        raise
    except (Exception, SystemExit) as error:
        # Whether the code is at fault shows when it runs. The text is made here, because the
        # traceback would keep everything alive.
        why = why_not_fake(error, subject.folder)
    raise _NotFake(why)


def _run_first(iteration: Iteration, place: Place) -> int:
    """In the first iteration optimizers make their state, and lazy parts their own.

    Returns how much had been compiled before it.
    """
    before = compilations()
    (iteration.prepare or iteration.step)()
    place.synchronize()
    return before


def _recorded(iteration: Iteration, place: Place, way: str) -> tuple[Program, Notes]:
    """The next iteration."""
    recorder = Recorder(iteration.network, place.kind)
    with watched(recorder), recorder:
        iteration.step()
    place.synchronize()
    recorder.close()
    program = _program(iteration, recorder, place, way)
    return program, notes_on(program, iteration.network, recorder.has_recurrent_modules)


def _program(iteration: Iteration, recorder: Recorder, place: Place, way: str) -> Program:
    operations = recorder.operations.rows
    if not any(each.get("launches", True) for each in operations):
        raise failed(
            f"{iteration.name}: the iteration gives {place.name} nothing to do: no operation was "
            "recorded on it"
        )
    program = _head(iteration, place, way)
    program["parameters"] = recorder.trained_numbers(iteration.network)
    program["module_calls"] = recorder.module_calls
    program["modules"] = recorder.modules.paths
    program["tensors"] = recorder.tensors.rows
    program["operations"] = operations
    program["steps"] = recorder.steps
    program["storages"] = recorder.storages.rows(len(recorder.steps))
    return program


def _head(iteration: Iteration, place: Place, way: str) -> Program:
    """What is known without looking at operations."""
    program: Program = {"format": FORMAT, "version": VERSION, "name": iteration.name}
    framework = f"torch {place.torch.__version__}"
    program["origin"] = {"way": way, "framework": framework, "device": place.kind}
    if iteration.setup is not None:
        program["setup"] = iteration.setup
    if iteration.samples is not None:
        program["samples"] = iteration.samples
    if iteration.generation is not None:
        program["generation"] = iteration.generation()
    return program

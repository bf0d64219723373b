"""The look at a compiled step: the kernels that the compiler made, and how long they take.

What the device executes is chosen by the compiler, so that a trace of the operations of the network
says nothing about it. A few iterations run under torch's profiler instead.
"""

from __future__ import annotations

import json
import os
import statistics
import tempfile
import time
from typing import Any

import torch

from ..worker.compiling import settle
from ..worker.failure import failed
from ..worker.place import Place
from .profiled import MARK
from .profiled_program import program_of_profile
from .storages import ACTIVATION, BEFORE, STATE, WEIGHT, tensors_of_state
from .subject import Iteration
from .trained import bytes_of, living_optimizers, parameters_of, trained_numbers

ONLY_REAL = "it is compiled, and only the device tells what the compiler has made of it"
HOST_ITERATIONS = 15  # their median is what the host takes
PROFILED = 3


def is_compiled(network: Any) -> bool:
    """By torch.compile(network), network.compile(), or either of them for a part of it."""
    modules = getattr(network, "modules", None)
    return any(
        type(each).__name__ == "OptimizedModule"
        or getattr(each, "_compiled_call_impl", None) is not None
        for each in (modules() if callable(modules) else ())
    )


def require_gpu(name: str, place: Place) -> None:
    """Raises Failure for compiled code on a CPU."""
    if place.gpu is None:
        raise failed(
            f"{name}: compiled code cannot be traced on a CPU: what the device executes is chosen "
            "by the compiler, and only a GPU tells what that was; trace it without torch.compile"
        )


def look_at(iteration: Iteration, place: Place, compilations_before: int) -> dict[str, Any]:
    """Keys of the program that compiled code has become. The first iteration has run."""
    require_gpu(iteration.name, place)
    if iteration.generation is not None:
        raise failed(f"{iteration.name}: compiled code that generates text cannot be traced yet")
    if not settle(iteration.step, compilations_before):
        raise failed(f"{iteration.name}: it is still being compiled after many iterations")
    host_s = _host_s(iteration, place)
    torch.cuda.reset_peak_memory_stats(place.gpu)
    profile = _profile(iteration, place)
    peak = int(torch.cuda.max_memory_allocated(place.gpu))
    optimizers = living_optimizers()
    parameters = parameters_of(iteration.network, optimizers)
    operations, seconds = program_of_profile(profile, parameters)
    if not operations["steps"]:
        raise failed(f"{iteration.name}: the profiler saw nothing that {place.name} had to do")
    states = [each for one in optimizers for each in tensors_of_state(one.state)]
    return {
        "parameters": trained_numbers(parameters),
        **operations,
        "storages": _memory(bytes_of(parameters, place.kind), bytes_of(states, place.kind), peak),
        "seen": {
            "device": str(torch.cuda.get_device_name(place.gpu)),
            "host_s": host_s,
            "operations_s": seconds,
        },
    }


def _host_s(iteration: Iteration, place: Place) -> float:
    """How long the host takes to hand out an iteration while the device is not in its way."""
    seconds = []
    for _ in range(HOST_ITERATIONS):
        place.synchronize()
        begin = time.perf_counter()
        iteration.step()
        seconds.append(time.perf_counter() - begin)
    place.synchronize()
    return statistics.median(seconds)


def _profile(iteration: Iteration, place: Place) -> dict[str, Any]:
    profiler: Any = torch.profiler
    kinds = [profiler.ProfilerActivity.CPU, profiler.ProfilerActivity.CUDA]
    with profiler.profile(activities=kinds, record_shapes=True) as profiled:
        for _ in range(PROFILED):
            with profiler.record_function(MARK):
                iteration.step()
            place.synchronize()
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "profile.json")
        profiled.export_chrome_trace(path)
        with open(path, encoding="utf-8") as file:
            profile: dict[str, Any] = json.load(file)
    return profile


def _memory(weights: int, state: int, peak: int) -> list[list[Any]]:
    """The peak is measured; what is neither weight nor state of an optimizer is one piece."""
    rest = max(0, peak - weights - state)
    rows: list[list[Any]] = [
        [weights, BEFORE, None, WEIGHT],
        [state, BEFORE, None, STATE],
        [rest, 0, None, ACTIVATION],
    ]
    return [each for each in rows if each[0] > 0]

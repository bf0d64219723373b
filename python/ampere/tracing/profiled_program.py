"""A profile of a few iterations as the operations and steps of a program, and how long they took."""

from __future__ import annotations

import statistics
from typing import Any, Sequence

from .overloads import is_recorded
from .profiled import calls_of
from .profiled_rows import COMPILED, row_of
from .values import Table


def program_of_profile(
    profile: dict[str, Any], trained: Sequence[Any]
) -> tuple[dict[str, Any], list[float]]:
    """Keys of a program, and the seconds of each of its operations.

    `trained` are the weights, which lists of tensors stand for. Both are empty if the profile has
    an iteration that gave the device nothing to do.
    """
    rounds = calls_of(profile, _is_operation)
    tensors, operations = Table(), Table()
    seconds: dict[int, list[float]] = {}
    steps: list[list[int]] = []
    for number, calls in enumerate(rounds if all(rounds) else []):
        for call in calls:
            index = operations.index_of(row_of(call, tensors, trained))
            seconds.setdefault(index, []).append(call.device_s)
            if number == 0:
                steps.append([index, call.phase, 0])
    keys = {"tensors": tensors.rows, "operations": operations.rows, "steps": steps}
    return keys, [statistics.fmean(seconds[each]) for each in range(len(operations.rows))]


def _is_operation(name: str, formats: Sequence[str]) -> bool:
    return name.startswith(COMPILED) or is_recorded(name, formats)

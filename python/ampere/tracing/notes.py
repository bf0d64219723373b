"""What the reader of a program should know about it."""

from __future__ import annotations

from typing import Any

MASK = 3  # of the arguments of `attention`


def notes_on(program: dict[str, Any], network: Any, recurrent_modules: bool) -> list[str]:
    """Sentences for people."""
    notes: list[str] = []
    origin, operations = program["origin"], program["operations"]
    names = {each["name"] for each in operations}
    if origin["device"] == "cpu" and recurrent_modules and "recurrent" not in names:
        notes.append(
            "recurrent layers are many operations per time step on this CPU, and one on a GPU: "
            "trace there to estimate it"
        )
    if origin["way"] == "fake" and _is_of_transformers(network) and _has_masks(operations):
        notes.append(
            "transformers makes attention masks for fake tensors that it leaves out for real ones: "
            "'run' traces what really runs"
        )
    return notes


def _is_of_transformers(network: Any) -> bool:
    return any(kind.__module__.split(".")[0] == "transformers" for kind in type(network).__mro__)


def _has_masks(operations: list[dict[str, Any]]) -> bool:
    calls = [each["arguments"] for each in operations if each["name"] == "attention"]
    return any(arguments[MASK] is not None for arguments in calls)

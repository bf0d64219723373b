"""Arguments and results as JSON, and the table of distinct tensor types they point into."""

from __future__ import annotations

import json
import math
from typing import Any

import torch

from .tensors import format_of, type_of

LEFT_OUT = ("device", "pin_memory", "generator")  # keywords that a program does not contain


class Table:
    """Distinct JSON values in the order in which they were first seen."""

    def __init__(self) -> None:
        self.rows: list[Any] = []
        self._known: dict[str, int] = {}

    def index_of(self, row: Any) -> int:
        key = json.dumps(row, sort_keys=True)
        if key not in self._known:
            self._known[key] = len(self.rows)
            self.rows.append(row)
        return self._known[key]


def as_value(value: Any, tensors: Table) -> Any:
    """One argument as docs/program-format.md spells it."""
    if value is None or isinstance(value, (bool, str)):
        return value
    if isinstance(value, torch.Tensor):
        return {"tensor": tensors.index_of(type_of(value))}
    if isinstance(value, (list, tuple)):
        return [as_value(each, tensors) for each in value]
    if isinstance(value, float):
        return value if math.isfinite(value) else str(value)  # "inf", "-inf", "nan"
    if isinstance(value, torch.dtype):
        return format_of(value)
    if isinstance(value, (torch.layout, torch.memory_format)):
        return str(value).replace("torch.", "")
    if isinstance(value, (torch.device, torch.Generator)):
        return None
    return _number(value)


def as_keywords(keywords: dict[str, Any], tensors: Table) -> dict[str, Any]:
    """Keywords that were given. An absent optional argument may be passed as None; it is absent."""
    return {
        key: as_value(value, tensors)
        for key, value in sorted(keywords.items())
        if key not in LEFT_OUT and value is not None
    }


def as_result(value: Any, tensors: Table) -> Any:
    """Numbers that an operation computed belong to the data; a program does not contain them."""
    if isinstance(value, torch.Tensor):
        return as_value(value, tensors)
    if isinstance(value, (list, tuple)):
        return [as_result(each, tensors) for each in value]
    return None


def _number(value: Any) -> Any:
    """Integers of other libraries and sizes that torch keeps as symbols."""
    try:
        return int(value) if int(value) == value else float(value)
    except (TypeError, ValueError, OverflowError):
        return str(value)

"""Arguments of an operation from their types: tensors with numbers that the operation can take."""

from __future__ import annotations

import math
from typing import Any, Callable, Optional

import torch

from ..tracing.tensors import dtype_of
from .failure import failed, usage
from .fields import is_integer, kind_of, whole

# Numbers with which logarithms, roots, divisions, variances and probabilities all work.
LOWEST, HIGHEST = 0.25, 0.75


def positive_numbers(count: int, device: Any) -> Any:
    return torch.empty(count, device=device, dtype=torch.float32).uniform_(LOWEST, HIGHEST)


def normal_numbers(count: int, device: Any) -> Any:
    """As activations and weights are. More of their bits change than of positive numbers alone, and
    the energy of a product depends on that."""
    return torch.randn(count, device=device, dtype=torch.float32)


NOT_FINITE = ("inf", "-inf", "nan")


def rounded_numbers(count: int, device: Any) -> Any:
    """As most numbers of fp32 are in mixed precision, where they come out of operations in bf16."""
    return normal_numbers(count, device).to(torch.bfloat16).to(torch.float32)


class TensorTypes:
    """The `tensors` of a program, from which tensors are made on one device."""

    def __init__(
        self, rows: object, device: Any, real_numbers: Callable[[int, Any], Any] = positive_numbers
    ) -> None:
        if not isinstance(rows, list):
            raise usage(f"'tensors' must be a list, not {kind_of(rows)}")
        self._rows: list[Any] = rows
        self._device = device
        self._real_numbers = real_numbers

    def bytes_of(self, value: Any) -> int:
        """Of all tensors in an argument or result."""
        if isinstance(value, list):
            return sum(self.bytes_of(each) for each in value)
        if not isinstance(value, dict):
            return 0
        dtype, sizes, strides = self._type(value)
        return _elements(sizes, strides) * int(torch.empty((), dtype=dtype).element_size())

    def sizes(self, value: Any) -> list[int]:
        return self._type(value)[1]

    def is_mask(self, value: Any) -> bool:
        return self._type(value)[0] in (torch.bool, torch.uint8)

    def make(self, value: Any, below: Optional[int] = None) -> Any:
        """A tensor for `{"tensor": 3}`. Whole numbers are indices `below` that, or 0 and 1."""
        dtype, sizes, strides = self._type(value)
        count = _elements(sizes, strides)
        flat = self._numbers(dtype, count, 2 if below is None else max(below, 1))
        return flat.as_strided(sizes, strides) if strides else flat.view(sizes)

    def _numbers(self, dtype: Any, count: int, below: int) -> Any:
        if dtype is torch.bool:
            return torch.rand(count, device=self._device) < 0.5
        if dtype.is_complex:
            real = torch.rand(count, 2, device=self._device, dtype=torch.float64)
            return torch.view_as_complex(real).to(dtype)
        if not dtype.is_floating_point:
            below = min(below, torch.iinfo(dtype).max)
            return torch.randint(below, (count,), device=self._device, dtype=dtype)
        return self._real_numbers(count, self._device).to(dtype)

    def _type(self, value: Any) -> tuple[Any, list[int], Optional[list[int]]]:
        given = value.get("tensor") if isinstance(value, dict) else None
        index = whole(given) if is_integer(given) else -1
        if not 0 <= index < len(self._rows):
            raise usage(f"there is no tensor {given!r}")
        row = self._rows[index]
        if not isinstance(row, list) or len(row) not in (2, 3) or not isinstance(row[1], list):
            raise usage(f"tensors[{index}] must be [format, sizes, strides]")
        dtype = dtype_of(str(row[0]))
        if dtype is None:
            raise failed(f"this PyTorch has no format {row[0]}")
        return dtype, list(row[1]), list(row[2]) if len(row) == 3 else None


def _elements(sizes: list[int], strides: Optional[list[int]]) -> int:
    """Elements of memory behind a tensor; an expanded axis needs none."""
    if strides is None:
        return math.prod(sizes)
    if any(size == 0 for size in sizes):
        return 0
    return 1 + sum((size - 1) * stride for size, stride in zip(sizes, strides))


def is_tensor(value: Any) -> bool:
    return isinstance(value, dict)


def plain_value(value: Any, wanted: str) -> Any:
    """A number, text or format as torch takes it. `wanted` is the type in the schema."""
    if not isinstance(value, str) or "str" in wanted:
        return value
    if value in NOT_FINITE:
        return float(value)
    special = {
        "strided": torch.strided,
        "channels_last": torch.channels_last,
        "channels_last_3d": torch.channels_last_3d,
        "contiguous_format": torch.contiguous_format,
        "preserve_format": torch.preserve_format,
    }
    if value in special:
        return special[value]
    dtype = dtype_of(value)
    return value if dtype is None else dtype


def deep(value: Any, make: Callable[[Any], Any], wanted: str) -> Any:
    """The value with `make` applied to every tensor in it."""
    if isinstance(value, list):
        return [deep(each, make, wanted) for each in value]
    return make(value) if is_tensor(value) else plain_value(value, wanted)

"""Tensors without their numbers: formats, types and the memory behind them."""

from __future__ import annotations

from typing import Any, Optional

import torch

from ..worker.failure import failed

# Several of torch's formats cost the same and share a name here. Some exist in newer versions only.
_NAMES = {
    "float64": "fp64",
    "float32": "fp32",
    "float16": "fp16",
    "bfloat16": "bf16",
    "float8_e4m3fn": "fp8",
    "float8_e5m2": "fp8",
    "float8_e4m3fnuz": "fp8",
    "float8_e5m2fnuz": "fp8",
    "float8_e8m0fnu": "fp8",
    "int64": "int64",
    "int32": "int32",
    "int16": "int16",
    "int8": "int8",
    "uint8": "uint8",
    "uint16": "int16",
    "uint32": "int32",
    "uint64": "int64",
    "bool": "bool",
    "complex64": "complex64",
    "complex128": "complex128",
    "qint8": "int8",
    "quint8": "uint8",
    "qint32": "int32",
}
_FORMATS = {getattr(torch, key): name for key, name in _NAMES.items() if hasattr(torch, key)}


def format_of(dtype: Any) -> str:
    if dtype not in _FORMATS:
        raise failed(f"a program cannot contain tensors of the format {dtype}")
    return _FORMATS[dtype]


def dtype_of(name: str) -> Optional[Any]:
    """The first of torch's formats with this name; None if there is none."""
    return next((dtype for dtype, each in _FORMATS.items() if each == name), None)


def type_of(tensor: Any) -> list[Any]:
    """`[format, sizes]`, and strides where they are not those of a contiguous tensor."""
    sizes = [int(size) for size in tensor.shape]
    kind: list[Any] = [format_of(tensor.dtype), sizes]
    if tensor.layout is torch.strided and not tensor.is_contiguous():
        kind.append([int(stride) for stride in tensor.stride()])
    return kind


def storage_of(tensor: Any) -> Optional[Any]:
    """The memory of a tensor; None for tensors that have none of their own, such as sparse ones."""
    try:
        if hasattr(tensor, "untyped_storage"):
            return tensor.untyped_storage()
        return tensor.storage()._storage  # torch 1.13
    except (NotImplementedError, RuntimeError, AttributeError):
        return None


def tensors_in(value: Any) -> list[Any]:
    """All tensors in nested lists, tuples and dictionaries."""
    if isinstance(value, torch.Tensor):
        return [value]
    if isinstance(value, dict):
        value = list(value.values())
    if isinstance(value, (list, tuple)):
        return [tensor for each in value for tensor in tensors_in(each)]
    return []

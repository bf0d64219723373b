"""The overload of an operation, from its name and the formats of its arguments in a profile.

A profile names `aten::sum`, but not which of its variants was called.
"""

from __future__ import annotations

from typing import Any, Optional, Sequence

import torch

# Formats in the words of the profiler, which are those of C++.
FORMATS = {
    "double": torch.float64,
    "float": torch.float32,
    "c10::Half": torch.float16,
    "c10::BFloat16": torch.bfloat16,
    "long int": torch.int64,
    "long": torch.int64,
    "int": torch.int32,
    "short int": torch.int16,
    "short": torch.int16,
    "signed char": torch.int8,
    "unsigned char": torch.uint8,
    "bool": torch.bool,
    "c10::complex<float>": torch.complex64,
    "c10::complex<double>": torch.complex128,
}
TENSORS = "TensorList"  # their shapes are not in a profile
_LISTS = (TENSORS, "ScalarList", "GenericList")
_ABSENT = ""
_BY_NAME = "Dimname"  # overloads for axes with names, which nobody compiles


def overload_of(name: str, formats: Sequence[str]) -> Optional[Any]:
    """None if this PyTorch has no such operation that takes such arguments."""
    space, separator, base = name.partition("::")
    if not separator or not base.isidentifier() or not space.isidentifier():
        return None
    packet: Any = getattr(getattr(torch.ops, space), base, None)
    if not callable(getattr(packet, "overloads", None)):
        return None
    overloads = (getattr(packet, each) for each in packet.overloads())
    return next((each for each in overloads if _takes(each._schema, formats)), None)


def is_recorded(name: str, formats: Sequence[str]) -> bool:
    """Whether a traced program would name it: others consist of operations that it would name."""
    overload = overload_of(name, formats)
    return overload is not None and not _is_composite(overload)


def _takes(schema: Any, formats: Sequence[str]) -> bool:
    if len(schema.arguments) != len(formats) or _BY_NAME in str(schema):
        return False
    return all(_fits(str(each.type), given) for each, given in zip(schema.arguments, formats))


def _fits(wanted: str, given: str) -> bool:
    optional = wanted.startswith("Optional[")
    plain = wanted[len("Optional[") : -1] if optional else wanted
    if given == _ABSENT:  # also lists of numbers, and tensors without memory
        return optional or plain in ("Tensor", "List[number]", "Device", "Generator")
    if given in FORMATS:
        return plain == "Tensor"
    if given in _LISTS:
        is_tensors = plain in ("List[Tensor]", "List[Optional[Tensor]]")
        return is_tensors if given == TENSORS else plain.startswith("List[")
    return plain != "Tensor" and not plain.startswith("List[")


def _is_composite(overload: Any) -> bool:
    schema = overload._schema
    name = ".".join(filter(None, (str(schema.name), str(schema.overload_name))))
    has_kernel = torch._C._dispatch_has_kernel_for_dispatch_key
    return bool(has_kernel(name, "CompositeImplicitAutograd"))

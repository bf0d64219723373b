"""Calls of a profile as operations of a program."""

from __future__ import annotations

import ast
import re
from typing import Any, Sequence

import torch

from .naming import by_name
from .overloads import FORMATS, TENSORS, overload_of
from .profiled import Call
from .rows import operation_row
from .values import Table, as_value

COMPILED = "triton_"  # begins the names of kernels that the compiler made
_NUMBER = re.compile(r"_\d+$")  # of a kernel, which differs from compilation to compilation
_OUT = "out"
_ATTENTION = ("query", "key", "value")


def row_of(call: Call, tensors: Table, trained: Sequence[Any]) -> dict[str, Any]:
    """A list of tensors stands for all weights, since its shapes are not in a profile."""
    overload = overload_of(call.name, call.formats)
    if overload is not None:
        try:
            return _operation(overload, call, tensors, trained)
        except Exception:  # whatever torch raises for arguments that do not fit its rules for shapes
            pass
    return _kernel(call, tensors, trained)


def _kernel(call: Call, tensors: Table, trained: Sequence[Any]) -> dict[str, Any]:
    """What it reads or writes is all that is known of it."""
    made = [_tensors(call, index, trained) for index in range(len(call.formats))]
    arguments = [as_value(each, tensors) for each in made if each is not None]
    name = _NUMBER.sub("", call.name) if call.name.startswith(COMPILED) else call.name
    return {"name": name.replace("::", "."), "arguments": arguments, "results": []}


def _operation(overload: Any, call: Call, tensors: Table, trained: Sequence[Any]) -> dict[str, Any]:
    schema = overload._schema
    values = [_value(call, index, str(each.type), trained) for index, each in enumerate(schema.arguments)]
    if any(each.alias_info is not None and each.name == _OUT for each in schema.arguments):
        return _into_given(overload, values, tensors)
    arguments, keywords = _as_called(schema, values)
    result = _result(overload, arguments, keywords)
    return operation_row(overload, arguments, keywords, result, tensors)


def _result(overload: Any, arguments: list[Any], keywords: dict[str, Any]) -> Any:
    """Tensors of the shapes that come out."""
    if not overload._schema.returns:
        return None
    values = by_name(overload, arguments, keywords)
    inputs = [values.get(each) for each in _ATTENTION]
    if str(overload._schema.name).endswith("_backward") and None not in inputs:
        # Some arguments have no memory, which cannot be said in Python.
        return [_like(each) for each in inputs]
    return overload(*arguments, **keywords)


def _into_given(overload: Any, values: list[Any], tensors: Table) -> dict[str, Any]:
    """Compiled code hands the memory of a result in; without that it is the usual operation."""
    schema = overload._schema
    packet = getattr(getattr(torch.ops, str(schema.name).partition("::")[0]), _base(schema))
    usual = packet.default if hasattr(packet, "default") else None
    if usual is None:
        raise ValueError(f"{schema.name}: no overload without memory for the result")
    given = {each.name: value for each, value in zip(schema.arguments, values)}
    wanted = [given.get(each.name, each.default_value) for each in usual._schema.arguments]
    arguments, keywords = _as_called(usual._schema, wanted)
    return operation_row(usual, arguments, keywords, given[_OUT], tensors)


def _base(schema: Any) -> str:
    return str(schema.name).partition("::")[2]


def _as_called(schema: Any, values: Sequence[Any]) -> tuple[list[Any], dict[str, Any]]:
    """As a dispatch mode sees it: without what equals its default."""
    arguments: list[Any] = []
    keywords: dict[str, Any] = {}
    for each, value in zip(schema.arguments, values):
        if not each.kwarg_only:
            arguments.append(value)
        elif not _is_default(each, value):
            keywords[each.name] = value
    positional = [each for each in schema.arguments if not each.kwarg_only]
    while arguments and _is_default(positional[len(arguments) - 1], arguments[-1]):
        arguments.pop()
    return arguments, keywords


def _is_default(argument: Any, value: Any) -> bool:
    if not argument.has_default_value() or isinstance(value, torch.Tensor):
        return False
    return bool(argument.default_value == value)


def _value(call: Call, index: int, wanted: str, trained: Sequence[Any]) -> Any:
    made = _tensors(call, index, trained)
    if made is not None:
        return made
    value = _literal(call.values[index] if index < len(call.values) else "")
    if wanted == "List[number]" and value is None:
        return [1.0] * len(trained)  # a list of numbers is not in a profile either
    if wanted in ("float", "Optional[float]") and value is not None:
        return float(value)
    return None if "ScalarType" in wanted else value


def _literal(text: str) -> Any:
    if text == "":
        return None
    try:
        return ast.literal_eval(text)
    except (ValueError, SyntaxError):
        pass
    try:
        return float(text)  # inf
    except ValueError:
        return text


def _tensors(call: Call, index: int, trained: Sequence[Any]) -> Any:
    """A tensor or a list of them; None for an argument that is neither."""
    if call.formats[index] == TENSORS:
        return [_like(each) for each in trained]
    dtype = FORMATS.get(call.formats[index])
    if dtype is None:
        return None
    return torch.empty_strided(call.sizes[index], call.strides[index], dtype=dtype, device="meta")


def _like(tensor: Any) -> Any:
    return torch.empty_strided(tensor.size(), tensor.stride(), dtype=tensor.dtype, device="meta")

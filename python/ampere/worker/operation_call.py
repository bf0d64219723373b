"""An operation of a program as a function that can be called again and again."""

from __future__ import annotations

import importlib
from typing import Any, Callable

import torch

from .failure import failed, usage
from .fields import Fields
from .operation_indices import index_limits, limit_of
from .operation_recipes import RECIPES
from .operation_values import TensorTypes, deep

Call = Callable[[], Any]

# The host waits for the device inside of these, so the device cannot be kept busy.
WAITING = (
    "_local_scalar_dense", "item", "nonzero", "masked_select", "equal", "is_nonzero", "_unique",
    "_unique2", "unique_dim", "unique_consecutive",
)
INDEXING = ("index", "index_put", "_index_put_impl", "_unsafe_index", "_unsafe_index_put")

# A gradient that was found not to be finite makes the update skip everything.
ZERO, ONE = ("found_inf",), ("grad_scale", "inv_scale")


def make_call(operation: Fields, types: TensorTypes, device: Any) -> Call:
    """Makes the tensors. Raises Failure if there is no such operation."""
    name = operation.text("name")
    arguments = operation.list_at("arguments") if operation.has("arguments") else []
    results = operation.list_at("results") if operation.has("results") else []
    if name.partition(".")[0] in WAITING:
        raise failed(f"{name}: the host waits for the device in it, so it is not timed alone")
    if name in RECIPES:
        return RECIPES[name](arguments, results, types)
    keywords = operation.object_at("keywords").json if operation.has("keywords") else {}
    return _direct(_find(name), arguments, keywords, types, device)


def _find(name: str) -> Any:
    """The overload of a name such as `add.Tensor`, `mm` or `torchvision.nms`."""
    parts = name.split(".")
    if len(parts) > 1 and parts[0] == "torchvision":
        try:
            importlib.import_module("torchvision")
        except Exception as error:
            raise failed(f"{name}: torchvision cannot be imported: {error}") from None
    for space, rest in (("aten", parts), (parts[0], parts[1:])):
        known = len(rest) in (1, 2)
        packet = getattr(getattr(torch.ops, space), rest[0], None) if known else None
        overload = getattr(packet, rest[1] if len(rest) > 1 else "default", None)
        if overload is not None:
            return overload
    raise failed(f"{name}: this PyTorch has no such operation")


def _direct(
    operation: Any,
    arguments: list[Any],
    keywords: dict[str, Any],
    types: TensorTypes,
    device: Any,
) -> Call:
    schema = operation._schema
    name = str(schema.name).partition("::")[2]
    given: dict[str, Any] = {}
    for value, argument in zip(arguments, schema.arguments):
        given[argument.name] = value
    given.update(keywords)
    if len(arguments) > len(schema.arguments):
        raise usage(f"{name}: {len(arguments)} arguments, but it takes {len(schema.arguments)}")
    made = {
        argument.name: _value(name, argument, given, types)
        for argument in schema.arguments
        if argument.name in given
    }
    rest = schema.arguments[len(arguments) :]
    named = {each.name: made[each.name] for each in rest if each.name in made}
    positional = [made[each.name] for each in schema.arguments[: len(arguments)]]
    if any(each.name == "device" for each in schema.arguments) and "device" not in given:
        named["device"] = device
    return lambda: operation(*positional, **named)


def _value(name: str, argument: Any, given: dict[str, Any], types: TensorTypes) -> Any:
    value, wanted = given[argument.name], str(argument.type)
    if argument.name == "device":
        return None
    if argument.name == "indices" and name.rstrip("_") in INDEXING:
        limits = index_limits(given, types)
        return [
            None if each is None else types.make(each, limit)
            for each, limit in zip(value, limits)
        ]
    limit = limit_of(name, argument.name, given, types)
    made = deep(value, lambda each: types.make(each, limit), wanted)
    if argument.name in ZERO and isinstance(made, torch.Tensor):
        made.zero_()
    if argument.name in ONE and isinstance(made, torch.Tensor):
        made.fill_(1)
    return made

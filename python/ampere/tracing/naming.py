"""The name of an operation, and its arguments by name."""

from __future__ import annotations

from typing import Any, Mapping, Sequence


def space_of(operation: Any) -> str:
    """`aten` for PyTorch's own."""
    return str(operation._schema.name).partition("::")[0]


def base_name(operation: Any) -> str:
    """Without overload: `add` for `aten.add.Tensor`."""
    return str(operation._schema.name).partition("::")[2]


def name_of(operation: Any) -> str:
    """As docs/program-format.md spells it: `mm`, `add.Tensor`, `torchvision.nms`."""
    space, name = space_of(operation), base_name(operation)
    overload = str(operation._schema.overload_name)
    whole = f"{name}.{overload}" if overload else name
    return whole if space == "aten" else f"{space}.{whole}"


def by_name(
    operation: Any, arguments: Sequence[Any], keywords: Mapping[str, Any]
) -> dict[str, Any]:
    """Every argument of the schema; where it was not given, its default."""
    values: dict[str, Any] = {}
    for index, argument in enumerate(operation._schema.arguments):
        if index < len(arguments) and not argument.kwarg_only:
            values[argument.name] = arguments[index]
        elif argument.name in keywords:
            values[argument.name] = keywords[argument.name]
        else:
            values[argument.name] = argument.default_value if argument.has_default_value() else None
    return values

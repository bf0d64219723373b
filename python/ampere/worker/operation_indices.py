"""Which arguments are indices, and below which number they must stay."""

from __future__ import annotations

from typing import Any, Callable, Mapping, Optional

from .operation_values import TensorTypes, is_tensor

Given = Mapping[str, Any]  # arguments as JSON, by name
Limit = Callable[[Given, TensorTypes], Optional[int]]


def limit_of(name: str, argument: str, given: Given, types: TensorTypes) -> Optional[int]:
    """Of the whole numbers in this argument; None where any will do."""
    rule = _LIMITS.get((name.rstrip("_"), argument))
    return None if rule is None else rule(given, types)


def index_limits(given: Given, types: TensorTypes) -> list[Optional[int]]:
    """One limit per entry of `indices` of indexing: entry i counts along axis i.

    A mask covers as many axes as it has.
    """
    sizes = types.sizes(given["self"])
    limits: list[Optional[int]] = []
    axis = 0
    for each in given["indices"]:
        limits.append(sizes[axis] if axis < len(sizes) else None)
        axis += len(types.sizes(each)) if is_tensor(each) and types.is_mask(each) else 1
    return limits


def _axis_of(tensor: str, axis: str) -> Limit:
    def limit(given: Given, types: TensorTypes) -> Optional[int]:
        sizes = types.sizes(given[tensor])
        return sizes[int(given[axis]) % len(sizes)] if sizes else 1

    return limit


def _rows_of(tensor: str) -> Limit:
    return lambda given, types: types.sizes(given[tensor])[0]


def _classes(given: Given, types: TensorTypes) -> Optional[int]:
    sizes = types.sizes(given["self"])
    return sizes[1] if len(sizes) > 1 else sizes[0]


def _number(argument: str) -> Limit:
    return lambda given, types: int(given[argument])


def _elements(given: Given, types: TensorTypes) -> Optional[int]:
    product = 1
    for size in types.sizes(given["self"]):
        product *= size
    return product


_ALONG_AXIS = (
    "gather", "scatter", "scatter_add", "scatter_reduce", "index_select", "index_add",
    "index_copy", "index_fill", "index_reduce",
)
_OF_CLASSES = (
    "nll_loss_forward", "nll_loss_backward", "nll_loss2d_forward", "nll_loss2d_backward",
    "multi_margin_loss", "multi_margin_loss_backward",
)

_LIMITS: dict[tuple[str, str], Limit] = {
    **{(name, "index"): _axis_of("self", "dim") for name in _ALONG_AXIS},
    **{(name, "target"): _classes for name in _OF_CLASSES},
    ("embedding", "indices"): _rows_of("weight"),
    ("embedding_dense_backward", "indices"): _number("num_weights"),
    ("_embedding_bag", "indices"): _rows_of("weight"),
    ("take", "index"): _elements,
    ("index_select_backward", "index"): lambda given, types: int(
        given["self_sizes"][int(given["dim"])]
    ),
}

"""Operators that move numbers along axes or gather them from axes."""

from __future__ import annotations

import operator
from typing import Any, Callable

import torch
from torch.nn import functional as F

from .layer_build import LayerBuild, Node
from .operand import operand, with_rank

Operator = Callable[[LayerBuild], Node]


def _pad(build: LayerBuild) -> Node:
    """PyTorch lists the last axis first."""
    shape = build.shape
    before, after = build.window("before", 0), build.window("after", 0)
    amounts: list[int] = []
    extent = len(shape.extent)
    for axis in reversed(range(len(shape.axes))):
        if shape.layout != "tensor" and axis == shape.channel_axis:
            amounts += [0, 0]
            continue
        extent -= 1
        amounts += [before[extent], after[extent]]
    return build.call(F.pad, build.x, amounts, value=build.keys.number("value", 0))


def _flatten(build: LayerBuild) -> Node:
    return build.call(torch.flatten, build.x, 1)


def _concat(build: LayerBuild) -> Node:
    return build.call(torch.cat, list(build.inputs), build.dim())


def _chunk(build: LayerBuild) -> Node:
    parts = build.call(torch.chunk, build.x, build.keys.positive("parts", 2), build.dim())
    return build.call(operator.getitem, parts, build.keys.integer("index"))


def _slice(build: LayerBuild) -> Node:
    keys = build.keys
    part = slice(keys.integer("begin", 0), keys.integer("end"), keys.positive("step", 1))
    everything: list[Any] = [slice(None)] * build.dim()
    return build.call(operator.getitem, build.x, (*everything, part))


def _softmax(build: LayerBuild) -> Node:
    return build.call(torch.softmax, build.x, build.dim())


def _log_softmax(build: LayerBuild) -> Node:
    return build.call(torch.log_softmax, build.x, build.dim())


def _reduced_dims(build: LayerBuild) -> list[int]:
    rank = len(build.shape.axes)
    return [axis % rank + 1 for axis in build.keys.integers("axes")]


def _reduce(method: str) -> Operator:
    def build_it(build: LayerBuild) -> Node:
        return build.method(method, build.x, _reduced_dims(build), True)

    return build_it


def _reduce_l2(build: LayerBuild) -> Node:
    return build.call(torch.linalg.vector_norm, build.x, 2, _reduced_dims(build), True)


def _channel_shuffle(build: LayerBuild) -> Node:
    groups, shape = build.keys.positive("groups", 2), build.output
    split = build.sizes((groups, shape.channels // groups, *shape.extent))
    mixed = build.method("transpose", build.method("reshape", build.x, *split), 1, 2)
    return build.method("view", build.method("contiguous", mixed), *build.sizes(shape.axes))


def _to_sequence(build: LayerBuild) -> Node:
    return build.method("transpose", build.call(torch.flatten, build.x, 2), 1, 2)


def _from_sequence(build: LayerBuild) -> Node:
    turned = build.method("transpose", build.x, 1, 2)
    return build.method("reshape", turned, *build.sizes(build.output.axes))


def _token_mean(build: LayerBuild) -> Node:
    return build.method("mean", build.x, 1)


def _token_select(build: LayerBuild) -> Node:
    return build.method("select", build.x, 1, build.keys.integer("index", 0))


def _reshape(build: LayerBuild) -> Node:
    return build.method("reshape", build.x, *build.sizes(build.output.axes))


def _permute(build: LayerBuild) -> Node:
    rank = len(build.shape.axes)
    dims = [axis % rank + 1 for axis in build.keys.integers("order")]
    return build.method("permute", build.x, 0, *dims)


def _expand(build: LayerBuild) -> Node:
    node = operand(build, 0, build.output)
    return build.method("expand", node, *build.sizes(build.output.axes))


def _matmul(build: LayerBuild) -> Node:
    rank = len(build.output.axes)
    return build.call(torch.matmul, with_rank(build, 0, rank), with_rank(build, 1, rank))


AXIS_OPS: dict[str, Operator] = {
    "pad": _pad,
    "flatten": _flatten,
    "concat": _concat,
    "chunk": _chunk,
    "slice": _slice,
    "softmax": _softmax,
    "log_softmax": _log_softmax,
    "reduce_mean": _reduce("mean"),
    "reduce_sum": _reduce("sum"),
    "reduce_max": _reduce("amax"),
    "reduce_l2": _reduce_l2,
    "channel_shuffle": _channel_shuffle,
    "to_sequence": _to_sequence,
    "from_sequence": _from_sequence,
    "token_mean": _token_mean,
    "token_select": _token_select,
    "reshape": _reshape,
    "permute": _permute,
    "expand": _expand,
    "matmul": _matmul,
}

"""Functions of single numbers, of several layers, and of windows."""

from __future__ import annotations

import operator
from typing import Any, Callable

import torch
from torch import nn
from torch.nn import functional as F

from . import own_modules
from .layer_build import LayerBuild, Node
from .operand import operand

Operator = Callable[[LayerBuild], Node]

WIDEST = 3.4028234663852886e38  # the largest number in fp32: `clip` without a limit


def _module(kind: Callable[..., Any], **options: Any) -> Operator:
    return lambda build: build.module(kind(**options))


def _function(function: Callable[..., Any]) -> Operator:
    return lambda build: build.call(function, build.x)


def _clip(build: LayerBuild) -> Node:
    low, high = build.keys.number("low", -WIDEST), build.keys.number("high", WIDEST)
    return build.call(F.hardtanh, build.x, low, high)


def _affine(build: LayerBuild) -> Node:
    factor, offset = build.keys.number("factor", 1), build.keys.number("offset", 0)
    if factor == 1:
        return build.call(operator.add, build.x, offset)
    scaled = build.call(operator.mul, build.x, factor)
    return scaled if offset == 0 else build.call(operator.add, scaled, offset)


def _power(build: LayerBuild) -> Node:
    return build.call(torch.pow, build.x, build.keys.number("exponent", 2))


def _dropout(build: LayerBuild) -> Node:
    probability = build.keys.number("probability", 0.5)
    samples = build.keys.boolean("samples", False)
    return build.module(
        own_modules.StochasticDepth(probability) if samples else nn.Dropout(probability)
    )


def _folded(combine: Callable[[Any, Any], Any]) -> Operator:
    def build_it(build: LayerBuild) -> Node:
        result = operand(build, 0, build.output)
        for which in range(1, len(build.inputs)):
            result = build.call(combine, result, operand(build, which, build.output))
        return result

    return build_it


def _max_pool(build: LayerBuild) -> Node:
    kind = nn.MaxPool1d if len(build.shape.extent) == 1 else nn.MaxPool2d
    return build.module(kind(ceil_mode=build.keys.boolean("ceil", False), **_window(build)))


def _average_pool(build: LayerBuild) -> Node:
    kind = nn.AvgPool1d if len(build.shape.extent) == 1 else nn.AvgPool2d
    ceil, count = build.keys.boolean("ceil", False), build.keys.boolean("count_padding", True)
    return build.module(kind(ceil_mode=ceil, count_include_pad=count, **_window(build)))


def _window(build: LayerBuild) -> dict[str, Any]:
    kernel = build.window("kernel")
    stride = build.window("stride") if build.keys.has("stride") else kernel
    return {"kernel_size": kernel, "stride": stride, "padding": build.window("padding", 0)}


def _adaptive_pool(build: LayerBuild) -> Node:
    kind = nn.AdaptiveAvgPool1d if len(build.shape.extent) == 1 else nn.AdaptiveAvgPool2d
    return build.module(kind(build.output.extent))


def _adaptive_max_pool(build: LayerBuild) -> Node:
    kind = nn.AdaptiveMaxPool1d if len(build.shape.extent) == 1 else nn.AdaptiveMaxPool2d
    return build.module(kind(build.output.extent))


def _upsample(build: LayerBuild) -> Node:
    extent = build.output.extent
    if not build.keys.boolean("linear", False):
        return build.module(nn.Upsample(size=extent, mode="nearest"))
    mode = "linear" if len(extent) == 1 else "bilinear"
    corners = build.keys.boolean("align_corners", False)
    return build.module(nn.Upsample(size=extent, mode=mode, align_corners=corners))


def _slope(build: LayerBuild) -> Node:
    return build.module(nn.LeakyReLU(build.keys.number("slope", 0.01)))


def _elu(build: LayerBuild) -> Node:
    return build.module(nn.ELU(build.keys.number("alpha", 1)))


FUNCTION_OPS: dict[str, Operator] = {
    "relu": _module(nn.ReLU),
    "relu6": _module(nn.ReLU6),
    "gelu": _module(nn.GELU),
    "silu": _module(nn.SiLU),
    "hard_swish": _module(nn.Hardswish),
    "hard_sigmoid": _module(nn.Hardsigmoid),
    "sigmoid": _module(nn.Sigmoid),
    "tanh": _module(nn.Tanh),
    "gelu_tanh": _module(nn.GELU, approximate="tanh"),
    "selu": _module(nn.SELU),
    "softplus": _module(nn.Softplus),
    "softsign": _module(nn.Softsign),
    "mish": _module(nn.Mish),
    "exp": _function(torch.exp),
    "log": _function(torch.log),
    "abs": _function(torch.abs),
    "erf": _function(torch.erf),
    "leaky_relu": _slope,
    "elu": _elu,
    "clip": _clip,
    "affine": _affine,
    "power": _power,
    "dropout": _dropout,
    "add": _folded(operator.add),
    "multiply": _folded(operator.mul),
    "subtract": _folded(operator.sub),
    "divide": _folded(operator.truediv),
    "max_pool": _max_pool,
    "average_pool": _average_pool,
    "adaptive_pool": _adaptive_pool,
    "adaptive_max_pool": _adaptive_max_pool,
    "upsample": _upsample,
}

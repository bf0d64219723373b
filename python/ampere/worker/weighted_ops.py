"""Operators with weights, most of them modules of torch.nn with torch's own initialisation."""

from __future__ import annotations

import operator
from typing import Any, Callable

from torch import nn

from . import own_modules
from .layer_build import LayerBuild, Node


class WeightedOps:
    """The operators with weights. It remembers its modules, so that later ones can share."""

    def __init__(self) -> None:
        self.modules: dict[int, Any] = {}  # by the index of the layer

    def table(self) -> dict[str, Callable[[LayerBuild], Node]]:
        return {
            "conv": self._conv,
            "conv_transpose": self._conv_transpose,
            "linear": self._linear,
            "embedding": self._embedding,
            "lstm": _lstm,
            "gru": _gru,
            "self_attention": _self_attention,
            "batch_norm": _batch_norm,
            "layer_norm": _layer_norm,
            "group_norm": _group_norm,
            "instance_norm": _instance_norm,
            "scale": _scale,
            "prelu": _prelu,
            "class_token": _class_token,
            "position_embedding": _position_embedding,
            "parameter": _parameter,
            "gather": _gather,
        }

    def _kept(self, build: LayerBuild, module: Any) -> Node:
        """Adds a module that others may share, with the weight of an earlier one if it shares."""
        shares = build.layer.shares
        if shares is not None:
            if shares not in self.modules:
                raise build.model.failure(build.layer, "shares a layer without a weight")
            module.weight = self.modules[shares].weight
        self.modules[build.index] = module
        return build.module(module)

    def _conv(self, build: LayerBuild) -> Node:
        keys, channels = build.keys, build.shape.channels
        depthwise = keys.boolean("depthwise", False)
        kind = nn.Conv1d if len(build.shape.extent) == 1 else nn.Conv2d
        module = kind(
            channels,
            build.output.channels,
            build.window("kernel"),
            stride=build.window("stride", 1),
            padding=build.window("padding", 0),
            dilation=build.window("dilation", 1),
            groups=channels if depthwise else keys.positive("groups", 1),
            bias=keys.boolean("bias", True),
            device=build.device,
        )
        return self._kept(build, module)

    def _conv_transpose(self, build: LayerBuild) -> Node:
        kind = nn.ConvTranspose1d if len(build.shape.extent) == 1 else nn.ConvTranspose2d
        module = kind(
            build.shape.channels,
            build.output.channels,
            build.window("kernel"),
            stride=build.window("stride", 1),
            padding=build.window("padding", 0),
            output_padding=build.window("output_padding", 0),
            groups=build.keys.positive("groups", 1),
            bias=build.keys.boolean("bias", True),
            dilation=build.window("dilation", 1),
            device=build.device,
        )
        return self._kept(build, module)

    def _linear(self, build: LayerBuild) -> Node:
        bias = build.keys.boolean("bias", True)
        into = build.keys.positive("out_features")
        module = nn.Linear(build.shape.features, into, bias=bias, device=build.device)
        return self._kept(build, module)

    def _embedding(self, build: LayerBuild) -> Node:
        dim = build.keys.positive("dim")
        return self._kept(build, nn.Embedding(build.shape.channels, dim, device=build.device))


def _recurrent(build: LayerBuild, kind: Any) -> Node:
    module = kind(
        build.shape.channels,
        build.keys.positive("hidden"),
        bias=build.keys.boolean("bias", True),
        batch_first=True,
        bidirectional=build.keys.boolean("bidirectional", False),
        device=build.device,
    )
    return build.call(operator.getitem, build.module(module), 0)


def _lstm(build: LayerBuild) -> Node:
    return _recurrent(build, nn.LSTM)


def _gru(build: LayerBuild) -> Node:
    return _recurrent(build, nn.GRU)


def _self_attention(build: LayerBuild) -> Node:
    fused = build.fused_attention
    kind = own_modules.SelfAttention if fused else own_modules.PlainSelfAttention
    heads, bias = build.keys.positive("heads", 1), build.keys.boolean("bias", True)
    return build.module(kind(build.shape.channels, heads, bias, build.device))


def _epsilon(build: LayerBuild) -> float:
    return build.keys.number("epsilon", 1e-5)


def _affine(build: LayerBuild) -> bool:
    return build.keys.boolean("affine", True)


def _batch_norm(build: LayerBuild) -> Node:
    if build.training and build.batch * build.output.positions == 1:
        why = "would see a single value per channel: use a batch of 2 or more"
        raise build.model.failure(build.layer, why)
    kind = nn.BatchNorm2d if build.output.layout == "image" else nn.BatchNorm1d
    return build.module(kind(build.output.channels, eps=_epsilon(build), device=build.device))


def _layer_norm(build: LayerBuild) -> Node:
    """Channels that do not come last are moved there and back."""
    shape = build.output
    module = nn.LayerNorm(
        shape.features, eps=_epsilon(build), elementwise_affine=_affine(build), device=build.device
    )
    dim = shape.channel_axis + 1
    if dim == len(shape.axes):
        return build.module(module)
    moved = build.method("movedim", build.x, dim, -1)
    return build.method("movedim", build.module(module, moved), -1, dim)


def _group_norm(build: LayerBuild) -> Node:
    module = nn.GroupNorm(
        build.keys.positive("groups"),
        build.output.channels,
        eps=_epsilon(build),
        affine=_affine(build),
        device=build.device,
    )
    return build.module(module)


def _instance_norm(build: LayerBuild) -> Node:
    kind = nn.InstanceNorm2d if build.output.layout == "image" else nn.InstanceNorm1d
    module = kind(
        build.output.channels, eps=_epsilon(build), affine=_affine(build), device=build.device
    )
    return build.module(module)


def _scale(build: LayerBuild) -> Node:
    sizes = [1] * len(build.output.axes)
    sizes[build.output.channel_axis] = build.output.channels
    bias = build.keys.boolean("bias", False)
    return build.module(own_modules.Scale(tuple(sizes), bias, build.device))


def _prelu(build: LayerBuild) -> Node:
    """nn.PReLU takes the second axis for the channels."""
    shared = build.keys.boolean("shared", False)
    module = nn.PReLU(1 if shared else build.output.channels, device=build.device)
    dim = build.output.channel_axis + 1
    if shared or dim == 1:
        return build.module(module)
    moved = build.method("movedim", build.x, dim, 1)
    return build.method("movedim", build.module(module, moved), 1, dim)


def _class_token(build: LayerBuild) -> Node:
    return build.module(own_modules.ClassToken(build.output.channels, build.device))


def _position_embedding(build: LayerBuild) -> Node:
    length, channels = build.output.axes
    rows = build.keys.integer("rows", 0) or length
    return build.module(own_modules.PositionEmbedding(rows, length, channels, build.device))


def _parameter(build: LayerBuild) -> Node:
    learned, rows = build.keys.boolean("learned", True), build.keys.integer("rows", 0)
    axes, batch, device = build.output.axes, build.batch, build.device
    if rows > 0:
        module = own_modules.PickedRows(rows, axes[0], axes[1], batch, learned, device)
    else:
        module = own_modules.FreeParameter(axes, batch, learned, device)
    return build.alone(module)


def _gather(build: LayerBuild) -> Node:
    dim, count = build.dim(), build.keys.positive("count")
    length = build.shape.axes[dim - 1]
    return build.module(own_modules.Gather(dim, length, count, build.device))

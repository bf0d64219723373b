"""Operands laid out so that torch's broadcasting does what the model says."""

from __future__ import annotations

from .layer_build import LayerBuild, Node
from .shapes import Shape, spreads_over


def with_rank(build: LayerBuild, which: int, rank: int) -> Node:
    """What is read, with axes of length 1 after the batch until there are as many as asked."""
    axes = build.shapes[which].axes
    node = build.inputs[which]
    if len(axes) >= rank:
        return node
    ones = (1,) * (rank - len(axes))
    return build.method("reshape", node, *build.sizes((*ones, *axes)))


def operand(build: LayerBuild, which: int, whole: Shape) -> Node:
    """One number per channel goes to the channels of `whole`; other missing axes come first."""
    shape = build.shapes[which]
    if shape.layout == whole.layout or not spreads_over(shape, whole):
        return with_rank(build, which, len(whole.axes))
    axes = [1] * len(whole.axes)
    axes[whole.channel_axis] = shape.channels
    return build.method("reshape", build.inputs[which], *build.sizes(tuple(axes)))

"""The shape of what a layer gives, without the batch axis, as the model format describes it."""

from __future__ import annotations

import math
from dataclasses import dataclass

from .failure import usage
from .fields import Fields

LAYOUTS = ("tokens", "flat", "sequence", "line", "image", "tensor")


@dataclass(frozen=True)
class Shape:
    layout: str
    channels: int  # the vocabulary of tokens; 1 for a tensor
    extent: tuple[int, ...]  # all axes of a tensor

    @property
    def axes(self) -> tuple[int, ...]:
        """Lengths in the order of memory: C, H, W; T, C; and so on."""
        if self.layout in ("tokens", "tensor"):
            return self.extent
        if self.layout == "sequence":
            return (*self.extent, self.channels)
        return (self.channels, *self.extent)

    @property
    def positions(self) -> int:
        return math.prod(self.extent)

    @property
    def elements(self) -> int:
        return math.prod(self.axes)

    @property
    def channel_axis(self) -> int:
        """Where the channels are. A tensor has none; its last axis stands for them."""
        if self.layout == "tensor":
            return len(self.extent) - 1
        return 1 if self.layout == "sequence" else 0

    @property
    def features(self) -> int:
        """The length of the channel axis."""
        return self.extent[-1] if self.layout == "tensor" else self.channels

    @property
    def classifies(self) -> bool:
        """Whether an output of this shape is trained with the cross-entropy."""
        return self.layout in ("flat", "sequence") and self.channels >= 2


def spreads_over(part: Shape, whole: Shape) -> bool:
    """Whether `part` is one number per channel of `whole`, to be repeated over its positions."""
    one_position = part.layout == "flat" or (
        part.layout == whole.layout and part.layout != "tensor" and part.positions == 1
    )
    return one_position and part.channels == whole.channels and whole.layout != "tensor"


def read_shape(fields: Fields) -> Shape:
    layout = fields.text("layout")
    if layout not in LAYOUTS:
        raise usage(f"{fields.what}: '{layout}' is no layout ({', '.join(LAYOUTS)})")
    extent = tuple(fields.integers("extent")) if fields.has("extent") else ()
    channels = 1
    if layout != "tensor":
        vocabulary = layout == "tokens" and fields.has("vocabulary")
        channels = fields.integer("vocabulary" if vocabulary else "channels")
    expected = {"flat": 0, "tokens": 1, "sequence": 1, "line": 1, "image": 2}
    if len(extent) != expected.get(layout, len(extent)) or min((channels, *extent)) < 1:
        raise usage(f"{fields.what}: channels {channels} and extent {list(extent)} are no {layout}")
    return Shape(layout, channels, extent)

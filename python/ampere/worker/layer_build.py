"""What an operator needs in order to write its part of the network's graph."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Callable, Optional

from .fields import Fields
from .model import Layer, Model
from .shapes import Shape

# torch has no types that hold from 1.13 to 2.11.
Node = Any
Module = Any


@dataclass
class LayerBuild:
    """One layer while it is being added to the graph.

    Modules and calls are written down in the order in which forward() executes them.
    """

    model: Model
    index: int  # of the layer
    inputs: list[Node]
    batch: int
    device: Any
    training: bool
    fused_attention: bool
    graph: Any  # torch.fx.Graph
    add_module: Callable[[str, Module], str]  # gives the name under which forward() finds it

    @property
    def layer(self) -> Layer:
        return self.model.layers[self.index]

    @property
    def keys(self) -> Fields:
        return self.layer.keys

    @property
    def x(self) -> Node:
        return self.inputs[0]

    @property
    def shape(self) -> Shape:
        """Of the first layer that is read."""
        return self.shapes[0]

    @property
    def shapes(self) -> list[Shape]:
        return self.model.inputs_of(self.layer)

    @property
    def output(self) -> Shape:
        return self.layer.shape

    def sizes(self, axes: tuple[int, ...]) -> list[int]:
        """The batch and then these axes."""
        return [self.batch, *axes]

    def window(self, key: str, otherwise: Optional[int] = None) -> tuple[int, ...]:
        """One number per axis of the extent."""
        return tuple(self.keys.sizes(key, len(self.shape.extent), otherwise))

    def dim(self) -> int:
        """The axis of the layer as torch counts it; the channels if none is given."""
        shape = self.shape
        if not self.keys.has("axis"):
            return shape.channel_axis + 1
        return self.keys.integer("axis") % len(shape.axes) + 1

    def module(self, module: Module, *arguments: Node) -> Node:
        """Calls a module of the network; on what the layer reads if nothing else is given."""
        name = self.add_module(self.layer.name, module)
        return self.graph.call_module(name, arguments or (self.x,))

    def alone(self, module: Module) -> Node:
        """Calls a module that reads nothing."""
        return self.graph.call_module(self.add_module(self.layer.name, module), ())

    def call(self, function: Callable[..., Any], *arguments: Any, **named: Any) -> Node:
        return self.graph.call_function(function, arguments, named)

    def method(self, name: str, *arguments: Any, **named: Any) -> Node:
        return self.graph.call_method(name, arguments, named)

"""A network as the runner sends it: a model file whose layers carry their derived shapes."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Optional

from .failure import Failure, failed, usage
from .fields import Fields
from .shapes import Shape, read_shape


@dataclass(frozen=True)
class Layer:
    name: str
    op: str
    inputs: tuple[int, ...]  # indices of earlier layers
    shares: Optional[int]  # the earlier layer whose `weight` this one uses
    shape: Shape
    per_sample: bool  # it reads an input, directly or through other layers
    learned: Optional[int]  # numbers that are trained, without shared ones; None if not sent
    keys: Fields  # of the operator


@dataclass(frozen=True)
class Model:
    name: str
    layers: tuple[Layer, ...]

    @property
    def output(self) -> Shape:
        return self.layers[-1].shape

    def inputs_of(self, layer: Layer) -> list[Shape]:
        return [self.layers[index].shape for index in layer.inputs]

    def batches(self, batch: int) -> list[int]:
        """The length of each layer's batch axis.

        It is 1 for what is the same for all samples because it is made of parameters alone: that is
        computed once. A parameter that only layers with samples read is repeated at once.
        """
        computed_with = {
            read for layer in self.layers if not layer.per_sample for read in layer.inputs
        }
        return [
            batch if layer.per_sample or not (layer.inputs or index in computed_with) else 1
            for index, layer in enumerate(self.layers)
        ]

    @property
    def parameters(self) -> Optional[int]:
        """How many numbers the sender expects to be trained; None if it did not say."""
        counts = [layer.learned for layer in self.layers]
        return None if None in counts else sum(count or 0 for count in counts)

    def failure(self, layer: Layer, why: str) -> Failure:
        return failed(f"{self.name}: layer '{layer.name}' ({layer.op}) {why}")


def read_model(value: object) -> Model:
    fields = Fields(value, "model")
    name = fields.text("name", "model")
    layers: list[Layer] = []
    known: dict[str, int] = {}
    for index, each in enumerate(fields.list_at("layers")):
        layer = _read_layer(Fields(each, f"{name}: layers[{index}]"), layers, known)
        if layer.name in known:
            raise usage(f"{layer.keys.what}: the name '{layer.name}' is used twice")
        known[layer.name] = index
        layers.append(layer)
    if not layers:
        raise usage(f"{name}: has no layers")
    return Model(name, tuple(layers))


def _read_layer(keys: Fields, before: list[Layer], known: dict[str, int]) -> Layer:
    op = keys.text("op")
    name = keys.text("name", f"{op}{len(before)}")

    def earlier(text: object) -> int:
        if not isinstance(text, str) or text not in known:
            raise usage(f"{keys.what}: there is no earlier layer '{text}'")
        return known[text]

    if isinstance(keys.json.get("inputs"), str):
        inputs = [earlier(keys.text("inputs"))]
    elif keys.has("inputs"):
        inputs = [earlier(text) for text in keys.list_at("inputs")]
    else:
        inputs = [] if op in ("input", "parameter") or not before else [len(before) - 1]
    if not inputs and op not in ("input", "parameter"):
        raise usage(f"{keys.what}: '{op}' must read an earlier layer")
    shares = earlier(keys.text("shares")) if keys.has("shares") else None
    shape = read_shape(keys.object_at("shape"))
    per_sample = op == "input" or any(before[index].per_sample for index in inputs)
    learned = _learned(keys, shares is not None)
    return Layer(name, op, tuple(inputs), shares, shape, per_sample, learned, keys)


def _learned(keys: Fields, shares: bool) -> Optional[int]:
    if not keys.has("weights"):
        return None
    total = 0
    for index, each in enumerate(keys.list_at("weights")):
        tensor = Fields(each, f"{keys.what}: weights[{index}]")
        if tensor.boolean("learned", True) and not (shares and tensor.text("name") == "weight"):
            total += math.prod(tensor.integers("sizes"))
    return total

"""A network as PyTorch users write it: ordinary modules, and a forward() of straight-line code.

torch.fx generates the forward() from a graph, so that it costs the host what a handwritten one
does and torch.compile sees nothing unusual.
"""

from __future__ import annotations

import keyword
import re
from typing import Any

from torch import fx, nn

from .axis_ops import AXIS_OPS
from .failure import failed, usage
from .function_ops import FUNCTION_OPS
from .layer_build import LayerBuild
from .model import Model
from .weighted_ops import WeightedOps


def operators() -> list[str]:
    return sorted(["input", *WeightedOps().table(), *FUNCTION_OPS, *AXIS_OPS])


def build_network(
    model: Model, batch: int, device: Any, training: bool, fused_attention: bool
) -> Any:
    """The module. Its arguments are the model's inputs in their order."""
    graph, root = fx.Graph(), nn.Module()
    names: set[str] = set()
    table = {**WeightedOps().table(), **FUNCTION_OPS, **AXIS_OPS}

    def add_module(name: str, module: Any) -> str:
        unique = _attribute_name(name, names)
        root.add_module(unique, module)
        return unique

    nodes: list[Any] = []
    batches = model.batches(batch)
    repeated: dict[int, Any] = {}

    def read(earlier: int, wanted: int) -> Any:
        """What is the same for all samples is repeated where a layer with samples reads it."""
        if batches[earlier] == wanted:
            return nodes[earlier]
        if earlier not in repeated:
            sizes = (wanted, *model.layers[earlier].shape.axes)
            repeated[earlier] = graph.call_method("expand", (nodes[earlier], *sizes))
        return repeated[earlier]

    for index, layer in enumerate(model.layers):
        if layer.op == "input":
            nodes.append(graph.placeholder(_attribute_name(layer.name, names)))
            continue
        if layer.op not in table:
            raise usage(f"{layer.keys.what}: '{layer.op}' is no operator")
        own = batches[index]
        inputs = [read(earlier, own) for earlier in layer.inputs]
        build = LayerBuild(
            model, index, inputs, own, device, training, fused_attention, graph, add_module
        )
        nodes.append(table[layer.op](build))
    graph.output(read(len(nodes) - 1, batch))
    network = fx.GraphModule(root, graph, "Network")
    network.train(training)
    _check_parameters(model, network)
    return network


def parameter_count(network: Any) -> int:
    """Numbers that are trained. A tensor that two modules share is counted once."""
    return sum(each.numel() for each in network.parameters() if each.requires_grad)


def _attribute_name(name: str, taken: set[str]) -> str:
    """Layer names may contain anything; an attribute may not, and must not hide nn.Module's."""
    plain = re.sub(r"\W", "_", name, flags=re.ASCII)
    reserved = keyword.iskeyword(plain) or hasattr(fx.GraphModule, plain) or plain == "training"
    if reserved or not plain.isidentifier():
        plain = f"layer_{plain}"
    unique, number = plain, 1
    while unique in taken:
        number += 1
        unique = f"{plain}_{number}"
    taken.add(unique)
    return unique


def _check_parameters(model: Model, network: Any) -> None:
    built, expected = parameter_count(network), model.parameters
    if expected is not None and built != expected:
        raise failed(
            f"{model.name}: the worker built {built} parameters, but the model has {expected}"
        )

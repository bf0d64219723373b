"""What is trained, and what trains it."""

from __future__ import annotations

import gc
from typing import Any, Iterable

import torch


def living_optimizers() -> list[Any]:
    """A step is any function; its optimizers are found among all objects of the process."""
    kind = torch.optim.Optimizer
    return [each for each in gc.get_objects() if issubclass(type(each), kind)]


def parameters_of(network: Any, optimizers: Iterable[Any]) -> list[Any]:
    """Those of the network, if it is known, and those that optimizers change."""
    found: dict[int, Any] = {}
    if hasattr(network, "parameters"):
        found.update((id(each), each) for each in network.parameters())
    for optimizer in optimizers:
        for group in optimizer.param_groups:
            found.update((id(each), each) for each in group["params"])
    return list(found.values())


def trained_numbers(parameters: Iterable[Any]) -> int:
    return sum(int(each.numel()) for each in parameters if each.requires_grad)


def bytes_of(tensors: Iterable[Any], device: str) -> int:
    return sum(each.numel() * each.element_size() for each in tensors if each.device.type == device)

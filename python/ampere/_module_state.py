"""Leaves a module, its buffers and the random numbers as they were before the exporter ran it."""

from __future__ import annotations

import contextlib
from typing import Any, Iterator


@contextlib.contextmanager
def preserved(module: Any) -> Iterator[None]:
    """Tracing in training mode moves running means, draws random numbers, and sets every mode."""
    import torch

    modes = [(one, one.training) for one in module.modules()]
    buffers = [(buffer, buffer.detach().clone()) for buffer in module.buffers()]
    gpus = sorted({tensor.device.index or 0 for tensor in module.parameters() if tensor.device.type == "cuda"})
    try:
        with torch.random.fork_rng(devices=gpus):
            yield
    finally:
        for one, mode in modes:
            one.training = mode
        with torch.no_grad():
            for buffer, value in buffers:
                buffer.copy_(value)


def unwrapped(module: Any) -> Any:
    """The network itself, without what torch.compile or a parallel wrapper put around it."""
    while True:
        inner = getattr(module, "_orig_mod", None)
        if inner is None and type(module).__name__ in ("DataParallel", "DistributedDataParallel"):
            inner = module.module
        if inner is None:
            return module
        module = inner

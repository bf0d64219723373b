"""Compiled networks, and knowing when compiling has stopped."""

from __future__ import annotations

import importlib
import sys
from typing import Any, Callable

QUIET_STEPS = 3  # steps in which nothing was compiled, after which nothing more is expected
MOST_STEPS = 40

_defaults: dict[str, bool] = {}  # of torch, before the worker changed them


def compile_network(torch: Any, network: Any, keeps_graph: bool) -> Any:
    """torch.compile with its defaults, as people use it.

    `keeps_graph` tells that the backward pass is repeated over the same graph.
    """
    _donate_buffers(not keeps_graph)
    return torch.compile(network)


def _donate_buffers(allowed: bool) -> None:
    """A compiled backward pass may overwrite what the forward pass kept, unless it is repeated."""
    try:
        config: Any = importlib.import_module("torch._functorch.config")
    except ImportError:
        return
    if hasattr(config, "donated_buffer"):
        default = _defaults.setdefault("donated", config.donated_buffer)
        config.donated_buffer = allowed and default


def compilations() -> int:
    """A number that grows whenever torch has compiled or tuned something.

    0 as long as nobody has imported the compiler: reading it must not cost a user that import.
    """
    utils = sys.modules.get("torch._dynamo.utils")
    if utils is None:
        return 0
    counters = getattr(utils, "counters", {})
    times = getattr(utils, "compilation_time_metrics", {})
    graphs = sum(sum(counters.get(key, {}).values()) for key in ("stats", "frames"))
    return int(graphs) + sum(len(each) for each in times.values())


def settle(step: Callable[[], Any], before: int, count: Callable[[], int] = compilations) -> bool:
    """Repeats a step that has run once until compiling has stopped.

    `before` is the count before the first step. Returns whether compiling stopped.
    """
    last = count()
    if last == before:
        return True
    quiet = 0
    for _ in range(MOST_STEPS):
        step()
        now = count()
        quiet = quiet + 1 if now == last else 0
        last = now
        if quiet == QUIET_STEPS:
            return True
    return False


def forget_compiled() -> None:
    """Drops compiled code. Jobs that still use it would compile it again."""
    dynamo = sys.modules.get("torch._dynamo")
    if dynamo is not None:
        dynamo.reset()

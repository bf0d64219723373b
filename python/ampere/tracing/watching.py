"""Notices when modules, backward passes and optimizers begin and end. Undone afterwards."""

from __future__ import annotations

import contextlib
import importlib
from typing import Any, Callable, Iterator, Protocol

import torch


class Watcher(Protocol):
    def module_begins(self, module: Any, inputs: Any) -> None: ...

    def module_ends(self, module: Any, outputs: Any) -> None: ...

    def engine_begins(self, roots: Any) -> None: ...

    def engine_ends(self) -> None: ...

    def optimizer_begins(self) -> None: ...

    def optimizer_ends(self, stepped: bool) -> None: ...


@contextlib.contextmanager
def watched(watcher: Watcher) -> Iterator[None]:
    """Inside, the watcher is told. Everything that is replaced is put back."""
    with contextlib.ExitStack() as stack:
        for enter in (_modules, _backward, _engine, _profiled_steps, _hooked_steps, _cleared_gradients):
            stack.enter_context(enter(watcher))
        yield


@contextlib.contextmanager
def _replaced(owner: Any, name: str, value: Any) -> Iterator[None]:
    before = getattr(owner, name)
    setattr(owner, name, value)
    try:
        yield
    finally:
        setattr(owner, name, before)


def _modules(watcher: Watcher) -> Any:
    """Not by hooks of torch: they miss a call that ends with an exception, as checkpoints do."""
    original: Callable[..., Any] = torch.nn.Module.__call__

    def call(self: Any, *arguments: Any, **keywords: Any) -> Any:
        watcher.module_begins(self, (arguments, keywords))
        outputs: Any = None
        try:
            outputs = original(self, *arguments, **keywords)
            return outputs
        finally:
            watcher.module_ends(self, outputs)

    return _replaced(torch.nn.Module, "__call__", call)


class _WatchedEngine:
    """autograd's engine, through which every backward pass goes."""

    def __init__(self, engine: Any, watcher: Watcher) -> None:
        self._engine = engine
        self._watcher = watcher

    def run_backward(self, tensors: Any, *arguments: Any, **keywords: Any) -> Any:
        self._watcher.engine_begins(tensors)
        try:
            return self._engine.run_backward(tensors, *arguments, **keywords)
        finally:
            self._watcher.engine_ends()

    def __getattr__(self, name: str) -> Any:
        return getattr(self._engine, name)


def _backward(watcher: Watcher) -> Any:
    """The first gradient is made before the engine begins."""
    original = torch.autograd.backward

    def backward(tensors: Any, *arguments: Any, **keywords: Any) -> None:
        watcher.engine_begins(tensors)
        try:
            original(tensors, *arguments, **keywords)
        finally:
            watcher.engine_ends()

    return _replaced(torch.autograd, "backward", backward)


def _engine(watcher: Watcher) -> Any:
    variable = torch.autograd.Variable
    return _replaced(
        variable, "_execution_engine", _WatchedEngine(variable._execution_engine, watcher)
    )


def _profiled_steps(watcher: Watcher) -> Any:
    """Every optimizer names its steps for the profiler, in all versions of torch.

    The profiler's own record is left out: older versions make a tensor for it.
    """

    class Named(contextlib.ContextDecorator):
        def __init__(self, name: str, args: Any = None) -> None:
            self._steps = name.startswith("Optimizer.step#")
            self._clears = name.startswith("Optimizer.zero_grad#")

        def __enter__(self) -> Any:
            if self._steps or self._clears:
                watcher.optimizer_begins()
            return self

        def __exit__(self, *_: Any) -> None:
            if self._steps or self._clears:
                watcher.optimizer_ends(stepped=self._steps)

    profiler = importlib.import_module("torch.autograd.profiler")
    return _replaced(profiler, "record_function", Named)


@contextlib.contextmanager
def _hooked_steps(watcher: Watcher) -> Iterator[None]:
    """Newer versions of torch have hooks for all optimizers."""
    optimizer = importlib.import_module("torch.optim.optimizer")
    names = ("register_optimizer_step_pre_hook", "register_optimizer_step_post_hook")
    if not all(hasattr(optimizer, name) for name in names):
        yield
        return
    before = getattr(optimizer, names[0])(lambda *_: watcher.optimizer_begins())
    after = getattr(optimizer, names[1])(lambda *_: watcher.optimizer_ends(stepped=True))
    try:
        yield
    finally:
        before.remove()
        after.remove()


def _cleared_gradients(watcher: Watcher) -> Any:
    original = torch.nn.Module.zero_grad

    def zero_grad(self: Any, *arguments: Any, **keywords: Any) -> None:
        watcher.optimizer_begins()
        try:
            original(self, *arguments, **keywords)
        finally:
            watcher.optimizer_ends(stepped=False)

    return _replaced(torch.nn.Module, "zero_grad", zero_grad)

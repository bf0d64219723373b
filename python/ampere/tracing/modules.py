"""Whose operation it is: paths of modules, in the forward pass and in the backward pass."""

from __future__ import annotations

import threading
from typing import Any, Callable, Optional

from .tensors import tensors_in


class ModulePaths:
    """The paths of all modules that were called; the first is the network itself."""

    def __init__(self, network: Any) -> None:
        self.paths: list[str] = [""]
        self._by_id: dict[int, int] = {}
        self._kept: list[Any] = []  # an id is only unique while its object lives
        self._stack: list[int] = []
        self._network_known = False
        if network is not None and hasattr(network, "named_modules"):
            self._add(network, "")
            self._network_known = True

    @property
    def innermost(self) -> Optional[int]:
        return self._stack[-1] if self._stack else None

    def enter(self, module: Any) -> int:
        if id(module) not in self._by_id:
            self._add(module, self._path_of_unknown(module))
        self._stack.append(self._by_id[id(module)])
        return self._stack[-1]

    def leave(self) -> None:
        self._stack.pop()

    def _path_of_unknown(self, module: Any) -> str:
        """The first network that is called is the network; others have the names of their class."""
        if not self._stack and not self._network_known and _learns(module):
            self._network_known = True
            return ""
        inside = self.paths[self._stack[-1]] if self._stack else ""
        name = type(module).__name__
        return f"{inside}.{name}" if inside else name

    def _add(self, module: Any, prefix: str) -> None:
        self._kept.append(module)
        for path, each in module.named_modules(prefix=prefix):
            if id(each) not in self._by_id:
                self._by_id[id(each)] = self._index(path)

    def _index(self, path: str) -> int:
        if path in self.paths:
            return self.paths.index(path)
        self.paths.append(path)
        return len(self.paths) - 1


def _learns(module: Any) -> bool:
    return next(iter(module.parameters()), None) is not None


class BackwardModules:
    """Gives the operations of a backward pass to the modules whose forward pass caused them.

    Every node of autograd's graph is marked with the module in which it was made. When a node has
    run, the operations since the node before it are its own. Each device has its own thread.
    """

    def __init__(self, assign: Callable[[int, int], None]) -> None:
        self._assign = assign  # assign(step, module)
        self._waiting: dict[int, list[int]] = {}
        self._key = f"ampere {id(self)}"
        self.open = True

    def recorded(self, step: int) -> None:
        self._waiting.setdefault(threading.get_ident(), []).append(step)

    def mark(self, values: Any, module: int) -> None:
        """All nodes behind these tensors that have no module yet."""
        nodes = [tensor.grad_fn for tensor in tensors_in(values) if tensor.grad_fn is not None]
        while nodes:
            node = nodes.pop()
            marks = getattr(node, "metadata", None)
            if marks is None or self._key in marks:
                continue
            marks[self._key] = True
            node.register_hook(self._claim(module))
            nodes += [each for each, _ in node.next_functions if each is not None]

    def _claim(self, module: int) -> Callable[..., None]:
        def has_run(*_: Any) -> None:
            for step in self._waiting.pop(threading.get_ident(), []) if self.open else []:
                self._assign(step, module)

        return has_run

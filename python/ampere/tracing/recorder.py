"""Listens to one iteration and writes down every operation."""

from __future__ import annotations

from typing import Any

import torch
from torch.utils._python_dispatch import TorchDispatchMode

from . import storages as memory
from .launching import launches, waits
from .modules import BackwardModules, ModulePaths
from .naming import base_name, space_of
from .phases import UPDATE, Phases
from .rows import operation_row
from .tensors import tensors_in
from .trained import living_optimizers, parameters_of, trained_numbers
from .values import Table

_NOT_RECORDED = ("prim", "profiler")  # metadata of tensors, and names for the profiler


class Recorder(TorchDispatchMode):
    """A dispatch mode, entered around the iteration, and a Watcher, told what begins and ends.

    `network` is the module that is trained, or None; `device` is the kind that is traced for.
    """

    def __init__(self, network: Any, device: str) -> None:
        super().__init__()
        self.tensors = Table()
        self.operations = Table()
        self.steps: list[list[int]] = []
        self.module_calls = 0
        self.has_recurrent_modules = False
        self.modules = ModulePaths(network)
        self.storages = memory.Storages(device)
        self._device = device
        self._phases = Phases(lambda: len(self.steps), self._change_phases)
        self._backward = BackwardModules(self._assign_module)
        self._optimizers = living_optimizers()
        self._parameters = parameters_of(network, self._optimizers)
        self._note_network(network)

    def close(self) -> None:
        """After the iteration."""
        self._backward.open = False
        self.storages.expire(len(self.steps), everything=True)
        self.storages.mark(memory.gradients_of(self._parameters), memory.GRADIENT)
        for optimizer in self._optimizers:
            self.storages.mark(memory.tensors_of_state(optimizer.state), memory.STATE)
        self.storages.mark(self._parameters, memory.WEIGHT)

    def trained_numbers(self, network: Any) -> int:
        """Of the network; if that is not known, of the parameters that optimizers have touched."""
        if hasattr(network, "parameters"):
            found = list(network.parameters())
        else:
            found = [each for each in self._parameters if self.storages.knows(each)]
        return trained_numbers(found)

    def __torch_dispatch__(
        self, operation: Any, types: Any, args: Any = (), kwargs: Any = None
    ) -> Any:
        keywords = kwargs or {}
        if space_of(operation) in _NOT_RECORDED:
            return operation(*args, **keywords)
        if torch.is_inference_mode_enabled():
            # Without autograd, nobody has split composite operations before they come here.
            with self:
                result = operation.decompose(*args, **keywords)
            if result is not NotImplemented:
                return result
        self.storages.expire(len(self.steps))
        result = operation(*args, **keywords)
        self._write(operation, args, keywords, result)
        return result

    def module_begins(self, module: Any, inputs: Any) -> None:
        self.module_calls += 1
        self.has_recurrent_modules |= isinstance(module, torch.nn.RNNBase)
        self._phases.module_begins(next(iter(module.parameters()), None) is not None)
        self._backward.mark(inputs, self.modules.innermost or 0)
        self.modules.enter(module)

    def module_ends(self, module: Any, outputs: Any) -> None:
        self._backward.mark(outputs, self.modules.innermost or 0)
        self.modules.leave()
        self._phases.module_ends()

    def engine_begins(self, roots: Any) -> None:
        self._backward.mark(roots, self.modules.innermost or 0)
        self._phases.engine_begins()

    def engine_ends(self) -> None:
        self._phases.engine_ends()
        self.storages.mark(memory.gradients_of(self._parameters), memory.GRADIENT)

    def optimizer_begins(self) -> None:
        self.storages.mark(memory.gradients_of(self._parameters), memory.GRADIENT)
        self._phases.optimizer_begins()

    def optimizer_ends(self, stepped: bool) -> None:
        self._phases.optimizer_ends(stepped)

    def _write(self, operation: Any, arguments: Any, keywords: Any, result: Any) -> None:
        step = len(self.steps)
        launching = launches(operation, [arguments, keywords], result, self._device)
        for tensor in tensors_in([arguments, keywords]):
            self.storages.seen(tensor, memory.BEFORE, memory.INPUT)
        for tensor in tensors_in(result):
            # A view allocates nothing, not even where its fake memory is new.
            if launching or not _shares_memory(operation):
                self.storages.seen(tensor, step, memory.ACTIVATION)
            else:
                self.storages.seen(tensor, memory.BEFORE, memory.INPUT)
        row = operation_row(operation, arguments, keywords, result, self.tensors)
        if not launching:
            row["launches"] = False
        if waits(operation, arguments, keywords, result, self._device):
            if not self._reads_step_count(operation):
                row["waits"] = True
        phase, module = self._phases.now, self.modules.innermost
        self.steps.append([self.operations.index_of(row), phase, module or 0])
        if module is None and self._phases.in_engine and phase != UPDATE:
            self._backward.recorded(step)

    def _reads_step_count(self, operation: Any) -> bool:
        """Optimizers count their steps on the host, whatever device the parameters are on."""
        reads = base_name(operation) == "_local_scalar_dense"
        return reads and self._phases.in_optimizer and self._device == "cpu"

    def _change_phases(self, first: int, last: int, phase: int) -> None:
        for step in self.steps[first:last]:
            step[1] = phase

    def _assign_module(self, step: int, module: int) -> None:
        self.steps[step][2] = module

    def _note_network(self, network: Any) -> None:
        """Weights are there even if no operation uses them."""
        buffers = list(network.buffers()) if hasattr(network, "buffers") else []
        parameters = list(network.parameters()) if hasattr(network, "parameters") else []
        for tensor in [*parameters, *buffers]:
            self.storages.seen(tensor, memory.BEFORE, memory.WEIGHT)


def _shares_memory(operation: Any) -> bool:
    return any(each.alias_info is not None for each in operation._schema.returns)

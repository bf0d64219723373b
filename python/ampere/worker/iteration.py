"""What one step of a phase does. Everything that can be decided before is decided before."""

from __future__ import annotations

from typing import Any, Callable

from .failure import usage
from .precision import autocast, gradient_scaler
from .setups import Setup


class Iteration:
    """One network with one random batch that stays the same."""

    def __init__(
        self,
        torch: Any,
        name: str,
        network: Any,  # what is called: the module, or the compiled module
        parameters: list[Any],
        inputs: list[Any],
        loss: Callable[[Any], Any],
        optimizer: Any,  # None when there are no parameters
        setup: Setup,
        kind: str,  # of the device: "cpu" or "cuda"
    ) -> None:
        self._torch = torch
        self._name = name
        self._network = network
        self._inputs = inputs
        self._boundaries = [each for each in inputs if each.requires_grad]
        self._loss = loss
        self._optimizer = optimizer
        self._parts = setup.accumulation
        self._autocast = autocast(torch, kind, setup.precision)
        self._scaler = gradient_scaler(torch, kind, setup.precision) if optimizer else None
        self._phase = setup.phase
        self._output: Any = None  # of the forward pass that is kept
        self._gradient: Any = None  # random, of the output
        if setup.phase == "update" and not parameters:
            raise usage(f"{name}: no parameters to update")

    def step(self) -> Callable[[], Any]:
        """The function that is repeated.

        What a single phase needs of the others is made here and kept: the graph of one forward
        pass for the backward pass, the gradients of that for the update.
        """
        if self._phase == "backward":
            self._output = self._forward()
        if self._phase == "update":
            self._pass_back(self._forward(), keep_graph=False)
        return {
            "iteration": self._iteration,
            "forward": self._forwards,
            "backward": self._backward,
            "update": self._update,
            "block": self._block,
            "inference": self._inference,
        }[self._phase]

    def _iteration(self) -> Any:
        loss = None
        for _ in range(self._parts):
            with self._autocast():
                loss = self._loss(self._network(*self._inputs))
                if self._parts > 1:
                    loss = loss / self._parts
            if not loss.requires_grad:
                self._fail_untrainable()
            (loss if self._scaler is None else self._scaler.scale(loss)).backward()
        self._update()
        self._clear()
        return loss

    def _forwards(self) -> None:
        """The output is kept until the next one is there, as its graph is in an iteration."""
        for _ in range(self._parts):
            self._output = self._forward()

    def _backward(self) -> None:
        for _ in range(self._parts):
            self._pass_back(self._output, keep_graph=True)
        self._clear()

    def _block(self) -> None:
        for _ in range(self._parts):
            self._pass_back(self._forward(), keep_graph=False)
        self._update()
        self._clear()

    def _update(self) -> None:
        if self._optimizer is None:
            return
        if self._scaler is None:
            self._optimizer.step()
        else:
            self._scaler.step(self._optimizer)
            self._scaler.update()

    def _inference(self) -> None:
        with self._torch.inference_mode():
            self._forward()

    def _forward(self) -> Any:
        with self._autocast():
            return self._network(*self._inputs)

    def _pass_back(self, output: Any, keep_graph: bool) -> None:
        if not output.requires_grad:
            self._fail_untrainable()
        if self._gradient is None:
            self._gradient = self._torch.randn_like(output)
        output.backward(self._gradient, retain_graph=keep_graph)

    def _clear(self) -> None:
        if self._optimizer is not None:
            self._optimizer.zero_grad(set_to_none=True)
        for each in self._boundaries:
            each.grad = None

    def _fail_untrainable(self) -> None:
        raise usage(
            f"{self._name}: nothing to train: no parameter and no boundary input reaches the output"
        )

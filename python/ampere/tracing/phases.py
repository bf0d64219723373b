"""Which phase of the iteration is running."""

from __future__ import annotations

from typing import Callable

FORWARD, LOSS, BACKWARD, UPDATE = range(4)


class Phases:
    """Told by the watchers what begins and ends, it knows the phase.

    Forward is the network's own calls, the loss lies between them and the backward pass, and what
    follows a backward pass belongs to the update until the network is called again.
    """

    def __init__(self, steps: Callable[[], int], change: Callable[[int, int, int], None]) -> None:
        self._steps = steps  # how many steps were recorded so far
        self._change = change  # change(first, last, phase): gives these steps another phase
        self._outside = FORWARD  # the phase of what happens outside of everything below
        self._outside_since = 0
        self._of_module = FORWARD
        self._modules = 0
        self._engines = 0
        self._optimizers = 0

    @property
    def now(self) -> int:
        if self._optimizers:
            return UPDATE
        if self._engines:
            return BACKWARD
        return self._of_module if self._modules else self._outside

    @property
    def in_engine(self) -> bool:
        return self._engines > 0

    @property
    def in_optimizer(self) -> bool:
        return self._optimizers > 0

    def module_begins(self, learns: bool) -> None:
        """`learns`: it has parameters. A module without is a loss if it comes after the network."""
        self._modules += 1
        if self._modules > 1 or self._engines:
            return
        self._of_module = FORWARD if learns else self._outside
        if learns and self._outside == LOSS:
            # What looked like a loss was between two parts of the network.
            self._change(self._outside_since, self._steps(), FORWARD)

    def module_ends(self) -> None:
        self._modules -= 1
        if self._modules == 0 and not self._engines and self._of_module == FORWARD:
            self._outside, self._outside_since = LOSS, self._steps()

    def engine_begins(self) -> None:
        self._engines += 1

    def engine_ends(self) -> None:
        self._engines -= 1
        if self._engines == 0:
            self._outside = UPDATE

    def optimizer_begins(self) -> None:
        self._optimizers += 1

    def optimizer_ends(self, stepped: bool) -> None:
        """`stepped`: parameters were changed. Dropping gradients may also begin an iteration."""
        self._optimizers -= 1
        if stepped:
            self._outside = UPDATE

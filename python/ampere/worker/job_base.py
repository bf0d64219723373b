"""A prepared job: what the worker keeps between requests."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import Any, Callable, Optional

from .compiling import compilations, settle
from .failure import Failure
from .globals import Globals
from .guard import guarded
from .place import Place
from .repeat import Repeater, Step


@dataclass
class Ready:
    """`ready` of the protocol."""

    name: str
    batch: Optional[int]
    parameters: Optional[int]
    data: bool = False
    compiled: bool = False
    notes: list[str] = field(default_factory=list)

    def as_json(self) -> dict[str, Any]:
        return dict(self.__dict__)


class PreparedJob:
    """A step that has run, with everything it needs."""

    def __init__(
        self,
        ready: Ready,
        step: Step,
        place: Place,
        settings: Globals,
        explain: Callable[[BaseException], Failure],
        close: Callable[[], None] = lambda: None,
    ) -> None:
        self.ready = ready
        self.settings = settings
        self._repeater = Repeater(step, place)
        self._explain = explain
        self._close = close

    def run(self, iterations: int) -> None:
        guarded(self._explain, lambda: self._repeater.run(iterations))

    def run_ahead(self, iterations: int) -> tuple[int, float]:
        return guarded(self._explain, lambda: self._repeater.run_ahead(iterations))

    def time_step(self) -> Optional[tuple[float, float]]:
        return guarded(self._explain, self._repeater.time_step)

    def close(self) -> None:
        """Waits for the device and undoes what preparing did to the process."""
        try:
            guarded(self._explain, self._repeater.finish)
        finally:
            self._close()


def first_steps(step: Step, place: Place, ready: Ready, compiled_before: int) -> None:
    """One iteration, and more while something is compiled. Notes what people should know."""
    loss = step()
    place.synchronize()
    number = loss_number(loss)
    if number is not None and not math.isfinite(number):
        ready.notes.append(f"the loss is not a finite number ({number})")
    settled = settle(step, compiled_before)
    place.synchronize()
    ready.compiled = compilations() != compiled_before
    if not settled:
        ready.notes.append("compiling had not stopped after many iterations: times include it")


def loss_number(loss: object) -> Optional[float]:
    """What a step returned, if it is one number."""
    if isinstance(loss, bool):
        return None
    if isinstance(loss, (int, float)):
        return float(loss)
    if hasattr(loss, "numel") and hasattr(loss, "item") and loss.numel() == 1:
        try:
            return float(loss.item())
        except (TypeError, ValueError):
            return None
    return None

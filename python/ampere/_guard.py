"""What the callbacks of both libraries share: a budget that never ends a training by a fault of ours."""

from __future__ import annotations

import functools
import os
import warnings
from typing import Any, Callable, Optional, TypeVar, Union, cast

from ._messages import AmpereWarning
from ._quantities import joules
from .budget import Budget

Hook = TypeVar("Hook", bound=Callable[..., Any])


class Guard:
    """Makes the budget when the training begins, and remembers what went wrong."""

    def __init__(self, limit: Union[str, float, Budget], meter: Optional[str]) -> None:
        if not isinstance(limit, Budget):
            joules(limit)  # a wrong text is refused when the callback is made, before the training begins
        self._limit = limit
        self._meter = meter
        self.budget: Optional[Budget] = limit if isinstance(limit, Budget) else None
        self.stopped = False
        self.fault: Optional[str] = None

    def begin(self) -> None:
        """Counts in the process that decides; the others follow it."""
        if self.budget is None:
            self.budget = Budget(cast("Union[str, float]", self._limit), meter=self._meter)
        if "LOCAL_WORLD_SIZE" in os.environ:
            machines = int(os.environ.get("WORLD_SIZE", "1")) // max(1, int(os.environ["LOCAL_WORLD_SIZE"]))
            if machines > 1:
                warnings.warn(f"the budget counts the energy of this machine, not of all {machines}", AmpereWarning,
                              stacklevel=3)

    def would_exceed(self) -> bool:
        """Never throws: without a budget there is nothing to exceed."""
        try:
            return self.budget is not None and self.budget.would_exceed()
        except Exception as error:
            self.note(error)
            return False

    def end(self) -> None:
        """Ends the counting of a budget that was made here."""
        if self.budget is not None and self.budget is not self._limit:
            self.budget.close()

    def note(self, error: Exception) -> None:
        """Warns once."""
        if self.fault is None:
            self.fault = f"{type(error).__name__}: {error}"
            warnings.warn(f"the budget is not watched: {self.fault}", AmpereWarning, stacklevel=4)



class Guarded:
    """A callback with a guard."""

    guard: Guard

    @property
    def budget(self) -> Optional[Budget]:
        """None before the training, and in processes that do not count."""
        return self.guard.budget

    @property
    def stopped(self) -> bool:
        """Whether the budget ended the training."""
        return self.guard.stopped


def harmless(hook: Hook) -> Hook:
    """A hook whose exceptions become one warning; its object has a ``guard``."""

    @functools.wraps(hook)
    def safe(self: Any, *arguments: Any, **options: Any) -> Any:
        try:
            return hook(self, *arguments, **options)
        except Exception as error:
            try:
                self.guard.note(error)
            except Exception:  # a warning that was turned into an error
                pass
            return None

    return cast(Hook, safe)

"""An energy budget that a training loop can ask: is there enough left for one more step?"""

from __future__ import annotations

import threading
import warnings
from collections import deque
from types import TracebackType
from typing import Deque, Optional, Type, Union

from ._messages import AmpereWarning
from ._metering import Metering
from ._quantities import joules, with_unit
from .errors import UsageError

_REMEMBERED = 3  # steps
_TRACE_INTERVAL_S = 0.1


class Budget:
    """``Budget("50 kJ")`` counts the energy of the whole device from the moment it is made.

    ``would_exceed()`` is called once per step (or epoch), always at the same place of the loop. It is true
    if the energy used so far plus the largest of the last three steps is more than the budget. The energy of
    a step is what was used between two calls. At the first call no step is known, and the answer is
    whether the budget is used up.

    Making it throws ampere.Error if the text is no energy or nothing can be measured. After that, no
    fault of the meter ends a training: ``would_exceed()`` warns once and answers False, and ``fault``
    says why.
    """

    def __init__(self, limit: Union[str, float], *, meter: Optional[str] = None) -> None:
        self.limit_j = joules(limit)
        self.fault: Optional[str] = None
        self._steps: Deque[float] = deque(maxlen=_REMEMBERED)
        self._at_last_call: Optional[float] = None
        self._used_j = 0.0  # as it was known last
        self._lock = threading.Lock()
        self._metering: Optional[Metering] = Metering(meter, _TRACE_INTERVAL_S)

    @property
    def used_j(self) -> float:
        """Joules since the budget was made; after close(), until then. After a fault, until the fault."""
        with self._lock:
            self._look()
            return self._used_j

    @property
    def left_j(self) -> float:
        """Joules until the limit; 0 if it is exceeded."""
        return max(0.0, self.limit_j - self.used_j)

    @property
    def step_j(self) -> Optional[float]:
        """The energy that the next step is expected to need; None before two calls of would_exceed()."""
        return max(self._steps) if self._steps else None

    def would_exceed(self, next_j: Optional[float] = None) -> bool:
        """Whether one more step would exceed the budget. ``next_j`` replaces the expected energy of that step."""
        if next_j is not None and not next_j >= 0:
            raise UsageError(f"next_j: {next_j!r} is not an energy in joules")
        with self._lock:
            self._look()
            if self.fault is not None:
                return False
            if self._at_last_call is not None:
                self._steps.append(max(0.0, self._used_j - self._at_last_call))
            self._at_last_call = self._used_j
            needed = next_j if next_j is not None else self.step_j
            return self._used_j >= self.limit_j if needed is None else self._used_j + needed > self.limit_j

    def close(self) -> None:
        """Ends the counting. It may be called again."""
        with self._lock:
            metering, self._metering = self._metering, None
            if metering is None:
                return
            try:
                usage = metering.stop()
                if usage.energy_j is None:
                    self._fail(usage.reason or "unknown")
                else:
                    self._used_j = max(self._used_j, usage.energy_j)
            except Exception as error:  # a fault of ours must not end a training
                metering.abandon()
                self._fail(str(error))

    def __enter__(self) -> "Budget":
        return self

    def __exit__(self, kind: Optional[Type[BaseException]], error: Optional[BaseException],
                 trace: Optional[TracebackType]) -> None:
        self.close()

    def __del__(self) -> None:
        metering = getattr(self, "_metering", None)
        if metering is not None:
            metering.abandon()

    def __str__(self) -> str:
        text = f"{with_unit(self.used_j, 'J')} of {with_unit(self.limit_j, 'J')} used"
        return text if self.fault is None else f"{text}, then the meter failed: {self.fault}"

    def _look(self) -> None:
        if self._metering is None or self.fault is not None:
            return
        try:
            self._used_j = max(self._used_j, self._metering.energy_so_far())
        except Exception as error:  # a fault of ours must not end a training
            self._fail(str(error))

    def _fail(self, reason: str) -> None:
        if self.fault is None:
            self.fault = reason
            warnings.warn(f"the budget is not watched any more: {reason}", AmpereWarning, stacklevel=4)

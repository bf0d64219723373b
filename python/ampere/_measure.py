"""``with ampere.measure("epoch 3") as m``: the energy that the device uses during a block."""

from __future__ import annotations

import time
import warnings
from types import TracebackType
from typing import Dict, Optional, Type

from ._messages import AmpereWarning
from ._metering import Metering, Usage
from ._quantities import duration, with_unit
from .errors import Error, UsageError


class Measurement:
    """Energy and time of a block; both are readable when the block has ended.

    It is the energy of the whole device in that time, whoever uses it. If the energy is not known,
    ``energy_j`` is None and ``reason`` says why.
    """

    def __init__(self, name: str = "", *, meter: Optional[str] = None) -> None:
        self.name = name
        self._meter = meter
        self._metering: Optional[Metering] = None
        self._usage: Optional[Usage] = None

    def __enter__(self) -> "Measurement":
        if self._metering is not None or self._usage is not None:
            raise UsageError("this measurement was used before", "call ampere.measure() for each block")
        self._metering = Metering(self._meter)
        return self

    def __exit__(self, kind: Optional[Type[BaseException]], error: Optional[BaseException],
                 trace: Optional[TracebackType]) -> None:
        metering, self._metering = self._metering, None
        assert metering is not None
        try:
            self._usage = metering.stop()
        except Error as fault:  # the work of the block is worth more than its measurement
            self._usage = Usage(None, time.monotonic() - metering.begun, "unknown", "unknown", {}, str(fault), None)
            warnings.warn(f"the energy of {self.name or 'the block'} is unknown: {fault}", AmpereWarning, stacklevel=2)
        except BaseException:
            metering.abandon()
            raise

    @property
    def energy_j(self) -> Optional[float]:
        return self._finished().energy_j

    @property
    def time_s(self) -> float:
        return self._finished().time_s

    @property
    def source(self) -> str:
        """"measured" by a sensor, "modelled" by a power model, or "unknown"."""
        return self._finished().source

    @property
    def meter(self) -> str:
        return self._finished().meter

    @property
    def by_domain(self) -> Dict[str, float]:
        """Joules of each domain of the meter."""
        return self._finished().by_domain

    @property
    def reason(self) -> Optional[str]:
        """Why the energy is not known."""
        return self._finished().reason

    @property
    def power_w(self) -> Optional[float]:
        """The mean power."""
        usage = self._finished()
        return None if usage.energy_j is None or usage.time_s <= 0 else usage.energy_j / usage.time_s

    def __str__(self) -> str:
        name = self.name or "block"
        if self._usage is None:
            return f"{name}: not finished"
        if self._usage.energy_j is None:
            return f"{name}: energy unknown ({self._usage.reason}), {duration(self._usage.time_s)}"
        return (f"{name}: {with_unit(self._usage.energy_j, 'J')} ({self._usage.source}), "
                f"{duration(self._usage.time_s)}")

    def _finished(self) -> Usage:
        if self._usage is None:
            raise UsageError("the measurement has not finished: its energy is known after the with block")
        return self._usage


def measure(name: str = "", *, meter: Optional[str] = None) -> Measurement:
    """Measures a block: ``with ampere.measure("epoch 3") as m: train()``. Throws ampere.Error if no meter can."""
    return Measurement(name, meter=meter)

"""The queue of a GPU: work that is handed over while the GPU is held back, and its progress."""

from __future__ import annotations

import time
from collections import deque
from typing import Any, Callable, Optional, Protocol

# A GPU is held back by a kernel that counts clock cycles. No GPU has a faster clock than this, so
# the kernel takes at least as long as it should.
CYCLES_PER_SECOND = 3e9

AHEAD = 2  # calls that may be under way when the next one is answered


class Event(Protocol):
    """A moment in the queue, as torch.cuda.Event has it."""

    def record(self) -> None: ...

    def synchronize(self) -> None: ...

    def query(self) -> bool: ...

    def elapsed_time(self, end_event: Any) -> float: ...  # milliseconds


def cuda_event(torch: Any) -> Event:
    event: Event = torch.cuda.Event(enable_timing=True)
    return event


class CudaQueue:
    """The current stream of the current GPU."""

    def __init__(
        self,
        new_event: Callable[[], Event],
        sleep: Callable[[int], None],
        synchronize: Callable[[], None],
    ) -> None:
        self._new_event = new_event
        self._sleep = sleep
        self.wait = synchronize

    def run_held(self, enqueue: Callable[[], None], hold_s: float) -> Optional[float]:
        """Holds the GPU back while `enqueue` hands work over, and times that work in seconds.

        None if the GPU was free before everything was handed over: it then may have waited.
        """
        begin, end = self._new_event(), self._new_event()
        self._sleep(int(hold_s * CYCLES_PER_SECOND))
        begin.record()
        enqueue()
        end.record()
        stood_still = not begin.query()
        self.wait()
        return begin.elapsed_time(end) / 1e3 if stood_still else None


class CudaProgress:
    """Calls whose work was handed over, and when the GPU finished them."""

    def __init__(
        self, new_event: Callable[[], Event], clock: Callable[[], float] = time.monotonic
    ) -> None:
        self._new_event = new_event
        self._clock = clock
        self._pieces: deque[tuple[Event, int]] = deque()
        self._begin = new_event()
        self._begin.record()
        self._begin.synchronize()
        self._began = clock()

    def handed_over(self, iterations: int) -> tuple[int, float]:
        """The iterations of the call before the last two, and when they ended by the clock."""
        end = self._new_event()
        end.record()
        self._pieces.append((end, iterations))
        if len(self._pieces) <= AHEAD:
            return 0, 0.0
        first, count = self._pieces.popleft()
        first.synchronize()
        ended = self._began + self._begin.elapsed_time(first) / 1e3
        return count, min(ended, self._clock())

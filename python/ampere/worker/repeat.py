"""Repeating the step of a job: until the device is idle, ahead of the device, or timed."""

from __future__ import annotations

import time
from functools import partial
from typing import Any, Callable, Optional

from .cuda_queue import CudaProgress, CudaQueue, cuda_event
from .place import Place
from .timing import time_steps

Step = Callable[[], Any]


class Repeater:
    def __init__(self, step: Step, place: Place) -> None:
        self.step = step
        self._place = place
        self._progress: Optional[CudaProgress] = None

    def run(self, iterations: int) -> None:
        step = self.step
        for _ in range(iterations):
            step()
        self.finish()

    def finish(self) -> None:
        """Waits for everything that was handed over."""
        self._progress = None
        self._place.synchronize()

    def run_ahead(self, iterations: int) -> tuple[int, float]:
        """Iterations that have finished, and when (docs/worker-protocol.md)."""
        if self._place.gpu is None:
            self.run(iterations)
            return iterations, time.monotonic()
        if self._progress is None:
            self._progress = CudaProgress(partial(cuda_event, self._place.torch))
        step = self.step
        for _ in range(iterations):
            step()
        return self._progress.handed_over(iterations)

    def time_step(self) -> Optional[tuple[float, float]]:
        """Seconds per step of the device and of the host; None on a CPU."""
        if self._place.gpu is None:
            return None
        torch = self._place.torch
        self.finish()
        queue = CudaQueue(partial(cuda_event, torch), torch.cuda._sleep, self._place.synchronize)
        return time_steps(queue, self.step)

"""Measures a training step that lives in this process.

The program cannot run a Python object of ours, so its steps are run here, in windows that
``ampere measure`` measures. ``ampere run train.py:build`` measures by the full protocol.
"""

from __future__ import annotations

import math
import sys
import time
from dataclasses import replace
from typing import Any, Callable, Iterable, Iterator, List, Optional

from ._measure import Measurement
from ._run_value import Run
from .errors import UsageError
from .job import Job

_WARM_UP_S, _WARM_UP_STEPS = 0.5, 3
_WINDOWS, _WINDOW_S = 3, 1.0
Step = Callable[[], Any]


def run_job(job: Job, *, iterations: Optional[int] = None, meter: Optional[str] = None) -> Run:
    """Warms up, then measures three windows of at least a second, and ``iterations`` steps at least.

    A job with data is measured twice: with its data loader, and with one batch again and again.
    """
    if iterations is not None and (isinstance(iterations, bool) or not 1 <= iterations <= 10**12):
        raise UsageError(f"iterations: {iterations} is not between 1 and 1000000000000")
    if job.data is None:
        return _measured(job, job.step, iterations, meter)
    batches = _again_and_again(job.data)
    with_data = _measured(job, lambda: job.step(next(batches)), iterations, meter)
    batch = next(batches)
    return replace(with_data, without_data=_measured(job, lambda: job.step(batch), iterations, meter))


def _again_and_again(data: Iterable[Any]) -> Iterator[Any]:
    while True:
        empty = True
        for item in data:
            empty = False
            yield item
        if empty:
            raise UsageError("the data of the job are empty")


def _measured(job: Job, step: Step, iterations: Optional[int], meter: Optional[str]) -> Run:
    per_window = max(_steps_per_window(step), math.ceil((iterations or 1) / _WINDOWS))
    windows: List[Measurement] = []
    for _ in range(_WINDOWS):
        with Measurement(job.name or "job", meter=meter) as window:
            for _ in range(per_window):
                step()
            _wait_for_device()
        windows.append(window)
    return _summary(job, windows, per_window)


def _steps_per_window(step: Step) -> int:
    count, begin = 0, time.perf_counter()
    while count < _WARM_UP_STEPS or time.perf_counter() - begin < _WARM_UP_S:
        last = time.perf_counter()
        step()
        _wait_for_device()
        count += 1
    return max(1, math.ceil(_WINDOW_S / max(1e-6, time.perf_counter() - last)))


def _wait_for_device() -> None:
    torch = sys.modules.get("torch")
    if torch is not None and torch.cuda.is_available() and torch.cuda.is_initialized():
        torch.cuda.synchronize()


def _summary(job: Job, windows: List[Measurement], per_window: int) -> Run:
    energies = [window.energy_j for window in windows]
    known = [energy for energy in energies if energy is not None]
    times = [window.time_s for window in windows]
    count = per_window * len(windows)
    complete = len(known) == len(windows)
    return Run(
        model=job.name or "job", batch=job.batch, device="this machine", source=windows[0].source, iterations=count,
        energy_j=sum(known) if complete else None, time_s=sum(times),
        energy_j_per_iteration=sum(known) / count if complete else None, time_s_per_iteration=sum(times) / count,
        energy_error_j=_standard_error([energy / per_window for energy in known]) if complete else None,
        time_error_s=_standard_error([one / per_window for one in times]),
        notes=sorted({window.reason for window in windows if window.reason}),
        raw={"windows": [{"iterations": per_window, "energy_j": window.energy_j, "time_s": window.time_s}
                         for window in windows]})


def _standard_error(values: List[float]) -> float:
    mean = sum(values) / len(values)
    return math.sqrt(sum((value - mean) ** 2 for value in values) / (len(values) - 1) / len(values))

"""The first item of the user's data, for a step that is traced."""

from __future__ import annotations

import contextlib
from typing import Any, Iterable, Iterator

import torch
from torch.utils import _python_dispatch

from ..job import Job
from ..worker.script_data import Batches
from .subject import Iteration


def iteration_of(job: Job, name: str, fake: Any) -> Iteration:
    """The job's own step; with data, always on the first item."""
    step = job.step
    if job.data is not None:
        item = _first_item(job.data, name, fake)

        def step_on_item() -> Any:
            return job.step(item)

        step = step_on_item
    return Iteration(step, job.name or name, job.model, job.batch)


def _first_item(data: Iterable[Any], label: str, fake: Any) -> Any:
    """Loaders draw random numbers and look at them, so they work with real tensors."""
    if fake is None:
        return Batches(data, label).next()
    with _real_tensors():
        item = Batches(data, label).next()
    return _faked(item, fake)


def _faked(value: Any, fake: Any) -> Any:
    if isinstance(value, torch.Tensor):
        return value if type(value).__name__ == "FakeTensor" else fake.from_tensor(value)
    if type(value) in (list, tuple):
        return type(value)(_faked(each, fake) for each in value)
    if type(value) is dict:
        return {key: _faked(each, fake) for key, each in value.items()}
    return value


@contextlib.contextmanager
def _real_tensors() -> Iterator[None]:
    """Inside, no dispatch mode is active. Fake tensors stay fake."""
    if hasattr(_python_dispatch, "_disable_current_modes"):
        with _python_dispatch._disable_current_modes():
            yield
        return
    modes = []  # torch 1.13
    while _python_dispatch._len_torch_dispatch_stack() > 0:
        modes.append(_python_dispatch._pop_mode())
    try:
        yield
    finally:
        for mode in reversed(modes):
            _python_dispatch._push_mode(mode)

"""What a script gives to be measured: one training iteration (docs/python.md)."""

from __future__ import annotations

from typing import Any, Callable, Iterable, Optional

from ._checks import check_text, check_whole


class Job:
    """One training iteration of the user's own.

    ``step`` does one iteration. With ``data``, any iterable such as a DataLoader, it is called with
    one item after the other, and the iterable is started again when it ends; without, it is called
    with nothing. Items are passed on as they are: moving them to a device is part of the step.

    ``model`` tells how many parameters are trained and on which device. ``batch`` is the number of
    samples per iteration; by default the argument ``batch`` of the function that builds the job.
    ``name`` is for tables; by default the name of the file. A step may return its loss: it is
    looked at once, to warn if it is not a finite number.
    """

    def __init__(
        self,
        step: Callable[..., Any],
        model: Any = None,
        batch: Optional[int] = None,
        data: Optional[Iterable[Any]] = None,
        name: Optional[str] = None,
    ) -> None:
        if not callable(step):
            raise TypeError(f"step must be a function that does one iteration, not {step!r}")
        check_whole("batch", batch, 1)
        if data is not None and not hasattr(data, "__iter__") and not hasattr(data, "__getitem__"):
            raise TypeError(f"data must be something to iterate over, not {data!r}")
        check_text("name", name)
        self.step = step
        self.model = model
        self.batch = batch
        self.data = data
        self.name = name

"""What is traced: a function that makes one iteration, and how to speak of it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Callable, Optional

from ..worker.failure import Failure


@dataclass
class Iteration:
    """One iteration that can be run, with what is known about it."""

    step: Callable[[], Any]
    name: str
    network: Any = None  # the module that is trained, if known
    samples: Optional[int] = None
    setup: Optional[dict[str, Any]] = None
    prepare: Optional[Callable[[], Any]] = None  # before the step that counts; None: the step itself
    # Of a language model that generates text: which call it was, asked after the step.
    generation: Optional[Callable[[], dict[str, Any]]] = None
    # Of the same: makes the step that can run many times, after `prepare`.
    repeat: Optional[Callable[[], Callable[[], None]]] = None


@dataclass
class Subject:
    """Makes its iteration anew for every attempt, because fake and real tensors cannot be mixed.

    `build(fake)` is called inside FakeTensorMode `fake`, or with None for real tensors.
    """

    build: Callable[[Any], Iteration]
    explain: Callable[[BaseException], Failure]  # what its code raises
    folder: Optional[str] = None  # of the user's code
    only_real: Optional[str] = None  # why it cannot be traced with fake tensors

"""What training a network costs, in joules and seconds, before you run it.

The package starts the ``ampere`` program and talks JSON to it. ``import ampere`` imports nothing but the
standard library; torch is used only where a module is given.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

from ._choice_value import Alternative, Choice
from ._choose import choose
from ._cost import Cost, CostValues, Width, cost
from ._estimate import estimate
from ._estimate_value import Estimate, Interval, Part, Unknown
from ._generation import estimate_generation
from ._generation_value import Generation, GenerationBatch, TokenCost
from ._measure import Measurement, measure
from ._messages import AmpereWarning
from ._plan import plan
from ._plan_value import Plan, RunValue, Stage, Start
from ._program_value import Program
from ._run import run
from ._run_value import Run
from ._trace import trace
from ._verbs import models, profile, profiles
from ._version import VERSION as __version__
from .budget import Budget
from .errors import (Error, ExportError, FailedError, InterruptedRunError, NoMeterError, PermissionDeniedError,
                     ProgramError, UnknownError, UsageError)
from .generator import Generator
from .job import Job

__all__ = [
    "Alternative", "AmpereWarning", "Budget", "Choice", "Cost", "CostValues", "Error", "Estimate", "ExportError",
    "FailedError", "Generation", "GenerationBatch", "Generator", "InterruptedRunError", "Interval", "Job",
    "Measurement", "NoMeterError", "Part", "PermissionDeniedError", "Plan", "Program", "ProgramError", "Run",
    "RunValue", "Stage", "Start", "TokenCost", "Unknown", "UnknownError", "UsageError", "Width", "__version__",
    "choose", "cost", "estimate", "estimate_generation", "measure", "models", "plan", "profile", "profiles", "run",
    "trace",
]


if not TYPE_CHECKING:  # for a type checker, an attribute that is not above does not exist

    def __getattr__(name: str) -> Any:
        """Parts that are imported when they are used, because they need other libraries."""
        if name in ("huggingface", "lightning"):
            return importlib.import_module(f"ampere.{name}")
        raise AttributeError(f"module 'ampere' has no attribute {name!r}")

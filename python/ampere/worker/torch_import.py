"""Finding torch, or saying why it is not there."""

from __future__ import annotations

import importlib
import re
import sys
from typing import Any

from .failure import unknown

OLDEST = (1, 13)


def import_torch() -> Any:
    """The module. Raises Failure(unknown) with what to do when it cannot be used."""
    try:
        torch = importlib.import_module("torch")
    except ImportError as error:
        raise unknown(_missing(error)) from None
    version = str(torch.__version__)
    if parse_version(version) < OLDEST:
        raise unknown(
            f"{sys.executable} has PyTorch {version}, but 1.13 or later is needed: update it, or "
            "use another Python interpreter"
        )
    return torch


def parse_version(text: str) -> tuple[int, ...]:
    """The leading numbers of a version: (2, 11) for "2.11.0+cu130"."""
    numbers = re.match(r"(\d+)\.(\d+)", text)
    return (int(numbers[1]), int(numbers[2])) if numbers else (0, 0)


def _missing(error: ImportError) -> str:
    if getattr(error, "name", None) == "torch":
        return (
            f"{sys.executable} has no PyTorch: install it there (pip install torch), or use a "
            "Python interpreter that has it"
        )
    return f"{sys.executable} cannot import PyTorch: {error}"

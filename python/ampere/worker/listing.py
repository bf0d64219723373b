"""What `ampere doctor` wants to know about a Python interpreter."""

from __future__ import annotations

import platform
import sys
from typing import Any

from .failure import Failure
from .place import Place, describe, gpu_count
from .torch_import import import_torch


def listing() -> dict[str, Any]:
    """One JSON object: the interpreter, torch, and the devices it can train on."""
    known: dict[str, Any] = {
        "interpreter": sys.executable,
        "python": platform.python_version(),
        "torch": None,
        "cuda": None,
        "devices": [],
    }
    try:
        torch = import_torch()
    except Failure as failure:
        return {**known, "error": failure.as_json()}
    places = [Place(torch, None)] + [Place(torch, number) for number in range(gpu_count(torch))]
    return {
        **known,
        "torch": str(torch.__version__),
        "cuda": torch.version.cuda,
        "devices": [{"place": place.name, **describe(place)} for place in places],
    }

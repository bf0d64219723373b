"""Number formats: autocast around forward and loss, and a gradient scaler for fp16."""

from __future__ import annotations

from contextlib import nullcontext
from typing import Any, Callable

AUTOCAST = ("bf16", "fp16")


def autocast(torch: Any, kind: str, precision: str) -> Callable[[], Any]:
    """A function that gives a new context for every use, as people write it."""
    if precision not in AUTOCAST:
        return nullcontext
    dtype = torch.bfloat16 if precision == "bf16" else torch.float16

    def context() -> Any:
        return torch.autocast(kind, dtype=dtype)

    return context


def gradient_scaler(torch: Any, kind: str, precision: str) -> Any:
    """None unless the format needs one."""
    if precision != "fp16":
        return None
    newer = getattr(getattr(torch, "amp", None), "GradScaler", None)
    scaler = newer(kind) if newer else torch.cuda.amp.GradScaler()
    # It makes its scale when it is first used, which phases without a loss never do.
    scaler.scale(torch.zeros((), device=kind))
    return scaler

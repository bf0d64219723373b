"""The optimizers of torch.optim with a learning rate of 0: all the arithmetic, and no change."""

from __future__ import annotations

from typing import Any, Optional

from .failure import usage

NAMES = ("sgd", "plain-sgd", "adam", "adamw")
ADAMW_DECAY = 0.01  # torch's default for AdamW; the others have none


def make_optimizer(
    torch: Any, name: str, parameters: list[Any], weight_decay: Optional[float], fused: bool
) -> Any:
    """None when there is nothing to train. torch chooses the implementation unless `fused`."""
    if not parameters:
        return None
    options: dict[str, Any] = {"lr": 0.0}
    kind = {"adam": "Adam", "adamw": "AdamW"}.get(name, "SGD")
    if name == "sgd":
        options["momentum"] = 0.9
    options["weight_decay"] = decay_of(name, weight_decay)
    if fused:
        options["fused"] = True
    try:
        return getattr(torch.optim, kind)(parameters, **options)
    except (TypeError, RuntimeError) as error:
        if not fused:
            raise
        where = parameters[0].device
        why = str(error).splitlines()[0]
        raise usage(f"fused: this PyTorch has no fused {name} on {where} ({why})") from None


def decay_of(name: str, weight_decay: Optional[float]) -> float:
    if weight_decay is not None:
        return weight_decay
    return ADAMW_DECAY if name == "adamw" else 0.0


def can_fuse(torch: Any, device: Any, name: str = "adam") -> bool:
    """Whether this torch has a fused implementation on the device. torch tells by refusing."""
    parameter = torch.nn.Parameter(torch.zeros(1, device=device))
    try:
        make_optimizer(torch, name, [parameter], None, True)
    except Exception:
        return False
    return True

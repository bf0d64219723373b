"""How a network is trained: what this torch and device can do, and what a request asks for."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Optional

from . import optimizers
from .failure import usage
from .fields import Fields
from .place import Place
from .torch_import import parse_version

PHASES = ("iteration", "forward", "backward", "update", "block", "inference")
ALWAYS = ("batch", "optimizer", "precision", "phase")  # keys that need no announcement


@dataclass(frozen=True)
class Setup:
    batch: int
    optimizer: str = "sgd"
    precision: str = "fp32"
    phase: str = "iteration"
    weight_decay: Optional[float] = None  # None: the default of the optimizer
    fused: bool = False
    plain_attention: bool = False
    compile: bool = False
    accumulation: int = 1
    channels_last: bool = False

    @property
    def text(self) -> str:
        return f"batch {self.batch}, {self.optimizer}, {self.precision}"


@dataclass(frozen=True)
class Announced:
    """What may be requested: `setups` of the hello."""

    precisions: tuple[str, ...]
    optimizers: tuple[str, ...]
    options: tuple[str, ...]

    def as_json(self) -> dict[str, list[str]]:
        return {
            "precision": list(self.precisions),
            "optimizer": list(self.optimizers),
            "options": list(self.options),
        }


def announce(place: Place) -> Announced:
    torch = place.torch
    options = ["weight_decay", "attention", "accumulation", "channels_last"]
    if optimizers.can_fuse(torch, place.device):
        options.append("fused")
    if parse_version(str(torch.__version__)) >= (2, 0) and hasattr(torch, "compile"):
        options.append("compile")
    return Announced(_precisions(place), optimizers.NAMES, tuple(options))


def _precisions(place: Place) -> tuple[str, ...]:
    if place.gpu is None:
        return ("fp32", "bf16")
    # TF32 and bf16 came with compute capability 8.0; older GPUs would only imitate them.
    major = place.torch.cuda.get_device_capability(place.gpu)[0]
    return ("fp32", "tf32", "bf16", "fp16") if major >= 8 else ("fp32", "fp16")


def read_setup(value: object, announced: Announced) -> Setup:
    """Raises Failure(usage) with what is there if something was not announced.

    Keys that are not known are refused here: without them something else would be measured.
    """
    fields = Fields(value, "setup")
    for key in fields.json:
        if fields.has(key) and key not in ALWAYS and fields.json[key] is not False:
            if key == "accumulation" and fields.json[key] == 1:
                continue
            _check("option", key, announced.options)
    optimizer = fields.text("optimizer", "sgd")
    precision = fields.text("precision", "fp32")
    phase = fields.text("phase", "iteration")
    attention = fields.text("attention", "fused") if fields.has("attention") else "fused"
    _check("optimizer", optimizer, announced.optimizers)
    _check("precision", precision, announced.precisions)
    _check("phase", phase, PHASES)
    _check("attention", attention, ("fused", "plain"))
    weight_decay = fields.number("weight_decay") if fields.has("weight_decay") else None
    if weight_decay is not None and not 0 <= weight_decay < float("inf"):
        raise usage(f"setup: 'weight_decay' must be 0 or more, not {weight_decay}")
    return Setup(
        batch=fields.positive("batch"),
        optimizer=optimizer,
        precision=precision,
        phase=phase,
        weight_decay=weight_decay,
        fused=fields.boolean("fused", False),
        plain_attention=attention == "plain",
        compile=fields.boolean("compile", False),
        accumulation=fields.positive("accumulation", 1),
        channels_last=fields.boolean("channels_last", False),
    )


def _check(what: str, value: str, there: tuple[str, ...]) -> None:
    if value not in there:
        raise usage(f"setup: {what} '{value}' is not there: there are {', '.join(there)}")

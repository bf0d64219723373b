"""The rows of the comparison: which network is trained, and how."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any


@dataclass(frozen=True)
class Row:
    name: str  # for --rows
    title: str  # for the table; unique
    network: str  # a key of networks.NETWORKS
    zoo: str  # the same network for `ampere show`; empty if the rig gets the script gpt2.py
    batch: int
    optimizer: str
    precision: str = "fp32"
    compile: bool = False

    def setup(self) -> dict[str, Any]:
        """The setup of a request `measure`."""
        setup = {"batch": self.batch, "optimizer": self.optimizer, "precision": self.precision}
        return {**setup, "compile": True} if self.compile else setup

    def as_json(self) -> dict[str, Any]:
        return asdict(self)


_RESNET50_TITLE = "resnet50 at 224², batch 64, SGD"
_GPT2_TITLE = "GPT-2 small, batch 8, length 1024, AdamW"
_RESNET50 = ("resnet50", "resnet50:size=224", 64, "sgd")
_GPT2 = ("gpt2", "", 8, "adamw")

ROWS = (
    Row("lenet5", "lenet5, batch 10, SGD", "lenet5", "lenet5", 10, "sgd"),
    Row("transformer", "transformer, batch 10, SGD", "transformer", "transformer", 10, "sgd"),
    Row("resnet18", "resnet18, batch 10, SGD", "resnet18", "resnet18", 10, "sgd"),
    Row("transformer-adam", "transformer, batch 128, Adam", "transformer", "transformer", 128, "adam"),
    Row("resnet50", _RESNET50_TITLE, *_RESNET50),
    Row("resnet50-bf16", f"{_RESNET50_TITLE}, bf16", *_RESNET50, precision="bf16"),
    Row("resnet50-compiled", f"{_RESNET50_TITLE}, bf16, compiled", *_RESNET50, precision="bf16", compile=True),
    Row("gpt2", _GPT2_TITLE, *_GPT2),
    Row("gpt2-bf16", f"{_GPT2_TITLE}, bf16", *_GPT2, precision="bf16"),
    Row("gpt2-compiled", f"{_GPT2_TITLE}, bf16, compiled", *_GPT2, precision="bf16", compile=True),
)

GPT2_LENGTH = 1024


def choose(names: list[str]) -> list[Row]:
    """The rows of these names in the order of the table; all of them without names."""
    known = [row.name for row in ROWS]
    for name in names:
        if name not in known:
            raise SystemExit(f"--rows: there is no row '{name}'; there are {', '.join(known)}")
    return [row for row in ROWS if not names or row.name in names]

"""A network as the program takes it: a zoo name, a path, or something that is written to a file for the moment."""

from __future__ import annotations

import contextlib
import os
import sys
import tempfile
from dataclasses import dataclass, field
from typing import Any, Iterator, List, Optional

from ._arguments import model_as_word
from ._program_value import Program
from .errors import UsageError


@dataclass(frozen=True)
class ModelArgument:
    word: str  # for the command line
    name: Optional[str] = None  # to show instead; None: the word is the name
    batch: Optional[int] = None  # of the example inputs
    warnings: List[str] = field(default_factory=list)


def is_module(model: Any) -> bool:
    """Whether it is a module of PyTorch. Torch need not be imported to answer: without it, nothing is."""
    torch = sys.modules.get("torch")
    return torch is not None and isinstance(model, torch.nn.Module)


@contextlib.contextmanager
def model_argument(model: Any, inputs: Any = None) -> Iterator[ModelArgument]:
    """Valid inside the block. The file of an exported module has no weights; it and that of a program are deleted."""
    if isinstance(model, (str, os.PathLike)):
        if inputs is not None:
            raise UsageError("inputs are for modules of PyTorch; the network of a name or a file has its own")
        yield ModelArgument(model_as_word(model))
        return
    if isinstance(model, Program):
        if inputs is not None:
            raise UsageError("inputs are for modules of PyTorch; a program was traced with its own")
        with tempfile.TemporaryDirectory(prefix="ampere-") as folder:
            path = os.path.join(folder, "traced.program")
            model.save(path)
            yield ModelArgument(path, model.name)
        return
    if not is_module(model):
        raise UsageError(f"an object of type {type(model).__name__} is not a network",
                         "give a zoo name, the path of a model file, a torch.nn.Module, or an ampere.Program")
    from ._onnx_export import export_structure, samples
    batch = samples(inputs)
    structure = export_structure(model, inputs)
    name = type(model).__name__
    with tempfile.TemporaryDirectory(prefix="ampere-") as folder:
        path = os.path.join(folder, f"{name}.onnx")
        with open(path, "wb") as file:
            file.write(structure)
        yield ModelArgument(path, name, batch, _frozen(model))


def _frozen(module: Any) -> List[str]:
    count = sum(int(one.numel()) for one in module.parameters() if not one.requires_grad)
    return [f"{count} parameters are frozen, but the estimate is for training all of them"] if count else []

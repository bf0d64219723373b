"""Tensors without numbers, so that nothing is allocated and nothing is computed."""

from __future__ import annotations

import contextlib
import importlib
import inspect
import sys
from types import FrameType
from typing import Any, Iterator, Optional

import torch
from torch.utils._python_dispatch import TorchDispatchMode

from .naming import base_name, space_of

# Numbers that torch's own code asks for, and what they are in ordinary training: the step that is
# recorded is an optimizer's second one, and the gradient scaler has found no infinity.
_KNOWN_NUMBERS = (("/torch/optim/", 2), ("/torch/amp/", 0), ("/torch/cuda/amp/", 0))
_BETWEEN = ("/torch/_subclasses/", "/torch/utils/", "/torch/_ops.py", "/torch/_tensor.py")
_HERE = __file__.rpartition("tracing")[0]


def fake_mode() -> Any:
    """torch's FakeTensorMode. Real tensors become fake when they are used, where torch can do that."""
    library = importlib.import_module("torch._subclasses.fake_tensor")
    wanted = {
        "allow_non_fake_inputs": True,
        "throw_on_data_dependent_ops": True,
        "allow_fallback_kernels": True,
    }
    there = inspect.signature(library.FakeTensorMode.__init__).parameters
    return library.FakeTensorMode(**{key: wanted[key] for key in wanted if key in there})


@contextlib.contextmanager
def without_numbers() -> Iterator[Any]:
    """Inside, new tensors are fake. Gives the mode."""
    with contextlib.ExitStack() as stack:
        stack.enter_context(_foreach_with_fakes())
        stack.enter_context(_conversions_of_modules())
        mode = stack.enter_context(fake_mode())
        stack.enter_context(_KnownNumbers())
        yield mode


@contextlib.contextmanager
def libraries_ask() -> Iterator[None]:
    """Libraries that do not look at numbers when they see a fake tensor do so inside, which fails.

    Otherwise they would take another way than with real tensors: transformers passes a mask to attention when
    it cannot see that the mask masks nothing, and other kernels run for that.
    """
    changed = []
    for name, module in list(sys.modules.items()):
        if name.startswith("transformers.") and "is_tracing" in vars(module):
            changed.append((module, vars(module)["is_tracing"]))
            setattr(module, "is_tracing", lambda tensor=None: False)
    try:
        yield
    finally:
        for module, before in changed:
            setattr(module, "is_tracing", before)


class _KnownNumbers(TorchDispatchMode):
    """Answers the questions of torch's own code, and keeps the profiler away from fake tensors."""

    def __torch_dispatch__(
        self, operation: Any, types: Any, args: Any = (), kwargs: Any = None
    ) -> Any:
        if space_of(operation) == "profiler":
            return _below_all_modes(operation, args, kwargs or {})
        if base_name(operation) in ("_local_scalar_dense", "item"):
            known = _known_number(sys._getframe(1))
            if known is not None:
                kind = args[0].dtype
                return bool(known) if kind is torch.bool else _python_number(known, kind)
        return operation(*args, **(kwargs or {}))


def _below_all_modes(operation: Any, arguments: Any, keywords: Any) -> Any:
    guard = torch._C._DisableTorchDispatch()
    try:
        return operation(*arguments, **keywords)
    finally:
        del guard


def _python_number(value: int, kind: Any) -> Any:
    return float(value) if kind.is_floating_point else value


def _known_number(frame: Optional[FrameType]) -> Optional[int]:
    while frame is not None:
        path = frame.f_code.co_filename.replace("\\", "/")
        if not path.startswith(_HERE) and not any(part in path for part in _BETWEEN):
            return next((number for part, number in _KNOWN_NUMBERS if part in path), None)
        frame = frame.f_back
    return None


@contextlib.contextmanager
def _foreach_with_fakes() -> Iterator[None]:
    """Optimizers update many tensors at once only if these are of types that they know."""
    optimizer = importlib.import_module("torch.optim.optimizer")
    types = getattr(optimizer, "_foreach_supported_types", None)
    fake = importlib.import_module("torch._subclasses.fake_tensor").FakeTensor
    if not isinstance(types, list) or fake in types:
        yield
        return
    types.append(fake)
    try:
        yield
    finally:
        types.remove(fake)


@contextlib.contextmanager
def _conversions_of_modules() -> Iterator[None]:
    """`module.to(device)` gives the module new parameters.

    torch writes into the old ones or swaps them with new ones. A fake tensor would stay on its
    device in the first case and cannot be swapped in the second, since its mode refers to it.
    """
    made: dict[int, tuple[Any, Any]] = {}  # old and new, so that modules go on sharing parameters

    def converted(parameter: Any, convert: Any) -> Any:
        if id(parameter) not in made:
            with torch.no_grad():
                new = torch.nn.Parameter(convert(parameter), parameter.requires_grad)
            made[id(parameter)] = (parameter, new)
        return made[id(parameter)][1]

    def apply(module: Any, convert: Any, recurse: bool = True) -> Any:
        for child in module.children() if recurse else ():
            child._apply(convert)
        for name, parameter in module._parameters.items():
            if parameter is not None:
                module._parameters[name] = converted(parameter, convert)
        for name, buffer in module._buffers.items():
            if buffer is not None:
                module._buffers[name] = convert(buffer)
        return module

    before = torch.nn.Module._apply
    setattr(torch.nn.Module, "_apply", apply)
    try:
        yield
    finally:
        setattr(torch.nn.Module, "_apply", before)

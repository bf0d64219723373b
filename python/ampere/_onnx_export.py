"""A module of PyTorch as ONNX in memory: in training mode, with shapes, without the weights' numbers.

The older exporter (TorchScript) comes first, the newer one (``dynamo=True``) second: each can export
networks that the other cannot.
"""

from __future__ import annotations

import contextlib
import importlib
import inspect
import io
import re
import warnings
from typing import Any, Dict, Iterator, List, Optional, Tuple

from ._module_state import preserved, unwrapped
from .errors import ExportError, UsageError

_OLDEST = (1, 13)
_OPSET = 17
Inputs = Tuple[Tuple[Any, ...], Dict[str, Any]]  # positional, by name


def export_structure(module: Any, inputs: Any) -> bytes:
    """Throws ExportError, with the operation and the module that cannot be exported if that is known."""
    torch = _torch()
    module = unwrapped(module)
    positional, named = split_inputs(inputs)
    failures: List[str] = []
    last: Optional[Exception] = None
    for exporter in (_export_by_tracing, _export_by_dynamo):
        try:
            with preserved(module), _quiet():
                return exporter(torch, module, positional, named)
        except _NotAvailable:
            continue
        except Exception as error:  # exporters raise whatever the network or torch itself raises
            last = last or error
            failures.append(_explain(torch, error, module, (positional, named)))
    text = failures[0] if failures else "this torch has no exporter to ONNX"
    if len(failures) > 1 and failures[1] != failures[0]:
        text += f"; the newer exporter: {failures[1]}"
    raise ExportError(f"{type(module).__name__} cannot be exported to ONNX: {text}",
                      "replace the operation, or describe the network as a model file") from last


def split_inputs(inputs: Any) -> Inputs:
    """A tensor, several, or a dictionary of arguments by name."""
    if inputs is None:
        raise UsageError("a module needs inputs: one batch as its forward() takes it",
                         "as in ampere.estimate(net, torch.randn(64, 3, 224, 224))")
    if isinstance(inputs, dict):
        return (), dict(inputs)
    return (tuple(inputs) if isinstance(inputs, (tuple, list)) else (inputs,)), {}


def samples(inputs: Any) -> Optional[int]:
    """The batch size: the length of the first axis of the first tensor."""
    positional, named = split_inputs(inputs)
    for tensor in (*positional, *named.values()):
        shape = getattr(tensor, "shape", None)
        if shape is not None and len(shape) > 0:
            return int(shape[0])
    return None


class _NotAvailable(Exception):
    """This torch does not have the exporter."""


def _torch() -> Any:
    try:
        torch = importlib.import_module("torch")
    except ImportError as error:
        raise UsageError(f"PyTorch cannot be imported: {error}", "install torch") from error
    version = str(torch.__version__)
    found = re.match(r"(\d+)\.(\d+)", version)
    if found is None or (int(found.group(1)), int(found.group(2))) < _OLDEST:
        raise UsageError(f"torch {version} is too old: modules are exported by torch 1.13 and later",
                         "install a newer torch, or export the module to an ONNX file yourself")
    return torch


def _export_by_tracing(torch: Any, module: Any, positional: Tuple[Any, ...], named: Dict[str, Any]) -> bytes:
    parameters = inspect.signature(torch.onnx.export).parameters
    options: Dict[str, Any] = {"training": torch.onnx.TrainingMode.TRAINING, "do_constant_folding": False,
                               "export_params": False, "opset_version": _OPSET}
    if "dynamo" in parameters:
        options["dynamo"] = False
    file = io.BytesIO()
    # A dictionary at the end is what the older exporter takes for arguments by name.
    torch.onnx.export(module, (*positional, named) if named else positional, file, **options)
    return file.getvalue()


def _export_by_dynamo(torch: Any, module: Any, positional: Tuple[Any, ...], named: Dict[str, Any]) -> bytes:
    parameters = inspect.signature(torch.onnx.export).parameters
    if not {"dynamo", "optimize", "kwargs"} <= set(parameters):
        raise _NotAvailable
    module.train()
    program = torch.onnx.export(module, positional, kwargs=named, dynamo=True, optimize=False, verbose=False)
    ir = _library_of(program.model)
    weights = {name for name, _ in module.named_parameters()}
    for name, value in program.model.graph.initializers.items():
        if name in weights and value.const_value is not None:
            value.const_value = _without_numbers(ir, value.const_value, name)
    return bytes(ir.serde.serialize_model(program.model).SerializeToString())


def _library_of(model: Any) -> Any:
    """The library that holds the network of the newer exporter; it moved out of onnxscript."""
    name = "onnx_ir" if type(model).__module__.split(".")[0] == "onnx_ir" else "onnxscript.ir"
    importlib.import_module(f"{name}.serde")
    return importlib.import_module(name)


def _without_numbers(ir: Any, tensor: Any, name: str) -> Any:
    """A tensor of this type and shape whose numbers would be in a file, which is never written."""
    return ir.ExternalTensor("weights", 0, int(tensor.nbytes), tensor.dtype, shape=tensor.shape, name=name)


@contextlib.contextmanager
def _quiet() -> Iterator[None]:
    """Exporters print and warn of what does not concern the user of an estimate."""
    with warnings.catch_warnings(), contextlib.redirect_stdout(io.StringIO()):
        warnings.simplefilter("ignore")
        yield


def _explain(torch: Any, error: Exception, module: Any, inputs: Inputs) -> str:
    """What went wrong, with the operation and the module as far as they can be found."""
    text = " ".join(str(error).split()) or type(error).__name__
    operation = re.search(r"operator '?(\w+::\w+)", text)
    if operation:
        where = _module_of_operation(torch, operation.group(1), module, inputs)
        place = f" in module {where}" if where else ""
        return f"the operation {operation.group(1)}{place} has no counterpart in ONNX"
    where = _module_that_raised(error, module)
    place = f" in module {where}" if where else ""
    return f"{type(error).__name__}{place}: {text[:300]}"


def _module_of_operation(torch: Any, operation: str, module: Any, inputs: Inputs) -> Optional[str]:
    """Traces the network once more: unlike the exporter, the trace tells whose operation it is."""
    if inputs[1]:
        return None
    try:
        with preserved(module), _quiet():
            graph = torch.jit.trace(module, inputs[0], check_trace=False).inlined_graph
        for node in graph.nodes():
            if node.kind() == operation:
                path = str(node.scopeName()).rsplit("/", 1)[-1].replace("__module.", "")
                return _named(path, module)
    except Exception:  # only the message is poorer
        pass
    return None


def _module_that_raised(error: Exception, module: Any) -> Optional[str]:
    """The innermost module of the network whose code was running."""
    names = {id(one): name for name, one in module.named_modules()}
    found = None
    trace = error.__traceback__
    while trace is not None:
        owner = trace.tb_frame.f_locals.get("self")
        if id(owner) in names:
            found = names[id(owner)]
        trace = trace.tb_next
    return None if found is None else _named(found, module)


def _named(path: str, module: Any) -> str:
    one = dict(module.named_modules()).get(path)
    kind = type(one).__name__ if one is not None else "?"
    return f"'{path}' ({kind})" if path else f"({kind})"

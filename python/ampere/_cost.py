"""``ampere.cost``: the energy of a network as a function of its widths, with a gradient."""

from __future__ import annotations

import base64
import importlib
import json
import reprlib
import sys
import threading
import warnings
from array import array
from dataclasses import dataclass, field
from statistics import NormalDist
from typing import Any, List, Optional, Sequence, Tuple

from ._arguments import PathLike, options_as_words
from ._call import JsonObject
from ._messages import AmpereWarning
from ._model_argument import is_module, model_argument
from ._program_value import Program
from ._stream import Stream
from .errors import ProgramError, UsageError, error_of


@dataclass(frozen=True)
class Width:
    """A width that may vary: channels that are always equal, or multiples of one another."""

    name: str  # the first layer that has them
    value: int  # of the network as it is
    multiple_of: int  # heads and groups require it


@dataclass(frozen=True)
class CostValues:
    """Per iteration, one number per point; what the profile does not know is nan."""

    energy_j: List[float]
    energy_sd: List[float]
    time_s: List[float]
    gradient: Optional[List[List[float]]] = None  # joules per channel; None when it was not asked for
    energy_low_j: List[float] = field(default_factory=list)  # of the interval at this confidence
    energy_high_j: List[float] = field(default_factory=list)
    confidence: float = 0.9
    normal: bool = True  # whether other intervals follow from energy_sd

    def interval(self, confidence: Optional[float] = None) -> List[Tuple[float, float]]:
        """The interval of each energy, as ``ampere estimate`` states it.

        Without a confidence it is the one that was evaluated. Those of a general profile are not normal: for another
        confidence its points are evaluated again.
        """
        if confidence is None or confidence == self.confidence:
            return list(zip(self.energy_low_j, self.energy_high_j))
        if not 0 < confidence < 1:
            raise UsageError(f"confidence: {confidence!r} is not between 0 and 1")
        if not self.normal:
            raise UsageError(f"these intervals are for a confidence of {self.confidence} and are not normal",
                             f"cost.evaluate(points, confidence={confidence}) gives others")
        reach = NormalDist().inv_cdf((1 + confidence) / 2)
        return [(max(0.0, mean - reach * sd), mean + reach * sd) for mean, sd in zip(self.energy_j, self.energy_sd)]


class Cost:
    """The energy per iteration of one network at any widths, on one device.

    ``cost(tensor)`` takes a tensor of PyTorch whose last axis has one number per width, and gives the
    energies, through which gradients flow: in float64 for whole numbers and float64, and in float32 for smaller
    formats. ``cost.evaluate(points)`` takes lists, and needs no PyTorch. At whole widths both are what
    ``ampere estimate`` says; between them the energy is interpolated.

    It keeps one process of the ampere program; close() ends it, and so does the end of a ``with`` block.
    """

    def __init__(self, words: Sequence[str], name: Optional[str] = None) -> None:
        self._lock = threading.Lock()
        self._stream: Optional[Stream] = Stream(words)
        try:
            head = self._stream.read()
        except BaseException:
            self.close()
            raise
        self.model = str(head.get("model")) if name is None else name
        self.widths = [Width(str(one["name"]), int(one["value"]), int(one["multiple_of"])) for one in head["widths"]]
        self.method = str(head.get("method"))
        self.device = str(head["device"]["name"])
        self.source = str(head.get("source"))  # of the profile: measured, modelled or simulated
        for text in head.get("warnings", []):
            warnings.warn(str(text), AmpereWarning, stacklevel=3)

    def evaluate(self, points: Sequence[Sequence[float]], *, gradient: bool = False,
                 confidence: float = 0.9) -> CostValues:
        """The cost at many points at once, each with one number per width, and intervals of this confidence."""
        numbers = array("d")
        for i, point in enumerate(_listed(points)):
            numbers.extend(self._numbers(i, point))
        return self._ask(numbers, gradient, confidence)

    def __call__(self, widths: Any) -> Any:
        """The energies at a tensor of widths, as a tensor without its last axis."""
        torch = sys.modules.get("torch")
        if torch is None or not isinstance(widths, torch.Tensor):
            raise UsageError(f"an object of type {type(widths).__name__} is not a tensor of PyTorch",
                             "cost.evaluate() takes lists")
        if widths.dim() == 0 or widths.shape[-1] != len(self.widths):
            raise UsageError(f"the last axis of the widths must have {len(self.widths)} numbers, and the shape is "
                             f"{tuple(widths.shape)}")
        if widths.is_complex():
            raise UsageError("widths are real numbers, and the tensor is complex")
        return _function().apply(widths, self)

    def original(self) -> List[int]:
        """The widths of the network as it is."""
        return [width.value for width in self.widths]

    def close(self) -> None:
        with self._lock:
            stream, self._stream = self._stream, None
        if stream is not None:
            stream.close()

    def __enter__(self) -> "Cost":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def __del__(self) -> None:
        if getattr(self, "_stream", None) is not None:
            self.close()

    def _numbers(self, number: int, point: Any) -> List[float]:
        size = len(self.widths)
        try:
            row = [float(one) for one in point]
        except (TypeError, ValueError) as error:
            raise UsageError(f"point {number} is {reprlib.repr(point)}, and a point is a list of {size} numbers",
                             "one point alone is evaluate([point])") from error
        if len(row) != size:
            raise UsageError(f"point {number} has {len(row)} numbers, and {self.model} has {size} free widths")
        return row

    def _ask(self, numbers: "array[float]", gradient: bool, confidence: float = 0.9) -> CostValues:
        size = len(self.widths)
        answer = self._answer(json.dumps({"packed": _packed(numbers), "gradient": gradient, "confidence": confidence}))
        energy, deviation, time, low, high = (
            _unpacked(answer, key) for key in ("energy_j", "energy_sd", "time_s", "energy_low_j", "energy_high_j"))
        rows: Optional[List[List[float]]] = None
        if gradient:
            flat = _unpacked(answer, "gradient")
            rows = [flat[i:i + size] for i in range(0, len(flat), size)]
        return CostValues(energy, deviation, time, rows, low, high, confidence, bool(answer.get("normal_intervals")))

    def _answer(self, question: str) -> JsonObject:
        with self._lock:
            if self._stream is None:
                raise UsageError("this cost was closed; ampere.cost() makes a new one")
            try:
                answer = self._stream.ask(question)
            except BaseException:  # also KeyboardInterrupt: a later answer would be taken for another question's
                self._stream.close()
                self._stream = None
                raise
        error = answer.get("error")
        if isinstance(error, dict):
            raise error_of(str(error.get("code")), str(error.get("message")))
        return answer


def cost(model: Any, profile: Optional[str] = None, *, inputs: Any = None, batch: Optional[int] = None,
         optimizer: Optional[str] = None, precision: Optional[str] = None, rig: Optional[str] = None,
         device: Optional[str] = None, store: Optional[PathLike] = None, method: Optional[str] = None,
         **options: Any) -> Cost:
    """What training this network costs as a function of its widths.

    ``model`` is a zoo name, the path of a model file, or a torch.nn.Module, which needs ``inputs``: one batch as its
    forward() takes it, whose size is the batch unless ``batch`` is given. ``profile`` chooses a profile by its id or
    part of its device's name; with ``device`` the profiles that came with the program are asked as well. All other
    options are those of ``ampere estimate``. A general profile answers, too, more slowly (docs/search.md).
    """
    _check_subject(model, profile, inputs)
    with model_argument(model, inputs) as argument:
        words = ["estimate", argument.word, "--widths", "--json"]
        words += options_as_words({
            "profile": profile, "batch": argument.batch if batch is None else batch, "optimizer": optimizer,
            "precision": precision, "rig": rig, "device": device, "store": store, "method": method, **options})
        for text in argument.warnings:
            warnings.warn(text, AmpereWarning, stacklevel=2)
        return Cost(words, argument.name)


def _listed(points: Any) -> List[Any]:
    try:
        return list(points)
    except TypeError as error:
        raise UsageError(f"{reprlib.repr(points)} is not a list of points",
                         "one point alone is evaluate([point])") from error


def _check_subject(model: Any, profile: Any, inputs: Any) -> None:
    if isinstance(model, Program):
        raise UsageError(f"{model.name} is one traced iteration, whose widths are fixed",
                         "give the network: a zoo name, the path of a model file, or a torch.nn.Module")
    if profile is not None and not isinstance(profile, str):
        raise UsageError(f"profile: an object of type {type(profile).__name__} is not the name of a profile",
                         "the inputs of a module are given by name, as in ampere.cost(net, inputs=x)")
    if is_module(model) and inputs is None:
        raise UsageError("a module needs inputs: one batch as its forward() takes it",
                         "as in ampere.cost(net, inputs=torch.randn(64, 3, 224, 224))")


def _packed(numbers: "array[float]") -> str:
    if sys.byteorder != "little":
        numbers = array("d", numbers)
        numbers.byteswap()
    return base64.b64encode(numbers.tobytes()).decode("ascii")


def _unpacked(answer: JsonObject, key: str) -> List[float]:
    text = answer.get(key)
    if not isinstance(text, str):
        raise ProgramError(f"the ampere program answered without {key}")
    numbers = array("d")
    numbers.frombytes(base64.b64decode(text))
    if sys.byteorder != "little":
        numbers.byteswap()
    return numbers.tolist()


def _dtype_of_energies(torch: Any, widths: Any) -> Any:
    """An energy is seldom a whole number, and 16 bits round it."""
    if widths.is_floating_point() and widths.dtype != torch.float64:
        return torch.float32
    return torch.float64


_FUNCTION: Any = None


def _function() -> Any:
    """The function of autograd, made when it is first used, because PyTorch need not be there."""
    global _FUNCTION
    if _FUNCTION is not None:
        return _FUNCTION
    torch: Any = importlib.import_module("torch")

    class WidthEnergy(torch.autograd.Function):  # type: ignore[misc]
        @staticmethod
        def forward(context: Any, widths: Any, of: Cost) -> Any:
            needed = bool(context.needs_input_grad[0])
            flat = array("d", widths.detach().to("cpu", torch.float64).reshape(-1).tolist())
            values = of._ask(flat, needed)
            dtype = _dtype_of_energies(torch, widths)
            if needed:
                gradient = torch.tensor(values.gradient, dtype=dtype, device=widths.device)
                context.save_for_backward(gradient.reshape(widths.shape))
            energies = torch.tensor(values.energy_j, dtype=dtype, device=widths.device)
            return energies.reshape(widths.shape[:-1])

        @staticmethod
        def backward(context: Any, upstream: Any) -> Any:
            (gradient,) = context.saved_tensors
            return upstream.unsqueeze(-1) * gradient, None

    _FUNCTION = WidthEnergy
    return _FUNCTION

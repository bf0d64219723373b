"""One call of a language model while it generates text, as an iteration that can be recorded."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Callable, Optional

import torch

from ..worker.failure import failed, usage
from ..worker.fields import Fields
from ..worker.place import Place
from .cache import cache_bytes, cache_tensors, same_cache
from .language_model import LanguageModel, language_model, split_result, too_long
from .subject import Iteration
from .tensors import dtype_of

PREFILL, DECODE = "prefill", "decode"
FORMATS = ("fp32", "bf16", "fp16")


@dataclass(frozen=True)
class Call:
    """The key `generation` of a request and of a program (docs/program-format.md)."""

    stage: str
    batch: int
    tokens: int = 1  # read per sequence
    context: int = 0  # in the cache before
    number_format: Optional[str] = None  # that the model is converted to

    def row(self) -> dict[str, Any]:
        return {"stage": self.stage, "batch": self.batch, "tokens": self.tokens, "context": self.context}


def read_call(fields: Fields, number_format: Optional[str]) -> Call:
    """Raises Failure that names the field."""
    stage = fields.text("stage")
    if stage not in (PREFILL, DECODE):
        raise usage(f"{fields.what}: 'stage' must be prefill or decode, not '{stage}'")
    if number_format is not None and number_format not in FORMATS:
        raise usage(f"number_format: '{number_format}' is not there: there are {', '.join(FORMATS)}")
    context = fields.positive("context") if stage == DECODE else 0
    tokens = fields.positive("tokens") if stage == PREFILL else 1
    return Call(stage, fields.positive("batch"), tokens, context, number_format)


def asked_call(request: Fields) -> Optional[Call]:
    """The keys `generation` and `number_format` of a request; None if it asks for a training step."""
    if not request.has("generation"):
        return None
    if not request.has("script"):
        raise usage("'generation' needs a 'script' that gives a language model")
    number_format = request.text("number_format") if request.has("number_format") else None
    return read_call(request.object_at("generation"), number_format)


def generation_iteration(value: Any, call: Call, place: Place, name: str, label: str) -> Iteration:
    """`value` is what the user's function returned. Raises Failure if it is no language model."""
    model = language_model(value, label)
    failure = too_long(model, call.context + call.tokens, label)
    if failure is not None:
        raise failure
    _convert(model, call.number_format, label)
    if callable(getattr(model.network, "eval", None)):
        model.network.eval()
    caller = _Caller(model, call, _device(model, place))
    return Iteration(
        caller.step,
        model.name or name,
        model.network,
        samples=call.batch,
        prepare=caller.prepare,
        generation=caller.row,
        repeat=caller.repeated,
    )


class _Caller:
    """Holds the cache between the calls, as a loop that generates does."""

    def __init__(self, model: LanguageModel, call: Call, device: Any) -> None:
        self._model = model
        self._call = call
        self._device = device
        self._cache: Any = None
        self._next: Any = None
        self.step: Callable[[], Any] = self._decode if call.stage == DECODE else self._prefill

    def row(self) -> dict[str, Any]:
        """After the step, with the bytes of the cache that it left behind."""
        return {**self._call.row(), "cache_bytes": cache_bytes(self._cache)}

    def prepare(self) -> None:
        """Everything before the step that is recorded: what is made once, and the cache of a decode.

        The last token before a decode comes out of another decode, because caches that grow look different then.
        """
        if self._call.stage == PREFILL:
            self._prefill()
            self._cache = self._next = None
            return
        context = self._call.context
        self._read_prompts(max(1, context - 1))
        if context > 1:
            self._decode()

    def repeated(self) -> Callable[[], None]:
        """The step after `prepare` as it can run many times: it begins with the same cache each time and keeps nothing."""
        if self._call.stage == PREFILL:
            return self._repeat_prefill
        token, fresh_cache = self._next, same_cache(self._cache)

        def repeat_decode() -> None:
            with torch.no_grad():
                _likeliest(*split_result(self._model.decode(token, fresh_cache()), DECODE))

        return repeat_decode

    def _repeat_prefill(self) -> None:
        with torch.no_grad():
            _likeliest(*split_result(self._model.prefill(self._prompts(self._call.tokens)), PREFILL))

    def _prompts(self, tokens: int) -> Any:
        return torch.zeros((self._call.batch, tokens), dtype=torch.int64, device=self._device)

    def _prefill(self) -> None:
        self._read_prompts(self._call.tokens)

    def _read_prompts(self, tokens: int) -> None:
        with torch.no_grad():
            self._keep(self._model.prefill(self._prompts(tokens)), PREFILL)

    def _decode(self) -> None:
        with torch.no_grad():
            self._keep(self._model.decode(self._next, self._cache), DECODE)

    def _keep(self, result: Any, what: str) -> None:
        logits, self._cache = split_result(result, what)
        if not cache_tensors(self._cache):
            raise failed(f"{what} returned a cache without tensors: {type(self._cache).__name__}")
        self._next, _ = _likeliest(logits, self._cache)


def _likeliest(logits: Any, cache: Any) -> tuple[Any, Any]:
    """The next token of each sequence, beside the cache."""
    last = logits[:, -1] if len(logits.shape) == 3 else logits
    return last.argmax(dim=-1, keepdim=True), cache


def _convert(model: LanguageModel, number_format: Optional[str], label: str) -> None:
    if number_format is None:
        return
    if not callable(getattr(model.network, "to", None)):
        raise usage(
            f"{label}: cannot be converted to {number_format}: it does not say which module it calls; "
            "give its model, or let the function build it in that format"
        )
    model.network.to(dtype_of(number_format))


def _device(model: LanguageModel, place: Place) -> Any:
    """Where the weights are; tokens must be there, too."""
    parameters = getattr(model.network, "parameters", None)
    first = next(iter(parameters()), None) if callable(parameters) else None
    return place.device if first is None else first.device

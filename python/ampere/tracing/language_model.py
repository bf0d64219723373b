"""How a language model is called with a cache: the protocols that are known, as one pair of functions."""

from __future__ import annotations

import inspect
from dataclasses import dataclass
from typing import Any, Callable, Optional

from ..generator import Generator
from ..worker.failure import Failure, failed

EXPECTED = (
    "ampere.Generator(prefill, decode), an object with the methods prefill(tokens) and "
    "decode(token, cache), or a module that takes past_key_values as those of transformers do"
)
_KEEP_LAST = ("logits_to_keep", "num_logits_to_keep")  # how transformers leaves out other logits
# How models say how many tokens a sequence may have: an attribute of theirs or of their `config`.
_POSITIONS = ("max_position_embeddings", "n_positions", "n_ctx", "max_seq_len", "block_size")


@dataclass
class LanguageModel:
    """Both functions return (logits, cache)."""

    prefill: Callable[[Any], Any]
    decode: Callable[[Any, Any], Any]
    network: Any = None  # the module behind them, if known
    positions: Optional[int] = None  # the longest sequence; None: not known
    name: Optional[str] = None


def language_model(value: Any, label: str) -> LanguageModel:
    """Raises Failure that says what the value should be."""
    if isinstance(value, Generator):
        return LanguageModel(
            value.prefill, value.decode, value.model, value.positions, value.name
        )
    if callable(getattr(value, "prefill", None)) and callable(getattr(value, "decode", None)):
        network = value if hasattr(value, "parameters") else getattr(value, "model", None)
        return LanguageModel(value.prefill, value.decode, network, _positions(value))
    if callable(value) and _takes_cache(value):
        return _of_transformers(value, label)
    if hasattr(value, "parameters"):
        raise failed(
            f"{label}: {type(value).__name__} has no cache that text could be generated with: its "
            f"forward() takes no past_key_values, and it has no methods prefill and decode; give {EXPECTED}"
        )
    raise failed(f"{label} must give {EXPECTED}, but gave {type(value).__name__}")


def split_result(result: Any, what: str) -> tuple[Any, Any]:
    """Logits and cache of what a call returned. Raises Failure if it has none."""
    if isinstance(result, (tuple, list)) and len(result) >= 2:
        logits, cache = result[0], result[1]
    else:
        logits, cache = _member(result, "logits"), _member(result, "past_key_values")
    if not hasattr(logits, "shape") or len(logits.shape) not in (2, 3):
        raise failed(
            f"{what} must return (logits, cache) with logits of 2 or 3 axes, but returned "
            f"{type(result).__name__}"
        )
    if cache is None:
        raise failed(f"{what} returned no cache: without one, every token would read all others again")
    return logits, cache


def _of_transformers(model: Any, label: str) -> LanguageModel:
    """`model(input_ids, past_key_values=…, use_cache=True)`; only the last logits, where it can leave out others."""
    names = _parameter_names(model)
    common: dict[str, Any] = {"use_cache": True}
    common.update({name: 1 for name in _KEEP_LAST if name in names})

    def prefill(tokens: Any) -> Any:
        return model(tokens, **common)

    def decode(token: Any, cache: Any) -> Any:
        return model(token, past_key_values=cache, **common)

    return LanguageModel(prefill, decode, model, _positions(model))


def _parameter_names(model: Any) -> list[str]:
    try:
        return list(inspect.signature(getattr(model, "forward", model)).parameters)
    except (TypeError, ValueError):
        return []


def _takes_cache(model: Any) -> bool:
    return "past_key_values" in _parameter_names(model)


def _member(value: Any, name: str) -> Any:
    if isinstance(value, dict):
        return value.get(name)
    return getattr(value, name, None)


def _positions(model: Any) -> Optional[int]:
    for owner in (model, getattr(model, "config", None)):
        for name in ("positions", *_POSITIONS):
            number = getattr(owner, name, None)
            if isinstance(number, int) and not isinstance(number, bool) and number > 0:
                return number
    return None


def too_long(model: LanguageModel, tokens: int, label: str) -> Optional[Failure]:
    """Why a sequence of so many tokens cannot be read; None if it can, or if nobody says."""
    if model.positions is None or tokens <= model.positions:
        return None
    return failed(
        f"{label}: a sequence of {tokens} tokens is longer than the {model.positions} positions of the "
        "model: ask for a shorter prompt, fewer new tokens or shorter contexts"
    )

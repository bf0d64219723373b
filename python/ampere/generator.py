"""What a script gives to be estimated while it generates text: a language model and how it is called (docs/generation.md)."""

from __future__ import annotations

from typing import Any, Callable, Optional, Tuple

from ._checks import check_text, check_whole


class Generator:
    """A language model with a cache, where the model itself does not say how it is called.

    ``prefill(tokens)`` reads whole prompts, a tensor of whole numbers (batch, prompt), and ``decode(token, cache)``
    reads one token per sequence, (batch, 1). Both return ``(logits, cache)``; a decode may change the cache that it was
    given. The logits are (batch, tokens, vocabulary) or those of the last token, (batch, vocabulary).

    ``model`` is the module that both call: its weights are counted as memory, and its numbers are converted when a
    number format is asked for. ``positions`` is the longest sequence that it can read, if there is one. ``name`` is for
    tables; by default the name of the file.
    """

    def __init__(
        self,
        prefill: Callable[[Any], Tuple[Any, Any]],
        decode: Callable[[Any, Any], Tuple[Any, Any]],
        model: Any = None,
        positions: Optional[int] = None,
        name: Optional[str] = None,
    ) -> None:
        for what, value in (("prefill", prefill), ("decode", decode)):
            if not callable(value):
                raise TypeError(f"{what} must be a function that returns (logits, cache), not {value!r}")
        check_whole("positions", positions, 2)
        check_text("name", name)
        self.prefill = prefill
        self.decode = decode
        self.model = model
        self.positions = positions
        self.name = name

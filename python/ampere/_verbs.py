"""``ampere.profile``, ``ampere.profiles`` and ``ampere.models``."""

from __future__ import annotations

from contextlib import ExitStack
from typing import Any, Dict, List, Optional

from ._arguments import PathLike, options_as_words
from ._call import JsonObject, call
from ._messages import ProgressCallback
from ._model_argument import model_argument
from ._stream import forget_streams


def profile(*models: Any, inputs: Any = None, rig: Optional[str] = None, store: Optional[PathLike] = None,
            batch: Optional[int] = None, optimizer: Optional[str] = None, precision: Optional[str] = None,
            method: Optional[str] = None, progress: Optional[ProgressCallback] = None, **options: Any) -> JsonObject:
    """Measures what is missing to estimate these networks and their narrower versions.

    ``progress`` is called with a line of text whenever there is news, as in ``progress=print``. All other
    options are those of ``ampere profile``. Ctrl-C stops it; what was measured is kept, and the same
    call continues. Returns the summary that the program prints. Throws ampere.Error.
    """
    with ExitStack() as stack:
        arguments = [stack.enter_context(model_argument(model, inputs)) for model in models]
        if batch is None:
            batch = next((one.batch for one in arguments if one.batch is not None), None)
        words = options_as_words(dict(batch=batch, optimizer=optimizer, precision=precision, rig=rig, store=store,
                                      method=method, **options))
        try:
            summary = call(["profile", *(one.word for one in arguments), "--json", *words], progress).check().one()
        finally:
            forget_streams()
    return summary


def profiles(*, store: Optional[PathLike] = None) -> List[Dict[str, Any]]:
    """What is in the store: one dictionary per profile, as ``ampere profiles --json`` prints it."""
    return call(["profiles", "--json", *options_as_words(dict(store=store))]).check().objects


def models() -> List[Dict[str, Any]]:
    """The networks of the zoo, as ``ampere models --json`` prints them."""
    return call(["models", "--json"]).check().objects

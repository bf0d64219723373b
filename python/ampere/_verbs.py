"""``ampere.profile``, ``ampere.profiles`` and ``ampere.models``."""

from __future__ import annotations

from contextlib import ExitStack
from typing import Any, Dict, List, Optional

from ._arguments import PathLike, options_as_words
from ._call import JsonObject, call
from ._messages import ProgressCallback
from ._model_argument import model_argument
from ._stream import forget_streams
from .errors import UsageError


def profile(*models: Any, inputs: Any = None, rig: Optional[str] = None, store: Optional[PathLike] = None,
            batch: Optional[int] = None, optimizer: Optional[str] = None, precision: Optional[str] = None,
            method: Optional[str] = None, general: bool = False, operations: Optional[int] = None,
            programs: Optional[int] = None, progress: Optional[ProgressCallback] = None, **options: Any) -> JsonObject:
    """Measures what is missing to estimate these networks and their narrower versions.

    ``general=True`` profiles the device for every network instead: it times up to ``operations`` operations
    and measures ``programs`` programs. The models are then programs whose operations are timed as well: an
    ampere.Program or the path of a ``.program`` file each. It has no batch, optimizer or number format.

    ``progress`` is called with a line of text whenever there is news, as in ``progress=print``. All other
    options are those of ``ampere profile``. Ctrl-C stops it; what was measured is kept, and the same
    call continues. Returns the summary that the program prints. Throws ampere.Error.
    """
    _check_general(general, dict(inputs=inputs, batch=batch, optimizer=optimizer, precision=precision),
                   dict(operations=operations, programs=programs))
    with ExitStack() as stack:
        arguments = [stack.enter_context(model_argument(model, inputs)) for model in models]
        if batch is None:
            batch = next((one.batch for one in arguments if one.batch is not None), None)
        words = options_as_words(dict(batch=batch, optimizer=optimizer, precision=precision, rig=rig, store=store,
                                      method=method, general=general, operations=operations, programs=programs,
                                      **options))
        try:
            summary = call(["profile", *(one.word for one in arguments), "--json", *words], progress).check().one()
        finally:
            forget_streams()
    return summary


def _check_general(general: bool, of_networks: JsonObject, of_devices: JsonObject) -> None:
    wrong = [name for name, value in (of_networks if general else of_devices).items() if value is not None]
    if wrong and general:
        raise UsageError(f"{wrong[0]}: a general profile is of the device and answers for every setup",
                         "leave it out; estimate() takes it")
    if wrong:
        raise UsageError(f"{wrong[0]} is for general profiles", "give general=True as well")


def profiles(*, store: Optional[PathLike] = None) -> List[Dict[str, Any]]:
    """What is in the store: one dictionary per profile, as ``ampere profiles --json`` prints it."""
    return call(["profiles", "--json", *options_as_words(dict(store=store))]).check().objects


def models() -> List[Dict[str, Any]]:
    """The networks of the zoo, as ``ampere models --json`` prints them."""
    return call(["models", "--json"]).check().objects

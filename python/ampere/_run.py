"""``ampere.run``: trains for real and measures."""

from __future__ import annotations

import inspect
import os
from typing import Any, Callable, Mapping, Optional

from ._arguments import PathLike, arguments_as_words, is_script, options_as_words
from ._call import call
from ._messages import ProgressCallback
from ._model_argument import is_module, model_argument
from ._run_job import run_job
from ._run_value import Run, run_of
from ._stream import forget_streams
from .errors import UsageError
from .job import Job


def run(model: Any, inputs: Any = None, *, iterations: Optional[int] = None, batch: Optional[int] = None,
        optimizer: Optional[str] = None, precision: Optional[str] = None, rig: Optional[str] = None,
        store: Optional[PathLike] = None, meter: Optional[str] = None, args: Optional[Mapping[str, Any]] = None,
        progress: Optional[ProgressCallback] = None, **options: Any) -> Run:
    """Trains a network and measures its energy and time: the ground truth.

    ``model`` is a zoo name, a path, a module with ``inputs``; or the user's own training step: "train.py:build"
    or the function itself, with ``args`` for it; or an ampere.Job, whose steps run in this process. All
    other options are those of ``ampere run``. Throws ampere.Error.
    """
    if isinstance(model, Job):
        refused = [name for name, value in dict(inputs=inputs, batch=batch, optimizer=optimizer, precision=precision,
                                                rig=rig, store=store, args=args, **options).items() if value]
        if refused:
            raise UsageError(f"a job runs in this process as it is; it takes no {', '.join(refused)}")
        return run_job(model, iterations=iterations, meter=meter)
    if not isinstance(model, (str, os.PathLike)) and callable(model) and not is_module(model):
        model = script_of(model)
    if args and not is_script(model):
        raise UsageError("args are for the function that builds a training step, as in 'train.py:build'")
    with model_argument(model, inputs) as argument:
        words = options_as_words(dict(iterations=iterations, batch=argument.batch if batch is None else batch,
                                      optimizer=optimizer, precision=precision, rig=rig, store=store, meter=meter,
                                      **options))
        try:
            answer = call(["run", argument.word, "--json", *arguments_as_words(args or {}), *words], progress)
            measured = answer.check().one()
        finally:
            forget_streams()  # what was measured may be learned from
    return run_of(measured, argument.name)


def script_of(function: Callable[..., Any]) -> str:
    """"train.py:build" of a function at the top level of a file."""
    name = getattr(function, "__qualname__", "")
    try:
        path = inspect.getsourcefile(function)
    except TypeError:
        path = None
    if not name.isidentifier() or path is None or not os.path.isfile(path):
        raise UsageError(f"{function!r} is not a function at the top level of a Python file",
                         "the program starts the training in another process, which must be able to import it")
    return f"{os.path.abspath(path)}:{name}"

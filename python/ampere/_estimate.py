"""``ampere.estimate``."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any, List, Optional

from ._arguments import PathLike, options_as_words
from ._call import JsonObject, call
from ._estimate_value import Estimate, estimate_of
from ._messages import ProgressCallback
from ._model_argument import ModelArgument, model_argument
from ._stream import ask, forget_streams


def estimate(model: Any, inputs: Any = None, *, batch: Optional[int] = None, optimizer: Optional[str] = None,
             precision: Optional[str] = None, iterations: Optional[int] = None, rig: Optional[str] = None,
             profile: Optional[str] = None, store: Optional[PathLike] = None, method: Optional[str] = None,
             auto: bool = False, refine: bool = False, check: bool = False,
             progress: Optional[ProgressCallback] = None, **options: Any) -> Estimate:
    """What training this network will cost, without running it.

    ``model`` is a zoo name, the path of a model file, or a torch.nn.Module, which needs ``inputs``: one
    batch as its forward() takes it. The batch size of a module is that of its inputs unless ``batch`` is
    given. All other options are those of ``ampere estimate``, with underscores:
    ``epochs=3, samples=60000, confidence=0.95``. Throws ampere.Error.
    """
    with model_argument(model, inputs) as argument:
        words = options_as_words(dict(
            batch=argument.batch if batch is None else batch, optimizer=optimizer, precision=precision,
            iterations=iterations, rig=rig, profile=profile, store=store, method=method, **options))
        said: List[str] = []
        if auto or refine or check:
            answer = _measured_first(argument, words, auto, refine, check, progress)
        else:
            answer, said = ask(words, json.dumps({"model": argument.word}))
    value = estimate_of(answer, argument.name)
    return replace(value, warnings=[*argument.warnings, *said, *value.warnings])


def _measured_first(argument: ModelArgument, words: List[str], auto: bool, refine: bool, check: bool,
                    progress: Optional[ProgressCallback]) -> JsonObject:
    forget_streams()
    flags = options_as_words(dict(auto=auto, refine=refine, check=check))
    answer = call(["estimate", argument.word, "--json", *flags, *words], progress)
    if answer.status == 3 and answer.objects:  # covered in part; the answer says what is not
        return answer.one()
    return answer.check().one()

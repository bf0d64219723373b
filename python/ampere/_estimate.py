"""``ampere.estimate``."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any, List, Mapping, Optional

from ._arguments import PathLike, arguments_as_words, check_script_arguments, is_script, options_as_words
from ._call import JsonObject, call
from ._estimate_value import Estimate, estimate_of
from ._messages import ProgressCallback
from ._model_argument import ModelArgument, model_argument
from ._stream import ask, forget_streams


def estimate(model: Any, inputs: Any = None, *, batch: Optional[int] = None, optimizer: Optional[str] = None,
             precision: Optional[str] = None, iterations: Optional[int] = None, rig: Optional[str] = None,
             profile: Optional[str] = None, device: Optional[str] = None, store: Optional[PathLike] = None,
             method: Optional[str] = None, auto: bool = False, refine: bool = False, check: bool = False,
             args: Optional[Mapping[str, Any]] = None, progress: Optional[ProgressCallback] = None,
             **options: Any) -> Estimate:
    """What training this network will cost, without running it.

    ``model`` is a zoo name, the path of a model file, or a torch.nn.Module, which needs ``inputs``: one
    batch as its forward() takes it. The batch size of a module is that of its inputs unless ``batch`` is
    given. It may also be one traced iteration: an ampere.Program or the path of a ``.program`` file; or a
    training step of your own, "train.py:build" with ``args`` for it, which is traced first. These need a
    general profile, and have a setup of their own. ``device`` chooses a profile by part of the device's
    name, also among those that come with the program. All other options are those of ``ampere estimate``,
    with underscores: ``epochs=3, samples=60000, confidence=0.95``. Throws ampere.Error.
    """
    check_script_arguments(model, args)
    with model_argument(model, inputs) as argument:
        words = options_as_words(dict(
            batch=argument.batch if batch is None else batch, optimizer=optimizer, precision=precision,
            iterations=iterations, rig=rig, profile=profile, device=device, store=store, method=method, **options))
        said: List[str] = []
        if auto or refine or check or is_script(model):
            answer = _measured_first(argument, [*words, *arguments_as_words(args or {})], auto, refine, check, progress)
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

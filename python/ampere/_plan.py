"""``ampere.plan``."""

from __future__ import annotations

from dataclasses import replace
from typing import Any, Mapping, Optional

from ._arguments import PathLike, arguments_as_words, check_script_arguments, options_as_words
from ._call import call
from ._messages import ProgressCallback
from ._model_argument import model_argument
from ._plan_value import Plan, plan_of


def plan(model: Any, inputs: Any = None, *, epochs: int, samples: int, batch: Optional[int] = None,
         optimizer: Optional[str] = None, precision: Optional[str] = None, validation_samples: Optional[int] = None,
         trials: Optional[int] = None, carbon: Optional[float] = None, price: Optional[float] = None,
         device: Optional[str] = None, profile: Optional[str] = None, store: Optional[PathLike] = None,
         args: Optional[Mapping[str, Any]] = None, progress: Optional[ProgressCallback] = None,
         **options: Any) -> Plan:
    """What a whole training run will cost: ``epochs`` over ``samples``, with everything around the iterations.

    ``model`` is what ``ampere.estimate`` takes; the batch size of a module is that of its inputs unless ``batch`` is
    given. All other options are those of ``ampere plan``, with underscores: ``validate_every="1epoch",
    checkpoint_every="1epoch", data_wait="5ms", trial_share=0.1, carbon_forecast="hours.csv", deadline="3d",
    start="cleanest"``. Nothing is measured, and every stage says what it assumes. Throws ampere.Error: FailedError
    if the run may take longer than the deadline, UnknownError if no profile answers.
    """
    check_script_arguments(model, args)
    with model_argument(model, inputs) as argument:
        words = options_as_words(dict(
            epochs=epochs, samples=samples, batch=argument.batch if batch is None else batch, optimizer=optimizer,
            precision=precision, validation_samples=validation_samples, trials=trials, carbon=carbon, price=price,
            device=device, profile=profile, store=store, **options))
        answer = call(["plan", argument.word, "--json", *words, *arguments_as_words(args or {})], progress)
        value = plan_of(answer.check().one(), argument.name)
    return replace(value, warnings=[*argument.warnings, *value.warnings])

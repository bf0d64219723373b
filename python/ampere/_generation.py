"""``ampere.estimate_generation``: what a language model takes to generate text."""

from __future__ import annotations

import os
import tempfile
from typing import Any, List, Mapping, Optional, Sequence, Union

from ._arguments import PathLike, arguments_as_words, is_script, model_as_word, options_as_words
from ._call import JsonObject, call
from ._generation_value import Generation, generation_of
from ._messages import ProgressCallback
from ._model_argument import is_module
from ._program_value import Program
from ._trace import traced
from .errors import UsageError, error_of
from .generator import Generator


def estimate_generation(model: Any, *, prompt: int = 512, new_tokens: int = 256,
                        batch: Union[int, Sequence[int]] = 8, contexts: Optional[Sequence[int]] = None,
                        precision: Optional[str] = None, latency_limit: Optional[str] = None,
                        first_token_limit: Optional[str] = None, memory: Optional[str] = None,
                        device: Optional[str] = None, profile: Optional[str] = None, store: Optional[PathLike] = None,
                        rig: Optional[str] = None, refine: bool = False, args: Optional[Mapping[str, Any]] = None,
                        way: Optional[str] = None, progress: Optional[ProgressCallback] = None,
                        **options: Any) -> Generation:
    """Joules per token, time to the first token and between tokens, without running the model.

    ``model`` is a module that is called as those of transformers are, ``model(input_ids, past_key_values=…,
    use_cache=True)``, or one with the methods ``prefill(tokens)`` and ``decode(token, cache)``, which return
    ``(logits, cache)``; a function that builds one, or an ampere.Generator, with ``args`` for it; "gpt.py:build"; or a
    list of traced calls (ampere.Program, or paths of ``.program`` files). A module stays as it is.

    ``batch`` may be a list: then the cheapest one that keeps the limits is named. ``latency_limit="30ms"`` is the
    longest time between two tokens. ``precision`` converts a copy of the model to "fp32", "bf16" or "fp16"; by default
    it stays in its own. ``way`` is "fake" or "run", as in ampere.trace, where the model is traced in this process.
    ``refine=True`` first times the dearest operations on the device, which must be at hand, and runs small calls of a
    script's model there to see how fast its host is; of any other ``model`` only operations are timed. All other
    options are those of ``ampere estimate``, with underscores. Needs a general profile. Throws ampere.Error.
    """
    asked = dict(prompt=prompt, new_tokens=new_tokens, batches=_list("batch", batch))
    limits = dict(latency_limit=latency_limit, first_token_limit=first_token_limit, memory=memory)
    chosen = dict(device=device, profile=profile, store=store, rig=rig, refine=refine, **options)
    if is_script(model):
        if way is not None:
            raise UsageError("way: a script is traced by the program; leave it out")
        words = [os.fspath(model), *arguments_as_words(args or {})]
        answer = _ask(words, dict(contexts=_list("contexts", contexts), precision=precision, **asked, **limits, **chosen),
                      progress)
        return generation_of(answer, [])
    if isinstance(model, (list, tuple)):
        _refuse("traced calls", args=args, contexts=contexts, precision=precision, way=way)
        if not all(isinstance(one, Program) or str(one).endswith(".program") for one in model):
            raise UsageError("a list holds the traced calls of one model",
                             "give ampere.Program values or paths of .program files")
        asked.pop("batches")  # the programs have theirs
        return _of_programs(list(model), dict(**asked, **limits, **chosen), progress)
    if isinstance(model, Generator):
        raise UsageError("a Generator was built with real tensors", "give the function that builds it")
    if not is_module(model) and not callable(model):
        raise UsageError(f"{model!r} is no language model", "give a module, a function that builds one, or 'gpt.py:build'")
    if is_module(model):
        _refuse("a module", args=args)
    calls = _ask([], dict(calls=True, contexts=_list("contexts", contexts), **asked))["calls"]
    return _of_programs(_traced_calls(model, args or {}, calls, precision, way), dict(**asked, **limits, **chosen),
                        progress)


def _ask(words: Sequence[str], options: Mapping[str, Any], progress: Optional[ProgressCallback] = None) -> JsonObject:
    return call(["estimate", *words, "--mode=generation", "--json", *options_as_words(options)], progress).check().one()


def _of_programs(programs: Sequence[Any], options: Mapping[str, Any], progress: Optional[ProgressCallback]) -> Generation:
    if not programs:
        raise UsageError("the list of traced calls is empty")
    notes: List[str] = []
    with tempfile.TemporaryDirectory(prefix="ampere-") as folder:
        words = []
        for i, one in enumerate(programs):
            if isinstance(one, Program):
                words.append(os.path.join(folder, f"{i}.program"))
                one.save(words[-1])
                notes += [note for note in one.notes if note not in notes]
            else:
                words.append(model_as_word(one))
        answer = _ask(words, options, progress)
    return generation_of(answer, notes)


def _traced_calls(model: Any, args: Mapping[str, Any], calls: Sequence[JsonObject], precision: Optional[str],
                  way: Optional[str]) -> List[Program]:
    from .worker.failure import Failure
    from .worker.fields import Fields
    from .worker.place import choose_place
    from .worker.torch_import import import_torch
    try:
        local = choose_place(import_torch(), "local")
        from .tracing.generation import read_call
        from .tracing.generation_objects import function_call, module_call
        from .tracing.objects import place_of
        programs = []
        for one in calls:
            asked = read_call(Fields(one, "generation"), precision)
            if is_module(model):
                place = place_of(model)
                subject = module_call(model, asked, place)
            else:
                place, subject = local, function_call(model, args, asked, local)
            programs.append(traced(place, way, subject))
        return programs
    except Failure as failure:
        raise error_of(failure.code, failure.message) from None


def _refuse(what: str, **options: Any) -> None:
    given = [name for name, value in options.items() if value is not None]
    if given:
        raise UsageError(f"{what}: takes no {', '.join(given)}")


def _list(name: str, numbers: Union[None, int, Sequence[int]]) -> Optional[str]:
    if numbers is None:
        return None
    several = [numbers] if isinstance(numbers, int) else list(numbers)
    if not several:
        raise UsageError(f"{name}: the list is empty")
    return ",".join(str(one) for one in several)

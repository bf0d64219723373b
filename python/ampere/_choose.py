"""``ampere.choose``."""

from __future__ import annotations

from contextlib import ExitStack
from dataclasses import replace
from itertools import count
from typing import Any, Dict, List, Mapping, Optional, Sequence, TypeVar, Union

from ._arguments import PathLike, arguments_as_words, check_script_arguments, options_as_words
from ._call import JsonObject, call
from ._choice_value import Choice, choice_of
from ._messages import ProgressCallback
from ._model_argument import ModelArgument, model_argument
from ._program_value import Program
from ._stream import forget_streams
from .errors import Error, UsageError

Value = TypeVar("Value", int, str, bool)
OneOrMore = Union[Value, Sequence[Value]]


def choose(model: Any, inputs: Any = None, *, batch: Optional[OneOrMore[int]] = None,
           precision: Optional[OneOrMore[str]] = None, optimizer: Optional[OneOrMore[str]] = None,
           accumulate: Optional[OneOrMore[int]] = None, fused: Optional[OneOrMore[bool]] = None,
           compile: Optional[OneOrMore[bool]] = None, compiled: Optional[OneOrMore[bool]] = None,
           programs: Sequence[Union[Program, PathLike]] = (), channels_last: Optional[OneOrMore[bool]] = None,
           samples: Optional[int] = None, objective: Optional[str] = None, memory: Optional[str] = None,
           device: Optional[str] = None, profile: Optional[str] = None, store: Optional[PathLike] = None,
           rig: Optional[str] = None, check: Optional[int] = None, args: Optional[Mapping[str, Any]] = None,
           progress: Optional[ProgressCallback] = None, **options: Any) -> Choice:
    """Which way to train on the same samples costs least: every combination of the lists is estimated.

    ``model`` is what ``ampere.estimate`` takes: a zoo name, the path of a model file, a torch.nn.Module with
    ``inputs``, or "train.py:build", whose function gets ``batch``, ``precision`` … as arguments besides ``args``.
    It may also be a list of traced iterations (ampere.Program, or paths of ``.program`` files), which are compared
    per sample, under their names; equal names are numbered. ``programs`` stand beside a model: a traced iteration of
    the compiled network answers for ``compiled=[False, True]`` where a general profile cannot. A script gets the
    values of ``compile`` or ``compiled`` under that name. ``memory="24GB"`` is that of the device. ``check=3`` measures
    the three most promising ones. All other options are those of ``ampere choose``, with underscores:
    ``budget="5kWh", deadline="12h", effective_batch=256, profiles="all"``. Throws ampere.Error:
    FailedError if nothing keeps every limit.
    """
    check_script_arguments(model, args)
    with ExitStack() as stack:
        arguments = [*_arguments(model, inputs, stack), *_programs(programs, stack)]
        words = options_as_words(dict(
            batch=_list("batch", batch), precision=_list("precision", precision),
            optimizer=_list("optimizer", optimizer),
            accumulate=_list("accumulate", accumulate), fused=_list("fused", fused), compile=_list("compile", compile),
            compiled=_list("compiled", compiled),
            channels_last=_list("channels_last", channels_last), samples=samples, objective=objective, memory=memory,
            device=device, profile=profile, store=store, rig=rig, check=check, **options))
        if check is not None:
            forget_streams()
        asked = ["choose", *(one.word for one in arguments), "--json", *words, *arguments_as_words(args or {})]
        answer = _ask(asked, _own_names(arguments), progress)
    value = choice_of(answer, arguments[0].name if len(arguments) == 1 + len(programs) else None)
    said = [text for one in arguments for text in one.warnings]
    return replace(value, warnings=[*said, *value.warnings])


def _ask(words: List[str], names: Mapping[str, str], progress: Optional[ProgressCallback]) -> JsonObject:
    try:
        answer: JsonObject = _renamed(call(words, progress).check().one(), names)
    except Error as error:
        raise type(error)(_renamed(error.message, names), _renamed(error.remedy, names)) from None
    return answer


def _own_names(arguments: Sequence[ModelArgument]) -> Dict[str, str]:
    """The name of each network that is in a temporary file, by the path of the file. Equal names are numbered."""
    names = [one.word if one.name is None else one.name for one in arguments]
    taken, own = set(names), {}
    for one, name in zip(arguments, names):
        if one.name is None:
            continue
        if names.count(name) > 1:
            name = next(text for text in (f"{name} ({i})" for i in count(1)) if text not in taken)
            taken.add(name)
        own[one.word] = name
    return own


def _renamed(value: Any, names: Mapping[str, str]) -> Any:
    """The same JSON with these names in place of the paths in its texts."""
    if isinstance(value, str):
        for path, name in names.items():
            value = value.replace(path, name)
        return value
    if isinstance(value, list):
        return [_renamed(one, names) for one in value]
    if isinstance(value, dict):
        return {key: _renamed(one, names) for key, one in value.items()}
    return value


def _arguments(model: Any, inputs: Any, stack: ExitStack) -> List[ModelArgument]:
    if not isinstance(model, (list, tuple)):
        return [stack.enter_context(model_argument(model, inputs))]
    if not model:
        raise UsageError("the list of programs is empty: there is nothing to choose from")
    return _programs(model, stack)


def _programs(programs: Sequence[Any], stack: ExitStack) -> List[ModelArgument]:
    if not all(isinstance(one, Program) or str(one).endswith(".program") for one in programs):
        raise UsageError("a list to choose from holds traced iterations only",
                         "give ampere.Program values or paths of .program files")
    return [stack.enter_context(model_argument(one)) for one in programs]


def _list(name: str, values: Optional[OneOrMore[Value]]) -> Optional[str]:
    if values is None:
        return None
    several = [values] if isinstance(values, (int, str)) else list(values)
    if not several:
        raise UsageError(f"{name}: the list is empty: there is nothing to choose from")
    return ",".join(("yes" if one else "no") if isinstance(one, bool) else str(one) for one in several)

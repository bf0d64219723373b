"""Python values as options of the command line."""

from __future__ import annotations

import json
import os
from typing import Any, List, Mapping, Union

from .errors import UsageError

Options = Mapping[str, Any]
PathLike = Union[str, "os.PathLike[str]"]


def options_as_words(options: Options) -> List[str]:
    """``measure_error=0.02`` becomes ``--measure-error=0.02``; None and False are left out.

    True becomes the bare option, and a list or tuple repeats it. The program checks the values.
    """
    words: List[str] = []
    for name, value in options.items():
        option = "--" + name.replace("_", "-")
        for one in value if isinstance(value, (list, tuple)) else [value]:
            if one is None or one is False:
                continue
            words.append(option if one is True else f"{option}={_text(name, one)}")
    return words


def arguments_as_words(arguments: Mapping[str, Any]) -> List[str]:
    """``{"batch": 128}`` becomes ``--arg batch=128``. Values arrive as they are: numbers, texts, lists, None."""
    words: List[str] = []
    for name, value in arguments.items():
        words += ["--arg", f"{name}={_json(name, value)}"]
    return words


def _json(name: str, value: Any) -> str:
    try:
        return json.dumps(value)
    except (TypeError, ValueError) as error:
        raise UsageError(f"args: {name}={value!r} cannot be given to another process: {error}") from error


def model_as_word(model: PathLike) -> str:
    """A zoo name or a path as one word of a command line."""
    text = os.fspath(model)
    if not isinstance(text, str):
        raise UsageError(f"{model!r} is not the name of a network")
    if not text.strip():
        raise UsageError("the name of the network is empty", "ampere.models() lists those of the zoo")
    if text.startswith("-"):
        raise UsageError(f"{text!r} is not the name of a network: it begins with a dash")
    return text


def is_script(model: Any) -> bool:
    """Whether it names a function of a file, as in "train.py:build"."""
    return isinstance(model, (str, os.PathLike)) and os.fspath(model).rpartition(":")[0].endswith(".py")


def check_script_arguments(model: Any, arguments: Any) -> None:
    """Throws UsageError if there are arguments for a model that is not a script."""
    if arguments is not None and not is_script(model):
        raise UsageError("args are for a training step of your own, as in 'train.py:build'")


def _text(name: str, value: Any) -> str:
    text = str(value)
    if "\0" in text or "\n" in text:
        raise UsageError(f"{name}: {text!r} has a line break or a zero byte")
    return text

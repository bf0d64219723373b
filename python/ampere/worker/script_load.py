"""Executing the user's file and finding the function in it."""

from __future__ import annotations

import difflib
import inspect
import os
import sys
import types
from contextlib import contextmanager
from typing import Any, Callable, Iterator

from .failure import Failure, failed, usage
from .guard import guarded, is_out_of_memory, out_of_memory_text
from .user_traceback import user_traceback

INSTALLED = {"site-packages", "dist-packages"}  # folders of libraries, wherever they are


class Script:
    """A Python file that is being used. Until closed, its folder is importable."""

    def __init__(self, path: str) -> None:
        if not os.path.isfile(path):
            what = "is a folder" if os.path.isdir(path) else "there is no such file"
            raise usage(f"{path}: {what}")
        self.path = os.path.abspath(path)
        self.folder = os.path.dirname(self.path)
        self.label = os.path.basename(path)
        self._module = types.ModuleType(self._module_name())
        self._module.__file__ = self.path
        self._before = set(sys.modules)
        self._open()

    @property
    def stem(self) -> str:
        return os.path.splitext(self.label)[0]

    @contextmanager
    def arguments(self) -> Iterator[None]:
        """Inside, the file sees itself as a program that was started without options."""
        before, sys.argv = sys.argv, [self.path]
        try:
            yield
        finally:
            sys.argv = before

    def execute(self) -> None:
        """Runs the file. It is read anew every time, so that changes count."""

        def work() -> None:
            with open(self.path, "rb") as file:
                code = compile(file.read(), self.path, "exec")
            exec(code, self._module.__dict__)

        guarded(self.explain("cannot be loaded"), work)

    def function(self, name: str) -> Callable[..., Any]:
        value = getattr(self._module, name, None)
        if callable(value):
            function: Callable[..., Any] = value
            return function
        if value is not None:
            raise usage(f"{self.label}: '{name}' is no function, but {type(value).__name__}")
        raise usage(f"{self.label}: there is no function '{name}'{self._functions_there(name)}")

    def explain(self, what: str) -> Callable[[BaseException], Failure]:
        """Turns what the user's code raises into a Failure with a traceback."""

        def explained(error: BaseException) -> Failure:
            if is_out_of_memory(error):
                return failed(f"{self.label}: {out_of_memory_text(error)}")
            if isinstance(error, SystemExit):
                what_is_called = f"calls sys.exit({error.code!r})"
                return failed(f"{self.label}: {what}: it {what_is_called}\n{self._trace(error)}")
            return failed(f"{self.label}: {what}\n{self._trace(error)}")

        return explained

    def close(self) -> None:
        """Undoes what opening did to the process."""
        if self.folder in sys.path:
            sys.path.remove(self.folder)
        if sys.modules.get(self._module.__name__) is self._module:
            del sys.modules[self._module.__name__]
        self._forget_imports()
        self._module.__dict__.clear()  # tensors of the file itself go with it

    def _forget_imports(self) -> None:
        """Files beside this one: another revision of it has its own under the same names."""
        for name in set(sys.modules) - self._before:
            file = getattr(sys.modules[name], "__file__", None) or ""
            own = os.path.abspath(file).startswith(self.folder + os.sep)
            if own and not INSTALLED.intersection(file.split(os.sep)):
                del sys.modules[name]

    def _trace(self, error: BaseException) -> str:
        return user_traceback(error, self.folder)

    def _open(self) -> None:
        sys.path.insert(0, self.folder)
        # Objects of classes in the file can only be pickled, as data loaders do, if it is known.
        sys.modules[self._module.__name__] = self._module

    def _module_name(self) -> str:
        """Not __main__, so that what the file does when it is run itself does not happen."""
        return self.stem if self.stem not in sys.modules else f"ampere_script_{self.stem}"

    def _functions_there(self, name: str) -> str:
        own = self._module.__name__
        there = [
            key
            for key, value in vars(self._module).items()
            if inspect.isfunction(value) and value.__module__ == own and not key.startswith("_")
        ]
        if not there:
            return ": the file defines no functions"
        close = difflib.get_close_matches(name, there, n=1)
        return f": did you mean '{close[0]}'?" if close else f": there are {', '.join(there)}"

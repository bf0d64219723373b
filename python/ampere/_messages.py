"""What the program writes to standard error: progress, warnings and errors."""

from __future__ import annotations

import re
import warnings
from typing import Callable, List, Optional

ProgressCallback = Callable[[str], object]

_BETWEEN_LINES = re.compile("\r\x1b\\[K|\r?\n")
_HELP_HINT = "Run with --help for more information."


class AmpereWarning(UserWarning):
    """Something that the program warns of, such as joules that are modelled and not measured."""


class Messages:
    """Sorts the text of standard error as it arrives. Progress goes to a callback at once."""

    def __init__(self, progress: Optional[ProgressCallback] = None) -> None:
        self.warnings: List[str] = []
        self.errors: List[str] = []
        self.others: List[str] = []  # of libraries, or progress that nobody asked for
        self._progress = progress
        self._unfinished = ""
        self._last_progress = ""

    def add(self, text: str) -> None:
        """More text. A line is sorted when the next one begins."""
        lines = _BETWEEN_LINES.split(self._unfinished + text)
        self._unfinished = lines.pop()
        for line in lines:
            self._sort(line)

    def finish(self) -> None:
        self._sort(self._unfinished)
        self._unfinished = ""

    def error_text(self) -> str:
        """The error message; without one, the last lines that were written."""
        return "\n".join(self.errors or self.others[-5:])

    def warn(self) -> None:
        """Issues the warnings as warnings of Python, in the name of whoever called the package."""
        for text in self.warnings:
            warnings.warn(text, AmpereWarning, stacklevel=4)

    def _sort(self, line: str) -> None:
        line = line.rstrip()
        if not line or line == _HELP_HINT:
            return
        if line.startswith("ampere: warning: "):
            self.warnings.append(line[len("ampere: warning: "):])
        elif line.startswith("ampere: "):
            self.errors.append(line[len("ampere: "):])
        elif self.errors:  # a message of several lines
            self.errors.append(line)
        elif self._progress is not None:
            if line != self._last_progress:
                self._last_progress = line
                self._progress(line)
        else:
            self.others.append(line)

"""Errors of ampere as Python exceptions.

Each code of the program's exit statuses has a class, so that ``except ampere.UnknownError`` catches
"nothing is known about this" and nothing else. ``ampere.Error`` catches all of them.
"""

from __future__ import annotations

import re
from typing import Dict, Optional, Tuple, Type


class Error(RuntimeError):
    """What was asked for could not be done.

    ``code`` is a name from the table of exit statuses, ``message`` says what is wrong, and ``remedy``
    says what to do about it (None if nothing is known to help).
    """

    code = "failed"

    def __init__(self, message: str, remedy: Optional[str] = None) -> None:
        super().__init__(f"{message} ({remedy})" if remedy else message)
        self.message = message
        self.remedy = remedy


class FailedError(Error):
    """It failed while running."""


class UsageError(Error, ValueError):
    """Wrong arguments or unreadable input."""

    code = "usage"


class UnknownError(Error, LookupError):
    """Nothing is known: no profile, no such device or model."""

    code = "unknown"


class PermissionDeniedError(Error):
    """No permission."""

    code = "permission"


class NoMeterError(Error):
    """No energy meter."""

    code = "no_meter"


class InterruptedRunError(Error):
    """Someone else stopped the program; what it measured so far is kept."""

    code = "interrupted"


class ProgramError(FailedError):
    """The ampere program is missing, is of another version, died, or answered nonsense."""


class ExportError(UsageError):
    """A module could not be turned into ONNX."""


_STATUS_CODES: Dict[int, str] = {
    1: "failed",
    2: "usage",
    3: "unknown",
    4: "permission",
    5: "no_meter",
    130: "interrupted",
}

_CLASSES: Dict[str, Type[Error]] = {
    "failed": FailedError,
    "usage": UsageError,
    "unknown": UnknownError,
    "permission": PermissionDeniedError,
    "no_meter": NoMeterError,
    "interrupted": InterruptedRunError,
}

# The program puts its remedy into parentheses at the end, or after a semicolon.
_IN_PARENTHESES = re.compile(r"^(.*\S) \((`ampere .*|--[a-z].*|it follows --)\)$", re.DOTALL)
_AFTER_SEMICOLON = re.compile(r"^(.*\S); ((?:did you mean|run `ampere|see ampere) ?.*)$", re.DOTALL)


def split_remedy(text: str) -> Tuple[str, Optional[str]]:
    """A message of the program as (what is wrong, what helps)."""
    for pattern in (_IN_PARENTHESES, _AFTER_SEMICOLON):
        found = pattern.match(text)
        if found:
            return found.group(1), found.group(2)
    return text, None


def error_of(code: str, text: str) -> Error:
    """The exception for a code and a message of the program."""
    message, remedy = split_remedy(text.strip())
    return _CLASSES.get(code, FailedError)(message, remedy)


def error_of_status(status: int, text: str) -> Error:
    """The exception for an exit status; a negative status is a signal that ended the program."""
    if status < 0:
        return ProgramError(f"signal {-status} ended the ampere program: {text.strip() or 'it said nothing'}")
    code = _STATUS_CODES.get(status)
    if code is None:
        return ProgramError(f"the ampere program ended with status {status}: {text.strip() or 'it said nothing'}")
    return error_of(code, text or f"the ampere program ended with status {status} and said nothing")

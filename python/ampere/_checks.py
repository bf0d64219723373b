"""What a script may have got wrong when it describes itself."""

from __future__ import annotations

from typing import Optional


def check_whole(name: str, value: Optional[int], least: int) -> None:
    """None, or a whole number from ``least`` on; True and False do not count as numbers."""
    if value is None:
        return
    if isinstance(value, bool) or not isinstance(value, int):
        raise TypeError(f"{name} must be a whole number, not {value!r}")
    if value < least:
        raise ValueError(f"{name} must be {least} or more, not {value}")


def check_text(name: str, value: Optional[str]) -> None:
    if value is not None and not isinstance(value, str):
        raise TypeError(f"{name} must be a text, not {value!r}")

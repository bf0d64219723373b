"""The two pipes of the protocol, moved out of reach of everything that prints or reads."""

from __future__ import annotations

import json
import os
import sys
from typing import Any, BinaryIO, Optional

from .failure import usage

LONGEST_LINE = 64 * 1024 * 1024


def take_streams() -> tuple[BinaryIO, BinaryIO]:
    """Requests and answers. Afterwards stdin is empty, and what is printed goes to stderr."""
    requests, answers = os.fdopen(os.dup(0), "rb"), os.fdopen(os.dup(1), "wb")
    nothing = os.open(os.devnull, os.O_RDONLY)
    os.dup2(nothing, 0)
    os.close(nothing)
    sys.stdout.flush()
    os.dup2(2, 1)
    return requests, answers


def read_line(requests: BinaryIO, longest: int = LONGEST_LINE) -> Optional[bytes]:
    """The next line; None at the end. A line that is too long is skipped and refused."""
    line = requests.readline(longest + 1)
    if not line:
        return None
    if len(line) <= longest or line.endswith(b"\n"):
        return line
    while line and not line.endswith(b"\n"):
        line = requests.readline(1024 * 1024)
    raise usage(f"the request is longer than {longest} bytes")


def write_line(answers: BinaryIO, message: dict[str, Any]) -> None:
    # Numbers that are not finite are no JSON, and answers contain none.
    answers.write(json.dumps(message, allow_nan=False, separators=(",", ":")).encode() + b"\n")
    answers.flush()

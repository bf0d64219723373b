"""Why a step could not be traced: the operation, and the line of the user's code."""

from __future__ import annotations

import os
import re
import traceback
from typing import Optional

from ..worker.guard import short_text
from ..worker.user_traceback import is_users

_OPERATION = re.compile(r"\b(?:aten|torchvision|prims)(?:\.|::)(\w+)")
_REASONS = {
    "DataDependentOutputException": "its result depends on the numbers in the tensors",
    "DynamicOutputShapeException": "the size of its result depends on the numbers in the tensors",
    "GuardOnDataDependentSymNode": "the code depends on the numbers in the tensors",
    "UnsupportedFakeTensorException": "PyTorch has no fake version of it",
    "UnsupportedOperatorException": "PyTorch has no fake version of it",
}


def why_not_fake(error: BaseException, folder: Optional[str]) -> str:
    """One sentence without a full stop."""
    kind = type(error).__name__
    found = _OPERATION.search(str(error))
    reason = _REASONS.get(kind)
    if reason is None:
        what = f"{kind}: {short_text(error)}"
    elif found is not None:
        what = f"the operation '{found[1]}' needs real tensors: {reason}"
    else:
        what = f"{reason} ({short_text(error)})"
    line = users_line(error, folder)
    return f"{what} ({line})" if line else what


def users_line(error: BaseException, folder: Optional[str]) -> Optional[str]:
    """`train.py, line 12: loss.item()` of the innermost frame of the user's code."""
    frames = [
        frame
        for frame in traceback.extract_tb(error.__traceback__)
        if is_users(frame.filename, folder or os.sep)
    ]
    if not frames:
        return None
    last = frames[-1]
    where = f"{os.path.basename(last.filename)}, line {last.lineno}"
    return f"{where}: {last.line}" if last.line else where

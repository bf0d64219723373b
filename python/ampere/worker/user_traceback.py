"""Tracebacks that show the user's own lines, not those of libraries or of the worker."""

from __future__ import annotations

import os
import sysconfig
import traceback
from typing import Optional

_HERE = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))  # the whole package


def user_traceback(error: BaseException, folder: str) -> str:
    """The exception as Python prints it, with frames of user code only.

    Code in `folder` is the user's, wherever the folder is.
    """
    whole = traceback.TracebackException.from_exception(error)
    seen: set[int] = set()
    _keep_user_frames(whole, folder, seen)
    return "".join(whole.format()).strip()


def _keep_user_frames(
    part: Optional[traceback.TracebackException], folder: str, seen: set[int]
) -> None:
    if part is None or id(part) in seen:
        return
    seen.add(id(part))
    kept = [frame for frame in part.stack if is_users(frame.filename, folder)]
    part.stack = traceback.StackSummary.from_list(kept)
    _keep_user_frames(part.__cause__, folder, seen)
    _keep_user_frames(part.__context__, folder, seen)


def is_users(path: str, folder: str) -> bool:
    """Whether the file is the user's own."""
    if path.startswith("<"):
        return False
    path = os.path.abspath(path)
    if path.startswith(_HERE + os.sep):
        return False
    libraries = {sysconfig.get_path(name) for name in ("stdlib", "platstdlib")}
    in_library = any(path.startswith(each + os.sep) for each in libraries if each)
    if in_library or "site-packages" in path or "dist-packages" in path:
        return path.startswith(folder + os.sep)
    return True

"""Finds the ampere program and checks that it is the one this package was written for."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Dict, List, Tuple

from ._version import VERSION
from .errors import ProgramError

VARIABLE = "AMPERE_PROGRAM"
_checked: Dict[Tuple[str, int, int], None] = {}  # programs of the right version: path, time and size


def program() -> str:
    """The path of the ampere program. Throws ProgramError if there is none or it is another version."""
    path = _find()
    _check_version(path)
    return path


def environment() -> Dict[str, str]:
    """What the program sees as its environment.

    It trains with this interpreter and this package unless another interpreter is given. It warns of
    AMPERE_ variables that are no settings.
    """
    variables = {name: value for name, value in os.environ.items() if name != VARIABLE}
    if sys.executable:
        variables.setdefault("AMPERE_PYTHON", sys.executable)
    folder = Path(__file__).resolve().parent.parent
    if folder.name not in ("site-packages", "dist-packages"):  # libraries there are not for other interpreters
        others = variables.get("PYTHONPATH")
        variables["PYTHONPATH"] = f"{folder}{os.pathsep}{others}" if others else str(folder)
    return variables


def _find() -> str:
    given = os.environ.get(VARIABLE)
    if given:
        if not _is_program(Path(given)):
            raise ProgramError(f"{VARIABLE}={given}: this is not a program that can be started",
                               f"set {VARIABLE} to the path of the ampere program, or unset it")
        return given
    for candidate in _places():
        if _is_program(candidate):
            return str(candidate)
    found = shutil.which("ampere")
    if found:
        return found
    raise ProgramError("the ampere program was not found",
                       f"build it with `make build`, put it into PATH, or set {VARIABLE} to its path")


def _places() -> List[Path]:
    """In the wheel, and in the build folder when the package is used from the source tree."""
    package = Path(__file__).resolve().parent
    places = [package / "bin" / "ampere"]
    root = package.parent.parent
    if (root / "python" / "ampere").is_dir() and (root / "CMakeLists.txt").is_file():
        places.append(root / "build" / "bin" / "ampere")
    return places


def _is_program(path: Path) -> bool:
    return path.is_file() and os.access(path, os.X_OK)


def _check_version(path: str) -> None:
    status = os.stat(path)
    key = (path, status.st_mtime_ns, status.st_size)
    if key in _checked:
        return
    try:
        answer = subprocess.run([path, "--version"], stdin=subprocess.DEVNULL, capture_output=True, timeout=60,
                                text=True, errors="replace", env=environment(), check=False)
    except (OSError, subprocess.TimeoutExpired) as error:
        raise ProgramError(f"{path} cannot be started: {error}") from error
    words = answer.stdout.split()
    if answer.returncode != 0 or len(words) != 2 or words[0] != "ampere":
        said = (answer.stdout + answer.stderr).strip()[:200]
        raise ProgramError(f"{path} is not the ampere program: to --version it answered {said!r}",
                           f"set {VARIABLE} to the path of the ampere program")
    if words[1] != VERSION:
        raise ProgramError(f"{path} is ampere {words[1]}, but this package is for ampere {VERSION}",
                           "install the package and the program from the same version")
    _checked[key] = None

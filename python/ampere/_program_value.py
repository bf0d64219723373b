"""One training iteration, operation by operation, as a value."""

from __future__ import annotations

import gzip
import json
import os
import tempfile
from dataclasses import dataclass, field
from typing import Any, Dict, List, Optional

from ._arguments import PathLike
from .errors import FailedError

_PHASES = ("forward", "loss", "backward", "update")


@dataclass(frozen=True)
class Program:
    """What ``ampere.trace`` returns. ``save`` writes the file that ``ampere estimate`` reads."""

    raw: Dict[str, Any] = field(repr=False)  # as docs/program-format.md describes it
    notes: List[str] = field(default_factory=list)  # sentences for people

    @property
    def name(self) -> str:
        return str(self.raw["name"])

    @property
    def way(self) -> str:
        """``fake``: nothing was computed; ``run``: the iteration ran."""
        return str(self.raw["origin"]["way"])

    @property
    def device(self) -> str:
        return str(self.raw["origin"]["device"])

    @property
    def samples(self) -> Optional[int]:
        value = self.raw.get("samples")
        return None if value is None else int(value)

    @property
    def parameters(self) -> int:
        return int(self.raw["parameters"])

    @property
    def operations(self) -> List[str]:
        """The name of every operation that gives the device work, in order."""
        rows = self.raw["operations"]
        return [str(rows[step[0]]["name"]) for step in self.raw["steps"] if rows[step[0]].get("launches", True)]

    def to_dict(self) -> Dict[str, Any]:
        """A copy that is the caller's own."""
        copied: Dict[str, Any] = json.loads(json.dumps(self.raw))
        return copied

    def save(self, path: PathLike) -> None:
        """Writes gzip-compressed JSON. Other programs never see half a file. Throws FailedError."""
        text = json.dumps(self.raw, allow_nan=False, separators=(",", ":")).encode()
        target = os.fspath(path)
        temporary = ""
        try:
            number, temporary = tempfile.mkstemp(prefix=".ampere-", dir=os.path.dirname(target) or ".")
            os.fchmod(number, 0o644)
            with os.fdopen(number, "wb") as file:
                file.write(gzip.compress(text, mtime=0))
            os.replace(temporary, target)
        except OSError as error:
            if temporary and os.path.exists(temporary):
                os.unlink(temporary)
            raise FailedError(f"{target}: {error.strerror or error}") from error

    def __repr__(self) -> str:
        return f"<ampere.Program {self.name}: {len(self.operations)} operations on {self.device}, {self.way}>"

    def __str__(self) -> str:
        rows = self.raw["operations"]
        counts = [0] * len(_PHASES)
        for operation, phase, _ in self.raw["steps"]:
            counts[phase] += bool(rows[operation].get("launches", True))
        phases = ", ".join(f"{name} {count}" for name, count in zip(_PHASES, counts))
        samples = "" if self.samples is None else f", {self.samples} samples"
        lines = [f"{self.name}: {sum(counts)} operations on {self.device} ({phases})",
                 f"{len(self.operations_that_differ())} of them differ, {self.parameters} parameters{samples}"]
        return "\n".join(lines + [f"note: {note}" for note in self.notes])

    def operations_that_differ(self) -> List[str]:
        """Names of the operations with work, once for each combination of shapes and options."""
        return [str(row["name"]) for row in self.raw["operations"] if row.get("launches", True)]

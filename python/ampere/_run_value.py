"""What training really cost."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import List, Optional

from ._call import JsonObject
from ._quantities import duration, with_unit
from .errors import ProgramError


@dataclass(frozen=True)
class Run:
    """Energy and time of the iterations that were measured. Energy that is not known is None."""

    model: str
    batch: Optional[int]
    device: str
    source: str
    iterations: int
    energy_j: Optional[float]
    time_s: float
    energy_j_per_iteration: Optional[float]
    time_s_per_iteration: float
    energy_error_j: Optional[float]  # standard error of the energy per iteration
    time_error_s: Optional[float]
    notes: List[str]
    raw: JsonObject = field(repr=False, compare=False)
    without_data: Optional["Run"] = None  # of a job with a data loader: the same with one batch again and again

    def __str__(self) -> str:
        lines = [f"{self.model}: {self.iterations} iterations on {self.device} ({self.source})",
                 f"energy  {with_unit(self.energy_j, 'J')}   {with_unit(self.energy_j_per_iteration, 'J')} per iteration",
                 f"time    {duration(self.time_s)}   {with_unit(self.time_s_per_iteration, 's')} per iteration"]
        if self.without_data is not None:
            other = self.without_data
            lines.append(f"without the data loader: {with_unit(other.energy_j_per_iteration, 'J')}, "
                         f"{with_unit(other.time_s_per_iteration, 's')} per iteration")
        return "\n".join(lines + [f"note: {note}" for note in self.notes])


def run_of(answer: JsonObject, name: Optional[str] = None) -> Run:
    """The program's answer as a value. Throws ProgramError if a key is missing."""
    try:
        measured = answer["measurement"]
        energy, time = measured["energy_j_per_iteration"], measured["time_s_per_iteration"]
        total, other = answer["energy_j"], answer.get("without_data")
        return Run(
            model=str(answer["model"]) if name is None else name,
            batch=None if answer.get("batch") is None else int(answer["batch"]),
            device=str(answer["device"]["name"]),
            source=str(measured["source"]),
            iterations=int(answer["iterations"]),
            energy_j=None if total is None else float(total),
            time_s=float(answer["time_s"]),
            energy_j_per_iteration=None if energy is None else float(energy["mean"]),
            time_s_per_iteration=float(time["mean"]),
            energy_error_j=None if energy is None else _error(energy),
            time_error_s=_error(time),
            notes=[str(note) for note in measured.get("notes", [])],
            raw=answer,
            without_data=None if other is None else run_of({**answer, "without_data": None, **other}, name))
    except (KeyError, TypeError, ValueError) as error:
        raise ProgramError(f"the answer of the ampere program cannot be read: {error!r}") from error


def _error(json: JsonObject) -> Optional[float]:
    value = json.get("standard_error")
    return None if value is None else float(value)

"""The answer to "which way to train": a value that can be printed."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import List, Optional

from ._call import JsonObject
from ._estimate_value import Interval, optional_interval
from ._quantities import duration, with_unit
from .errors import ProgramError


@dataclass(frozen=True)
class Alternative:
    """One way to train, and what it costs for all samples. ``reason`` says why there is no estimate."""

    name: str
    samples_per_iteration: Optional[int]
    energy_j: Optional[float]
    time_s: Optional[float]
    interval: Optional[Interval]  # of the energy
    time_interval: Optional[Interval]
    peak_memory_bytes: Optional[int]  # predicted, of the tensors
    fits: Optional[bool]  # into the memory; None: no memory was given, or nobody can say for sure
    front: bool  # no other is better in both energy and time
    rank: Optional[int]  # by the objective, among those that keep every limit
    device: Optional[str]
    source: Optional[str]  # "measured", "modelled" or "simulated"
    reason: Optional[str]
    compiled: Optional[bool] = None  # by the framework's compiler; None: nobody can tell
    remedy: Optional[str] = None  # what would make an estimate possible


@dataclass(frozen=True)
class Choice:
    """All alternatives, and the best of them."""

    model: str
    objective: str
    alternatives: List[Alternative]
    best: Alternative
    least_energy: Alternative
    least_time: Alternative
    knee: Optional[Alternative]
    warnings: List[str]
    raw: JsonObject = field(repr=False, compare=False)  # all that the program answered

    @property
    def front(self) -> List[Alternative]:
        """Those that no other beats in both energy and time, the fastest first."""
        return sorted((one for one in self.alternatives if one.front), key=lambda one: one.time_s or 0.0)

    def __str__(self) -> str:
        lines = [f"{self.model}: least {self.objective} with {self.best.name}"]
        for one in sorted(self.alternatives, key=lambda one: (one.rank is None, one.rank or 0)):
            if one.energy_j is None:
                lines.append(f"   –  {one.name}: {one.reason}" + (f" ({one.remedy})" if one.remedy else ""))
                continue
            rank = "–" if one.rank is None else str(one.rank)
            marks = [mark for mark, holds in (("front", one.front), ("knee", one == self.knee),
                                              ("does not fit", one.fits is False)) if holds]
            lines.append(f"{rank:>4}  {one.name}: {with_unit(one.energy_j, 'J')}, {duration(one.time_s)}"
                         + (f" ({', '.join(marks)})" if marks else ""))
        lines += [f"warning: {text}" for text in self.warnings]
        return "\n".join(lines)


def choice_of(answer: JsonObject, name: Optional[str] = None) -> Choice:
    """The program's answer as a value; ``name`` replaces the network's. Throws ProgramError if a key is missing."""
    try:
        all_of_them = [_alternative(one) for one in answer["alternatives"]]
        return Choice(
            model=str(answer["model"]) if name is None else name,
            objective=str(answer["objective"]),
            alternatives=all_of_them,
            best=all_of_them[answer["best"]],
            least_energy=all_of_them[answer["least_energy"]],
            least_time=all_of_them[answer["least_time"]],
            knee=None if answer["knee"] is None else all_of_them[answer["knee"]],
            warnings=[str(text) for text in answer["warnings"]],
            raw=answer)
    except (IndexError, KeyError, TypeError, ValueError) as error:
        raise ProgramError(f"the answer of the ampere program cannot be read: {error!r}") from error


def _alternative(json: JsonObject) -> Alternative:
    energy, time = optional_interval(json["energy_j"]), optional_interval(json["time_s"])
    samples, peak = json["samples_per_iteration"], json["peak_memory_bytes"]
    return Alternative(
        name=str(json["name"]),
        samples_per_iteration=None if samples is None else int(samples),
        energy_j=None if energy is None else energy.mean,
        time_s=None if time is None else time.mean,
        interval=energy,
        time_interval=time,
        peak_memory_bytes=None if peak is None else int(peak),
        fits={"inside": True, "outside": False}.get(str(json["inside"]["memory"])),
        front=bool(json["front"]),
        rank=None if json["rank"] is None else int(json["rank"]),
        device=None if json["device"] is None else str(json["device"]["name"]),
        source=None if json["source"] is None else str(json["source"]),
        reason=None if json["reason"] is None else str(json["reason"]),
        compiled=None if json["compiled"] is None else bool(json["compiled"]),
        remedy=None if json["remedy"] is None else str(json["remedy"]))

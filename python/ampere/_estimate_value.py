"""The answer to "what will it cost": a value that can be printed, and shown in a notebook."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Dict, List, Mapping, Optional

from ._call import JsonObject
from ._quantities import duration, with_unit
from .errors import ProgramError


@dataclass(frozen=True)
class Interval:
    """Between ``low`` and ``high`` with a probability of ``confidence``; ``mean`` is the estimate."""

    mean: float
    low: float
    high: float
    confidence: float


@dataclass(frozen=True)
class Part:
    """A block of the network, or several equal ones, and its cost per iteration."""

    kind: str
    role: str
    features: Mapping[str, float]
    count: int
    energy_j: Optional[float]
    time_s: Optional[float]
    extrapolated: bool  # wider than everything that was profiled


@dataclass(frozen=True)
class Unknown:
    """A layer whose cost is not known, and why."""

    layer: str
    reason: str


@dataclass(frozen=True)
class Estimate:
    """Energy and time of training, or of inference.

    If a part of the network is not covered by the profile, ``unknown`` says which and why, and the sums
    are None. ``source`` is "measured", "modelled" or "simulated": what the joules were profiled with.
    """

    model: str
    batch: Optional[int]  # samples per iteration; None for a program that does not say
    iterations: int
    energy_j: Optional[float]
    time_s: Optional[float]
    interval: Optional[Interval]  # of the energy
    time_interval: Optional[Interval]
    source: str
    method: str
    device: str
    profile: str
    parts: List[Part]
    unknown: List[Unknown]
    warnings: List[str]
    advice: List[str]
    earlier_runs: int  # of this very network, which the estimate leans on
    raw: JsonObject = field(repr=False, compare=False)  # all that the program answered

    @property
    def energy_j_per_iteration(self) -> Optional[float]:
        return None if self.energy_j is None else self.energy_j / self.iterations

    @property
    def time_s_per_iteration(self) -> Optional[float]:
        return None if self.time_s is None else self.time_s / self.iterations

    def __str__(self) -> str:
        lines = [self.headline()]
        lines.append(line_of("energy", self.energy_j, self.interval, lambda value: with_unit(value, "J")))
        lines.append(line_of("time", self.time_s, self.time_interval, duration))
        if self.unknown:
            lines.append(f"{len(self.unknown)} layers were never profiled, so the sums are unknown: "
                         + "; ".join(sorted({one.reason for one in self.unknown})[:3]))
        if self.earlier_runs:
            lines.append(f"leans on {self.earlier_runs} earlier run{'' if self.earlier_runs == 1 else 's'} "
                         "of this very network")
        lines += [f"warning: {text}" for text in self.warnings]
        return "\n".join(lines)

    def headline(self) -> str:
        batch = "" if self.batch is None else f"batch {self.batch}, "
        return (f"{self.model}: {batch}{self.iterations} iterations on {self.device} "
                f"(profile {self.profile}, {self.source}, method {self.method})")

    def _repr_html_(self) -> str:
        from ._html import estimate_html
        return estimate_html(self)


def line_of(name: str, value: Optional[float], interval: Optional[Interval], text: Any) -> str:
    """One line of a printed value; ``text`` writes a number with its unit."""
    if value is None or interval is None:
        return f"{name:<7} {text(value)}"
    return (f"{name:<7} {text(value)}   ({100 * interval.confidence:g} % interval {text(interval.low)} "
            f"to {text(interval.high)})")


def estimate_of(answer: JsonObject, name: Optional[str] = None) -> Estimate:
    """The program's answer as a value; ``name`` replaces the network's. Throws ProgramError if a key is missing."""
    try:
        energy, time = optional_interval(answer["energy_j"]), optional_interval(answer["time_s"])
        return Estimate(
            model=str(answer["model"]) if name is None else name,
            batch=None if answer["batch"] is None else int(answer["batch"]),
            iterations=int(answer["iterations"]),
            energy_j=None if energy is None else energy.mean,
            time_s=None if time is None else time.mean,
            interval=energy,
            time_interval=time,
            source=str(answer["source"]),
            method=str(answer["method"]),
            device=str(answer["device"]["name"]),
            profile=str(answer["profile"]),
            parts=[_part(part) for part in answer["parts"]],
            unknown=[Unknown(str(one["layer"]), str(one["reason"])) for one in answer["uncovered"]],
            warnings=[str(text) for text in answer.get("warnings", [])],
            advice=[_advice(one) for one in answer.get("advice", [])],
            earlier_runs=int(answer.get("earlier_runs", 0)),
            raw=answer)
    except (KeyError, TypeError, ValueError) as error:
        raise ProgramError(f"the answer of the ampere program cannot be read: {error!r}") from error


def interval_of(json: JsonObject) -> Interval:
    """Throws KeyError, TypeError or ValueError for what is no interval."""
    return Interval(float(json["mean"]), float(json["low"]), float(json["high"]), float(json["confidence"]))


def optional_interval(json: Optional[JsonObject]) -> Optional[Interval]:
    return None if json is None else interval_of(json)


def _part(json: JsonObject) -> Part:
    return Part(kind=str(json["kind"]), role=str(json["role"]),
                features={str(name): value for name, value in json["features"].items()},
                count=int(json["count"]), energy_j=_mean(json.get("energy_j_per_iteration")),
                time_s=_mean(json.get("time_s_per_iteration")), extrapolated=bool(json.get("extrapolated", False)))


def _mean(json: Optional[Dict[str, float]]) -> Optional[float]:
    return None if json is None else float(json["mean"])


def _advice(json: Any) -> str:
    return str(json.get("text", json)) if isinstance(json, dict) else str(json)

"""The answer to "what will the whole run cost": a value that can be printed."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import List, Optional

from ._call import JsonObject
from ._estimate_value import Interval, interval_of, line_of
from ._quantities import duration, with_unit
from .errors import ProgramError


@dataclass(frozen=True)
class Stage:
    """A part of the run: training, validation, checkpoints, waiting, or the search before it."""

    name: str
    count: float  # iterations, validations, checkpoints, trials …
    energy_j: float
    time_s: float
    interval: Interval  # of the energy
    time_interval: Interval
    basis: str  # "estimated" from the profile, or "assumed"
    assumption: Optional[str]  # what was assumed; None for what is estimated


@dataclass(frozen=True)
class Start:
    """A moment to start at, and the carbon or the price of a run that starts then."""

    at: str  # in UTC, as in 2026-01-31T12:00:00Z
    seconds_from_now: float
    value: float


@dataclass(frozen=True)
class RunValue:
    """Carbon in grams, or the price, of the whole run when it starts at ``Plan.start``.

    ``starting_now`` and ``best_start`` are None unless a forecast says how the value changes over time.
    """

    mean: float
    interval: Interval
    starting_now: Optional[Start]
    best_start: Optional[Start]


@dataclass(frozen=True)
class Plan:
    """Energy and time of a whole training run. Only its training iterations are estimates; each stage says so."""

    model: str
    iterations: int
    energy_j: float
    time_s: float
    interval: Interval  # of the energy
    time_interval: Interval
    stages: List[Stage]
    carbon_g: Optional[RunValue]
    price: Optional[RunValue]
    start: Optional[str]  # in UTC; None if neither a forecast nor a deadline was given
    device: str
    profile: str
    method: str
    source: str  # "measured", "modelled" or "simulated"
    warnings: List[str]
    raw: JsonObject = field(repr=False, compare=False)  # all that the program answered

    def __str__(self) -> str:
        lines = [f"{self.model}: {self.iterations} iterations on {self.device} "
                 f"(profile {self.profile}, {self.source}, method {self.method})",
                 line_of("energy", self.energy_j, self.interval, lambda value: with_unit(value, "J")),
                 line_of("time", self.time_s, self.time_interval, duration)]
        if self.carbon_g is not None:
            lines.append(line_of("carbon", self.carbon_g.mean, self.carbon_g.interval,
                                 lambda value: with_unit(value, "g")))
        if self.price is not None:
            lines.append(line_of("price", self.price.mean, self.price.interval, lambda value: f"{value:.4g}"))
        if self.start is not None:
            lines.append(f"start   {self.start}")
        lines += [f"  {stage.name}: {with_unit(stage.energy_j, 'J')}, {duration(stage.time_s)}, {stage.basis}"
                  + (f" ({stage.assumption})" if stage.assumption else "") for stage in self.stages]
        lines += [f"warning: {text}" for text in self.warnings]
        return "\n".join(lines)


def plan_of(answer: JsonObject, name: Optional[str] = None) -> Plan:
    """The program's answer as a value; ``name`` replaces the network's. Throws ProgramError if a key is missing."""
    try:
        energy, time = interval_of(answer["energy_j"]), interval_of(answer["time_s"])
        return Plan(
            model=str(answer["model"]) if name is None else name,
            iterations=int(answer["iterations"]),
            energy_j=energy.mean,
            time_s=time.mean,
            interval=energy,
            time_interval=time,
            stages=[_stage(one) for one in answer["stages"]],
            carbon_g=_value(answer.get("carbon_g")),
            price=_value(answer.get("price")),
            start=None if answer["start"] is None else str(answer["start"]),
            device=str(answer["device"]["name"]),
            profile=str(answer["profile"]),
            method=str(answer["method"]),
            source=str(answer["source"]),
            warnings=[str(text) for text in answer["warnings"]],
            raw=answer)
    except (KeyError, TypeError, ValueError) as error:
        raise ProgramError(f"the answer of the ampere program cannot be read: {error!r}") from error


def _stage(json: JsonObject) -> Stage:
    energy, time = interval_of(json["energy_j"]), interval_of(json["time_s"])
    return Stage(name=str(json["name"]), count=float(json["count"]), energy_j=energy.mean, time_s=time.mean,
                 interval=energy, time_interval=time, basis=str(json["basis"]),
                 assumption=None if json["assumption"] is None else str(json["assumption"]))


def _value(json: Optional[JsonObject]) -> Optional[RunValue]:
    if json is None:
        return None
    interval = interval_of(json)
    return RunValue(interval.mean, interval, _start(json.get("starting_now")), _start(json.get("best_start")))


def _start(json: Optional[JsonObject]) -> Optional[Start]:
    return None if json is None else Start(str(json["at"]), float(json["s_from_now"]), float(json["value"]))

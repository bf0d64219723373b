"""What generating text costs: a value that can be printed."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import List, Optional

from ._call import JsonObject
from ._estimate_value import Interval, interval_of, optional_interval
from ._quantities import duration, with_unit
from .errors import ProgramError


@dataclass(frozen=True)
class TokenCost:
    """One more token of every sequence, with a cache of ``context`` tokens each."""

    context: int
    energy_j_per_token: Interval
    time_s: Interval


@dataclass(frozen=True)
class GenerationBatch:
    """The costs at one batch. What is decoded is None where only one token is generated."""

    batch: int
    energy_j_per_prompt_token: Interval
    energy_j_per_new_token: Optional[Interval]
    time_to_first_token_s: Interval
    time_between_tokens_s: Optional[Interval]  # the mean
    energy_j: Interval  # of all sequences, from the prompt to the last token
    time_s: Interval
    contexts: List[TokenCost]  # that were traced, the shortest first
    peak_memory_bytes: Optional[int]
    cache_bytes: Optional[int]  # at the end
    rank: Optional[int]  # by energy per sequence, among those that keep every limit
    limit: str  # what decodes wait for, or the prefill if there are none: "host", "device" or "power"


@dataclass(frozen=True)
class Generation:
    """``best`` is the cheapest batch whose intervals keep every limit, ``best_by_means`` the one whose means do."""

    model: str
    prompt: int
    new_tokens: int
    number_format: str
    batches: List[GenerationBatch]
    best: Optional[GenerationBatch]
    best_by_means: Optional[GenerationBatch]
    why_no_best: Optional[str]
    device: str
    source: str  # "measured", "modelled" or "simulated"
    method: str
    warnings: List[str]
    raw: JsonObject = field(repr=False, compare=False)  # all that the program answered

    def __str__(self) -> str:
        lines = [f"{self.model}: prompts of {self.prompt} tokens, {self.new_tokens} new tokens each, "
                 f"{self.number_format}, on {self.device} ({self.source}, method {self.method})"]
        for one in self.batches:
            token, between = one.energy_j_per_new_token, one.time_between_tokens_s
            lines.append(
                f"batch {one.batch}: {with_unit(one.energy_j_per_prompt_token.mean, 'J')} per prompt token"
                + ("" if token is None else f", {with_unit(token.mean, 'J')} per new token "
                   f"({with_unit(token.low, 'J')} to {with_unit(token.high, 'J')})")
                + f", {duration(one.time_to_first_token_s.mean)} to the first token"
                + ("" if between is None else f", {duration(between.mean)} between tokens")
                + (" (cheapest)" if len(self.batches) > 1 and one == self.best else ""))
        if self.best is None:
            lines.append(f"no batch keeps every limit: {self.why_no_best}")
        return "\n".join(lines + [f"warning: {text}" for text in self.warnings])


def generation_of(answer: JsonObject, warnings: List[str]) -> Generation:
    """The program's answer as a value. Throws ProgramError if a key is missing."""
    try:
        batches = [_batch(one) for one in answer["batches"]]
        by_size = {one.batch: one for one in batches}
        best, by_means, why = answer["best_batch"], answer["best_batch_by_means"], answer["why_no_best"]
        return Generation(
            model=str(answer["model"]),
            prompt=int(answer["prompt"]),
            new_tokens=int(answer["new_tokens"]),
            number_format=str(answer["number_format"]),
            batches=batches,
            best=None if best is None else by_size[best],
            best_by_means=None if by_means is None else by_size[by_means],
            why_no_best=None if why is None else str(why),
            device=str(answer["device"]["name"]),
            source=str(answer["source"]),
            method=str(answer["method"]),
            warnings=[*warnings, *(str(text) for text in answer["warnings"])],
            raw=answer)
    except (KeyError, TypeError, ValueError) as error:
        raise ProgramError(f"the answer of the ampere program cannot be read: {error!r}") from error


def _batch(json: JsonObject) -> GenerationBatch:
    peak, cache, rank = json["peak_memory_bytes"], json["cache_bytes"], json["rank"]
    return GenerationBatch(
        batch=int(json["batch"]),
        energy_j_per_prompt_token=interval_of(json["energy_j_per_prompt_token"]),
        energy_j_per_new_token=optional_interval(json["energy_j_per_new_token"]),
        time_to_first_token_s=interval_of(json["time_to_first_token_s"]),
        time_between_tokens_s=optional_interval(json["time_between_tokens_s"]),
        energy_j=interval_of(json["energy_j"]),
        time_s=interval_of(json["time_s"]),
        contexts=[TokenCost(int(one["context"]), interval_of(one["energy_j_per_token"]), interval_of(one["time_s"]))
                  for one in json["contexts"]],
        peak_memory_bytes=None if peak is None else int(peak),
        cache_bytes=None if cache is None else int(cache),
        rank=None if rank is None else int(rank),
        limit=str((json["decode"] or json["prefill"])["limit"]))

"""Measures the calls that were estimated: measure.py FOLDER ROUND SECONDS SIZE…

FOLDER/SIZE.json says which calls those are. Each call runs again and again on the same prompts or cache, with the meter
of ampere.measure around it. Prints one line of JSON per call: energy and time of one execution, and the round.
"""

from __future__ import annotations

import json
import sys
import time
from pathlib import Path
from typing import Any, Callable, Iterator, Tuple

import ampere
import gpt
import torch
from sizes import SIZES

DEVICE = "cuda" if torch.cuda.is_available() else "cpu"
WARM_UP_S = 0.6


def wait() -> None:
    if DEVICE == "cuda":
        torch.cuda.synchronize()


def run_for(seconds: float, call: Callable[[], Any]) -> int:
    """How often it ran. The host waits for the device only now and then, so that it can be ahead of it."""
    done, end = 0, time.monotonic() + seconds
    while time.monotonic() < end:
        for _ in range(10):
            call()
        done += 10
        wait()
    return done


def calls(model: Any, batch: int, prompt: int, contexts: list[int]) -> Iterator[Tuple[str, int, Callable[[], Any]]]:
    def likeliest(result: Any) -> Any:
        return result[0][:, -1].argmax(-1, keepdim=True), result[1]

    def prompts(length: int) -> Any:
        # Sequences that differ: a device that works on equal numbers draws less power.
        return torch.randint(model.tokens.num_embeddings, (batch, length), device=DEVICE)

    tokens = prompts(prompt)
    yield "prefill", 0, lambda: likeliest(model.prefill(tokens))
    for context in contexts:
        # As it is traced: the last token before comes out of a decode.
        token, cache = likeliest(model.decode(*likeliest(model.prefill(prompts(context - 1)))))
        yield "decode", context, lambda: likeliest(model.decode(token, cache))
        del cache


def measured(size: str, estimate: Any, seconds: float) -> Iterator[dict[str, Any]]:
    torch.manual_seed(1)
    model = gpt.build(**SIZES[size], device=DEVICE).to(torch.bfloat16).eval()
    for of_batch in estimate["batches"]:
        batch = of_batch["batch"]
        contexts = [each["context"] for each in of_batch["contexts"]]
        for stage, context, call in calls(model, batch, estimate["prompt"], contexts):
            run_for(min(WARM_UP_S, seconds), call)
            with ampere.measure() as measure:
                executions = run_for(seconds, call)
            energy = measure.energy_j
            yield dict(
                model=size, stage=stage, batch=batch, context=context, executions=executions,
                energy_j=None if energy is None else energy / executions, time_s=measure.time_s / executions,
                source=measure.source, meter=measure.meter, reason=measure.reason)


def main() -> None:
    folder, round_, seconds, sizes = Path(sys.argv[1]), int(sys.argv[2]), float(sys.argv[3]), sys.argv[4:]
    with torch.no_grad():
        for size in sizes:
            for row in measured(size, json.loads((folder / f"{size}.json").read_text()), seconds):
                print(json.dumps({"round": round_, **row}), flush=True)


if __name__ == "__main__":
    main()

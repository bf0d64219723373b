"""Measures the calls that were estimated: measure.py SIZE ESTIMATE.json SECONDS

Each call runs again and again on the same prompt or cache, with the meter of ampere.measure around it. Prints one line
of JSON per call: energy and time of one execution.
"""

from __future__ import annotations

import json
import sys
import time
from typing import Any, Callable, Iterator, Tuple

import ampere
import gpt
import torch
from sizes import SIZES

DEVICE = "cuda" if torch.cuda.is_available() else "cpu"
WARM_UP_S = 1.0


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

    tokens = torch.zeros((batch, prompt), dtype=torch.int64, device=DEVICE)
    yield "prefill", 0, lambda: likeliest(model.prefill(tokens))
    for context in contexts:
        # As it is traced: the last token before comes out of a decode.
        start = torch.zeros((batch, context - 1), dtype=torch.int64, device=DEVICE)
        token, cache = likeliest(model.decode(*likeliest(model.prefill(start))))
        yield "decode", context, lambda: likeliest(model.decode(token, cache))
        del cache


def main() -> None:
    size, path, seconds = sys.argv[1], sys.argv[2], float(sys.argv[3])
    with open(path) as file:
        estimate = json.load(file)
    torch.manual_seed(1)
    model = gpt.build(**SIZES[size], device=DEVICE).to(torch.bfloat16).eval()
    with torch.no_grad():
        for of_batch in estimate["batches"]:
            batch = of_batch["batch"]
            contexts = [each["context"] for each in of_batch["contexts"]]
            for stage, context, call in calls(model, batch, estimate["prompt"], contexts):
                run_for(min(WARM_UP_S, seconds), call)
                with ampere.measure() as measured:
                    executions = run_for(seconds, call)
                energy = measured.energy_j
                print(json.dumps(dict(
                    model=size, stage=stage, batch=batch, context=context, executions=executions,
                    energy_j=None if energy is None else energy / executions, time_s=measured.time_s / executions,
                    source=measured.source, meter=measured.meter, reason=measured.reason)), flush=True)


if __name__ == "__main__":
    main()

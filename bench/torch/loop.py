"""The process that trains by itself: the side that the rig is compared with.

    python3 loop.py --device cuda:0 [--threads N]

It answers one line of JSON per line of JSON (see Loop). compare_loop.py starts it and asks; between
two requests nothing is left in the queue of the GPU.
"""

from __future__ import annotations

import argparse
import gc
import json
import os
import platform
import sys
import time
import traceback
from typing import Any, Callable, Optional

import torch

import nvml
from lines import LineProcess
from rows import choose
from training import make_iteration

FIRST_ITERATIONS = 5  # allocate memory, choose algorithms, compile
SAMPLER_TIMEOUT_S = 30


class Loop:
    def __init__(self, device: str) -> None:
        self._device = device
        self._gpu = torch.device(device).type == "cuda"
        self._iteration: Optional[Callable[[], torch.Tensor]] = None
        self._sampler: Optional[LineProcess] = None
        if self._gpu:
            torch.cuda.set_device(device)
            self._sampler = start_sampler(device)

    def hello(self) -> dict[str, Any]:
        name = torch.cuda.get_device_name() if self._gpu else platform.processor() or "cpu"
        return {
            "device": name,
            "framework": f"torch {torch.__version__}, Python {platform.python_version()}",
            "energy": self._gpu,  # whether it is measured
        }

    def prepare(self, name: str) -> dict[str, Any]:
        """Builds the network of a row and runs the first iterations."""
        self.release()
        begin = time.monotonic()
        self._iteration, parameters = make_iteration(choose([name])[0], self._device)
        for _ in range(FIRST_ITERATIONS):
            self._iteration()
        self._synchronize()
        return {"parameters": parameters, "preparation_s": time.monotonic() - begin}

    def window(self, warm_up_s: float, window_s: float) -> dict[str, Any]:
        """Iterations for a while. The GPU is waited for at both ends only, so it stays fed."""
        assert self._iteration is not None, "no row is prepared"
        if self._sampler:
            self._sampler.send_line("start")
        self._run(warm_up_s)
        cpu_begin = time.process_time()
        begin = time.monotonic()
        iterations, loss = self._run(window_s)
        end = time.monotonic()
        cpu_s = time.process_time() - cpu_begin
        power, steps = self._power(begin, end)
        return {
            "iterations": iterations,
            "time_s": end - begin,
            "energy_j": None if power is None else power * (end - begin),
            "cpu_s": cpu_s,
            "load": os.getloadavg()[0],
            "loss": loss,
            "steps": steps,  # of the counter, in the window
        }

    def release(self) -> None:
        self._iteration = None
        gc.collect()
        if self._gpu:
            torch.cuda.empty_cache()

    def _run(self, seconds: float) -> tuple[int, float]:
        iteration = self._iteration
        assert iteration is not None
        until = time.monotonic() + seconds
        iterations = 0
        while True:
            loss = iteration()
            iterations += 1
            if time.monotonic() >= until:
                break
        self._synchronize()
        return iterations, float(loss)

    def _power(self, begin: float, end: float) -> tuple[Optional[float], int]:
        if self._sampler is None:
            return None, 0
        self._sampler.send_line("stop")
        steps = self._sampler.receive(SAMPLER_TIMEOUT_S)["steps"]
        inside = [step for step in steps if begin <= step[0] <= end]
        return nvml.power_between(steps, begin, end), len(inside)

    def _synchronize(self) -> None:
        if self._gpu:
            torch.cuda.synchronize()


def start_sampler(device: str) -> LineProcess:
    index = torch.device(device).index or 0
    uuid = getattr(torch.cuda.get_device_properties(index), "uuid", None)
    target = str(index) if uuid is None else f"GPU-{str(uuid).removeprefix('GPU-')}"
    sampler = LineProcess([sys.executable, nvml.__file__, target])
    sampler.receive(SAMPLER_TIMEOUT_S)
    return sampler


def answer(loop: Loop, request: dict[str, Any]) -> dict[str, Any]:
    if request["do"] == "prepare":
        return loop.prepare(request["row"])
    if request["do"] == "window":
        return loop.window(request["warm_up_s"], request["window_s"])
    loop.release()
    return {}


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--device", required=True)
    parser.add_argument("--threads", type=int)
    options = parser.parse_args()
    if options.threads:
        torch.set_num_threads(options.threads)
    answers = os.fdopen(os.dup(1), "w")  # what libraries print goes to stderr
    os.dup2(2, 1)
    loop = Loop(options.device)
    print(json.dumps({"hello": loop.hello()}), file=answers, flush=True)
    for line in sys.stdin:
        try:
            reply: dict[str, Any] = {"answer": answer(loop, json.loads(line))}
        except Exception as error:
            traceback.print_exc()
            reply = {"error": f"{type(error).__name__}: {error}"}
        print(json.dumps(reply), file=answers, flush=True)


if __name__ == "__main__":
    main()

#!/usr/bin/env python3
"""Compares a plain PyTorch training loop with what ampere-runner measures for the same network.

    python3 bench/torch/compare_loop.py --ampere AMPERE --runner RUNNER --output loops.json.gz
    python3 bench/torch/compare_loop.py --print loops.json.gz

Both measure in turns (loop, rig, loop, rig, ...), because a shared host drifts within minutes. While
one measures, the other one waits with an empty queue. The table shows energy and time per iteration.
Several recordings are printed as one: the rounds of the same row are taken together.
"""

from __future__ import annotations

import argparse
import gzip
import json
import math
import os
import sys
import time
from typing import Any, Optional

import recordings
import summary
from loop_client import LoopClient, LoopFailed
from rig_client import HERE, RigClient, RigFailed, zoo_network
from rows import GPT2_LENGTH, Row, choose

COMPILED_WEIGHT = 3  # a compiled row gets this many times the share of another one
RIG_WINDOW_S = 0.5
LIMIT_S = 2.5  # of a rig request, without compiling


class OutOfTime(Exception):
    pass


class Comparison:
    def __init__(self, options: argparse.Namespace) -> None:
        self._options = options
        self._end = time.monotonic() + options.budget_s
        self._loop = LoopClient(options.device, options.threads, self.time_left)
        self._rig = RigClient(options.runner, options.device, options.threads, self.time_left)
        self.recording: dict[str, Any] = {
            "format": "ampere-bench-torch",
            "version": 1,
            "command": sys.argv[1:],
            "loop": {},
            "rig": {},
            "rows": [],
        }

    def time_left(self) -> float:
        return self._end - time.monotonic()

    def run(self, rows: list[Row]) -> None:
        try:
            self._loop.start()
            self._rig.start()
            for index, row in enumerate(rows):
                self._run_row(row, self._share(rows[index:]))
        finally:
            self._loop.close()
            self._rig.close()

    def _share(self, rows: list[Row]) -> float:
        """The seconds for the first of these rows. What earlier rows did not use is shared too."""
        weights = [COMPILED_WEIGHT if row.compile else 1 for row in rows]
        return self.time_left() * weights[0] / sum(weights)

    def _run_row(self, row: Row, seconds: float) -> None:
        result: dict[str, Any] = {"row": row.as_json(), "rounds": [], "error": None}
        self.recording["rows"].append(result)
        try:
            self._take_rounds(row, result, time.monotonic() + seconds)
            self._loop.release()
        except (LoopFailed, RigFailed, OutOfTime) as error:
            result["error"] = str(error)
            say(f"{row.name}: {error}")
        self.recording["loop"], self.recording["rig"] = self._loop.hello, self._rig.hello
        say(summary.comparison([result]))
        if self._options.output:
            save(self.recording, self._options.output)

    def _take_rounds(self, row: Row, result: dict[str, Any], until: float) -> None:
        if self.time_left() < 5:
            raise OutOfTime("the time budget was used up before")
        options = self._options
        begin = time.monotonic()
        result["preparation"] = self._loop.prepare(row.name)
        if row.zoo:
            model = zoo_network(options.ampere, row.zoo)
            check_parameters(result["preparation"]["parameters"], model["parameters"], row)
        else:
            model = None
        say(f"{row.name}: {result['preparation']['parameters']} parameters, loop prepared in "
            f"{time.monotonic() - begin:.1f} s")
        wanted = options.compiled_rounds if row.compile else options.rounds
        longest = 0.0
        for number in range(1, wanted + 1):
            begin = time.monotonic()
            if number > 1 and begin + longest > until:
                say(f"{row.name}: {number - 1} of {wanted} rounds fit into the time budget")
                break
            result["rounds"].append(self._round(row, model, result))
            longest = max(longest, time.monotonic() - begin)
            say(f"{row.name}: round {number}: {one_line(result['rounds'][-1])}")

    def _round(
        self, row: Row, model: Optional[dict[str, Any]], result: dict[str, Any]
    ) -> dict[str, Any]:
        options = self._options
        count = options.compiled_windows if row.compile else 1
        windows = [self._loop.window(options.warm_up_s, options.window_s) for _ in range(count)]
        # Preparing may take longer than the limit, above all compiling; windows are taken all the
        # same until they contain so many iterations.
        iteration_s = summary.loop_value(windows, "time_s")
        assert iteration_s is not None
        enough = max(2, count) * RIG_WINDOW_S / iteration_s
        precision = {
            "relative_error": 0.02,
            "time_limit_s": LIMIT_S,
            "min_window_s": RIG_WINDOW_S,
            "min_windows": max(2, count),
            "min_iterations": math.ceil(0.9 * enough),
        }
        begin = time.monotonic()
        if model is not None:
            measured = self._rig.measure(model, row.setup(), precision)
        else:
            measured = self._rig.measure_script(gpt2_script(row), precision)
            check_parameters(result["preparation"]["parameters"], measured["script"]["parameters"], row)
        return {"loop": windows, "rig": measured, "rig_s": time.monotonic() - begin}


def gpt2_script(row: Row) -> dict[str, Any]:
    arguments = {
        "batch": row.batch,
        "length": GPT2_LENGTH,
        "precision": row.precision,
        "compile": row.compile,
    }
    path = os.path.join(HERE, "gpt2.py")
    return {"path": path, "function": "build", "arguments": arguments, "data": False}


def check_parameters(loop: int, rig: Optional[int], row: Row) -> None:
    if loop != rig:
        raise LoopFailed(f"{row.name}: the loop trains {loop} parameters, the rig {rig}: refused")


def one_line(each: dict[str, Any]) -> str:
    texts = []
    for key, unit in (("energy_j", "J"), ("time_s", "s")):
        for value in (summary.loop_value(each["loop"], key), summary.rig_value(each["rig"], key)):
            texts.append(summary.quantity(None if value is None else summary.Mean(value, None), unit))
    return f"loop {texts[0]}, {texts[2]}; rig {texts[1]}, {texts[3]} (took {each['rig_s']:.1f} s)"


def say(text: str) -> None:
    print(text, file=sys.stderr, flush=True)


def save(recording: dict[str, Any], path: str) -> None:
    """Written under another name first, so that a killed program leaves the last whole file."""
    with gzip.open(f"{path}.part", "wt", encoding="utf-8") as file:
        json.dump(recording, file)
    os.replace(f"{path}.part", path)


def parse() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--rows", help="comma-separated names of rows; default: all", default="")
    parser.add_argument("--device", default="cuda:0", help="cuda:N or cpu (default: cuda:0)")
    parser.add_argument("--threads", type=int, help="CPU threads of both sides")
    parser.add_argument("--ampere", default="ampere", help="command of the program ampere")
    parser.add_argument("--runner", default="ampere-runner", help="command of ampere-runner")
    parser.add_argument("--rounds", type=int, default=10)
    parser.add_argument("--compiled-rounds", type=int, default=3, help="rounds of compiled rows")
    parser.add_argument("--compiled-windows", type=int, default=4, help="windows per compiled round")
    parser.add_argument("--warm-up-s", type=float, default=0.4, help="before each loop window")
    parser.add_argument("--window-s", type=float, default=1.0, help="length of a loop window")
    parser.add_argument("--budget-s", type=float, default=3600, help="total time limit")
    parser.add_argument("--output", help="recording with all windows (.json.gz)")
    parser.add_argument("--print", nargs="+", metavar="FILE[:ROW,ROW,...]",
                        help="print one table of all rounds in these recordings")
    return parser.parse_args()


def main() -> None:
    options = parse()
    if options.print:
        print(summary.report(recordings.pool([recordings.load(each) for each in options.print])))
        return
    rows = choose([name for name in options.rows.split(",") if name])
    comparison = Comparison(options)
    try:
        comparison.run(rows)
    except (LoopFailed, RigFailed, OSError) as error:
        sys.exit(f"compare_loop: {error}")
    print(summary.report(comparison.recording))


if __name__ == "__main__":
    main()

"""How long a step keeps the device busy, and how long the host, both at once."""

from __future__ import annotations

import statistics
import time
from dataclasses import dataclass
from typing import Callable, Optional, Protocol

from .failure import failed

WARM_STEPS = 2
SHORTEST_HOLD_S, LONGEST_HOLD_S = 0.0005, 0.2

Clock = Callable[[], float]


@dataclass(frozen=True)
class Effort:
    """How much is spent on timing one thing."""

    most_steps: int = 8  # that are timed together
    most_enqueued_s: float = 0.003  # of the host: some hundred launches, which a queue holds
    most_run_s: float = 0.01  # of the device
    least_repeats: int = 2
    most_repeats: int = 3
    all_repeats_s: float = 0.015


OF_A_STEP = Effort()
# An operation is short. One among thousands may take about 10 ms in all.
OF_AN_OPERATION = Effort(
    most_steps=256, most_enqueued_s=0.0015, most_run_s=0.0025, least_repeats=1, most_repeats=2,
    all_repeats_s=0.004,
)


class Queue(Protocol):
    wait: Callable[[], None]

    def run_held(self, enqueue: Callable[[], None], hold_s: float) -> Optional[float]: ...


def time_steps(
    queue: Queue,
    step: Callable[[], object],
    clock: Clock = time.perf_counter,
    effort: Effort = OF_A_STEP,
) -> tuple[float, float]:
    """Seconds per step: of a device that never waits for the host, and of the host."""

    def enqueue(count: int) -> float:
        start = clock()
        for _ in range(count):
            step()
        return (clock() - start) / count

    for _ in range(WARM_STEPS):
        step()
    queue.wait()
    start = clock()
    host = enqueue(1)
    queue.wait()
    both = clock() - start
    steps = steps_at_once(host, both, effort)
    hold = 2 * host * steps + SHORTEST_HOLD_S
    device_s: list[float] = []
    host_s: list[float] = []

    def hand_over() -> None:
        host_s.append(enqueue(steps))

    start = clock()
    while len(device_s) < effort.least_repeats or (
        len(device_s) < effort.most_repeats and clock() - start < effort.all_repeats_s
    ):
        taken = queue.run_held(hand_over, min(hold, LONGEST_HOLD_S))
        if taken is not None:
            device_s.append(taken / steps)
            continue
        host_s.pop()
        if steps == 1 and hold >= LONGEST_HOLD_S:
            raise failed(
                "a step cannot be timed: the device began before all of it was handed over; it "
                "waits for the device itself, or is longer than the driver's queue"
            )
        # Either the hold was too short or the queue too full.
        steps = 1 if steps <= OF_A_STEP.most_steps else steps // 4
        hold *= 4
    return statistics.median(device_s), statistics.median(host_s)


def steps_at_once(host_s: float, both_s: float, effort: Effort = OF_A_STEP) -> int:
    """How many steps are timed together, so that neither the queue nor patience ends."""
    enough = min(
        effort.most_enqueued_s / max(host_s, 1e-9), effort.most_run_s / max(both_s, 1e-9)
    )
    return int(min(max(enough, 1), effort.most_steps))

"""How long a step keeps the device busy, and how long the host, both at once."""

from __future__ import annotations

import statistics
import time
from typing import Callable, Optional, Protocol

from .failure import failed

WARM_STEPS = 2
MOST_STEPS = 8
MOST_ENQUEUED_S = 0.003  # of the host: some hundred launches, which a queue holds
MOST_RUN_S = 0.01  # of the device
LEAST_REPEATS, MOST_REPEATS = 2, 3
ALL_REPEATS_S = 0.015
SHORTEST_HOLD_S, LONGEST_HOLD_S = 0.0005, 0.2

Clock = Callable[[], float]


class Queue(Protocol):
    wait: Callable[[], None]

    def run_held(self, enqueue: Callable[[], None], hold_s: float) -> Optional[float]: ...


def time_steps(
    queue: Queue, step: Callable[[], object], clock: Clock = time.perf_counter
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
    steps = steps_at_once(host, both)
    hold = 2 * host * steps + SHORTEST_HOLD_S
    device_s: list[float] = []
    host_s: list[float] = []

    def hand_over() -> None:
        host_s.append(enqueue(steps))

    start = clock()
    while len(device_s) < LEAST_REPEATS or (
        len(device_s) < MOST_REPEATS and clock() - start < ALL_REPEATS_S
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
        steps = 1
        hold *= 4
    return statistics.median(device_s), statistics.median(host_s)


def steps_at_once(host_s: float, both_s: float) -> int:
    """How many steps are timed together, so that neither the queue nor patience ends."""
    enough = min(MOST_ENQUEUED_S / max(host_s, 1e-9), MOST_RUN_S / max(both_s, 1e-9))
    return int(min(max(enough, 1), MOST_STEPS))

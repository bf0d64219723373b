"""The energy counter of an NVIDIA GPU, read through NVML, and a process that watches its steps.

The counter moves in steps of some 20 to 100 ms. They are watched from another process, because
watching them in the training loop would slow that down:

    python3 nvml.py GPU-UUID    # or a number

A line "start" on stdin begins to watch. A line "stop" ends it and is answered by one line of JSON:
[[seconds, joules], ...], the steps that were seen, by the clock of time.monotonic().
"""

from __future__ import annotations

import ctypes
import json
import select
import sys
import time
from typing import Any, Optional

POLL_S = 0.005  # a window of one second is then wrong by 0.2 % or so


class EnergyCounter:
    def __init__(self, device: str) -> None:
        self._nvml = ctypes.CDLL("libnvidia-ml.so.1")
        self._check(self._nvml.nvmlInit_v2())
        self._device = ctypes.c_void_p()
        if device.isdigit():
            found = self._nvml.nvmlDeviceGetHandleByIndex_v2(int(device), ctypes.byref(self._device))
        else:
            found = self._nvml.nvmlDeviceGetHandleByUUID(device.encode(), ctypes.byref(self._device))
        self._check(found)

    def joules(self) -> float:
        millijoules = ctypes.c_ulonglong()
        read = self._nvml.nvmlDeviceGetTotalEnergyConsumption
        self._check(read(self._device, ctypes.byref(millijoules)))
        return millijoules.value / 1e3

    def _check(self, result: int) -> None:
        if result != 0:
            self._nvml.nvmlErrorString.restype = ctypes.c_char_p
            raise OSError(f"NVML: {self._nvml.nvmlErrorString(result).decode()}")


def watch(counter: EnergyCounter) -> list[list[float]]:
    """The steps until there is something to read on stdin."""
    steps: list[list[float]] = []
    last = counter.joules()
    while not select.select([0], [], [], POLL_S)[0]:
        now = counter.joules()
        if now != last:
            steps.append([time.monotonic(), now])
            last = now
    return steps


def power_between(steps: list[list[float]], begin: float, end: float) -> Optional[float]:
    """The mean power in watts between the first and the last step inside the window."""
    inside: list[Any] = [step for step in steps if begin <= step[0] <= end]
    if len(inside) < 2:
        return None
    (first_s, first_j), (last_s, last_j) = inside[0], inside[-1]
    return float((last_j - first_j) / (last_s - first_s))


def main() -> None:
    counter = EnergyCounter(sys.argv[1])
    counter.joules()  # a GPU without a counter fails here
    print(json.dumps({"ready": True}), flush=True)
    # Without a buffer, in which a line could wait that select does not see.
    requests = open(0, "rb", buffering=0)
    while requests.readline() == b"start\n":
        steps = watch(counter)
        requests.readline()
        print(json.dumps({"steps": steps}), flush=True)


if __name__ == "__main__":
    main()

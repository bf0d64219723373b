"""Keeps a GPU evenly busy: large matrix products, one after the other.

    python3 bench/meter/busy.py SECONDS [SHARE]

SHARE below 1 is the part of every 200 ms that is busy; the rest is idle.
"""
import sys
import time

import torch

seconds = float(sys.argv[1])
share = float(sys.argv[2]) if len(sys.argv) > 2 else 1.0
a = torch.randn(8192, 8192, device="cuda")
end = time.monotonic() + seconds
while time.monotonic() < end:
    rest = time.monotonic() + 0.2
    while time.monotonic() < rest - 0.2 * (1 - share):
        torch.mm(a, a)
        torch.cuda.synchronize()
    if share < 1:
        time.sleep(max(0.0, rest - time.monotonic()))

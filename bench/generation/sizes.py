"""The models that are measured: arguments of examples/generate/gpt.py:build. `sizes.py NAME` prints them for ampere."""

from __future__ import annotations

import sys

SIZES = {
    "tiny": dict(width=64, layers=2, heads=4, vocabulary=500, positions=64),
    "small": dict(width=768, layers=12, heads=12, vocabulary=50304, positions=4096),  # 0.17 B parameters
    "medium": dict(width=1024, layers=24, heads=16, vocabulary=50304, positions=4096),  # 0.41 B
    "large": dict(width=1792, layers=24, heads=14, vocabulary=50304, positions=4096),  # 1.1 B
}

if __name__ == "__main__":
    print(" ".join(f"--arg {name}={value}" for name, value in SIZES[sys.argv[1]].items()))

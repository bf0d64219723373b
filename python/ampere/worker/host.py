"""The machine: its processor, its system, and the memory that can still be used."""

from __future__ import annotations

import ctypes
import os
import re
from typing import Optional

GIBIBYTE = 1024.0**3


def gibibytes(size: float) -> str:
    value = size / GIBIBYTE
    return f"{value:.1f} GiB" if value < 10 else f"{value:.0f} GiB"


def describe() -> dict[str, str]:
    """`name`, `hardware` and `driver` of the CPU, in the words of ampere-runner."""
    names = os.uname()
    memory = _meminfo("MemTotal")
    size = gibibytes(memory) if memory else "unknown memory"
    return {
        "name": _processor_name(),
        "hardware": f"{names.machine}, {os.cpu_count()} logical cores, {size}",
        "driver": f"{names.sysname} {names.release}",
    }


def available_memory() -> Optional[int]:
    """Bytes, within the limits of the control group; None if unknown."""
    rooms = [
        _meminfo("MemAvailable"),
        _room("/sys/fs/cgroup/memory.max", "/sys/fs/cgroup/memory.current"),
        _room(
            "/sys/fs/cgroup/memory/memory.limit_in_bytes",
            "/sys/fs/cgroup/memory/memory.usage_in_bytes",
        ),
    ]
    return min((room for room in rooms if room is not None), default=None)


def return_freed_memory() -> None:
    """Gives back what the C library keeps, which otherwise counts as used."""
    try:
        ctypes.CDLL(None).malloc_trim(0)
    except (OSError, AttributeError):
        pass  # another C library


def _processor_name() -> str:
    """ARM kernels name no processor; boards name themselves in the device tree."""
    found = re.search(r"^model name\s*:\s*(.*)$", _read("/proc/cpuinfo"), re.MULTILINE)
    if found:
        return found[1].strip()
    return _read("/proc/device-tree/model").replace("\0", "").strip() or "unknown processor"


def _meminfo(key: str) -> Optional[int]:
    found = re.search(rf"^{key}:\s*(\d+)", _read("/proc/meminfo"), re.MULTILINE)
    return int(found[1]) * 1024 if found else None


def _room(limit_path: str, used_path: str) -> Optional[int]:
    limit, used = _read(limit_path).strip(), _read(used_path).strip()
    if not limit.isdigit() or not used.isdigit():
        return None  # "max", or no control group
    return max(0, int(limit) - int(used))


def _read(path: str) -> str:
    try:
        with open(path, encoding="utf-8", errors="replace") as file:
            return file.read()
    except OSError:
        return ""

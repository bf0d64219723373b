"""Quantities as text: 85.5 J, 6.64 s, 1.14 ms; and texts as quantities: 50 kJ, 2 kWh."""

from __future__ import annotations

import math
import re
from typing import Optional, Union

from .errors import UsageError

_PREFIXES = [(1e9, "G"), (1e6, "M"), (1e3, "k"), (1.0, ""), (1e-3, "m"), (1e-6, "µ"), (1e-9, "n")]
_JOULES_PER = {"j": 1.0, "kj": 1e3, "mj": 1e6, "gj": 1e9, "wh": 3600.0, "kwh": 3.6e6, "mwh": 3.6e9}


def with_unit(value: Optional[float], unit: str) -> str:
    """Three digits and a prefix; "unknown" for None."""
    if value is None:
        return "unknown"
    if value == 0 or not math.isfinite(value):
        return f"{value:g} {unit}"
    for scale, prefix in _PREFIXES:
        if abs(value) >= 0.9995 * scale:
            break
    scaled = value / scale
    digits = max(0, 2 - int(math.floor(math.log10(abs(scaled)) + 1e-3)))
    return f"{scaled:.{min(digits, 3)}f} {prefix}{unit}"


def duration(seconds: Optional[float]) -> str:
    """Seconds with a prefix up to two minutes, then minutes, hours and days."""
    if seconds is None:
        return "unknown"
    for length, unit in ((86400.0, "days"), (3600.0, "h"), (60.0, "min")):
        if seconds >= 2 * length:
            return f"{seconds / length:.3g} {unit}"
    return with_unit(seconds, "s")


def joules(quantity: Union[str, float]) -> float:
    """"50 kJ", "2 kWh" or a number of joules. Throws UsageError for what is no positive energy."""
    if isinstance(quantity, bool):
        raise UsageError(f"{quantity!r} is not an energy", "write it like '50 kJ'")
    if isinstance(quantity, (int, float)):
        value = float(quantity)
    else:
        found = re.fullmatch(r"\s*([0-9]+(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?)\s*([A-Za-z]+)\s*", str(quantity))
        if found is None:
            raise UsageError(f"{quantity!r} is not an energy", "write it like '50 kJ', '3 MJ', '200 Wh' or '1.5 kWh'")
        unit = found.group(2)
        if unit.lower() not in _JOULES_PER or unit[0] == "m":
            raise UsageError(f"{quantity!r}: {unit!r} is not a unit of energy", "the units are J, kJ, MJ, GJ, Wh, kWh and MWh")
        value = float(found.group(1)) * _JOULES_PER[unit.lower()]
    if not math.isfinite(value) or value <= 0:
        raise UsageError(f"{quantity!r} is not a positive energy")
    return value

"""An estimate as HTML for notebooks: a table and a bar chart as SVG. No scripts; every text is escaped."""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING, List, Optional

from ._quantities import duration, with_unit

if TYPE_CHECKING:
    from ._estimate_value import Estimate, Interval, Part

_MOST_BARS = 30
_ROW = 18  # pixels
_LABEL, _BAR = 330, 260
_COLOUR, _UNSURE = "#2a6f97", "#b5651d"


def estimate_html(estimate: "Estimate") -> str:
    rows = [("energy", with_unit(estimate.energy_j, "J"), _range(estimate.interval, "J")),
            ("time", duration(estimate.time_s), _range(estimate.time_interval, "s"))]
    table = "".join(f"<tr><th>{escape(name)}</th><td>{escape(value)}</td><td>{escape(range_)}</td></tr>"
                    for name, value, range_ in rows)
    notes = [f"{len(estimate.unknown)} layers were never profiled: {reason}" for reason in _reasons(estimate)]
    notes += estimate.warnings
    listed = "".join(f"<li>{escape(note)}</li>" for note in notes)
    return (f"<div><p><b>{escape(estimate.headline())}</b></p><table>{table}</table>"
            + (f"<ul>{listed}</ul>" if listed else "") + _chart(estimate.parts) + "</div>")


def _reasons(estimate: "Estimate") -> List[str]:
    return sorted({one.reason for one in estimate.unknown})[:1]


def _range(interval: "Optional[Interval]", unit: str) -> str:
    if interval is None:
        return ""
    return (f"{100 * interval.confidence:g} % interval {with_unit(interval.low, unit)} "
            f"to {with_unit(interval.high, unit)}")


def _chart(parts: "List[Part]") -> str:
    """One bar per part, in the order of the network; its length is the energy per iteration."""
    known = [part for part in parts if part.energy_j is not None]
    if not known:
        return ""
    shown = known
    if len(known) > _MOST_BARS:  # the dearest ones
        limit = sorted((part.energy_j or 0.0 for part in known), reverse=True)[_MOST_BARS - 1]
        shown = [part for part in known if (part.energy_j or 0.0) >= limit][:_MOST_BARS]
    longest = max(max(part.energy_j or 0.0 for part in shown), 1e-30)
    bars = "".join(_bar(part, row, longest) for row, part in enumerate(shown))
    width, height = _LABEL + _BAR + 90, _ROW * len(shown) + 4
    left_out = len(known) - len(shown)
    caption = "energy per iteration, by part" + (f" ({left_out} smaller parts are left out)" if left_out else "")
    return (f'<p>{escape(caption)}</p><svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" '
            f'role="img" aria-label="{escape(caption)}" font-family="sans-serif" font-size="11" '
            f'fill="currentColor">{bars}</svg>')


def _bar(part: "Part", row: int, longest: float) -> str:
    energy = part.energy_j or 0.0
    features = " ".join(f"{name}={value}" for name, value in part.features.items())
    label = f"{part.kind} {features}" + (f" × {part.count}" if part.count > 1 else "")
    short = label if len(label) <= 56 else label[:55] + "…"
    length = max(0.0, _BAR * energy / longest)
    y = _ROW * row
    colour = _UNSURE if part.extrapolated else _COLOUR
    return (f"<g><title>{escape(label)}</title>"
            f'<text x="{_LABEL - 6}" y="{y + 13}" text-anchor="end">{escape(short)}</text>'
            f'<rect x="{_LABEL}" y="{y + 3}" width="{length:.1f}" height="{_ROW - 6}" fill="{colour}"/>'
            f'<text x="{_LABEL + length + 5:.1f}" y="{y + 13}">{escape(with_unit(energy, "J"))}</text></g>')

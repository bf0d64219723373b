"""Reads recordings of the comparison, and puts several of them together."""

from __future__ import annotations

import gzip
import json
from typing import Any

from rows import choose


def load(argument: str) -> dict[str, Any]:
    """A recording, given as FILE or FILE:ROW,ROW,... for only some of its rows."""
    path, _, names = argument.partition(":")
    with gzip.open(path, "rt", encoding="utf-8") as file:
        recording: dict[str, Any] = json.load(file)
    if names:
        wanted = [row.name for row in choose(names.split(","))]
        recording["rows"] = [row for row in recording["rows"] if row["row"]["name"] in wanted]
    return recording


def pool(recordings: list[dict[str, Any]]) -> dict[str, Any]:
    """One recording with the rounds of all. Rounds of the same row count as one long measurement."""
    first = recordings[0]
    for other in recordings[1:]:
        if other["loop"] != first["loop"] or other["rig"]["device"] != first["rig"]["device"]:
            raise SystemExit("--print: the recordings are of different devices or frameworks")
    rows = [row for recording in recordings for row in recording["rows"]]
    pooled = []
    for row in choose([]):
        same = [each for each in rows if each["row"]["name"] == row.name]
        if any(each["row"] != row.as_json() for each in same):
            raise SystemExit(f"--print: '{row.name}' is another row in one of the recordings")
        if same:
            errors = [each["error"] for each in same if each["error"]]
            pooled.append({
                "row": row.as_json(),
                "rounds": [one for each in same for one in each["rounds"]],
                "error": "; ".join(errors) or None,
            })
    return {**first, "rows": pooled}

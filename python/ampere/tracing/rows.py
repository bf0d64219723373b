"""A call of an operation as a row of a program (docs/program-format.md)."""

from __future__ import annotations

from typing import Any

from .naming import name_of
from .normalising import meant_by
from .tf32 import tf32_of
from .values import Table, as_keywords, as_result, as_value


def operation_row(
    operation: Any, arguments: Any, keywords: Any, result: Any, tensors: Table
) -> dict[str, Any]:
    """Of an overload that was called; its tensors are added to the table."""
    meant = meant_by(operation, arguments, keywords, result)
    if meant is not None:
        name, arguments, results = meant
        keywords = {}
    else:
        name = name_of(operation)
        several = len(operation._schema.returns) != 1
        results = list(result or ()) if several else [result]
    row: dict[str, Any] = {
        "name": name,
        "arguments": [as_value(each, tensors) for each in arguments],
    }
    named = as_keywords(keywords, tensors)
    if named:
        row["keywords"] = named
    row["results"] = [as_result(each, tensors) for each in results]
    tf32 = tf32_of(name, arguments)
    if tf32 is not None:
        row["tf32"] = tf32
    return row

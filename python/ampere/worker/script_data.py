"""Batches from the user's data loader, again and again."""

from __future__ import annotations

from typing import Any, Callable, Iterable, Iterator

from .failure import failed


class Batches:
    """Items one after the other. The iterable is started again when it ends."""

    def __init__(self, data: Iterable[Any], label: str) -> None:
        self._data = data
        self._label = label
        self._iterator: Iterator[Any] = iter(data)
        self._count = 0

    def next(self) -> Any:
        try:
            item = next(self._iterator)
        except StopIteration:
            item = self._again()
        self._count += 1
        return item

    def _again(self) -> Any:
        self._iterator = iter(self._data)
        for item in self._iterator:
            return item
        if self._count == 0:
            raise failed(f"{self._label}: data has no items")
        raise failed(
            f"{self._label}: data ended after {self._count} items and cannot be started again: "
            "give a list or a DataLoader, not a generator"
        )


def step_with_data(
    step: Callable[[Any], Any], data: Iterable[Any], label: str, real: bool
) -> Callable[[], Any]:
    """The step on a new item each time if `real`, otherwise always on the first item."""
    batches = Batches(data, label)
    if real:
        return lambda: step(batches.next())
    item = batches.next()
    return lambda: step(item)

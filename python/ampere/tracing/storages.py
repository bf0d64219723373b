"""Memory: which storages an iteration uses, when they are born and when they are gone.

Storages are held weakly, and tensors not at all: autograd would copy gradients that somebody else
holds, and the trace would not be that of the user's code.
"""

from __future__ import annotations

from typing import Any, Iterable, Optional

from torch.multiprocessing.reductions import StorageWeakRef

from .tensors import storage_of, tensors_in

WEIGHT, GRADIENT, STATE, INPUT, ACTIVATION = range(5)
BEFORE = -1  # `born` of what was there before the iteration

# Looking at every storage after every operation takes too long in large networks. Most that die
# are among the youngest; the others are looked at in turn.
_YOUNGEST, _IN_TURN = 64, 64


class Storages:
    """All storages of one kind of device."""

    def __init__(self, device: str) -> None:
        self._device = device
        self._rows: list[list[Any]] = []
        self._by_address: dict[int, int] = {}
        self._alive: list[tuple[int, StorageWeakRef]] = []  # row and reference, the oldest first
        self._turn = 0

    def seen(self, tensor: Any, born: int, kind: int) -> None:
        """Notes the storage of a tensor unless it is known."""
        if tensor.device.type != self._device:
            return
        storage = storage_of(tensor)
        if storage is None:
            return
        address = int(storage._cdata)
        if address in self._by_address or storage.nbytes() == 0:
            return
        self._by_address[address] = len(self._rows)
        self._alive.append((len(self._rows), StorageWeakRef(storage)))
        self._rows.append([int(storage.nbytes()), born, None, kind])

    def knows(self, tensor: Any) -> bool:
        storage = storage_of(tensor)
        return storage is not None and int(storage._cdata) in self._by_address

    def mark(self, tensors: Iterable[Any], kind: int) -> None:
        """Says what the storages of these tensors are for, if they are known."""
        for tensor in tensors:
            storage = storage_of(tensor)
            row = None if storage is None else self._by_address.get(int(storage._cdata))
            if row is not None:
                self._rows[row][3] = kind

    def expire(self, step: int, everything: bool = False) -> None:
        """Notes what is gone before this step runs."""
        old = len(self._alive) - _YOUNGEST
        if everything or old <= _IN_TURN:
            self._drop(0, len(self._alive), step)
            return
        self._drop(old, len(self._alive), step)
        begin = self._turn if self._turn < old else 0
        self._drop(begin, min(begin + _IN_TURN, old), step)
        self._turn = begin + _IN_TURN

    def rows(self, steps: int) -> list[list[Any]]:
        """What is gone only after the last of these steps was there until the end."""
        return [
            [size, born, None if freed == steps else freed, kind]
            for size, born, freed, kind in self._rows
        ]

    def _drop(self, begin: int, end: int, step: int) -> None:
        gone = [each for each in self._alive[begin:end] if each[1].expired()]
        if not gone:
            return
        for row, reference in gone:
            self._rows[row][2] = step
            self._by_address.pop(int(reference.cdata), None)
        kept = [each for each in self._alive[begin:end] if self._rows[each[0]][2] is None]
        self._alive[begin:end] = kept


def tensors_of_state(state: Any) -> list[Any]:
    """Tensors in the state of an optimizer."""
    return [tensor for each in dict(state).values() for tensor in tensors_in(each)]


def gradients_of(parameters: Iterable[Any]) -> list[Any]:
    found: list[Any] = []
    for parameter in parameters:
        gradient: Optional[Any] = parameter.grad
        if gradient is not None:
            found.append(gradient)
    return found

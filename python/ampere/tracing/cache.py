"""What the cache of a language model holds, whatever object it is."""

from __future__ import annotations

from typing import Any, Iterator

import torch

from .tensors import storage_of

_DEEPEST = 8  # objects inside of objects


def cache_bytes(cache: Any) -> int:
    """Memory behind all tensors of the cache; what several of them share counts once."""
    sizes: dict[int, int] = {}
    for tensor in cache_tensors(cache):
        storage = storage_of(tensor)
        if storage is not None:
            sizes[int(storage._cdata)] = int(storage.nbytes())
    return sum(sizes.values())


def cache_tensors(cache: Any) -> list[Any]:
    """All tensors in nested lists, tuples, dictionaries and attributes of objects, but not those of modules."""
    return list(_tensors(cache, set(), 0))


def _tensors(value: Any, seen: set[int], depth: int) -> Iterator[Any]:
    if isinstance(value, torch.Tensor):
        yield value
        return
    if depth > _DEEPEST or id(value) in seen or isinstance(value, (str, bytes, type, torch.nn.Module)):
        return
    seen.add(id(value))
    if isinstance(value, dict):
        inside = list(value.values())
    elif isinstance(value, (list, tuple, set)):
        inside = list(value)
    else:
        names = [name for kind in type(value).__mro__ for name in getattr(kind, "__slots__", ())]
        inside = [*getattr(value, "__dict__", {}).values(), *(getattr(value, name, None) for name in names)]
    for each in inside:
        yield from _tensors(each, seen, depth + 1)

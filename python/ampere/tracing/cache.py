"""What the cache of a language model holds, whatever object it is."""

from __future__ import annotations

import copy
from typing import Any, Callable, Iterator

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


def same_cache(cache: Any) -> Callable[[], Any]:
    """Gives this cache again and again, for decodes that may change it.

    Tuples of tensors cannot change, and are given as they are. Anything else is copied without its tensors, which the
    copies share: a cache that grows puts longer tensors in the place of its own. Lists of such tuples, which are
    common, are copied fast, because the copy is part of the time that is measured.
    """
    if _is_fixed(cache):
        return lambda: cache
    if type(cache) is list and all(_is_fixed(each) for each in cache):
        pairs = tuple(cache)
        return lambda: list(pairs)
    tensors = cache_tensors(cache)
    kept = copy.deepcopy(cache, _themselves(tensors))
    return lambda: copy.deepcopy(kept, _themselves(tensors))


def _is_fixed(value: Any) -> bool:
    if isinstance(value, tuple):
        return all(_is_fixed(each) for each in value)
    return value is None or isinstance(value, (torch.Tensor, bool, int, float, str))


def _themselves(tensors: list[Any]) -> dict[int, Any]:
    """What deepcopy is told has been copied before."""
    return {id(each): each for each in tensors}


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

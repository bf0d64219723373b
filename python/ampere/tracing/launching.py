"""Which operations give the device work, and at which ones the host waits for it."""

from __future__ import annotations

from typing import Any, Mapping, Sequence

import torch

from .naming import base_name
from .tensors import tensors_in

# Operations without work whose schema does not say so: memory without contents, and metadata.
_IDLE = frozenset(
    ["empty", "empty_like", "empty_strided", "empty_permuted", "new_empty", "new_empty_strided"]
    + ["_unsafe_view", "resize_", "resize_as_", "set_", "set_data", "lift", "_efficientzerotensor"]
    + ["_local_scalar_dense", "item", "is_same_size", "is_pinned", "_pin_memory", "pin_memory"]
    + ["_has_compatible_shallow_copy_type", "_version", "requires_grad_", "size", "stride"]
    + ["_assert_tensor_metadata", "_assert_scalar", "sym_size", "sym_stride", "sym_numel"]
)

# Operations whose result, or its size, the host must know before it goes on.
_WAITING = frozenset(
    ["_local_scalar_dense", "item", "nonzero", "masked_select", "equal", "is_nonzero", "unique_dim"]
    + ["unique_consecutive", "unique_dim_consecutive", "_unique", "_unique2", "bincount", "nms"]
    + ["linalg_eig", "linalg_eigvals", "_linalg_eigh", "linalg_lstsq", "_linalg_svd"]
)

_COPIES = ("_to_copy", "copy_", "copy", "_copy_from", "_copy_from_and_resize")


def launches(operation: Any, arguments: Any, result: Any, device: str) -> bool:
    """Whether the device has something to do."""
    if base_name(operation) in _IDLE or _is_view(operation):
        return False
    results = tensors_in(result)
    if results and all(each.numel() == 0 for each in results):
        return False
    involved = results + tensors_in(arguments)
    return any(each.device.type == device for each in involved)


def waits(
    operation: Any, arguments: Sequence[Any], keywords: Mapping[str, Any], result: Any, device: str
) -> bool:
    """Whether the host stands still until the device has nothing left to do."""
    name = base_name(operation)
    given = tensors_in([list(arguments), dict(keywords)])
    if name in _COPIES:
        return _waiting_copy(given + tensors_in(result), arguments, keywords)
    if not any(each.device.type == device for each in given):
        return False
    if name in ("index", "index_put_", "index_put", "_index_put_impl_"):
        return _has_mask(arguments[1] if len(arguments) > 1 else None)
    if name == "repeat_interleave":
        return str(operation._schema.overload_name) == "Tensor" and not keywords.get("output_size")
    return name in _WAITING


def _is_view(operation: Any) -> bool:
    """A result that shares memory with an argument and does not change its numbers."""
    if torch.Tag.inplace_view in operation.tags:
        return True
    returns = operation._schema.returns
    return any(each.alias_info is not None for each in returns) and not any(
        each.alias_info is not None and each.alias_info.is_write for each in returns
    )


def _waiting_copy(
    involved: Sequence[Any], arguments: Sequence[Any], keywords: Mapping[str, Any]
) -> bool:
    """Between host and device, unless the copy was asked for without waiting."""
    if len({each.device.type for each in involved}) < 2:
        return False
    position = arguments[2] if len(arguments) > 2 else False
    return not (keywords.get("non_blocking") or position is True)


def _has_mask(indices: Any) -> bool:
    """A mask is turned into indices, whose number the host must know."""
    masks = (torch.bool, torch.uint8)
    return any(each.dtype in masks for each in tensors_in(indices))

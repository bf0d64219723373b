"""Whether fp32 numbers may be multiplied in TF32: a setting of torch that no call shows."""

from __future__ import annotations

from typing import Any, Optional, Sequence

import torch

# What cuBLAS and cuDNN compute. Attention has kernels of its own, which the settings do not change.
PRODUCTS = ("mm", "addmm", "bmm", "baddbmm", "addbmm", "_addmm_activation")
CONVOLUTIONS = ("convolution", "convolution_backward")


def tf32_of(name: str, arguments: Sequence[Any]) -> Optional[bool]:
    """What is set for this operation. None where it is torch's default, and for other formats."""
    first = arguments[0] if arguments else None
    if not isinstance(first, torch.Tensor) or first.dtype != torch.float32:
        return None
    plain = name.partition(".")[0].rstrip("_")
    if plain in PRODUCTS and products_use_tf32():
        return True
    if plain in CONVOLUTIONS and not convolutions_use_tf32():
        return False
    return None


def products_use_tf32() -> bool:
    matmul = torch.backends.cuda.matmul
    return _is_tf32(matmul, "ieee", lambda: matmul.allow_tf32)


def convolutions_use_tf32() -> bool:
    cudnn = torch.backends.cudnn
    return _is_tf32(getattr(cudnn, "conv", None), "tf32", lambda: cudnn.allow_tf32)


def _is_tf32(settings: Any, otherwise: str, by_old_name: Any) -> bool:
    """Newer versions of torch have new names, and refuse the old ones once a new one was used."""
    try:
        precision = settings.fp32_precision
    except (AttributeError, AssertionError):  # 1.13 asserts that it knows the name
        return bool(by_old_name())
    if precision == "none":
        precision = torch.backends.fp32_precision  # of everything together
    return bool((otherwise if precision == "none" else precision) == "tf32")

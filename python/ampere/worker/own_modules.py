"""Modules for operators that torch.nn has no module for, written as people write them."""
# mypy: disallow-subclassing-any=False

from __future__ import annotations

import math
from typing import Any, Optional

import torch
from torch import nn
from torch.nn import functional as F

SMALL_DEVIATION = 0.02  # of tokens, positions and free parameters, as in Vision Transformers


def small_normal(sizes: tuple[int, ...], device: Any) -> Any:
    return torch.empty(sizes, device=device).normal_(0, SMALL_DEVIATION)


class SelfAttention(nn.Module):
    """One projection to queries, keys and values, torch's fused attention, one projection back."""

    def __init__(self, channels: int, heads: int, bias: bool, device: Any) -> None:
        super().__init__()
        self.heads = heads
        self.width = channels // heads
        self.in_proj = nn.Linear(channels, 3 * channels, bias=bias, device=device)
        self.out_proj = nn.Linear(channels, channels, bias=bias, device=device)

    def forward(self, x: Any) -> Any:
        batch, length, channels = x.shape
        qkv = self.in_proj(x).view(batch, length, 3, self.heads, self.width)
        q, k, v = qkv.permute(2, 0, 3, 1, 4).unbind(0)
        mixed = self.mix(q, k, v)
        return self.out_proj(mixed.transpose(1, 2).reshape(batch, length, channels))

    def mix(self, q: Any, k: Any, v: Any) -> Any:
        return F.scaled_dot_product_attention(q, k, v)


class PlainSelfAttention(SelfAttention):
    """The same with two matrix products and a softmax."""

    def mix(self, q: Any, k: Any, v: Any) -> Any:
        scores = (q * (1 / math.sqrt(self.width))) @ k.transpose(-2, -1)
        return torch.softmax(scores, -1) @ v


class StochasticDepth(nn.Module):
    """Drops whole samples, scaled so that the mean stays, as torchvision's module does."""

    def __init__(self, probability: float) -> None:
        super().__init__()
        self.kept = 1 - probability

    def forward(self, x: Any) -> Any:
        if not self.training:
            return x
        sizes = [x.shape[0]] + [1] * (x.ndim - 1)
        noise = torch.empty(sizes, dtype=x.dtype, device=x.device)
        return x * noise.bernoulli_(self.kept).div_(self.kept)


class Scale(nn.Module):
    """A learned factor per channel and, with a bias, a learned offset."""

    def __init__(self, sizes: tuple[int, ...], bias: bool, device: Any) -> None:
        super().__init__()
        self.weight = nn.Parameter(torch.ones(sizes, device=device))
        self.bias: Optional[Any] = None
        if bias:
            self.bias = nn.Parameter(torch.zeros(sizes, device=device))

    def forward(self, x: Any) -> Any:
        scaled = x * self.weight
        return scaled if self.bias is None else scaled + self.bias


class ClassToken(nn.Module):
    """Puts a learned token in front of the sequence."""

    def __init__(self, channels: int, device: Any) -> None:
        super().__init__()
        self.token = nn.Parameter(small_normal((channels,), device))

    def forward(self, x: Any) -> Any:
        return torch.cat((self.token.expand(x.shape[0], 1, -1), x), 1)


class PositionEmbedding(nn.Module):
    """Adds a learned vector to each position: the first rows of a table."""

    def __init__(self, rows: int, length: int, channels: int, device: Any) -> None:
        super().__init__()
        self.position = nn.Parameter(small_normal((rows, channels), device))
        self.length = length
        self.whole = rows == length

    def forward(self, x: Any) -> Any:
        return x + (self.position if self.whole else self.position[: self.length])


class FreeParameter(nn.Module):
    """A tensor of the network's own, the same for every sample."""

    def __init__(self, sizes: tuple[int, ...], batch: int, learned: bool, device: Any) -> None:
        super().__init__()
        self.batch = batch
        value = small_normal(sizes, device)
        if learned:
            self.value = nn.Parameter(value)
        else:
            self.register_buffer("value", value)

    def forward(self) -> Any:
        return self.value.expand(self.batch, *self.value.shape)


class Gather(nn.Module):
    """Entries along an axis, picked by fixed indices, which count up and begin again."""

    def __init__(self, dim: int, length: int, count: int, device: Any) -> None:
        super().__init__()
        self.before = (slice(None),) * dim
        self.register_buffer("index", torch.arange(count, device=device) % length)

    def forward(self, x: Any) -> Any:
        return x[(*self.before, self.index)]


class PickedRows(nn.Module):
    """Rows of a table, picked by fixed indices, which count up and begin again."""

    def __init__(
        self, rows: int, length: int, channels: int, batch: int, learned: bool, device: Any
    ) -> None:
        super().__init__()
        self.batch = batch
        value = small_normal((rows, channels), device)
        if learned:
            self.value = nn.Parameter(value)
        else:
            self.register_buffer("value", value)
        self.register_buffer("index", torch.arange(length, device=device) % rows)

    def forward(self) -> Any:
        return F.embedding(self.index, self.value).expand(self.batch, -1, -1)

"""The networks of the comparison, written as PyTorch users write them.

Nothing here comes from the package ampere: the loop must be independent of the worker that it is
compared with. Architecture and parameter counts are those of ampere's zoo (docs/zoo.md).
"""

from __future__ import annotations

import math
from typing import Any, Callable

import torch
from torch import nn
from torch.nn import functional as F

TOKENS = 1000  # vocabulary of the transformer


def lenet5() -> nn.Module:
    return nn.Sequential(
        nn.Conv2d(1, 6, 5, padding=2),
        nn.ReLU(),
        nn.MaxPool2d(2),
        nn.Conv2d(6, 16, 5),
        nn.ReLU(),
        nn.MaxPool2d(2),
        nn.Flatten(),
        nn.Linear(400, 120),
        nn.ReLU(),
        nn.Linear(120, 84),
        nn.ReLU(),
        nn.Linear(84, 10),
    )


class Attention(nn.Module):
    def __init__(self, channels: int, heads: int) -> None:
        super().__init__()
        self.heads = heads
        self.qkv = nn.Linear(channels, 3 * channels)
        self.project = nn.Linear(channels, channels)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        batch, length, channels = x.shape
        q, k, v = self.qkv(x).chunk(3, dim=-1)
        q = q.view(batch, length, self.heads, -1).transpose(1, 2)
        k = k.view(batch, length, self.heads, -1).transpose(1, 2)
        v = v.view(batch, length, self.heads, -1).transpose(1, 2)
        y = attend(q, k, v)
        return self.project(y.transpose(1, 2).reshape(batch, length, channels))


def attend(q: torch.Tensor, k: torch.Tensor, v: torch.Tensor) -> torch.Tensor:
    if hasattr(F, "scaled_dot_product_attention"):
        return F.scaled_dot_product_attention(q, k, v)
    weights = torch.softmax(q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1]), dim=-1)  # PyTorch 1
    return weights @ v


class EncoderBlock(nn.Module):
    """The block of "Attention is all you need": normalisation after each addition."""

    def __init__(self, channels: int, heads: int) -> None:
        super().__init__()
        self.attention = Attention(channels, heads)
        self.norm1 = nn.LayerNorm(channels)
        self.linear1 = nn.Linear(channels, 4 * channels)
        self.linear2 = nn.Linear(4 * channels, channels)
        self.norm2 = nn.LayerNorm(channels)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        x = self.norm1(x + self.attention(x))
        return self.norm2(x + self.linear2(F.relu(self.linear1(x))))


class Transformer(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.embedding = nn.Embedding(TOKENS, 256)
        self.blocks = nn.ModuleList(EncoderBlock(256, 4) for _ in range(4))
        self.head = nn.Linear(256, 10)

    def forward(self, tokens: torch.Tensor) -> torch.Tensor:
        x = self.embedding(tokens)
        for block in self.blocks:
            x = block(x)
        return self.head(x.mean(dim=1))


def resnet18() -> nn.Module:
    """torchvision's ResNet-18 with the usual changes for images of 32x32."""
    from torchvision.models import resnet18 as from_torchvision

    model = from_torchvision(num_classes=10)
    model.conv1 = nn.Conv2d(3, 64, 3, stride=1, padding=1, bias=False)
    model.maxpool = nn.Identity()
    return model


def resnet50() -> nn.Module:
    from torchvision.models import resnet50 as from_torchvision

    return from_torchvision()


def gpt2() -> nn.Module:
    """GPT-2 small with random weights and the usual dropout. Training needs no cache."""
    from transformers import GPT2Config, GPT2LMHeadModel

    return GPT2LMHeadModel(GPT2Config(use_cache=False))


NETWORKS: dict[str, Callable[[], Any]] = {
    "lenet5": lenet5,
    "transformer": Transformer,
    "resnet18": resnet18,
    "resnet50": resnet50,
    "gpt2": gpt2,
}

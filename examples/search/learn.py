"""Trains a resnet18 of given widths on Fashion-MNIST, to see how well a network that was found learns.

It is the network of `ampere show resnet18`: images of 32x32 pixels with three channels, so the grey images get a margin and
are repeated. The files are those of Debian's package dataset-fashion-mnist, compressed or not.
"""

from __future__ import annotations

import gzip
import math
from pathlib import Path
from typing import Any, Dict, NamedTuple

import torch
from torch import nn
from torch.nn import functional

import ampere

LEARNING_RATE, MOMENTUM, WEIGHT_DECAY = 0.05, 0.9, 5e-4
PIXELS_AT, LABELS_AT = 16, 8  # bytes of the headers of the files
STAGES = 4


class Data(NamedTuple):
    """Pixels as bytes, N x 1 x 28 x 28, and classes, on the device."""

    train_x: Any
    train_y: Any
    test_x: Any
    test_y: Any


class Learned(NamedTuple):
    accuracy: float
    energy_j: float  # of the whole training, without the test; nan where no meter measures it
    source: str
    time_s: float


def _bytes(folder: Path, name: str, header: int, device: str) -> Any:
    plain, packed = folder / name, folder / f"{name}.gz"
    data = plain.read_bytes() if plain.exists() else gzip.decompress(packed.read_bytes())
    return torch.frombuffer(bytearray(data[header:]), dtype=torch.uint8).to(device)


def read_data(folder: str, device: str) -> Data:
    root = Path(folder)
    parts = []
    for kind in ("train", "t10k"):
        labels = _bytes(root, f"{kind}-labels-idx1-ubyte", LABELS_AT, device).long()
        pixels = _bytes(root, f"{kind}-images-idx3-ubyte", PIXELS_AT, device)
        parts += [pixels.view(len(labels), 1, 28, 28), labels]
    return Data(*parts)


def images(pixels: Any) -> Any:
    grey = functional.pad((pixels.float() / 255 - 0.286) / 0.353, (2, 2, 2, 2))
    return grey.expand(-1, 3, -1, -1)


def conv_bn(channels: int, out: int, kernel: int, stride: int = 1) -> nn.Sequential:
    conv = nn.Conv2d(channels, out, kernel, stride, padding=kernel // 2, bias=False)
    return nn.Sequential(conv, nn.BatchNorm2d(out))


class Unit(nn.Module):
    def __init__(self, channels: int, middle: int, out: int, stride: int) -> None:
        super().__init__()
        self.first = conv_bn(channels, middle, 3, stride)
        self.second = conv_bn(middle, out, 3)
        self.shortcut = conv_bn(channels, out, 1, stride) if stride > 1 else nn.Identity()

    def forward(self, x: Any) -> Any:
        return torch.relu(self.second(torch.relu(self.first(x))) + self.shortcut(x))


def resnet18(widths: Dict[str, int]) -> nn.Module:
    """`widths` by the names that ampere.cost("resnet18") gives them."""
    channels = widths["stem"]
    layers = [conv_bn(3, channels, 3), nn.ReLU()]
    for stage in range(1, STAGES + 1):
        out = channels if stage == 1 else widths[f"stage{stage}.0.downsample"]
        for unit in range(2):
            stride = 2 if stage > 1 and unit == 0 else 1
            layers.append(Unit(channels, widths[f"stage{stage}.{unit}.conv1"], out, stride))
            channels = out
    return nn.Sequential(*layers, nn.AdaptiveAvgPool2d(1), nn.Flatten(), nn.Linear(channels, 10))


def learn(widths: Dict[str, int], data: Data, epochs: int, batch: int, seed: int = 1) -> Learned:
    torch.manual_seed(seed)
    device = data.train_x.device
    network = resnet18(widths).to(device)
    optimizer = torch.optim.SGD(network.parameters(), lr=LEARNING_RATE, momentum=MOMENTUM, weight_decay=WEIGHT_DECAY)
    iterations = epochs * (len(data.train_y) // batch)
    schedule = torch.optim.lr_scheduler.LambdaLR(optimizer, lambda done: 0.5 + 0.5 * math.cos(math.pi * done / iterations))
    with ampere.measure() as measure:
        for _ in range(epochs):
            order = torch.randperm(len(data.train_y), device=device)
            for chosen in order[: len(order) // batch * batch].view(-1, batch):
                optimizer.zero_grad(set_to_none=True)
                functional.cross_entropy(network(images(data.train_x[chosen])), data.train_y[chosen]).backward()
                optimizer.step()
                schedule.step()
        if device.type == "cuda":
            torch.cuda.synchronize()
    energy = math.nan if measure.energy_j is None else measure.energy_j
    return Learned(accuracy(network, data, batch), energy, measure.source, measure.time_s)


def accuracy(network: nn.Module, data: Data, batch: int) -> float:
    network.eval()
    with torch.no_grad():
        right = sum(int((network(images(x)).argmax(1) == y).sum())
                    for x, y in zip(data.test_x.split(batch), data.test_y.split(batch)))
    return right / len(data.test_y)

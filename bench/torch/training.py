"""An ordinary training loop for one row: model, random batches, optimizer and one iteration."""

from __future__ import annotations

from contextlib import nullcontext
from itertools import cycle
from typing import Any, Callable

import torch
from torch import nn

import networks
from rows import GPT2_LENGTH, Row

BATCHES = 8  # on the device, used in turn

# Small, so that the weights stay close to random ones. The rig trains with a learning rate of 0.
LEARNING_RATE = 1e-5

IMAGES = {"lenet5": ((1, 28, 28), 10), "resnet18": ((3, 32, 32), 10), "resnet50": ((3, 224, 224), 1000)}


def make_iteration(row: Row, device: str) -> tuple[Callable[[], torch.Tensor], int]:
    """One iteration, which returns its loss, and the number of trained parameters."""
    torch.manual_seed(0)
    model = networks.NETWORKS[row.network]().to(device)
    model.train()
    count = sum(each.numel() for each in model.parameters() if each.requires_grad)
    optimizer = make_optimizer(row.optimizer, model)
    loss_of = make_loss(row, compiled(model) if row.compile else model)
    autocast = make_autocast(row.precision, torch.device(device).type)
    batches = cycle([make_batch(row, device) for _ in range(BATCHES)])

    def iteration() -> torch.Tensor:
        inputs, labels = next(batches)
        optimizer.zero_grad(set_to_none=True)
        with autocast():
            loss = loss_of(inputs, labels)
        loss.backward()
        optimizer.step()
        return loss

    return iteration, count


def compiled(model: nn.Module) -> Any:
    if not hasattr(torch, "compile"):
        raise RuntimeError(f"torch {torch.__version__} has no torch.compile")
    return torch.compile(model)


def make_optimizer(name: str, model: nn.Module) -> Any:
    if name == "sgd":
        return torch.optim.SGD(model.parameters(), lr=LEARNING_RATE, momentum=0.9)
    kind = {"adam": torch.optim.Adam, "adamw": torch.optim.AdamW}[name]
    return kind(model.parameters(), lr=LEARNING_RATE)


def make_loss(row: Row, model: Any) -> Callable[[Any, Any], torch.Tensor]:
    if row.network == "gpt2":
        return lambda inputs, labels: model(input_ids=inputs, labels=labels).loss
    criterion = nn.CrossEntropyLoss()
    return lambda inputs, labels: criterion(model(inputs), labels)


def make_autocast(precision: str, kind: str) -> Callable[[], Any]:
    if precision == "fp32":
        return nullcontext
    return lambda: torch.autocast(kind, dtype=torch.bfloat16)


def make_batch(row: Row, device: str) -> tuple[torch.Tensor, torch.Tensor]:
    if row.network == "gpt2":
        tokens = torch.randint(50257, (row.batch, GPT2_LENGTH), device=device)
        return tokens, tokens
    if row.network == "transformer":
        inputs = torch.randint(networks.TOKENS, (row.batch, 64), device=device)
        return inputs, torch.randint(10, (row.batch,), device=device)
    sizes, classes = IMAGES[row.network]
    labels = torch.randint(classes, (row.batch,), device=device)
    return torch.randn(row.batch, *sizes, device=device), labels

"""A training step of one's own: ampere run train.py:build --arg batch=128"""

import ampere
import torch
from torch import nn


def build(batch: int = 64, device: str = "cuda" if torch.cuda.is_available() else "cpu") -> ampere.Job:
    model = nn.Sequential(nn.Flatten(), nn.Linear(784, 128), nn.ReLU(), nn.Linear(128, 10)).to(device)
    optimizer = torch.optim.AdamW(model.parameters())
    images = torch.randn(batch, 1, 28, 28, device=device)
    labels = torch.randint(0, 10, (batch,), device=device)

    def step() -> torch.Tensor:
        loss = nn.functional.cross_entropy(model(images), labels)
        loss.backward()
        optimizer.step()
        optimizer.zero_grad(set_to_none=True)
        return loss

    return ampere.Job(step, model=model, batch=batch)

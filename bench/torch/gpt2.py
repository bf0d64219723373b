"""A user's script for the rig: GPT-2 small with AdamW.

    ampere run bench/torch/gpt2.py:build --rig torch --arg precision=bf16 --arg compile=true
"""

import itertools
from contextlib import nullcontext

import ampere
import torch
from transformers import GPT2Config, GPT2LMHeadModel


def build(batch=8, length=1024, precision="fp32", compile=False):
    device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
    with device:
        model = GPT2LMHeadModel(GPT2Config(use_cache=False)).train()
        tokens = [torch.randint(model.config.vocab_size, (batch, length)) for _ in range(8)]
    optimizer = torch.optim.AdamW(model.parameters(), lr=1e-5)
    network = torch.compile(model) if compile else model
    batches = itertools.cycle(tokens)

    def autocast():
        return torch.autocast(device.type, dtype=torch.bfloat16) if precision == "bf16" else nullcontext()

    def step():
        input_ids = next(batches)
        with autocast():
            loss = network(input_ids=input_ids, labels=input_ids).loss
        loss.backward()
        optimizer.step()
        optimizer.zero_grad(set_to_none=True)
        return loss

    return ampere.Job(model=model, step=step, batch=batch, name="GPT-2 small")

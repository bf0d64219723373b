"""A language model of the size of GPT-2 that generates with a cache:
ampere estimate gpt.py:build --mode generation --prompt 512 --new-tokens 256 --batch 8 --precision bf16 --device h200"""

import torch
from torch import nn

fused = getattr(nn.functional, "scaled_dot_product_attention", None)  # PyTorch 2


def attention(query, key, value, causal):
    if fused is not None:
        return fused(query, key, value, is_causal=causal)
    scores = query @ key.transpose(-2, -1) * query.shape[-1] ** -0.5
    if causal:
        length = scores.shape[-1]
        scores = scores + torch.full((length, length), float("-inf"), dtype=scores.dtype, device=scores.device).triu(1)
    return scores.softmax(-1) @ value


class Block(nn.Module):
    def __init__(self, width, heads):
        super().__init__()
        self.heads = heads
        self.norm1, self.norm2 = nn.LayerNorm(width), nn.LayerNorm(width)
        self.qkv, self.out = nn.Linear(width, 3 * width), nn.Linear(width, width)
        self.mlp = nn.Sequential(nn.Linear(width, 4 * width), nn.GELU(), nn.Linear(4 * width, width))

    def forward(self, x, past):
        batch, tokens, width = x.shape
        query, key, value = (
            part.view(batch, tokens, self.heads, -1).transpose(1, 2) for part in self.qkv(self.norm1(x)).chunk(3, -1))
        if past is not None:
            key, value = torch.cat([past[0], key], 2), torch.cat([past[1], value], 2)
        mixed = attention(query, key, value, causal=past is None)
        x = x + self.out(mixed.transpose(1, 2).reshape(batch, tokens, width))
        return x + self.mlp(self.norm2(x)), (key, value)


class GPT(nn.Module):
    def __init__(self, width, layers, heads, vocabulary, positions):
        super().__init__()
        self.positions = positions  # the longest sequence
        self.tokens, self.places = nn.Embedding(vocabulary, width), nn.Embedding(positions, width)
        self.blocks = nn.ModuleList(Block(width, heads) for _ in range(layers))
        self.norm, self.head = nn.LayerNorm(width), nn.Linear(width, vocabulary, bias=False)

    def forward(self, tokens, cache):
        before = 0 if cache is None else cache[0][0].shape[2]
        places = torch.arange(before, before + tokens.shape[1], device=tokens.device)
        x, grown = self.tokens(tokens) + self.places(places), []
        for i, block in enumerate(self.blocks):
            x, pair = block(x, None if cache is None else cache[i])
            grown.append(pair)
        return self.head(self.norm(x[:, -1:])), grown  # only the last token is continued

    def prefill(self, tokens):
        return self(tokens, None)

    def decode(self, token, cache):
        return self(token, cache)


def build(width=768, layers=12, heads=12, vocabulary=50257, positions=1024,
          device="cuda" if torch.cuda.is_available() else "cpu"):
    return GPT(width, layers, heads, vocabulary, positions).to(device)

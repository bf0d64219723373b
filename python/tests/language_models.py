"""Small language models for the tests: one per way in which such models are called with a cache."""

import torch
from torch import nn

WIDTH, HEADS, VOCABULARY = 32, 4, 61


class Attention(nn.Module):
    def __init__(self):
        super().__init__()
        self.qkv, self.out = nn.Linear(WIDTH, 3 * WIDTH), nn.Linear(WIDTH, WIDTH)

    def forward(self, x, past):
        batch, tokens, _ = x.shape
        query, key, value = (part.view(batch, tokens, HEADS, -1).transpose(1, 2) for part in self.qkv(x).chunk(3, -1))
        if past is not None:
            key, value = torch.cat([past[0], key], 2), torch.cat([past[1], value], 2)
        mixed = (query @ key.transpose(-2, -1)).softmax(-1) @ value
        return x + self.out(mixed.transpose(1, 2).reshape(batch, tokens, WIDTH)), (key, value)


class Own(nn.Module):
    """The protocol of ampere: prefill and decode."""

    def __init__(self, layers=2, positions=64):
        super().__init__()
        self.positions = positions
        self.embedding, self.head = nn.Embedding(VOCABULARY, WIDTH), nn.Linear(WIDTH, VOCABULARY)
        self.layers = nn.ModuleList(Attention() for _ in range(layers))

    def run(self, tokens, pairs):
        x, grown = self.embedding(tokens), []
        for i, layer in enumerate(self.layers):
            x, pair = layer(x, None if pairs is None else pairs[i])
            grown.append(pair)
        return self.head(x), grown

    def prefill(self, tokens):
        return self.run(tokens, None)

    def decode(self, token, cache):
        return self.run(token, cache)


class Output(dict):
    """As transformers returns it: a dictionary whose keys are attributes, too."""

    __getattr__ = dict.__getitem__


class DynamicCache:
    """As that of transformers: an object that is changed in place."""

    def __init__(self):
        self.key_cache, self.value_cache = [], []

    def pairs(self):
        return list(zip(self.key_cache, self.value_cache))


class Config:
    max_position_embeddings = 48


class LikeTransformers(nn.Module):
    """model(input_ids, past_key_values=…, use_cache=True), with pairs or with an object that changes."""

    def __init__(self, cache="object", gives_cache=True):
        super().__init__()
        self.config, self.kind, self.gives_cache, self.seen = Config(), cache, gives_cache, []
        self.model = Own()

    def forward(self, input_ids, attention_mask=None, past_key_values=None, use_cache=None, logits_to_keep=0):
        self.seen.append((tuple(input_ids.shape), past_key_values is not None, use_cache, logits_to_keep))
        of_object = self.kind == "object"
        before = past_key_values
        if past_key_values is not None and of_object:
            before = past_key_values.pairs()
        logits, pairs = self.model.run(input_ids, before)
        logits = logits[:, -logits_to_keep:]
        if not self.gives_cache or not use_cache:
            return Output(logits=logits, past_key_values=None)
        if not of_object:
            return logits, tuple(pairs)
        cache = past_key_values or DynamicCache()
        cache.key_cache, cache.value_cache = [key for key, _ in pairs], [value for _, value in pairs]
        return Output(logits=logits, past_key_values=cache)

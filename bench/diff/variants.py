"""Small changes to two networks, each as a training step in bf16: what `ampere diff` is judged by.

    ampere diff variants.py:build variants.py:build --args-before change=none --args-after change=wider_mlp

Needs nothing but PyTorch 2.
"""

import ampere
import torch
from torch import nn
from torch.nn import functional

CHANGES = {
    "language": ("none", "wider_mlp", "more_heads", "plain_attention", "relu", "rms_norm", "one_layer_less", "vocabulary"),
    "pictures": ("none", "wider_block", "silu", "group_norm", "one_block_more"),
}


class RMSNorm(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.weight = nn.Parameter(torch.ones(width))

    def forward(self, x):
        return x * torch.rsqrt(x.pow(2).mean(-1, keepdim=True) + 1e-6) * self.weight


def plain_attention(query, key, value):
    length = query.shape[-2]
    mask = torch.full((length, length), float("-inf"), device=query.device, dtype=query.dtype).triu(1)
    return (query @ key.transpose(-2, -1) * query.shape[-1] ** -0.5 + mask).softmax(-1) @ value


def fused_attention(query, key, value):
    return functional.scaled_dot_product_attention(query, key, value, is_causal=True)


class Layer(nn.Module):
    def __init__(self, width, change):
        super().__init__()
        norm = RMSNorm if change == "rms_norm" else nn.LayerNorm
        hidden = width * (5 if change == "wider_mlp" else 4)
        self.heads = 24 if change == "more_heads" else 12
        self.attention = plain_attention if change == "plain_attention" else fused_attention
        self.norm1, self.norm2 = norm(width), norm(width)
        self.qkv, self.out = nn.Linear(width, 3 * width), nn.Linear(width, width)
        self.mlp = nn.Sequential(
            nn.Linear(width, hidden), nn.ReLU() if change == "relu" else nn.GELU(), nn.Linear(hidden, width))

    def forward(self, x):
        batch, length, width = x.shape
        query, key, value = (
            part.view(batch, length, self.heads, -1).transpose(1, 2) for part in self.qkv(self.norm1(x)).chunk(3, -1))
        x = x + self.out(self.attention(query, key, value).transpose(1, 2).reshape(batch, length, width))
        return x + self.mlp(self.norm2(x))


class Language(nn.Module):
    def __init__(self, change, width=768, layers=8):
        super().__init__()
        vocabulary = 40000 if change == "vocabulary" else 32000
        self.embed = nn.Embedding(vocabulary, width)
        self.layers = nn.Sequential(*(Layer(width, change) for _ in range(layers - (change == "one_layer_less"))))
        self.head = nn.Linear(width, vocabulary)

    def forward(self, tokens):
        return self.head(self.layers(self.embed(tokens)))


class Block(nn.Module):
    """A bottleneck as in ResNet-50."""

    def __init__(self, inputs, width, stride, change):
        super().__init__()
        def norm(channels):
            return nn.GroupNorm(32, channels) if change == "group_norm" else nn.BatchNorm2d(channels)
        def activation():
            return nn.SiLU(inplace=True) if change == "silu" else nn.ReLU(inplace=True)
        outputs = 4 * width
        middle = width * 5 // 4 if change == "wider_block" and width == 256 else width
        self.body = nn.Sequential(
            nn.Conv2d(inputs, middle, 1, bias=False), norm(middle), activation(),
            nn.Conv2d(middle, middle, 3, stride, 1, bias=False), norm(middle), activation(),
            nn.Conv2d(middle, outputs, 1, bias=False), norm(outputs))
        self.end = activation()
        self.around = nn.Identity() if inputs == outputs and stride == 1 else nn.Sequential(
            nn.Conv2d(inputs, outputs, 1, stride, bias=False), norm(outputs))

    def forward(self, x):
        return self.end(self.body(x) + self.around(x))


def pictures(change):
    layers = [nn.Conv2d(3, 64, 7, 2, 3, bias=False), nn.BatchNorm2d(64), nn.ReLU(inplace=True), nn.MaxPool2d(3, 2, 1)]
    inputs = 64
    for stage, (width, blocks) in enumerate(((64, 3), (128, 4), (256, 6), (512, 3))):
        for block in range(blocks + (change == "one_block_more" and width == 256)):
            layers.append(Block(inputs, width, 2 if stage > 0 and block == 0 else 1, change))
            inputs = 4 * width
    return nn.Sequential(*layers, nn.AdaptiveAvgPool2d(1), nn.Flatten(), nn.Linear(inputs, 1000))


def build(network="language", change="none", batch=8):
    if change not in CHANGES[network]:
        raise ValueError(f"change: there are {', '.join(CHANGES[network])}")
    device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
    model = (Language(change) if network == "language" else pictures(change)).to(device)
    if network == "language":
        x = torch.randint(32000, (batch, 1024), device=device)
        y = x.flatten()
    else:
        x, y = torch.randn(batch, 3, 224, 224, device=device), torch.randint(1000, (batch,), device=device)
    update = torch.optim.AdamW(model.parameters(), lr=1e-5)

    def step():
        with torch.autocast(device.type, dtype=torch.bfloat16):
            output = model(x)
            loss = functional.cross_entropy(output.flatten(0, -2), y)
        loss.backward()
        update.step()
        update.zero_grad(set_to_none=True)
        return loss

    return ampere.Job(model=model, step=step, batch=batch, name=f"{network}-{change}")

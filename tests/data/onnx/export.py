#!/usr/bin/env python3
"""Writes the ONNX fixtures of the tests with both exporters of PyTorch.

    python3 export.py FOLDER

networks/NAME.EXPORTER.onnx.gz   published networks without their weights: the legacy exporter leaves
                                 parameters as inputs, those of the other are external data left out.
                                 The default of the other folds batch normalisation; .plain is without
                                 its optimizer, .train a network in training mode, .dynamic leaves
                                 batch and length open
small/NAME.EXPORTER.onnx         small networks with weights
small/NAME.json                  {"inputs": [{"shape", "values"}...], "output": {"shape", "values"}}:
                                 what PyTorch computes, in evaluation mode, whichever the exporter
opsets/conv.opsetN.onnx          one network in many opsets, with conv.json beside: up to 17 by the
                                 legacy exporter, from 18 on by the other
export.log                       what could not be exported, and versions

Needs torch >= 2.9, torchvision, onnx, onnxscript, transformers. Nothing here is run by the tests.
swin_v2.legacy was written by torch 1.13 and torchvision 0.14, and its values were given short names.
"""
import gzip
import json
import os
import sys
import tempfile
import traceback
import warnings
from multiprocessing import Pool

warnings.filterwarnings("ignore")
import onnx  # noqa: E402
import torch  # noqa: E402
import torchvision.models as tv  # noqa: E402
from onnx import TensorProto, helper  # noqa: E402
from onnx.external_data_helper import load_external_data_for_tensor, uses_external_data  # noqa: E402
from torch import nn  # noqa: E402
from torch.nn import functional as F  # noqa: E402

OUT = sys.argv[1] if len(sys.argv) > 1 else "fixtures"
SMALL_INITIALIZER = 16


# ---------------------------------------------------------------- networks without weights
def image(size, channels=3):
    return (torch.randn(1, channels, size, size),)


class Classifier(nn.Module):
    """Embedding, a stack over tokens, a linear layer: the zoo's lstm, gru and transformer."""

    def __init__(self, vocabulary, dim, stack, width, classes, mean=False):
        super().__init__()
        self.embedding = nn.Embedding(vocabulary, dim)
        self.stack = stack
        self.fc = nn.Linear(width, classes)
        self.mean = mean

    def forward(self, ids):
        x = self.stack(self.embedding(ids))
        x = x[0] if isinstance(x, tuple) else x
        return self.fc(x.mean(dim=1) if self.mean else x)


def encoder(dim, heads, feed_forward, layers, pre_norm=False, activation="relu", dropout=0.0):
    layer = nn.TransformerEncoderLayer(dim, heads, feed_forward, dropout, activation, batch_first=True,
                                       norm_first=pre_norm)
    return nn.TransformerEncoder(layer, layers, enable_nested_tensor=False)


def zoo_resnet18():
    net = tv.resnet18(num_classes=10)
    net.conv1 = nn.Conv2d(3, 64, 3, 1, 1, bias=False)
    net.maxpool = nn.Identity()
    return net


def zoo_lenet5():
    return nn.Sequential(nn.Conv2d(1, 6, 5, padding=2), nn.ReLU(), nn.MaxPool2d(2), nn.Conv2d(6, 16, 5),
                         nn.ReLU(), nn.MaxPool2d(2), nn.Flatten(), nn.Linear(400, 120), nn.ReLU(),
                         nn.Linear(120, 84), nn.ReLU(), nn.Linear(84, 10))


def ids(vocabulary, length, batch=1):
    return (torch.randint(0, vocabulary, (batch, length)),)


NETWORKS = {
    "alexnet": (tv.alexnet, lambda: image(224)),
    "vgg11": (tv.vgg11, lambda: image(224)),
    "vgg16": (tv.vgg16, lambda: image(224)),
    "resnet18": (tv.resnet18, lambda: image(224)),
    "resnet50": (tv.resnet50, lambda: image(224)),
    "squeezenet1_1": (tv.squeezenet1_1, lambda: image(224)),
    "densenet121": (tv.densenet121, lambda: image(224)),
    "googlenet": (lambda: tv.googlenet(aux_logits=False, init_weights=False), lambda: image(224)),
    "mobilenet_v2": (tv.mobilenet_v2, lambda: image(224)),
    "mobilenet_v3_small": (tv.mobilenet_v3_small, lambda: image(224)),
    "shufflenet_v2_x1_0": (tv.shufflenet_v2_x1_0, lambda: image(224)),
    "mnasnet1_0": (tv.mnasnet1_0, lambda: image(224)),
    "efficientnet_b0": (tv.efficientnet_b0, lambda: image(224)),
    "convnext_tiny": (tv.convnext_tiny, lambda: image(224)),
    "vit_b_16": (tv.vit_b_16, lambda: image(224)),
    "zoo_resnet18": (zoo_resnet18, lambda: image(32)),
    "zoo_lenet5": (zoo_lenet5, lambda: image(28, 1)),
    "zoo_lstm": (lambda: Classifier(96, 64, nn.LSTM(64, 128, 2, batch_first=True), 128, 96),
                 lambda: ids(96, 64)),
    "zoo_gru": (lambda: Classifier(96, 64, nn.GRU(64, 128, 2, batch_first=True), 128, 96),
                lambda: ids(96, 64)),
    "zoo_transformer": (lambda: Classifier(1000, 256, encoder(256, 4, 1024, 4), 256, 10, mean=True),
                        lambda: ids(1000, 64)),
    "zoo_vit_tiny": (lambda: tv.VisionTransformer(224, 16, 12, 3, 192, 768), lambda: image(224)),
}


def language_model(kind, config, **settings):
    """Of a common family, but small; what it gives besides its first output is left out."""
    import transformers
    net = getattr(transformers, kind)(getattr(transformers, config)(**settings))

    class FirstOf(nn.Module):
        def __init__(self):
            super().__init__()
            self.net = net

        def forward(self, input_ids):
            return self.net(input_ids, return_dict=False, use_cache=False)[0]

    return FirstOf()


WIDE = {"hidden_size": 32, "num_hidden_layers": 2, "num_attention_heads": 4, "intermediate_size": 64,
        "vocab_size": 100, "max_position_embeddings": 64}
ONLY_TRAINED = {
    "swin_small": (lambda: tv.SwinTransformer([2, 2], 8, [2, 2], [2, 2], [2, 2], stochastic_depth_prob=0.2,
                                              num_classes=3), lambda: image(16)),
    "swin_v2_t": (tv.swin_v2_t, lambda: image(224)),
    "bert": (lambda: language_model("BertModel", "BertConfig", **WIDE), lambda: ids(100, 16)),
    "gpt2": (lambda: language_model("GPT2LMHeadModel", "GPT2Config", n_embd=32, n_layer=2, n_head=4,
                                    vocab_size=100, n_positions=64), lambda: ids(100, 16)),
    "llama": (lambda: language_model("LlamaForCausalLM", "LlamaConfig", num_key_value_heads=2, **WIDE),
              lambda: ids(100, 16)),
}
NORMALISED = ["resnet18", "resnet50", "densenet121", "googlenet", "mobilenet_v2", "mobilenet_v3_small",
              "shufflenet_v2_x1_0", "mnasnet1_0", "efficientnet_b0", "zoo_resnet18"]
FOLDED = ["resnet18", "mobilenet_v2"]
TRAINED = ["resnet18", "mobilenet_v2", "alexnet", "zoo_resnet18", "zoo_transformer", "mobilenet_v3_small",
           "efficientnet_b0", "convnext_tiny", *ONLY_TRAINED]
DYNAMIC = ["resnet18", "zoo_lstm", "zoo_transformer"]


def unzero(net):
    """Exporters drop biases that are all zero, as they are before training."""
    for name, parameter in net.named_parameters():
        if name.endswith("bias") and not parameter.any():
            nn.init.uniform_(parameter, -0.1, 0.1)


def axes_of(args):
    """Batch, and for token ids the length too."""
    return {0: "batch", 1: "length"} if args[0].dtype == torch.int64 else {0: "batch"}


def strip(model):
    """Without what only debuggers read. Whether a tensor is a parameter or a buffer is kept."""
    def clean(thing):
        thing.doc_string = ""
        if hasattr(thing, "metadata_props"):
            kept = [prop for prop in thing.metadata_props if prop.key.endswith("InputSpec.kind")]
            del thing.metadata_props[:]
            thing.metadata_props.extend(kept)

    clean(model)
    for graph in [model.graph, *model.functions]:
        clean(graph)
        for node in graph.node:
            clean(node)
        for field in ("value_info", "input", "output", "initializer"):
            for value in getattr(graph, field, []):
                if not isinstance(value, str):
                    clean(value)
    return model


def export_legacy(net, args, path, training, weights, opset=17, dynamic=None):
    mode = torch.onnx.TrainingMode.TRAINING if training else torch.onnx.TrainingMode.PRESERVE
    names = [f"input{i}" for i in range(len(args))] if len(args) > 1 else ["input"]
    torch.onnx.export(net, args, path, export_params=weights, training=mode, opset_version=opset,
                      do_constant_folding=not training, input_names=names, output_names=["output"],
                      dynamic_axes={name: dynamic for name in names} if dynamic else None, dynamo=False)
    return strip(onnx.load(path))


def export_dynamo(net, args, path, training, weights, optimize=True, dynamic=None):
    shapes = None
    if dynamic:
        shapes = tuple({k: torch.export.Dim(v, min=1, max=4096) for k, v in dynamic.items()} for _ in args)
    program = torch.onnx.export(net, args, dynamo=True, optimize=optimize, dynamic_shapes=shapes,
                                verbose=False)
    program.save(path, external_data=not weights)
    model = onnx.load(path, load_external_data=False)
    for initializer in model.graph.initializer:
        few = 1
        for length in initializer.dims:
            few *= length
        kept = few <= SMALL_INITIALIZER or initializer.data_type == TensorProto.INT64
        if uses_external_data(initializer) and kept:
            load_external_data_for_tensor(initializer, os.path.dirname(path))
            initializer.data_location = TensorProto.DEFAULT
            del initializer.external_data[:]
    return strip(model)


EXPORTERS = {"legacy": export_legacy, "dynamo": export_dynamo}


def export_network(task):
    name, exporter, variant = task
    try:
        torch.manual_seed(1)
        torch.backends.mha.set_fastpath_enabled(False)
        make, data = {**NETWORKS, **ONLY_TRAINED}[name]
        net, args = make(), data()
        training = variant == "train"
        with torch.no_grad():
            unzero(net)
        net.train(training)
        options = {}
        if variant == "dynamic":
            options["dynamic"] = axes_of(args)
        if variant == "plain" or (training and exporter == "dynamo"):
            options["optimize"] = False
        if training:
            args = tuple(a.repeat(2, *[1] * (a.dim() - 1)) for a in args)
        with tempfile.TemporaryDirectory() as folder:
            model = EXPORTERS[exporter](net, args, os.path.join(folder, "m.onnx"), training, False,
                                        **options)
        stem = f"{name}.{exporter}" + (f".{variant}" if variant else "")
        with gzip.GzipFile(os.path.join(OUT, "networks", stem + ".onnx.gz"), "wb", 9, mtime=0) as file:
            file.write(model.SerializeToString())
        ops = sorted({node.op_type for node in model.graph.node})
        return f"ok {stem}: {len(model.graph.node)} nodes: {' '.join(ops)}"
    except Exception as error:  # one network less, said in the log
        return f"FAILED {task}: {type(error).__name__}: {str(error)[:600]}\n{traceback.format_exc()[-600:]}"


# ---------------------------------------------------------------- small networks with weights
class Conv(nn.Module):
    def __init__(self):
        super().__init__()
        self.body = nn.Sequential(
            nn.Conv2d(3, 8, 3, padding=1), nn.BatchNorm2d(8), nn.ReLU(),
            nn.Conv2d(8, 8, 3, padding=2, dilation=2, groups=2), nn.ReLU6(),
            nn.Conv2d(8, 8, 3, stride=2, padding=1, groups=8, bias=False), nn.BatchNorm2d(8), nn.ReLU(),
            nn.MaxPool2d(2), nn.Flatten(), nn.Dropout(0.2), nn.Linear(32, 5))

    def forward(self, x):
        return self.body(x)


class Residual(nn.Module):
    def __init__(self):
        super().__init__()
        self.block = tv.resnet.BasicBlock(4, 8, 2, nn.Sequential(nn.Conv2d(4, 8, 1, 2, bias=False),
                                                                nn.BatchNorm2d(8)))
        self.stem = nn.Conv2d(3, 4, 3, padding=1)
        self.fc = nn.Linear(8, 3)

    def forward(self, x):
        return self.fc(torch.flatten(F.adaptive_avg_pool2d(self.block(self.stem(x)), 1), 1))


class Line(nn.Module):
    def __init__(self):
        super().__init__()
        self.body = nn.Sequential(nn.Conv1d(2, 6, 5, padding=2), nn.BatchNorm1d(6), nn.ReLU(),
                                  nn.MaxPool1d(2), nn.Conv1d(6, 6, 3, groups=6), nn.Tanh(), nn.AvgPool1d(2),
                                  nn.Flatten(), nn.Linear(18, 4), nn.BatchNorm1d(4))

    def forward(self, x):
        return self.body(x)


class Upscale(nn.Module):
    def __init__(self):
        super().__init__()
        self.down = nn.Conv2d(3, 4, 3, stride=2, padding=1)
        self.up = nn.ConvTranspose2d(4, 6, 3, stride=2, padding=1, output_padding=1)
        self.grouped = nn.ConvTranspose2d(6, 4, 2, stride=2, groups=2, bias=False)
        self.last = nn.Conv2d(10, 3, 1)

    def forward(self, x):
        small = F.relu(self.down(x))
        up = F.relu(self.up(small))
        wide = F.interpolate(up, scale_factor=2, mode="bilinear", align_corners=False)
        return self.last(torch.cat([F.interpolate(small, scale_factor=4, mode="nearest"), wide], 1)) + \
            self.last(torch.cat([self.grouped(up), wide], 1))


class Norms(nn.Module):
    def __init__(self):
        super().__init__()
        self.conv = nn.Conv2d(3, 8, 3, padding=1)
        self.group = nn.GroupNorm(4, 8)
        self.instance = nn.InstanceNorm2d(8, affine=True)
        self.plain = nn.InstanceNorm2d(8)
        self.fc = nn.Linear(8, 6)
        self.layer = nn.LayerNorm(6)
        self.last = nn.Linear(6, 2)

    def forward(self, x):
        x = F.relu(self.group(self.conv(x)))
        x = self.plain(F.relu(self.instance(x)))
        return self.last(self.layer(self.fc(F.relu(x).mean(dim=(2, 3)))))


class WrittenNorm(nn.Module):
    def __init__(self):
        super().__init__()
        self.first, self.last = nn.Linear(6, 8), nn.Linear(8, 3)
        self.scale, self.shift = nn.Parameter(torch.rand(8) + 0.5), nn.Parameter(torch.randn(8))

    def forward(self, x):
        x = self.first(x)
        mean = x.mean(-1, keepdim=True)
        variance = (x - mean).pow(2).mean(-1, keepdim=True)
        return self.last((x - mean) / torch.sqrt(variance + 1e-5) * self.scale + self.shift)


ACTIVATIONS = [nn.ReLU(), nn.LeakyReLU(0.1), nn.ELU(), nn.Softplus(), nn.Mish(), nn.Hardtanh(-2, 2), nn.PReLU(),
               nn.GELU(), nn.GELU("tanh"), nn.SiLU(), nn.Hardswish(), nn.Hardsigmoid(), nn.Sigmoid(), nn.Tanh(),
               nn.ReLU6(), nn.PReLU(6)]


class Activations(nn.Module):
    def __init__(self):
        super().__init__()
        self.layers = nn.ModuleList(nn.Linear(6, 6) for _ in ACTIVATIONS)
        self.functions = nn.ModuleList(ACTIVATIONS)
        self.last = nn.Linear(6, 2)

    def forward(self, x):
        for layer, function in zip(self.layers, self.functions):
            x = function(layer(x) * 2 if isinstance(function, nn.Sigmoid) else layer(x))
        return self.last(x).softmax(-1)


class Pools(nn.Module):
    def __init__(self):
        super().__init__()
        self.conv = nn.Conv2d(3, 4, 3, padding=1)
        self.average = nn.AvgPool2d(3, 2, 1)
        self.exact = nn.AvgPool2d(3, 1, 1, count_include_pad=False)
        self.ceil = nn.MaxPool2d(3, 2, ceil_mode=True)
        self.fc = nn.Linear(20, 3)

    def forward(self, x):
        x = self.exact(self.average(self.conv(x)))
        top = x.amax((2, 3))
        x = self.ceil(x)
        return self.fc(torch.cat([F.adaptive_avg_pool2d(x, 2).flatten(1), top], 1))


class SqueezeExcite(nn.Module):
    def __init__(self):
        super().__init__()
        self.stem = nn.Sequential(nn.Conv2d(3, 8, 3, 2, 1, bias=False), nn.BatchNorm2d(8), nn.Hardswish())
        self.body = tv.mobilenetv3.InvertedResidual(
            tv.mobilenetv3.InvertedResidualConfig(8, 3, 16, 8, True, "HS", 1, 1, 1), nn.BatchNorm2d)
        self.fc = nn.Linear(8, 4)

    def forward(self, x):
        return self.fc(self.body(self.stem(x)).mean([2, 3]))


class Shuffle(nn.Module):
    def __init__(self):
        super().__init__()
        self.stem = nn.Conv2d(3, 8, 3, padding=1)
        self.unit = tv.shufflenetv2.InvertedResidual(8, 8, 1)
        self.fc = nn.Linear(8, 4)

    def forward(self, x):
        return self.fc(self.unit(F.relu(self.stem(x))).mean([2, 3]))


class PadSlice(nn.Module):
    def __init__(self):
        super().__init__()
        self.conv = nn.Conv2d(3, 6, 3)
        self.last = nn.Conv2d(4, 2, 1)
        self.fc = nn.Linear(80, 3)

    def forward(self, x):
        x = self.conv(F.pad(x, (1, 2, 0, 1)))
        x = self.last(F.relu(x[:, 1:5]))
        return self.fc(x[:, :, :, 1:-1].flatten(1)[:, :80])


class Recurrent(nn.Module):
    def __init__(self, cell, bidirectional, last):
        super().__init__()
        self.embedding = nn.Embedding(12, 5)
        self.cell = cell(5, 6, 2, batch_first=True, bidirectional=bidirectional)
        self.fc = nn.Linear(12 if bidirectional else 6, 4)
        self.last = last

    def forward(self, tokens):
        x, _ = self.cell(self.embedding(tokens))
        return self.fc(x[:, -1] if self.last else x)


class SequenceFirst(nn.Module):
    def __init__(self):
        super().__init__()
        self.cell = nn.LSTM(3, 6)
        self.fc = nn.Linear(6, 4)

    def forward(self, x):
        _, (hidden, _) = self.cell(x.transpose(0, 1))
        return self.fc(hidden[-1])


class SeparateAttention(nn.Module):
    """Queries, keys and values by layers of their own, as in most libraries of language models."""

    def __init__(self, causal=False):
        super().__init__()
        self.embedding, self.position = nn.Embedding(11, 8), nn.Embedding(10, 8)
        self.norm = nn.LayerNorm(8)
        self.q, self.k, self.v, self.o = (nn.Linear(8, 8) for _ in range(4))
        self.norm2, self.up, self.down = nn.LayerNorm(8), nn.Linear(8, 32), nn.Linear(32, 8)
        self.fc = nn.Linear(8, 3)
        self.causal = causal

    def forward(self, tokens):
        n, t = tokens.shape
        x = self.embedding(tokens) + self.position(torch.arange(t))
        y = self.norm(x)
        q, k, v = (f(y).view(n, t, 2, 4).transpose(1, 2) for f in (self.q, self.k, self.v))
        y = F.scaled_dot_product_attention(q, k, v, is_causal=self.causal)
        x = x + self.o(y.transpose(1, 2).reshape(n, t, 8))
        x = x + self.down(F.gelu(self.up(self.norm2(x)), approximate="tanh"))
        return self.fc(x)


class WrittenAttention(nn.Module):
    def __init__(self):
        super().__init__()
        self.qkv, self.o, self.fc = nn.Linear(8, 24), nn.Linear(8, 8), nn.Linear(8, 3)

    def forward(self, x):
        n, t, c = x.shape
        q, k, v = self.qkv(x).reshape(n, t, 3, 2, 4).permute(2, 0, 3, 1, 4).unbind(0)
        a = (q * 4 ** -0.5 @ k.transpose(-2, -1)).softmax(-1)
        return self.fc(self.o((a @ v).transpose(1, 2).reshape(n, t, c)).mean(1))


class ConvNext(nn.Module):
    def __init__(self):
        super().__init__()
        self.stem = nn.Sequential(nn.Conv2d(3, 8, 2, 2), tv.convnext.LayerNorm2d(8, eps=1e-6))
        self.block = tv.convnext.CNBlock(8, 0.5, 0.0)
        self.norm, self.fc = tv.convnext.LayerNorm2d(8, eps=1e-6), nn.Linear(8, 3)

    def forward(self, x):
        return self.fc(self.norm(F.adaptive_avg_pool2d(self.block(self.stem(x)), 1)).flatten(1))


class MatMuls(nn.Module):
    def __init__(self):
        super().__init__()
        self.a, self.b = nn.Parameter(torch.randn(6, 8)), nn.Parameter(torch.randn(8))
        self.c, self.d = nn.Parameter(torch.randn(5, 8)), nn.Linear(5, 3, bias=False)

    def forward(self, x):
        return self.d(F.linear(F.relu(self.b + x @ self.a), self.c)).transpose(1, 2).flatten(1)


class Mixer(nn.Module):
    """Linear layers over positions: nothing the vocabulary of layers has a word for."""

    def __init__(self):
        super().__init__()
        self.embed, self.tokens, self.channels = nn.Linear(4, 8), nn.Linear(6, 6), nn.Linear(8, 8)
        self.norm, self.fc = nn.LayerNorm(8), nn.Linear(8, 3)

    def forward(self, x):
        x = self.embed(x)
        x = x + self.tokens(self.norm(x).transpose(1, 2)).transpose(1, 2)
        return self.fc((x + F.gelu(self.channels(x))).mean(1))


class TwoInputs(nn.Module):
    def __init__(self):
        super().__init__()
        self.left, self.right, self.fc = nn.Linear(4, 6), nn.Linear(3, 6), nn.Linear(12, 2)

    def forward(self, a, b):
        return self.fc(torch.cat([F.relu(self.left(a)), F.relu(self.right(b))], 1))


def small_vit():
    return tv.VisionTransformer(8, 4, 2, 2, 8, 32, num_classes=3)


def small_bert():
    from transformers import BertConfig, BertModel
    net = BertModel(BertConfig(vocab_size=20, hidden_size=8, num_hidden_layers=2, num_attention_heads=2,
                               intermediate_size=32, max_position_embeddings=12), add_pooling_layer=False)

    class LastState(nn.Module):
        def __init__(self):
            super().__init__()
            self.bert, self.fc = net, nn.Linear(8, 3)

        def forward(self, tokens):
            return self.fc(self.bert(tokens).last_hidden_state)

    return LastState()


def small_swin():
    return tv.SwinTransformer([2, 2], 8, [2, 2], [2, 2], [2, 2], stochastic_depth_prob=0.0, num_classes=3)


def small_swin_v2():
    """Windows of 3 do not fit the image, so that it is padded; some scales are beyond their limit."""
    net = tv.SwinTransformer([2, 2], 8, [2], [2], [3, 3], stochastic_depth_prob=0.0, num_classes=3,
                             block=tv.swin_transformer.SwinTransformerBlockV2)
    for name, parameter in net.named_parameters():
        if name.endswith("logit_scale"):
            nn.init.uniform_(parameter, 3.5, 5.5)
        if name.endswith("qkv.bias"):
            nn.init.uniform_(parameter, -0.5, 0.5)
    return net


class FirstOutput(nn.Module):
    """Of a language model, which gives more than its logits."""

    def __init__(self, net):
        super().__init__()
        self.net = net

    def forward(self, tokens):
        return self.net(tokens, use_cache=False, return_dict=False)[0]


def small_gpt2():
    from transformers import GPT2Config, GPT2LMHeadModel
    return FirstOutput(GPT2LMHeadModel(GPT2Config(vocab_size=20, n_positions=12, n_embd=8, n_layer=2, n_head=2)))


def small_llama():
    from transformers import LlamaConfig, LlamaForCausalLM
    return FirstOutput(LlamaForCausalLM(LlamaConfig(
        vocab_size=20, hidden_size=16, intermediate_size=24, num_hidden_layers=2, num_attention_heads=4,
        num_key_value_heads=2, max_position_embeddings=12)))


def numbers(*shape):
    return lambda: (torch.randn(*shape),)


SMALL = {
    "conv": (Conv, numbers(2, 3, 8, 8)),
    "residual": (Residual, numbers(2, 3, 6, 6)),
    "line": (Line, numbers(2, 2, 16)),
    "upscale": (Upscale, numbers(2, 3, 4, 4)),
    "norms": (Norms, numbers(2, 3, 4, 4)),
    "written_norm": (WrittenNorm, numbers(2, 5, 6)),
    "activations": (Activations, numbers(2, 6)),
    "pools": (Pools, numbers(2, 3, 15, 15)),
    "squeeze_excite": (SqueezeExcite, numbers(2, 3, 8, 8)),
    "shuffle": (Shuffle, numbers(2, 3, 4, 4)),
    "pad_slice": (PadSlice, numbers(2, 3, 7, 8)),
    "lstm": (lambda: Recurrent(nn.LSTM, False, False), lambda: ids(12, 7, 2)),
    "bilstm": (lambda: Recurrent(nn.LSTM, True, False), lambda: ids(12, 7, 2)),
    "gru": (lambda: Recurrent(nn.GRU, False, True), lambda: ids(12, 7, 2)),
    "sequence_first": (SequenceFirst, numbers(2, 5, 3)),
    "encoder": (lambda: Classifier(11, 8, encoder(8, 2, 32, 2), 8, 3, mean=True), lambda: ids(11, 6, 2)),
    "pre_norm": (lambda: Classifier(11, 8, encoder(8, 2, 32, 1, True, "gelu"), 8, 3), lambda: ids(11, 6, 2)),
    "separate_attention": (SeparateAttention, lambda: ids(11, 6, 2)),
    "causal_attention": (lambda: SeparateAttention(True), lambda: ids(11, 6, 2)),
    "written_attention": (WrittenAttention, numbers(2, 6, 8)),
    "vit": (small_vit, numbers(2, 3, 8, 8)),
    "convnext": (ConvNext, numbers(2, 3, 8, 8)),
    "matmuls": (MatMuls, numbers(2, 4, 6)),
    "mixer": (Mixer, numbers(2, 6, 4)),
    "two_inputs": (TwoInputs, lambda: (torch.randn(2, 4), torch.randn(2, 3))),
    "bert": (small_bert, lambda: ids(20, 6, 2)),
    "swin": (small_swin, numbers(2, 3, 16, 16)),
    "swin_v2": (small_swin_v2, numbers(2, 3, 8, 8)),
    "gpt2": (small_gpt2, lambda: ids(20, 6, 2)),
    "llama": (small_llama, lambda: ids(20, 6, 2)),
}


def settle(net):
    """Statistics, scales and shifts that are not 0 and 1, so that forgetting one shows."""
    for module in net.modules():
        if isinstance(module, (nn.BatchNorm1d, nn.BatchNorm2d)):
            module.running_mean.uniform_(-0.5, 0.5)
            module.running_var.uniform_(0.5, 1.5)
        if hasattr(module, "weight") and "Norm" in type(module).__name__ and module.weight is not None:
            nn.init.uniform_(module.weight, 0.5, 1.5)
            if getattr(module, "bias", None) is not None:
                nn.init.uniform_(module.bias, -0.5, 0.5)
    for name, parameter in net.named_parameters():
        if any(part in name for part in ("class_token", "pos_embedding", "in_proj_bias", "heads.head")):
            nn.init.uniform_(parameter, -0.5, 0.5)


def tensor_json(tensor):
    values = [float(f"{value:.8g}") for value in tensor.flatten().tolist()]
    return {"shape": list(tensor.shape), "values": values}


def write_io(path, args, output):
    with open(path, "w") as file:
        json.dump({"inputs": [tensor_json(arg) for arg in args], "output": tensor_json(output)}, file,
                  separators=(",", ":"))


def make_small(name):
    torch.manual_seed(2)
    torch.backends.mha.set_fastpath_enabled(False)
    make, data = SMALL[name]
    with torch.no_grad():
        net, args = make().eval(), data()
        settle(net)
        args = tuple(a if a.dtype == torch.int64 else (a * 16).round() / 16 for a in args)
        return net, args, net(*args)


def export_small(task):
    name, exporter = task
    try:
        net, args, output = make_small(name)
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "m.onnx")
            dynamic = axes_of(args) if name in ("lstm", "encoder", "conv") else None
            model = EXPORTERS[exporter](net, args, path, False, True, dynamic=dynamic)
        stem = os.path.join(OUT, "small", f"{name}.{exporter}")
        with open(stem + ".onnx", "wb") as file:
            file.write(model.SerializeToString())
        write_io(os.path.join(OUT, "small", f"{name}.json"), args, output)
        ops = sorted({node.op_type for node in model.graph.node})
        return f"ok small {name}.{exporter}: {len(model.graph.node)} nodes: {' '.join(ops)}"
    except Exception as error:  # one network less, said in the log
        return f"FAILED {task}: {type(error).__name__}: {str(error)[:600]}\n{traceback.format_exc()[-600:]}"


def export_folded(_):
    """What the legacy exporter does by itself: batch normalisation becomes part of the convolution."""
    try:
        net, args, output = make_small("residual")
        stem = os.path.join(OUT, "small", "folded.legacy")
        torch.onnx.export(net, args, stem + ".onnx", opset_version=17, dynamo=False)
        model = strip(onnx.load(stem + ".onnx"))
        onnx.save(model, stem + ".onnx")
        write_io(os.path.join(OUT, "small", "folded.json"), args, output)
        return f"ok folded: {' '.join(sorted({node.op_type for node in model.graph.node}))}"
    except Exception as error:
        return f"FAILED folded: {error}"


def export_external(_):
    """Weights in a file beside the model."""
    try:
        net, args, output = make_small("conv")
        stem = os.path.join(OUT, "small", "external.legacy")
        export_legacy(net, args, stem + ".onnx", False, True)
        model = strip(onnx.load(stem + ".onnx"))
        onnx.save(model, stem + ".onnx", save_as_external_data=True, location="external.legacy.data",
                  size_threshold=64)
        write_io(os.path.join(OUT, "small", "external.json"), args, output)
        return "ok external"
    except Exception as error:
        return f"FAILED external: {error}"


def export_opset(opset):
    try:
        net, args, output = make_small("conv")
        path = os.path.join(OUT, "opsets", f"conv.opset{opset}.onnx")
        if opset < 18:
            model = export_legacy(net, args, path, False, True, opset=opset)
        else:
            program = torch.onnx.export(net, args, dynamo=True, optimize=False, opset_version=opset,
                                        verbose=False)
            program.save(path)
            model = strip(onnx.load(path))
        onnx.save(model, path)
        write_io(os.path.join(OUT, "opsets", "conv.json"), args, output)
        return f"ok opset {opset}: {model.opset_import[0].version}"
    except Exception as error:
        return f"FAILED opset {opset}: {str(error)[:300]}"


def export_attention_op(_):
    """From opset 23 on attention is one operator."""
    try:
        net, args, output = make_small("separate_attention")
        stem = os.path.join(OUT, "small", "attention_op.dynamo")
        torch.onnx.export(net, args, dynamo=True, opset_version=23, verbose=False).save(stem + ".onnx")
        model = strip(onnx.load(stem + ".onnx"))
        onnx.save(model, stem + ".onnx")
        write_io(os.path.join(OUT, "small", "attention_op.json"), args, output)
        return f"ok attention_op: {' '.join(sorted({node.op_type for node in model.graph.node}))}"
    except Exception as error:
        return f"FAILED attention_op: {str(error)[:300]}"


def export_channels_last(_):
    """The form in which converters write networks whose images have their channels last."""
    try:
        import numpy
        from onnx import numpy_helper
        random = numpy.random.default_rng(3)

        def weight(name, *shape):
            return numpy_helper.from_array(random.standard_normal(shape).astype(numpy.float32) * 0.4, name)

        nodes = [
            helper.make_node("Transpose", ["x"], ["x.nchw"], "to_nchw", perm=[0, 3, 1, 2]),
            helper.make_node("Conv", ["x.nchw", "w1", "b1"], ["c1"], "conv1", auto_pad="SAME_UPPER",
                             kernel_shape=[3, 3], strides=[2, 2]),
            helper.make_node("Transpose", ["c1"], ["c1.nhwc"], "to_nhwc", perm=[0, 2, 3, 1]),
            helper.make_node("Relu", ["c1.nhwc"], ["r1"], "relu1"),
            helper.make_node("Transpose", ["r1"], ["r1.nchw"], "to_nchw2", perm=[0, 3, 1, 2]),
            helper.make_node("Conv", ["r1.nchw", "w2"], ["c2"], "conv2", auto_pad="SAME_UPPER",
                             kernel_shape=[3, 3], group=6),
            helper.make_node("Transpose", ["c2"], ["c2.nhwc"], "to_nhwc2", perm=[0, 2, 3, 1]),
            helper.make_node("Add", ["c2.nhwc", "b2"], ["c2.biased"], "bias2"),
            helper.make_node("ReduceMean", ["c2.biased"], ["mean"], "mean", axes=[1, 2], keepdims=0),
            helper.make_node("MatMul", ["mean", "w3"], ["m3"], "dense"),
            helper.make_node("Add", ["m3", "b3"], ["m3.biased"], "dense_bias"),
            helper.make_node("Softmax", ["m3.biased"], ["output"], "softmax", axis=-1),
        ]
        weights = [weight("w1", 6, 3, 3, 3), weight("b1", 6), weight("w2", 6, 1, 3, 3), weight("b2", 6),
                   weight("w3", 6, 4), weight("b3", 4)]
        graph = helper.make_graph(
            nodes, "channels_last", [helper.make_tensor_value_info("x", TensorProto.FLOAT, ["N", 8, 8, 3])],
            [helper.make_tensor_value_info("output", TensorProto.FLOAT, ["N", 4])], weights)
        model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 12)], ir_version=7)
        stem = os.path.join(OUT, "small", "channels_last.converter")
        onnx.save(model, stem + ".onnx")
        x = (random.standard_normal((2, 8, 8, 3)) * 16).round().astype(numpy.float32) / 16
        from onnx.reference import ReferenceEvaluator
        output = ReferenceEvaluator(model).run(None, {"x": x})[0]
        write_io(os.path.join(OUT, "small", "channels_last.json"), [torch.tensor(x)], torch.tensor(output))
        return "ok channels_last"
    except Exception as error:
        return f"FAILED channels_last: {error}"


def main():
    torch.set_num_threads(1)
    for folder in ("networks", "small", "opsets"):
        os.makedirs(os.path.join(OUT, folder), exist_ok=True)
    slow_first = sorted(NETWORKS, key=lambda name: -sum(
        word in name for word in ("vgg", "dense", "efficient", "vit", "convnext", "b0")))
    networks = [(name, "dynamo", "") for name in slow_first if name not in NORMALISED or name in FOLDED]
    networks += [(name, "dynamo", "plain") for name in slow_first if name in NORMALISED]
    networks += [(name, "legacy", "") for name in slow_first]
    networks += [(name, exporter, "train") for name in TRAINED for exporter in EXPORTERS]
    networks += [(name, exporter, "dynamic") for name in DYNAMIC for exporter in EXPORTERS]
    networks += [("zoo_transformer", "dynamo", "plain")]
    small = [(name, exporter) for name in SMALL for exporter in EXPORTERS]
    log = [f"torch {torch.__version__}, onnx {onnx.__version__}"]
    with Pool(int(os.environ.get("WORKERS", "14"))) as pool:
        jobs = [pool.apply_async(export_network, (task,)) for task in networks]
        jobs += [pool.apply_async(export_small, (task,)) for task in small]
        jobs += [pool.apply_async(export_opset, (opset,)) for opset in (7, 9, 11, 13, 15, 17, 18, 21, 24)]
        jobs += [pool.apply_async(job, (0,)) for job in (export_folded, export_external,
                                                                 export_attention_op, export_channels_last)]
        with open(os.path.join(OUT, "export.log"), "w") as file:
            file.write(log[0] + "\n")
            for job in jobs:
                file.write(job.get() + "\n")
                file.flush()


if __name__ == "__main__":
    main()

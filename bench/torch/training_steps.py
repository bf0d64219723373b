"""Training steps of networks that people train, with random weights, as a user would write them.

    ampere run bench/torch/training_steps.py:build --rig torch --arg network=vit_b_16 --arg batch=32 --arg precision=bf16
    ampere trace bench/torch/training_steps.py:build --arg network=t5_small -o t5_small.program

Needs torchvision for pictures and transformers for text.
"""

from contextlib import nullcontext

import ampere
import torch
from torch.nn import functional

VOCABULARY = 32000


class UNet(torch.nn.Module):
    """Four steps down and up again, as in Ronneberger et al., with batch normalisation."""

    def __init__(self, width=64, classes=21):
        super().__init__()
        widths = [width * 2**level for level in range(5)]
        self.down = torch.nn.ModuleList(self._double(a, b) for a, b in zip([3, *widths[:-1]], widths))
        self.up = torch.nn.ModuleList(torch.nn.ConvTranspose2d(b, a, 2, 2) for a, b in zip(widths[:-1], widths[1:]))
        self.merge = torch.nn.ModuleList(self._double(2 * a, a) for a in widths[:-1])
        self.head = torch.nn.Conv2d(width, classes, 1)

    @staticmethod
    def _double(before, after):
        layers = []
        for channels in (before, after):
            layers += [torch.nn.Conv2d(channels, after, 3, padding=1), torch.nn.BatchNorm2d(after), torch.nn.ReLU(True)]
        return torch.nn.Sequential(*layers)

    def forward(self, x):
        passed = []
        for level, block in enumerate(self.down):
            x = block(x if level == 0 else functional.max_pool2d(x, 2))
            passed.append(x)
        for level in reversed(range(len(self.up))):
            x = self.merge[level](torch.cat([passed[level], self.up[level](x)], 1))
        return self.head(x)


class Recurrent(torch.nn.Module):
    """A language model over words by LSTM or GRU layers."""

    def __init__(self, kind, vocabulary=10000, width=650, layers=2):
        super().__init__()
        self.embed = torch.nn.Embedding(vocabulary, width)
        self.layers = kind(width, width, layers, batch_first=True, dropout=0.5)
        self.head = torch.nn.Linear(width, vocabulary)

    def forward(self, tokens):
        return self.head(self.layers(self.embed(tokens))[0])


class Mixer(torch.nn.Module):
    """MLP-Mixer, size S with patches of 16."""

    class Block(torch.nn.Module):
        def __init__(self, tokens, width):
            super().__init__()
            self.norms = torch.nn.ModuleList(torch.nn.LayerNorm(width) for _ in range(2))
            self.over_tokens, self.over_width = self._layers(tokens, width // 2), self._layers(width, 4 * width)

        @staticmethod
        def _layers(width, hidden):
            return torch.nn.Sequential(torch.nn.Linear(width, hidden), torch.nn.GELU(), torch.nn.Linear(hidden, width))

        def forward(self, x):
            x = x + self.over_tokens(self.norms[0](x).transpose(1, 2)).transpose(1, 2)
            return x + self.over_width(self.norms[1](x))

    def __init__(self, width=512, layers=8, classes=1000):
        super().__init__()
        self.patches = torch.nn.Conv2d(3, width, 16, 16)
        self.blocks = torch.nn.Sequential(*(self.Block(196, width) for _ in range(layers)))
        self.norm, self.head = torch.nn.LayerNorm(width), torch.nn.Linear(width, classes)

    def forward(self, x):
        return self.head(self.norm(self.blocks(self.patches(x).flatten(2).transpose(1, 2))).mean(1))


def picture_network(name):
    if name == "unet":
        return UNet()
    if name == "mixer_s_16":
        return Mixer()
    import torchvision
    if name.startswith(("deeplab", "fcn", "lraspp")):
        return getattr(torchvision.models.segmentation, name)(weights=None, weights_backbone=None)
    options = {"aux_logits": False, "init_weights": False} if name in ("googlenet", "inception_v3") else {}
    return getattr(torchvision.models, name)(weights=None, **options)


def text_network(name):
    """The network, and the length of its texts where none is given."""
    import transformers as of
    llama = dict(vocab_size=VOCABULARY, use_cache=False, max_position_embeddings=4096)
    configurations = {
        "bert_base": (of.BertForMaskedLM, lambda: of.BertConfig(), 128),
        "bert_small": (of.BertForMaskedLM, lambda: of.BertConfig(
            hidden_size=512, num_hidden_layers=4, num_attention_heads=8, intermediate_size=2048), 128),
        "roberta_base": (of.RobertaForMaskedLM, lambda: of.RobertaConfig(), 128),
        "distilbert": (of.DistilBertForMaskedLM, lambda: of.DistilBertConfig(), 128),
        "electra_small": (of.ElectraForPreTraining, lambda: of.ElectraConfig(), 128),
        "albert_base": (of.AlbertForMaskedLM, lambda: of.AlbertConfig(
            hidden_size=768, num_attention_heads=12, intermediate_size=3072), 128),
        "deberta_base": (of.DebertaV2ForMaskedLM, lambda: of.DebertaV2Config(
            hidden_size=768, num_hidden_layers=12, num_attention_heads=12, intermediate_size=3072,
            relative_attention=True, pos_att_type=["p2c", "c2p"]), 128),
        "gpt2": (of.GPT2LMHeadModel, lambda: of.GPT2Config(use_cache=False), 1024),
        "opt_125m": (of.OPTForCausalLM, lambda: of.OPTConfig(use_cache=False), 512),
        "pythia_160m": (of.GPTNeoXForCausalLM, lambda: of.GPTNeoXConfig(
            hidden_size=768, num_hidden_layers=12, num_attention_heads=12, intermediate_size=3072, use_cache=False), 512),
        "llama_100m": (of.LlamaForCausalLM, lambda: of.LlamaConfig(
            hidden_size=640, num_hidden_layers=12, num_attention_heads=10, num_key_value_heads=10,
            intermediate_size=1728, **llama), 512),
        "llama_300m": (of.LlamaForCausalLM, lambda: of.LlamaConfig(
            hidden_size=1024, num_hidden_layers=18, num_attention_heads=16, num_key_value_heads=16,
            intermediate_size=2816, **llama), 1024),
        "llama_1b": (of.LlamaForCausalLM, lambda: of.LlamaConfig(
            hidden_size=2048, num_hidden_layers=20, num_attention_heads=32, num_key_value_heads=8,
            intermediate_size=5632, **llama), 1024),
        "qwen_200m": (of.Qwen2ForCausalLM, lambda: of.Qwen2Config(
            hidden_size=896, num_hidden_layers=12, num_attention_heads=14, num_key_value_heads=2,
            intermediate_size=4864, **llama), 512),
        "t5_small": (of.T5ForConditionalGeneration, lambda: of.T5Config(use_cache=False, decoder_start_token_id=0), 256),
        "bart_base": (of.BartForConditionalGeneration, lambda: of.BartConfig(
            d_model=768, encoder_layers=6, decoder_layers=6, encoder_attention_heads=12, decoder_attention_heads=12,
            encoder_ffn_dim=3072, decoder_ffn_dim=3072, use_cache=False), 256),
    }
    model, configuration, length = configurations[name]
    return model(configuration()), length


def made_on(device):
    """New tensors are made there at once, where this PyTorch can do that."""
    return device if hasattr(device, "__enter__") else nullcontext()


RECURRENT = {"lstm": torch.nn.LSTM, "gru": torch.nn.GRU}
TEXT = ("bert", "roberta", "distil", "electra", "albert", "deberta", "gpt", "opt", "pythia", "llama", "qwen", "t5", "bart")


def picture_step(name, batch, size, device):
    with made_on(device):
        model = picture_network(name).to(device)
        dense = name.startswith(("unet", "deeplab", "fcn", "lraspp"))
        size = size or (299 if name == "inception_v3" else 224)
        x = torch.randn(batch, 3, size, size, device=device)
        y = torch.randint(21, (batch, size, size), device=device) if dense else torch.randint(1000, (batch,), device=device)

    def loss():
        output = model(x)
        return functional.cross_entropy(output["out"] if isinstance(output, dict) else output, y)

    return model, loss


def recurrent_step(name, batch, length, device):
    with made_on(device):
        model = Recurrent(RECURRENT[name]).to(device)
        tokens = torch.randint(10000, (batch, length or 35), device=device)
    return model, lambda: functional.cross_entropy(model(tokens).flatten(0, 1), tokens.flatten())


def text_step(name, batch, length, device):
    with made_on(device):
        model, usual = text_network(name)
        model = model.to(device).train()
        length = length or usual
        tokens = torch.randint(100, 30000, (batch, length), device=device)
        labels = torch.randint(2, (batch, length), device=device) if name == "electra_small" else tokens
    return model, lambda: model(input_ids=tokens, labels=labels).loss


def compile_in_place(model):
    if not hasattr(model, "compile"):
        raise RuntimeError(f"compiled=true needs PyTorch 2.2 or later; this is {torch.__version__}")
    model.compile()


def build(network="resnet50", batch=32, precision="fp32", optimizer="sgd", size=0, length=0, compiled=False):
    device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
    if network in RECURRENT:
        model, loss_of = recurrent_step(network, batch, length, device)
    elif network.startswith(TEXT):
        model, loss_of = text_step(network, batch, length, device)
    else:
        model, loss_of = picture_step(network, batch, size, device)
    if precision == "tf32":
        torch.set_float32_matmul_precision("high")
    if compiled:
        compile_in_place(model)
    if optimizer == "adamw":
        update = torch.optim.AdamW(model.parameters(), lr=1e-5)
    else:
        update = torch.optim.SGD(model.parameters(), lr=1e-5, momentum=0.9)

    def autocast():
        return torch.autocast(device.type, dtype=torch.bfloat16) if precision == "bf16" else nullcontext()

    def step():
        with autocast():
            loss = loss_of()
        loss.backward()
        update.step()
        update.zero_grad(set_to_none=True)
        return loss

    return ampere.Job(model=model, step=step, batch=batch, name=network)

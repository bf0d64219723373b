"""Modules of PyTorch become networks of the program."""

import copy
import json
import subprocess
import sys
import types

import ampere
import pytest
from ampere._model_argument import model_argument
from ampere._onnx_export import export_structure

torch = pytest.importorskip("torch", reason="skipped: no torch")
nn = torch.nn


def cnn5():
    return nn.Sequential(
        nn.Conv2d(1, 16, 3, padding=1), nn.ReLU(), nn.MaxPool2d(2), nn.Conv2d(16, 32, 3, padding=1), nn.ReLU(),
        nn.MaxPool2d(2), nn.Conv2d(32, 64, 3, padding=1), nn.ReLU(), nn.Conv2d(64, 128, 3, padding=1), nn.ReLU(),
        nn.Flatten(), nn.Linear(128 * 7 * 7, 10))


class Tokens(nn.Module):
    def __init__(self, stack, width):
        super().__init__()
        self.embedding, self.stack, self.fc = nn.Embedding(100, 32), stack, nn.Linear(width, 7)

    def forward(self, ids):
        x = self.stack(self.embedding(ids))
        return self.fc(x[0] if isinstance(x, tuple) else x)


def batch_norm():
    return nn.Sequential(nn.Conv2d(3, 8, 3), nn.BatchNorm2d(8), nn.ReLU(), nn.Dropout(0.5), nn.Flatten(),
                         nn.Linear(8 * 14 * 14, 10))


def ids(batch):
    return torch.randint(0, 100, (batch, 16))


def encoder():
    layer = nn.TransformerEncoderLayer(32, 4, 64, 0.1, batch_first=True)
    return Tokens(nn.TransformerEncoder(layer, 2, enable_nested_tensor=False), 32)


def test_module_is_the_network_of_the_zoo(store):
    mine = ampere.estimate(cnn5(), torch.randn(10, 1, 28, 28), store=store, iterations=100)
    theirs = ampere.estimate("cnn5", store=store, iterations=100)
    assert mine.energy_j == pytest.approx(theirs.energy_j) and mine.unknown == []
    assert mine.model == "Sequential" and mine.batch == 10


def test_module_is_profiled_and_run_like_any_network(real_program, tmp_path):
    net, inputs = cnn5(), torch.randn(6, 1, 28, 28)
    place = dict(rig="sim:xavier", store=f"sqlite:{tmp_path}/own.db")
    assert ampere.profile(net, inputs=inputs, timings=60, networks=8, **place)["measured"] > 0
    real = ampere.run(net, inputs, **place)
    e = ampere.estimate(net, inputs, store=place["store"])
    assert (real.model, real.batch, e.batch) == ("Sequential", 6, 6)
    assert real.energy_j_per_iteration == pytest.approx(e.energy_j, rel=0.2)


def test_batch_is_that_of_the_inputs_unless_given(store):
    with pytest.raises(ampere.UnknownError, match="batch 3"):
        ampere.estimate(cnn5(), torch.randn(3, 1, 28, 28), store=store)
    assert ampere.estimate(cnn5(), torch.randn(3, 1, 28, 28), batch=10, store=store).batch == 10


@pytest.mark.parametrize("make, inputs", [
    (cnn5, lambda batch: torch.randn(batch, 1, 28, 28)),
    (batch_norm, lambda batch: torch.randn(batch, 3, 16, 16)),
    (lambda: Tokens(nn.LSTM(32, 48, batch_first=True), 48), ids),
    (encoder, ids),
    (encoder, lambda batch: {"ids": ids(batch)}),
    (encoder, lambda batch: (ids(batch),))])
@pytest.mark.parametrize("batch", [1, 4])
def test_every_parameter_arrives(real_program, make, inputs, batch):
    net = make()
    with model_argument(net, inputs(batch)) as argument:
        shown = json.loads(subprocess.check_output([real_program, "show", argument.word, "--json"]))
    assert shown["parameters"] == sum(one.numel() for one in net.parameters())
    assert argument.batch == batch


def test_weights_never_reach_a_file():
    net = nn.Sequential(nn.Linear(1000, 1000))
    structure = export_structure(net, torch.randn(2, 1000))
    assert len(structure) < 10_000
    assert net[0].weight.detach().numpy().tobytes()[:64] not in structure


def test_module_random_numbers_and_modes_stay_as_they_were(real_program):
    net = batch_norm()
    net[1].eval()
    before = copy.deepcopy(net.state_dict())
    torch.manual_seed(5)
    expected = torch.rand(3)
    torch.manual_seed(5)
    export_structure(net, torch.randn(4, 3, 16, 16, generator=torch.Generator().manual_seed(1)))
    assert torch.equal(torch.rand(3), expected)
    assert all(torch.equal(value, before[name]) for name, value in net.state_dict().items())
    assert net.training and not net[1].training and net[3].training
    assert all(one.grad is None for one in net.parameters())


class Bessel(nn.Module):
    def forward(self, x):
        return torch.special.i0e(x)


class Broken(nn.Module):
    def forward(self, x):
        raise KeyError("no such head")


@pytest.mark.parametrize("make, text", [
    (Bessel, r"the operation aten::special_i0e in module 'body.1' \(Bessel\)"),
    (Broken, r"KeyError in module 'body.1' \(Broken\): 'no such head'")])
def test_module_that_cannot_be_exported_is_named(real_program, make, text):
    net = nn.Sequential()
    net.add_module("body", nn.Sequential(nn.Linear(4, 4), make()))
    with pytest.raises(ampere.ExportError, match=text) as caught:
        ampere.estimate(net, torch.randn(2, 4))
    assert caught.value.code == "usage" and caught.value.remedy


def test_what_the_program_refuses_names_the_operation(store):
    class Sorted(nn.Module):
        def forward(self, x):
            return torch.topk(x, 2)[0]

    with pytest.raises(ampere.UsageError, match="TopK"):
        ampere.estimate(nn.Sequential(nn.Linear(4, 4), Sorted()), torch.randn(10, 4), store=store)


def test_module_needs_inputs(real_program):
    with pytest.raises(ampere.UsageError, match="a module needs inputs"):
        ampere.estimate(cnn5())


def test_frozen_parameters_are_pointed_out(store):
    net = cnn5()
    net[0].weight.requires_grad_(False)
    e = ampere.estimate(net, torch.randn(10, 1, 28, 28), store=store)
    assert any("144 parameters are frozen" in text for text in e.warnings)


def test_old_torch_is_refused(real_program, monkeypatch):
    monkeypatch.setattr(torch, "__version__", "1.12.1")
    with pytest.raises(ampere.UsageError, match="torch 1.12.1 is too old"):
        ampere.estimate(cnn5(), torch.randn(10, 1, 28, 28))


def test_missing_torch_is_said(real_program, monkeypatch):
    monkeypatch.setitem(sys.modules, "torch", None)
    with pytest.raises(ampere.UsageError, match="PyTorch cannot be imported"):
        export_structure(object(), 1)


def test_wrappers_are_taken_off(store):
    wrapped = nn.DataParallel(cnn5())
    assert ampere.estimate(wrapped, torch.randn(10, 1, 28, 28), store=store).unknown == []


def test_newer_exporter_is_tried_second(real_program, monkeypatch):
    """Torch of this age may not have it, so it is played: an exporter that fails with dynamo=False."""
    calls = []

    class Value:
        def __init__(self, tensor):
            self.const_value = tensor

    class Tensor:
        nbytes, shape, dtype = 16, (4,), "FLOAT"

    initializers = {"0.bias": Value(Tensor()), "constant": Value(Tensor())}

    def export(model, args=(), f=None, *, kwargs=None, dynamo=False, optimize=True, verbose=None, **more):
        calls.append(dynamo)
        if not dynamo:
            raise RuntimeError("cannot trace")
        Model = type("Model", (), {"__module__": "onnx_ir._core"})
        model = Model()
        model.graph = types.SimpleNamespace(initializers=initializers)
        return types.SimpleNamespace(model=model)

    proto = types.SimpleNamespace(SerializeToString=lambda: b"structure")
    serde = types.SimpleNamespace(serialize_model=lambda model: proto)
    library = types.SimpleNamespace(serde=serde, ExternalTensor=lambda *_, **named: ("external", named["name"]), __path__=[])
    monkeypatch.setitem(sys.modules, "onnx_ir", library)
    monkeypatch.setitem(sys.modules, "onnx_ir.serde", serde)
    monkeypatch.setattr(torch.onnx, "export", export)
    assert export_structure(nn.Sequential(nn.Linear(4, 4)), torch.randn(2, 4)) == b"structure"
    assert calls == [False, True]
    assert initializers["0.bias"].const_value == ("external", "0.bias")
    assert isinstance(initializers["constant"].const_value, Tensor)

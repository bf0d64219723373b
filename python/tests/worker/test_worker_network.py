"""Networks of the model format as PyTorch modules."""

from __future__ import annotations

from typing import Any

import pytest
import torch
from worker_helpers import FIXTURES, fixture, flat, mlp, net

from ampere.worker import own_modules
from ampere.worker.failure import Failure
from ampere.worker.model import Model, read_model
from ampere.worker.model_job import _random_inputs
from ampere.worker.network import build_network, operators, parameter_count

BATCH = 3


def built(model: Model, training: bool = True) -> Any:
    torch.manual_seed(0)
    return build_network(model, BATCH, torch.device("cpu"), training, fused_attention=False)


def run(model: Model, network: Any) -> Any:
    return network(*_random_inputs(torch, model, BATCH, torch.device("cpu")))


def output_of(json: Any, *inputs: Any, training: bool = True) -> Any:
    return built(read_model(json), training)(*inputs)


def test_fixtures_have_every_operator() -> None:
    used = {layer["op"] for name in FIXTURES for layer in fixture(name)["layers"]}
    assert used == set(operators())


@pytest.mark.parametrize("name", FIXTURES)
def test_every_layer_has_the_shape_of_the_model(name: str) -> None:
    whole = read_model(fixture(name))
    for count in range(1, len(whole.layers) + 1):
        part = Model(whole.name, whole.layers[:count])
        output = run(part, built(part))
        assert tuple(output.shape) == (BATCH, *part.output.axes), whole.layers[count - 1].name


@pytest.mark.parametrize("name", FIXTURES)
def test_gradients_reach_every_parameter(name: str) -> None:
    model = read_model(fixture(name))
    network = built(model)
    run(model, network).square().sum().backward()
    without = [key for key, each in network.named_parameters() if each.grad is None]
    assert without == []
    assert all(each.grad.isfinite().all() for each in network.parameters())


@pytest.mark.parametrize("name", FIXTURES)
def test_parameters_are_as_many_as_the_model_says(name: str) -> None:
    model = read_model(fixture(name))
    assert parameter_count(built(model)) == model.parameters


def test_a_wrong_number_of_parameters_is_refused() -> None:
    json = mlp()
    for layer in json["layers"]:
        layer["weights"] = []
    with pytest.raises(Failure, match="built 67 parameters, but the model has 0"):
        built(read_model(json))


def test_a_shared_weight_is_one_tensor() -> None:
    network = built(read_model(fixture("sequences")))
    assert network.logits.weight is network.embed.weight


def test_forward_is_straight_line_code() -> None:
    network = built(read_model(mlp()))
    assert "self.fc1(x)" in network.code and "self.fc2(act)" in network.code
    assert isinstance(network.fc1, torch.nn.Linear)


def test_names_that_python_would_not_take() -> None:
    names = ["class", "conv1.relu", "conv1_relu", "train", "7", "Größe"]
    layers = [{"name": name, "op": "scale", "shape": flat(4)} for name in names]
    json = net({"name": "input", "op": "input", "shape": flat(4)}, *layers)
    network = built(read_model(json))
    assert parameter_count(network) == 4 * len(names)
    assert network.training  # `train` is still the method


def test_initialisation_is_as_torch_does_it() -> None:
    network = built(read_model(mlp()))
    assert network.fc1.weight.abs().max() <= 0.5  # 1/sqrt(4)
    assert network.fc1.weight.abs().max() > 0.35


X = {"name": "x", "op": "input", "shape": {"layout": "image", "channels": 4, "extent": [1, 1]}}
NUMBERS = torch.arange(12.0).view(3, 4, 1, 1) - 5


@pytest.mark.parametrize(
    "layer, expected",
    [
        ({"op": "softsign"}, lambda x: x / (1 + x.abs())),
        ({"op": "relu6"}, lambda x: x.clamp(0, 6)),
        ({"op": "affine", "factor": 2, "offset": 3}, lambda x: 2 * x + 3),
        ({"op": "affine", "offset": -1}, lambda x: x - 1),
        ({"op": "power"}, lambda x: x * x),
        ({"op": "clip", "low": -1}, lambda x: x.clamp(min=-1)),
        ({"op": "leaky_relu", "slope": 0.5}, lambda x: torch.where(x > 0, x, x / 2)),
        ({"op": "gelu_tanh"}, lambda x: torch.nn.functional.gelu(x, approximate="tanh")),
        ({"op": "gelu"}, lambda x: x * (1 + torch.erf(x / 2**0.5)) / 2),
        ({"op": "channel_shuffle", "groups": 2}, lambda x: x[:, [0, 2, 1, 3]]),
        ({"op": "softmax"}, lambda x: x.exp() / x.exp().sum(1, keepdim=True)),
        ({"op": "reduce_max", "axes": [0]}, lambda x: x.max(1, keepdim=True)[0]),
        ({"op": "reduce_l2", "axes": [0]}, lambda x: x.square().sum(1, keepdim=True).sqrt()),
        ({"op": "gather", "count": 6}, lambda x: x[:, [0, 1, 2, 3, 0, 1]]),
        ({"op": "slice", "begin": 1, "end": 4, "step": 2}, lambda x: x[:, 1:4:2]),
        ({"op": "chunk", "index": 1}, lambda x: x[:, 2:]),
    ],
    ids=lambda value: value["op"] if isinstance(value, dict) else "",
)
def test_what_operators_compute(layer: dict[str, Any], expected: Any) -> None:
    want = expected(NUMBERS)
    shape = {"layout": "image", "channels": want.shape[1], "extent": [1, 1]}
    got = output_of(net(X, {"name": "y", "shape": shape, **layer}), NUMBERS)
    assert torch.allclose(got, want, atol=1e-6)


def test_a_flat_operand_is_repeated_over_positions() -> None:
    sequence = {"layout": "sequence", "channels": 2, "extent": [2]}
    json = net(
        {"name": "a", "op": "input", "shape": sequence},
        {"name": "b", "op": "input", "shape": flat(2)},
        {"name": "y", "op": "subtract", "inputs": ["a", "b"], "shape": sequence},
    )
    a, b = torch.randn(BATCH, 2, 2), torch.randn(BATCH, 2)
    # Aligned at the last axis, torch alone would have taken the batch of b for positions.
    assert torch.equal(output_of(json, a, b), a - b[:, None, :])


def test_what_is_the_same_for_all_samples_is_computed_once() -> None:
    json = net(
        {"name": "x", "op": "input", "shape": flat(2)},
        {"name": "own", "op": "parameter", "inputs": [], "shape": flat(2)},
        {"name": "scale", "op": "exp", "inputs": ["own"], "shape": flat(2)},
        {"name": "far", "op": "multiply", "inputs": ["x", "scale"], "shape": flat(2)},
        {"name": "mask", "op": "parameter", "inputs": [], "shape": flat(2)},
        {"name": "y", "op": "add", "inputs": ["far", "mask"], "shape": flat(2)},
    )
    model = read_model(json)
    assert model.batches(BATCH) == [BATCH, 1, 1, BATCH, BATCH, BATCH]
    network = built(model)
    x = torch.randn(BATCH, 2)
    assert torch.allclose(network(x), x * network.own.value.exp() + network.mask.value)


def test_padding_lists_the_axes_in_the_order_of_the_model() -> None:
    images = {"layout": "image", "channels": 1, "extent": [2, 2]}
    wide = {"layout": "image", "channels": 1, "extent": [3, 4]}
    json = net(
        {"name": "x", "op": "input", "shape": images},
        {"name": "y", "op": "pad", "before": [1, 0], "after": [0, 2], "value": 7, "shape": wide},
    )
    padded = output_of(json, torch.zeros(BATCH, 1, 2, 2))[0, 0]
    assert padded.tolist() == [[7, 7, 7, 7], [0, 0, 7, 7], [0, 0, 7, 7]]


def test_attention_is_that_of_torch(monkeypatch: pytest.MonkeyPatch) -> None:
    module = own_modules.PlainSelfAttention(8, 2, True, "cpu")
    reference = torch.nn.MultiheadAttention(8, 2, batch_first=True)
    reference.load_state_dict(
        {
            "in_proj_weight": module.in_proj.weight,
            "in_proj_bias": module.in_proj.bias,
            "out_proj.weight": module.out_proj.weight,
            "out_proj.bias": module.out_proj.bias,
        }
    )
    x = torch.randn(3, 5, 8)
    assert torch.allclose(module(x), reference(x, x, x)[0], atol=1e-6)

    calls = []

    def fused(q: Any, k: Any, v: Any) -> Any:
        calls.append(tuple(q.shape))
        return own_modules.PlainSelfAttention.mix(module, q, k, v)

    functional = own_modules.F
    monkeypatch.setattr(functional, "scaled_dot_product_attention", fused, raising=False)
    other = own_modules.SelfAttention(8, 2, True, "cpu")
    other.load_state_dict(module.state_dict())
    assert torch.allclose(other(x), module(x), atol=1e-6)
    assert calls == [(3, 2, 5, 4)]


def test_inference_neither_drops_nor_counts_batches() -> None:
    model = read_model(fixture("images"))
    network = built(model, training=False)
    inputs = _random_inputs(torch, model, BATCH, torch.device("cpu"))
    assert torch.equal(network(*inputs), network(*inputs))
    assert network.bn.num_batches_tracked == 0


def test_dropped_samples_are_dropped_whole() -> None:
    torch.manual_seed(1)
    dropped = own_modules.StochasticDepth(0.5)(torch.ones(64, 3, 2))
    assert set(dropped.unique().tolist()) == {0, 2}
    assert (dropped.flatten(1).min(1)[0] == dropped.flatten(1).max(1)[0]).all()


def test_picked_rows_count_up_and_begin_again() -> None:
    module = own_modules.PickedRows(2, 5, 3, BATCH, True, "cpu")
    assert module.index.tolist() == [0, 1, 0, 1, 0]
    assert tuple(module().shape) == (BATCH, 5, 3)


@pytest.mark.parametrize(
    "change, message",
    [
        ({"op": "convolution"}, "'convolution' is no operator"),
        ({"shape": None}, "'shape' is missing"),
        ({"shape": {"layout": "cube", "channels": 1}}, "'cube' is no layout"),
        ({"shape": {"layout": "image", "channels": 1, "extent": [2]}}, "are no image"),
        ({"inputs": ["nobody"]}, "no earlier layer 'nobody'"),
        ({"inputs": []}, "must read an earlier layer"),
        ({"out_features": "many"}, "'out_features' must be a whole number, not 'many'"),
        ({"out_features": None}, "'out_features' is missing"),
        ({"name": "x"}, "the name 'x' is used twice"),
        ({"shares": "x"}, "shares a layer without a weight"),
    ],
)
def test_models_that_make_no_sense(change: dict[str, Any], message: str) -> None:
    json = mlp()
    json["layers"][1].update(change)
    with pytest.raises(Failure, match=message):
        built(read_model(json))

"""Setups and phases, on a CPU."""

from __future__ import annotations

import sys
import types
from typing import Any

import pytest
import torch
from worker_helpers import Client, fixture, mlp, net

from ampere.worker import compiling, host, job_base, model_job, optimizers
from ampere.worker import iteration as iteration_module
from ampere.worker.compiling import settle
from ampere.worker.globals import Globals
from ampere.worker.iteration import Iteration
from ampere.worker.model import read_model
from ampere.worker.network import build_network
from ampere.worker.place import Place
from ampere.worker.precision import gradient_scaler
from ampere.worker.room import needed_bytes
from ampere.worker.server import Server
from ampere.worker.setups import Announced, Setup, announce, read_setup

EVERYTHING = Announced(
    ("fp32", "tf32", "bf16", "fp16"),
    optimizers.NAMES,
    ("weight_decay", "fused", "attention", "compile", "accumulation", "channels_last"),
)
OLD = torch.__version__.startswith("1.")


@pytest.fixture(scope="module")
def client() -> Client:
    return Client()


def works(client: Client, model: Any, **setup: Any) -> dict[str, Any]:
    answer = client.prepare(model, **setup)
    assert "ready" in answer, answer
    assert client.ask(id=2, do="run", job=1, iterations=2) == {"id": 2, "done": {}}
    assert client.ask(id=3, do="release", job=1) == {"id": 3, "done": {}}
    ready: dict[str, Any] = answer["ready"]
    return ready


PHASES = ("iteration", "forward", "backward", "update", "block", "inference")


@pytest.mark.parametrize("phase", PHASES)
@pytest.mark.parametrize("name", ["images", "sequences"])
def test_phases(client: Client, name: str, phase: str) -> None:
    assert works(client, fixture(name), phase=phase)["batch"] == 3


@pytest.mark.parametrize(
    "setup",
    [
        {"optimizer": "plain-sgd"},
        {"optimizer": "adam", "weight_decay": 0.1},
        {"optimizer": "adamw"},
        {"attention": "plain"},
        {"accumulation": 3},
        {"channels_last": True},
        {"precision": "bf16"},
        {"phase": None, "fused": False, "compile": False, "weight_decay": None},
    ],
    ids=str,
)
def test_setups(client: Client, setup: dict[str, Any]) -> None:
    model = mlp() if setup.get("precision") == "bf16" else fixture("images")
    ready = works(client, model, **setup)
    assert ready["batch"] == 3 * setup.get("accumulation", 1)
    assert ready["notes"] == [] and ready["compiled"] is False


@pytest.mark.parametrize("phase", PHASES)
def test_bf16_in_every_phase(client: Client, phase: str) -> None:
    works(client, mlp(boundary=True), precision="bf16", phase=phase)


@pytest.mark.parametrize(
    "setup, message",
    [
        ({"precision": "tf32"}, "precision 'tf32' is not there: there are fp32, bf16"),
        ({"precision": "fp16"}, "precision 'fp16' is not there"),
        ({"optimizer": "lion"}, "there are sgd, plain-sgd, adam, adamw"),
        ({"phase": "warmup"}, "phase 'warmup' is not there"),
        ({"mixup": 3}, "option 'mixup' is not there: there are weight_decay"),
        ({"batch": 0}, "'batch' must be 1 or more, not 0"),
        ({"batch": "all"}, "'batch' must be a whole number, not 'all'"),
        ({"weight_decay": -1}, "'weight_decay' must be 0 or more"),
        ({"accumulation": 0}, "'accumulation' must be 1 or more"),
        ({"attention": "linear"}, "there are fused, plain"),
        ({"channels_last": 1}, "'channels_last' must be true or false, not the number 1"),
    ],
)
def test_setups_that_are_not_there(client: Client, setup: dict[str, Any], message: str) -> None:
    error = client.prepare(mlp(), **setup)["error"]
    assert error["code"] == "usage"
    assert message in error["message"]


@pytest.mark.skipif(not OLD, reason="newer versions of PyTorch can do these")
@pytest.mark.parametrize("option", ["compile", "fused"])
def test_an_old_torch_announces_less(client: Client, option: str) -> None:
    error = client.prepare(mlp(), **{option: True})["error"]
    assert error["code"] == "usage" and f"option '{option}' is not there" in error["message"]


def test_what_a_gpu_announces() -> None:
    class FakeCuda:
        @staticmethod
        def get_device_capability(_: int) -> tuple[int, int]:
            return FakeCuda.capability

        capability = (9, 0)

    class FakeTorch:
        __version__ = "2.11.0+cu130"
        cuda = FakeCuda
        device = staticmethod(lambda name: "cpu")
        compile = None
        nn, optim, zeros = torch.nn, torch.optim, torch.zeros

    place = Place(FakeTorch, 0)
    announced = announce(place)
    assert announced.precisions == ("fp32", "tf32", "bf16", "fp16")
    assert "compile" in announced.options
    FakeCuda.capability = (7, 5)
    assert announce(place).precisions == ("fp32", "fp16")


def test_optimizers_are_those_of_torch_with_rate_0() -> None:
    parameter = [torch.nn.Parameter(torch.zeros(2))]
    for name, kind, options in [
        ("sgd", torch.optim.SGD, {"momentum": 0.9, "weight_decay": 0}),
        ("plain-sgd", torch.optim.SGD, {"momentum": 0, "weight_decay": 0}),
        ("adam", torch.optim.Adam, {"weight_decay": 0}),
        ("adamw", torch.optim.AdamW, {"weight_decay": 0.01}),
    ]:
        made = optimizers.make_optimizer(torch, name, parameter, None, False)
        assert type(made) is kind
        assert {key: made.defaults[key] for key in options} == options
        assert made.defaults["lr"] == 0
    made = optimizers.make_optimizer(torch, "adamw", parameter, 0.0, False)
    assert made.defaults["weight_decay"] == 0


def make_iteration(setup: Setup, model_json: Any, optimizer: Any = None) -> tuple[Any, Any, Any]:
    torch.manual_seed(0)
    model = read_model(model_json)
    cpu = torch.device("cpu")
    network = build_network(model, setup.batch, cpu, setup.phase != "inference", False)
    inputs = model_job._random_inputs(torch, model, setup.batch, cpu)
    loss = model_job._make_loss(torch, model.output, setup.batch, cpu)
    parameters = list(network.parameters())
    made = optimizer or optimizers.make_optimizer(torch, setup.optimizer, parameters, None, False)
    iteration = Iteration(
        torch, "net", network, parameters, inputs, loss, made, setup, "cpu"
    )
    return iteration, network, inputs


class SpyOptimizer:
    """Keeps the gradients it is given."""

    def __init__(self) -> None:
        self.steps = 0
        self.network: Any = None
        self.gradients: list[Any] = []

    def step(self) -> None:
        self.steps += 1
        self.gradients = [each.grad.clone() for each in self.network.parameters()]

    def zero_grad(self, set_to_none: bool) -> None:
        assert set_to_none
        for each in self.network.parameters():
            each.grad = None


def gradients_with(accumulation: int) -> SpyOptimizer:
    spy = SpyOptimizer()
    iteration, spy.network, _ = make_iteration(Setup(4, accumulation=accumulation), mlp(), spy)
    iteration.step()()
    return spy


def test_accumulation_makes_the_same_gradient_in_one_step() -> None:
    once, thrice = gradients_with(1), gradients_with(3)
    assert thrice.steps == 1
    for a, b in zip(once.gradients, thrice.gradients):
        assert torch.allclose(a, b, atol=1e-6) and a.abs().max() > 0


def test_an_iteration_leaves_weights_and_no_gradients() -> None:
    iteration, network, inputs = make_iteration(Setup(4), mlp(boundary=True))
    before = [each.clone() for each in network.parameters()]
    loss = iteration.step()()
    assert 0.5 < loss.item() < 3  # a cross-entropy of three classes
    assert all(torch.equal(a, b) for a, b in zip(before, network.parameters()))
    assert all(each.grad is None for each in [*network.parameters(), *inputs])


def test_phases_do_their_part_only() -> None:
    calls: list[str] = []

    def watched(phase: str) -> list[str]:
        spy = SpyOptimizer()
        iteration, network, _ = make_iteration(Setup(4, phase=phase), mlp(), spy)
        spy.network = network
        step = iteration.step()
        calls.clear()
        spy.steps = 0
        network.register_forward_hook(lambda *_: calls.append("forward"))
        network.fc1.weight.register_hook(lambda _: calls.append("backward"))
        step()
        return calls + ["update"] * spy.steps

    assert watched("iteration") == ["forward", "backward", "update"]
    assert watched("block") == ["forward", "backward", "update"]
    assert watched("update") == ["update"]
    assert watched("forward") == ["forward"]
    assert watched("inference") == ["forward"]


def test_backward_is_repeated_over_one_forward_pass() -> None:
    iteration, network, _ = make_iteration(Setup(4, phase="backward"), mlp())
    counted: list[str] = []
    network.register_forward_hook(lambda *_: counted.append("forward"))
    network.fc1.weight.register_hook(lambda _: counted.append("backward"))
    step = iteration.step()
    step()
    step()
    assert counted == ["forward", "backward", "backward"]
    assert network.fc1.weight.grad is None


def test_autocast_reaches_forward_and_inference() -> None:
    for phase in ("forward", "inference"):
        iteration, network, _ = make_iteration(Setup(4, precision="bf16", phase=phase), mlp())
        seen = []
        network.register_forward_hook(lambda _, __, output: seen.append(output.dtype))
        iteration.step()()
        assert seen == [torch.bfloat16]


class SpyScaler:
    """Writes down what is asked of it."""

    def __init__(self) -> None:
        self.calls: list[str] = []

    def scale(self, loss: Any) -> Any:
        self.calls.append("scale")
        return loss * 2

    def step(self, optimizer: Any) -> None:
        self.calls.append("step")
        optimizer.step()

    def update(self) -> None:
        self.calls.append("update")


@pytest.mark.parametrize(
    "phase, calls",
    [
        ("iteration", ["scale", "scale", "step", "update"]),
        ("block", ["step", "update"]),
        ("update", ["step", "update"]),
        ("forward", []),
    ],
)
def test_the_gradient_scaler(
    monkeypatch: pytest.MonkeyPatch, phase: str, calls: list[str]
) -> None:
    scaler = SpyScaler()
    monkeypatch.setattr(iteration_module, "gradient_scaler", lambda *_: scaler)
    iteration, _, _ = make_iteration(Setup(4, phase=phase, accumulation=2), mlp())
    step = iteration.step()
    step()
    assert scaler.calls == calls


@pytest.mark.parametrize("newer", [True, False])
def test_the_scaler_is_that_of_this_torch(newer: bool) -> None:
    class FakeTorch:
        class amp:
            pass

        class cuda:
            class amp:
                GradScaler = staticmethod(lambda: SpyScaler())

        zeros = staticmethod(lambda *_, device: 0)

    if newer:
        FakeTorch.amp.GradScaler = staticmethod(lambda kind: SpyScaler())  # type: ignore
        del FakeTorch.cuda
    assert gradient_scaler(FakeTorch, "cuda", "fp16").calls == ["scale"]
    assert gradient_scaler(FakeTorch, "cuda", "bf16") is None


def test_a_compiled_network_is_what_runs(monkeypatch: pytest.MonkeyPatch) -> None:
    called: list[int] = []

    def compile_it(network: Any) -> Any:
        def compiled(*inputs: Any) -> Any:
            called.append(1)
            return network(*inputs)

        return compiled

    # Three steps compile something, as the dynamic shapes and the backward pass of torch do.
    monkeypatch.setattr(torch, "compile", compile_it, raising=False)
    for module in (model_job, job_base):
        monkeypatch.setattr(module, "compilations", lambda: min(len(called), 3))
    monkeypatch.setattr(settle, "__defaults__", (lambda: min(len(called), 3),))
    place = Place(torch, None)
    client = Client()
    client.server = Server(place, EVERYTHING)
    ready = client.prepare(mlp(), compile=True)["ready"]
    assert ready["compiled"] is True and ready["notes"] == []
    assert len(called) == 6  # the third was the last to compile, and three were quiet
    client.ask(id=2, do="run", job=1, iterations=2)
    assert len(called) == 8
    client.close()


def test_a_backward_pass_that_is_repeated_keeps_its_buffers(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    config = types.SimpleNamespace(donated_buffer=True)
    monkeypatch.setitem(sys.modules, "torch._functorch.config", config)  # type: ignore[arg-type]
    monkeypatch.setattr(compiling, "_defaults", {})
    fake = types.SimpleNamespace(compile=lambda network: f"compiled {network}")
    for keeps_graph in (True, False, True):
        assert compiling.compile_network(fake, "net", keeps_graph) == "compiled net"
        assert config.donated_buffer is not keeps_graph


def test_nothing_to_train(client: Client) -> None:
    layers = mlp()["layers"]
    model = net(layers[0], {"name": "act", "op": "relu", "shape": layers[0]["shape"]})
    error = client.prepare(model)["error"]
    assert error["code"] == "usage" and "nothing to train" in error["message"]
    assert "no parameters to update" in client.prepare(model, phase="update")["error"]["message"]
    model["layers"][0]["boundary"] = True
    works(client, model)


def test_a_single_value_per_channel_is_refused(client: Client) -> None:
    model = mlp()
    model["layers"][2]["op"] = "batch_norm"
    error = client.prepare(model, batch=1)["error"]
    assert error["code"] == "failed"
    assert "layer 'act' (batch_norm) would see a single value" in error["message"]
    works(client, model, batch=1, phase="inference")


def test_a_loss_that_is_no_number_is_noted(client: Client) -> None:
    model = mlp()
    model["layers"][1:2] = [
        {"name": "no", "op": "affine", "offset": -1000, "shape": model["layers"][0]["shape"]},
        {"name": "log", "op": "log", "shape": model["layers"][0]["shape"]},
        model["layers"][1],
    ]
    (note,) = works(client, model)["notes"]
    assert "not a finite number (nan)" in note


def test_what_does_not_fit_is_refused_before(
    client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(host, "available_memory", lambda: 20000)
    error = client.prepare(mlp(), batch=100000)["error"]
    assert error["code"] == "failed"
    assert "net: out of memory: running it with batch 100000" in error["message"]
    works(client, mlp(), batch=2)


def test_needed_memory() -> None:
    model = read_model(fixture("sequences"))
    parameters = model.parameters
    assert parameters is not None
    sgd, adam = Setup(2), Setup(2, optimizer="adam")
    assert needed_bytes(model, adam) - needed_bytes(model, sgd) == 4 * 2 * parameters
    plain = Setup(2, optimizer="plain-sgd")
    assert needed_bytes(model, sgd) - needed_bytes(model, plain) == 4 * parameters


def test_settings_belong_to_jobs() -> None:
    defaults = Globals(torch)
    high = defaults.with_matmul("high")
    try:
        high.apply()
        assert torch.get_float32_matmul_precision() == "high"
        torch.backends.cudnn.benchmark = True
        defaults.apply()
        assert torch.get_float32_matmul_precision() == "highest"
        assert torch.backends.cudnn.benchmark is False
    finally:
        defaults.apply()


def test_a_full_setup_is_read() -> None:
    keys = {
        "batch": 8, "optimizer": "adamw", "precision": "fp16", "weight_decay": 0.3, "fused": True,
        "attention": "plain", "compile": True, "accumulation": 4, "channels_last": True,
    }
    assert read_setup(keys, EVERYTHING) == Setup(
        8, "adamw", "fp16", "iteration", 0.3, True, True, True, 4, True
    )


def test_settings_that_cannot_be_read_are_left_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse() -> str:
        raise RuntimeError("mix of the legacy and new APIs")

    monkeypatch.setattr(torch, "get_float32_matmul_precision", refuse)
    Globals(torch).apply()

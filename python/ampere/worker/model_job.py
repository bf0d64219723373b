"""Preparing a network of the model format."""

from __future__ import annotations

from typing import Any, Callable

from .compiling import compilations, compile_network
from .globals import Globals
from .guard import guarded, network_error
from .iteration import Iteration
from .job_base import PreparedJob, Ready, first_steps
from .model import Model
from .optimizers import make_optimizer
from .place import Place
from .room import check_room
from .setups import Setup
from .shapes import Shape

SEED = 20240229  # any: every job sees equal data


def prepare_model(model: Model, setup: Setup, place: Place, defaults: Globals) -> PreparedJob:
    """Builds the network on the device and runs it once. Raises Failure."""
    if place.gpu is None:
        check_room(model, setup)
    settings = defaults.with_matmul("high") if setup.precision == "tf32" else defaults
    settings.apply()
    explain = network_error(model.name)

    def work() -> PreparedJob:
        before = compilations()
        place.torch.manual_seed(SEED)
        step, _, parameters = make_step(model, setup, place)
        ready = Ready(model.name, setup.batch * parts(setup), parameters)
        first_steps(step, place, ready, before)
        return PreparedJob(ready, step, place, settings, explain)

    return guarded(explain, work)


def parts(setup: Setup) -> int:
    """Micro-batches per iteration."""
    return 1 if setup.phase == "inference" else setup.accumulation


def make_step(
    model: Model, setup: Setup, place: Place
) -> tuple[Callable[[], Any], Any, int]:
    """One step of the setup's phase, the network, and how many numbers are trained."""
    from .network import build_network, parameter_count

    torch, device = place.torch, place.device
    fused_attention = not setup.plain_attention and hasattr(
        torch.nn.functional, "scaled_dot_product_attention"
    )
    training = setup.phase != "inference"
    network = build_network(model, setup.batch, device, training, fused_attention)
    inputs = _random_inputs(torch, model, setup.batch, device)
    loss = _make_loss(torch, model.output, setup.batch, device)
    if setup.channels_last:
        network = network.to(memory_format=torch.channels_last)
        inputs = [_channels_last(torch, each) for each in inputs]
    parameters = [each for each in network.parameters() if each.requires_grad]
    optimizer = None
    if training:
        optimizer = make_optimizer(
            torch, setup.optimizer, parameters, setup.weight_decay, setup.fused
        )
    count = parameter_count(network)
    called = network
    if setup.compile:
        called = compile_network(torch, network, keeps_graph=setup.phase == "backward")
    iteration = Iteration(
        torch, model.name, called, parameters, inputs, loss, optimizer, setup, place.kind
    )
    return iteration.step(), network, count


def _random_tensor(torch: Any, shape: Shape, batch: int, device: Any) -> Any:
    sizes = (batch, *shape.axes)
    if shape.layout == "tokens":
        return torch.randint(shape.channels, sizes, device=device)
    return torch.randn(sizes, device=device)


def _random_inputs(torch: Any, model: Model, batch: int, device: Any) -> list[Any]:
    inputs = []
    for layer in model.layers:
        if layer.op != "input":
            continue
        tensor = _random_tensor(torch, layer.shape, batch, device)
        inputs.append(tensor.requires_grad_(layer.keys.boolean("boundary", False)))
    return inputs


def _channels_last(torch: Any, tensor: Any) -> Any:
    if tensor.ndim != 4 or not tensor.is_floating_point():
        return tensor
    ordered = tensor.detach().to(memory_format=torch.channels_last)
    return ordered.requires_grad_(tensor.requires_grad)


def _make_loss(torch: Any, output: Shape, batch: int, device: Any) -> Callable[[Any], Any]:
    if not output.classifies:
        return _mean_of_squares
    labels = torch.randint(output.channels, (batch * output.positions,), device=device)
    criterion = torch.nn.CrossEntropyLoss()
    if output.layout == "sequence":
        return lambda x: criterion(x.flatten(0, 1), labels)
    return lambda x: criterion(x, labels)


def _mean_of_squares(x: Any) -> Any:
    return x.square().mean()

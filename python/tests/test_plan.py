"""``ampere.plan``: stages, carbon, starts, modules, programs, and what is refused."""

from __future__ import annotations

import datetime
import pathlib

import pytest

import ampere

RUN = dict(epochs=2, samples=50000, batch=64, device="h200")


def forecast(folder: pathlib.Path, hours: int) -> pathlib.Path:
    """A forecast from now on that gets cleaner every hour."""
    now = datetime.datetime.now(datetime.timezone.utc).replace(minute=0, second=0, microsecond=0)
    rows = [f"{now + datetime.timedelta(hours=hour):%Y-%m-%dT%H:%M:%SZ},{500 - 10 * hour}" for hour in range(hours)]
    path = folder / "hours.csv"
    path.write_text("\n".join(["time,carbon (gCO2/kWh)", *rows, ""]))
    return path


def test_stages_add_up_and_say_what_they_assume():
    plan = ampere.plan("resnet18", validation_samples=10000, checkpoint_every="1epoch", trials=3, trial_share=0.5, **RUN)
    assert [stage.name for stage in plan.stages] == ["search", "training", "validation", "checkpoints"]
    assert sum(stage.energy_j for stage in plan.stages) == pytest.approx(plan.energy_j)
    assert sum(stage.time_s for stage in plan.stages) == pytest.approx(plan.time_s)
    assert [stage.name for stage in plan.stages if stage.assumption is None] == ["training"]
    assert plan.iterations == 2 * 782 and plan.source == "measured" and "H200" in plan.device
    assert plan.interval.low < plan.energy_j < plan.interval.high
    assert plan.carbon_g is None and plan.price is None and plan.start is None
    assert "validation: " in str(plan) and "assumed" in str(plan)


def test_training_alone_is_what_estimate_says():
    plan = ampere.plan("resnet18", **RUN)
    estimate = ampere.estimate("resnet18", batch=64, iterations=plan.iterations, device="h200")
    assert plan.energy_j == pytest.approx(estimate.energy_j) and plan.time_s == pytest.approx(estimate.time_s)


def test_constants_give_carbon_and_price():
    plan = ampere.plan("resnet18", carbon=400, price=0.3, **RUN)
    kwh = plan.energy_j / 3.6e6
    assert plan.carbon_g is not None and plan.carbon_g.mean == pytest.approx(400 * kwh)
    assert plan.price is not None and plan.price.mean == pytest.approx(0.3 * kwh)
    assert plan.carbon_g.best_start is None
    assert "carbon" in str(plan) and "price" in str(plan)


def test_a_forecast_finds_the_cleanest_start(tmp_path: pathlib.Path):
    plan = ampere.plan("resnet18", carbon_forecast=forecast(tmp_path, 24), deadline="6h", start="cleanest", **RUN)
    assert plan.carbon_g is not None
    now, best = plan.carbon_g.starting_now, plan.carbon_g.best_start
    assert now is not None and best is not None
    assert best.at == plan.start and 4.9 * 3600 < best.seconds_from_now < 6 * 3600
    assert best.value == pytest.approx(plan.carbon_g.mean, rel=1e-12) and best.value < now.value
    assert plan.start is not None and plan.start in str(plan)


def test_a_module_has_the_batch_of_its_inputs():
    torch = pytest.importorskip("torch")
    net = torch.nn.Sequential(torch.nn.Flatten(), torch.nn.Linear(784, 64), torch.nn.ReLU(), torch.nn.Linear(64, 10))
    plan = ampere.plan(net, torch.randn(8, 1, 28, 28), epochs=1, samples=801, device="h200")
    assert plan.model == "Sequential" and plan.iterations == 101  # the last batch counts as a whole one


def test_a_program_is_planned():
    torch = pytest.importorskip("torch")
    program = ampere.trace(torch.nn.Linear(64, 10), torch.randn(16, 64))
    assert ampere.plan(program, epochs=3, samples=160, device="h200").iterations == 30


def test_a_deadline_that_cannot_be_kept_is_an_error():
    with pytest.raises(ampere.FailedError, match="deadline"):
        ampere.plan("resnet18", epochs=10000, samples=50000, batch=64, device="h200", deadline="1h")


@pytest.mark.parametrize("options, message", [
    (dict(start="cleanest"), "carbon-forecast"),
    (dict(validate_every="sometimes", validation_samples=10), "validate-every"),
    (dict(args={"batch": 3}), "training step of your own"),
    (dict(carbon_forecast="missing.csv"), "missing.csv"),
])
def test_what_cannot_be_planned_is_refused(options, message):
    with pytest.raises(ampere.UsageError, match=message):
        ampere.plan("resnet18", **RUN, **options)


def test_no_profile_says_what_would_help(tmp_path: pathlib.Path):
    with pytest.raises(ampere.UnknownError, match="profile"):
        ampere.plan("resnet18", epochs=1, samples=10, store=f"sqlite:{tmp_path}/none.db")

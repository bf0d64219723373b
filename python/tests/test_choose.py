"""``ampere.choose``: values, lists, modules, programs, and what is refused."""

from __future__ import annotations

import pathlib

import pytest

import ampere


def test_the_best_alternative_is_one_of_them():
    choice = ampere.choose("resnet50:size=224", batch=[16, 64], precision=["fp32", "bf16"], device="h200")
    assert len(choice.alternatives) == 4
    assert choice.best in choice.alternatives and choice.best.rank == 1
    assert choice.best.energy_j == min(one.energy_j for one in choice.alternatives)
    assert choice.least_time.time_s == min(one.time_s for one in choice.alternatives)
    assert choice.best in choice.front
    assert choice.best.interval.low < choice.best.energy_j < choice.best.interval.high
    assert choice.best.source == "measured" and "H200" in choice.best.device
    assert "batch 64, sgd, bf16" in str(choice)


def test_memory_says_what_fits():
    choice = ampere.choose("resnet50:size=224", batch=[16, 256], precision="fp32", memory="16GB", device="h200")
    assert [one.fits for one in choice.alternatives] == [True, False]
    assert choice.best.samples_per_iteration == 16


def test_what_cannot_be_estimated_says_why():
    choice = ampere.choose("resnet18", batch=32, precision="fp32", compile=[False, True], device="h200")
    lost = choice.alternatives[1]
    assert lost.energy_j is None and "compiled" in lost.reason and lost.rank is None
    assert lost.reason in str(choice)


def test_limits_that_nothing_keeps_are_an_error():
    with pytest.raises(ampere.FailedError, match="no alternative certainly stays"):
        ampere.choose("resnet18", batch=32, budget="1J", device="h200")


def test_an_empty_list_is_refused():
    with pytest.raises(ampere.UsageError, match="batch: the list is empty"):
        ampere.choose("resnet18", batch=[], device="h200")
    with pytest.raises(ampere.UsageError, match="nothing to choose from"):
        ampere.choose([], device="h200")


def test_no_profile_says_what_would_help(tmp_path: pathlib.Path):
    with pytest.raises(ampere.UnknownError, match="profile --general"):
        ampere.choose("resnet18", batch=[16], store=f"sqlite:{tmp_path}/none.db")


def test_a_module_is_chosen_for():
    torch = pytest.importorskip("torch")
    net = torch.nn.Sequential(torch.nn.Flatten(), torch.nn.Linear(784, 64), torch.nn.ReLU(), torch.nn.Linear(64, 10))
    choice = ampere.choose(net, torch.randn(8, 1, 28, 28), batch=[16, 32, 64, 128], device="h200")
    assert choice.model == "Sequential"
    assert choice.best.samples_per_iteration == 128


def test_programs_are_compared_per_sample():
    torch = pytest.importorskip("torch")
    net = torch.nn.Linear(64, 10)
    programs = [ampere.trace(net, torch.randn(batch, 64)) for batch in (8, 64)]
    choice = ampere.choose(programs, device="h200")
    assert [one.samples_per_iteration for one in choice.alternatives] == [8, 64]
    assert choice.best is choice.alternatives[1]


def test_programs_have_their_own_names():
    torch = pytest.importorskip("torch")
    first, second = (ampere.trace(torch.nn.Linear(64, 10), torch.randn(batch, 64)) for batch in (8, 64))
    other = ampere.trace(torch.nn.Sequential(torch.nn.Linear(64, 10)), torch.randn(32, 64))
    choice = ampere.choose([first, second, other], device="h200")
    assert [one.name for one in choice.alternatives] == ["Linear (1)", "Linear (2)", "Sequential"]
    assert choice.model == "Linear (1), Linear (2), Sequential"
    assert "least energy with Linear (2)" in str(choice) and "traced.program" not in str(choice.raw)
    with pytest.raises(ampere.FailedError) as caught:
        ampere.choose([first, second], budget="1J", device="h200")
    assert "Linear (" in str(caught.value) and "traced.program" not in str(caught.value)


def test_files_of_programs_keep_their_paths(tmp_path: pathlib.Path):
    torch = pytest.importorskip("torch")
    program = ampere.trace(torch.nn.Linear(64, 10), torch.randn(8, 64))
    program.save(tmp_path / "a.program")
    choice = ampere.choose([tmp_path / "a.program", program], device="h200")
    assert [one.name for one in choice.alternatives] == [str(tmp_path / "a.program"), "Linear"]


def test_the_compiled_network_stands_beside_the_eager_one():
    choice = ampere.choose("resnet18", batch=32, precision="bf16", compiled=[False, True], device="h200")
    eager, compiled = choice.alternatives
    assert (eager.compiled, compiled.compiled) == (False, True)
    assert eager.energy_j is not None and eager.remedy is None
    assert compiled.energy_j is None and "--compile" in compiled.remedy
    assert compiled.remedy in str(choice)


def test_programs_stand_beside_a_network():
    torch = pytest.importorskip("torch")
    net = torch.nn.Sequential(torch.nn.Flatten(), torch.nn.Linear(784, 64), torch.nn.ReLU(), torch.nn.Linear(64, 10))
    program = ampere.trace(net, torch.randn(256, 1, 28, 28))
    choice = ampere.choose(net, torch.randn(8, 1, 28, 28), batch=16, precision="fp32", programs=[program], device="h200")
    assert choice.model == "Sequential"
    assert [one.samples_per_iteration for one in choice.alternatives] == [16, 256]
    with pytest.raises(ampere.UsageError, match="traced iterations only"):
        ampere.choose("resnet18", programs=["cnn5"], device="h200")


def test_a_list_holds_programs_only():
    with pytest.raises(ampere.UsageError, match="traced iterations only"):
        ampere.choose(["resnet18", "cnn5"], device="h200")

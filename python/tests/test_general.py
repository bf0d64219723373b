"""Estimates from a general profile: of any network, and of programs."""

import json
import subprocess
from pathlib import Path

import ampere
import pytest
from ampere._program import program

PROGRAM = Path(__file__).resolve().parents[2] / "tests" / "data" / "programs" / "two_blocks.program"


@pytest.fixture(scope="session")
def general(tmp_path_factory, real_program):
    """A store with a general profile of a simulated device."""
    maker = Path(real_program).parent / "simulated_general_profile"
    if not maker.exists():
        pytest.skip("skipped: simulated_general_profile is not built")
    folder = tmp_path_factory.mktemp("general")
    subprocess.run([maker, folder / "general.json"], check=True)
    store = f"sqlite:{folder / 'store.db'}"
    subprocess.run([program(), "profiles", "add", folder / "general.json", "--store", store], check=True)
    return store


def traced():
    return ampere.Program(json.loads(PROGRAM.read_text()))


def test_any_network_with_any_setup(general):
    e = ampere.estimate("resnet18", batch=24, precision="bf16", optimizer="adamw", store=general)
    assert e.method == "operations" and e.batch == 24 and e.energy_j > 0
    assert {part.kind for part in e.parts} >= {"convolution", "pointwise"}


def test_a_program_is_a_file_or_a_value(general, tmp_path):
    of_file = ampere.estimate(str(PROGRAM), store=general, iterations=10)
    of_value = ampere.estimate(traced(), store=general, iterations=10)
    assert of_file.energy_j == of_value.energy_j > 0
    assert of_value.model == "two_blocks" and of_value.batch == 8
    assert of_value.raw["limit"] == "host" and of_value.raw["modules"]
    assert "two_blocks: batch 8, 10 iterations on simulated accelerator" in str(of_value)


def test_a_program_need_not_say_its_batch(general):
    raw = traced().to_dict()
    del raw["samples"], raw["setup"]
    e = ampere.estimate(ampere.Program(raw), store=general)
    assert e.batch is None and "two_blocks: 1 iterations" in str(e)


def test_the_device_is_chosen_by_a_part_of_its_name(general):
    e = ampere.estimate("cnn5", device="ACCELERATOR", store=general)
    assert e.device == "simulated accelerator"
    with pytest.raises(ampere.Error, match="h900"):
        ampere.estimate("cnn5", device="h900", store=general)


def test_what_a_program_has_is_not_asked_for(general):
    with pytest.raises(ampere.Error, match="setup is fixed"):
        ampere.estimate(traced(), batch=4, store=general)
    with pytest.raises(ampere.Error, match="inputs are for modules"):
        ampere.estimate(traced(), inputs=3, store=general)
    with pytest.raises(ampere.Error, match="args are for a training step"):
        ampere.estimate("cnn5", args={"batch": 3}, store=general)


def test_a_device_is_profiled_for_every_network(tmp_path, real_program):
    store = f"sqlite:{tmp_path / 'store.db'}"
    said = []
    summary = ampere.profile(general=True, operations=120, programs=3, rig="sim:server", store=store,
                             progress=said.append)
    assert summary["method"] == "operations" and summary["measured"] == 3 and summary["timed"] >= 120
    assert summary["failed"] == 0 and said
    assert ampere.estimate("cnn5", batch=16, store=store).method == "operations"


def test_operations_of_a_program_are_timed_as_well(tmp_path, real_program):
    def known(name, *programs):
        store = f"sqlite:{tmp_path / name}"
        ampere.profile(*programs, general=True, operations=60, programs=2, rig="sim:server", store=store)
        return ampere.estimate(traced(), store=store).raw["device_time_by_source"]["known"]

    assert known("with.db", traced()) == pytest.approx(1)
    assert known("without.db") < 0.9


def test_a_general_profile_has_no_setup():
    with pytest.raises(ampere.UsageError, match="batch: a general profile is of the device"):
        ampere.profile(general=True, batch=8)
    with pytest.raises(ampere.UsageError, match="operations is for general profiles"):
        ampere.profile("cnn5", operations=100)


def test_a_preview_counts_the_operations_of_programs(tmp_path, real_program):
    def to_time(*programs):
        return ampere.profile(*programs, general=True, operations=2, programs=2, rig="sim:server", dry_run=True,
                              store=f"sqlite:{tmp_path / 'store.db'}")["at_most_timings"]

    assert to_time() == 2
    assert to_time(traced()) == 7  # distinct operations that launch something

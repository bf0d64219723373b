"""What compiled code launches, read from a profile of PyTorch 2.11 on an H200: ViT-B/16, batch 48, bf16, AdamW."""

from __future__ import annotations

import gzip
import json
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
import torch

from ampere.tracing.compiled import is_compiled
from ampere.tracing.overloads import is_recorded, overload_of
from ampere.tracing.phases import BACKWARD, FORWARD, UPDATE
from ampere.tracing.profiled import calls_of
from ampere.tracing.profiled_program import program_of_profile

PROFILE = Path(__file__).parent / "data" / "compiled_vit_b_16.json.gz"


@pytest.fixture(scope="module")
def profile() -> Any:
    with gzip.open(PROFILE, "rt", encoding="utf-8") as file:
        return json.load(file)


@pytest.fixture(scope="module")
def program(profile: Any) -> Any:
    weights = [torch.empty(768, 768, device="meta"), torch.empty(768, device="meta")]
    return program_of_profile(profile, weights)


def kernels_of(profile: Any) -> list[Any]:
    return [each for each in profile["traceEvents"] if each["cat"] in ("kernel", "gpu_memset", "gpu_memcpy")]


def steps_named(program: Any, name: str) -> list[Any]:
    operations = program["operations"]
    return [step for step in program["steps"] if operations[step[0]]["name"] == name]


def types_of(program: Any, row: Any) -> list[Any]:
    return [program["tensors"][each["tensor"]] for each in row["arguments"] if isinstance(each, dict)]


def test_all_time_of_the_device_is_in_the_steps(profile: Any, program: Any) -> None:
    keys, seconds = program
    busy_s = sum(each["dur"] for each in kernels_of(profile)) * 1e-6
    assert len(seconds) == len(keys["operations"])
    assert sum(seconds[step[0]] for step in keys["steps"]) == pytest.approx(busy_s, rel=1e-9)
    assert busy_s == pytest.approx(17.4e-3, rel=0.01)


def test_products_have_the_shapes_that_ran(program: Any) -> None:
    keys, _ = program
    products = [row for row in keys["operations"] if row["name"] == "mm"]
    assert len(steps_named(keys, "mm")) == 110
    for row in products:
        (left, right), result = types_of(keys, row)[:2], keys["tensors"][row["results"][0]["tensor"]]
        assert len(row["arguments"]) == 2, "the memory of the result is no argument"
        assert left[0] == right[0] == result[0] == "bf16"
        assert left[1][1] == right[1][0] and result[1] == [left[1][0], right[1][1]]


def test_kernels_of_the_compiler_have_their_tensors(program: Any) -> None:
    keys, seconds = program
    kernels = [row for row in keys["operations"] if row["name"].startswith("triton_")]
    assert len(kernels) > 40
    assert all(types_of(keys, row) for row in kernels)
    assert not any(row["name"][-1].isdigit() for row in kernels), "numbers differ between compilations"


def test_convolutions_keep_their_options(program: Any) -> None:
    keys, _ = program
    (row,) = [row for row in keys["operations"] if row["name"] == "convolution"]
    assert row["arguments"][2:] == [None, [16, 16], [0, 0], [1, 1], False, [0, 0], 1]


def test_phases_are_told_apart(program: Any) -> None:
    keys, _ = program
    phases = Counter(step[1] for step in keys["steps"])
    assert min(phases[FORWARD], phases[BACKWARD], phases[UPDATE]) > 5
    names = {keys["operations"][step[0]]["name"] for step in keys["steps"] if step[1] == UPDATE}
    assert any("_foreach_addcdiv_" in name for name in names)


def test_lists_stand_for_all_weights(program: Any) -> None:
    keys, _ = program
    (row,) = [row for row in keys["operations"] if "_foreach_lerp_" in row["name"]]
    assert [len(each) for each in row["arguments"][:2]] == [2, 2]


def test_without_a_mark_or_without_work_there_is_nothing(profile: Any) -> None:
    unmarked = [each for each in profile["traceEvents"] if not each["name"].startswith("ampere")]
    assert program_of_profile({"traceEvents": unmarked}, [])[0]["steps"] == []
    idle = [each for each in profile["traceEvents"] if each["cat"] in ("cpu_op", "user_annotation")]
    assert program_of_profile({"traceEvents": idle}, [])[0]["steps"] == []


def test_work_that_no_operation_launched_is_kept() -> None:
    events = [
        {"cat": "user_annotation", "name": "ampere: one iteration", "ts": 0, "dur": 9, "tid": 0, "args": {"External id": 1}},
        {"cat": "cpu_op", "name": "my_extension", "ts": 1, "dur": 2, "tid": 0, "args": {"External id": 2}},
        {"cat": "kernel", "name": "k", "ts": 4, "dur": 5.0, "tid": 7, "args": {"External id": 2}},
        {"cat": "kernel", "name": "lost", "ts": 4, "dur": 5.0, "tid": 7, "args": {}},
    ]
    ((call,),) = calls_of({"traceEvents": events}, lambda name, formats: False)
    assert call.name == "my_extension" and call.device_s == pytest.approx(5e-6)


@pytest.mark.parametrize(
    "name, formats, overload",
    [
        ("aten::sum", ["float", "ScalarList", "Scalar", ""], "dim_IntList"),
        ("aten::sum", ["float", ""], ""),
        ("aten::add_", ["float", "float", "Scalar"], "Tensor"),
        ("aten::mm", ["float", "float", "float"], "out"),
        ("aten::_foreach_div_", ["TensorList", ""], "ScalarList"),
    ],
)
def test_overloads_are_found_by_formats(name: str, formats: list[str], overload: str) -> None:
    found = overload_of(name, formats)
    assert found is not None and found._schema.overload_name == overload


@pytest.mark.parametrize("name", ["aten::no_such_thing", "triton_poi_fused_0", "aten::", "a b::c", "autograd::engine::x: y"])
def test_other_names_have_no_overload(name: str) -> None:
    assert overload_of(name, ["float"]) is None and not is_recorded(name, ["float"])


def test_composites_are_not_recorded() -> None:
    assert not is_recorded("aten::linear", ["float", "float", "float"])
    assert is_recorded("aten::addmm", ["float", "float", "float", "Scalar", "Scalar"])


def test_what_is_compiled() -> None:
    class OptimizedModule(torch.nn.Sequential):
        pass

    plain, in_place = torch.nn.Sequential(torch.nn.Linear(2, 2)), torch.nn.Sequential(torch.nn.Linear(2, 2))
    in_place[0]._compiled_call_impl = lambda x: x
    assert not is_compiled(plain) and not is_compiled(None)
    assert is_compiled(in_place) and is_compiled(torch.nn.Sequential(OptimizedModule()))

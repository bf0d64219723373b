"""Operations timed alone, on the CPU and with a queue that is played."""

from __future__ import annotations

import sys
import time
from pathlib import Path
from typing import Any, Iterator

import pytest
import torch
from worker_helpers import FIXTURES, Client, fixture, mlp

from ampere.worker.failure import Failure
from ampere.worker.fields import Fields
from ampere.worker.operation_call import make_call
from ampere.worker.operation_child import OperationChild
from ampere.worker.operation_values import TensorTypes
from ampere.worker.place import Place
from ampere.worker.timing import OF_AN_OPERATION, steps_at_once

CPU = torch.device("cpu")


@pytest.fixture(scope="module")
def client() -> Iterator[Client]:
    client = Client()
    yield client
    client.server._child.close()


def called(name: str, *arguments: Any, tensors: Any = (), results: Any = (), **keywords: Any) -> Any:
    """The result of one call, with the tensors that it was made of."""
    row = {"name": name, "arguments": list(arguments), "results": list(results)}
    row["keywords"] = keywords
    return make_call(Fields(row, "operation"), TensorTypes(list(tensors), CPU), CPU)()


def tensor(index: int) -> dict[str, int]:
    return {"tensor": index}


@pytest.mark.parametrize("optimizer", ["sgd", "adamw"])
@pytest.mark.parametrize("name", FIXTURES)
def test_every_traced_operation_can_be_called(client: Client, name: str, optimizer: str) -> None:
    """With the types, shapes and strides of a real trace, and with results of the same shapes."""
    setup = {"batch": 3, "optimizer": optimizer, "precision": "fp32"}
    program = client.ask(id=1, do="trace", model=fixture(name), setup=setup, way="run")["program"]
    types = TensorTypes(program["tensors"], CPU)
    for row in program["operations"]:
        if not row.get("launches", True):
            continue
        result = make_call(Fields(row, "operation"), types, CPU)()
        if row["name"].endswith("_backward") and row["name"].startswith(("batch", "rec", "att")):
            continue  # through autograd: only gradients that are wanted
        results = result if isinstance(result, (list, tuple)) else [result]
        for one, expected in zip(results, row["results"]):
            if isinstance(expected, dict):
                assert list(one.shape) == types.sizes(expected), row["name"]


def test_all_operations_of_a_network_are_timed(client: Client) -> None:
    setup = {"batch": 3, "optimizer": "sgd", "precision": "fp32"}
    program = client.ask(id=1, do="trace", model=fixture("images"), setup=setup)["program"]
    rows = [row for row in program["operations"] if row.get("launches", True)]
    begin = time.monotonic()
    answer = client.ask(id=2, do="time_operations", tensors=program["tensors"], operations=rows)
    assert len(answer["times"]) == len(rows) and answer["id"] == 2
    assert [each for each in answer["times"] if "error" in each] == []
    assert all(0 < each["device_s"] < 1 and each["host_s"] == 0 for each in answer["times"])
    assert time.monotonic() - begin < 60


def test_operations_of_a_fake_trace_in_bf16_are_timed(client: Client) -> None:
    setup = {"batch": 3, "optimizer": "adamw", "precision": "bf16"}
    program = client.ask(id=1, do="trace", model=mlp(), setup=setup, way="fake")["program"]
    rows = [row for row in program["operations"] if row.get("launches", True)]
    times = client.ask(id=2, do="time_operations", tensors=program["tensors"], operations=rows)
    assert [each for each in times["times"] if "error" in each] == []


def test_longer_operations_take_longer(client: Client) -> None:
    types = [["fp32", [16, 16]], ["fp32", [512, 512]]]
    rows = [{"name": "mm", "arguments": [tensor(size)] * 2} for size in (0, 1)]
    small, large = client.ask(id=1, do="time_operations", tensors=types, operations=rows)["times"]
    assert large["device_s"] > 10 * small["device_s"]


@pytest.mark.parametrize(
    "operation, message",
    [
        ({"name": "no_such_thing", "arguments": []}, "this PyTorch has no such operation"),
        ({"name": "mm.out.more", "arguments": []}, "no such operation"),
        ({"name": "mm", "arguments": [tensor(0), tensor(1)]}, "RuntimeError: mat1 and mat2 shapes"),
        ({"name": "mm", "arguments": [tensor(0), tensor(9)]}, "there is no tensor 9"),
        ({"name": "mm", "arguments": [tensor(0)] * 5}, "5 arguments, but it takes 2"),
        ({"name": "_local_scalar_dense", "arguments": [tensor(0)]}, "the host waits for the device"),
        ({"name": "neg", "arguments": [tensor(2)]}, "out of memory: its tensors take"),
        ({"arguments": []}, "'name' is missing"),
        ("mm", "must be an object"),
    ],
)
def test_operations_that_cannot_be_timed(client: Client, operation: Any, message: str) -> None:
    types = [["fp32", [4, 4]], ["fp32", [3, 3]], ["fp32", [1 << 40]]]
    fine = {"name": "mm", "arguments": [tensor(0), tensor(0)]}
    times = client.ask(
        id=1, do="time_operations", tensors=types, operations=[fine, operation, fine]
    )["times"]
    assert message in times[1]["error"]
    assert "device_s" in times[0] and "device_s" in times[2]


CRASHING = """
import os, time
try:
    import torch
    library = torch.library.Library("crash", "DEF")
    for name in ("abort", "sleep"):
        library.define(name + "(Tensor x) -> Tensor")
    def abort(x):
        os.write(2, b"something broke\\n")
        os.abort()
    library.impl("abort", abort, "CPU")
    library.impl("sleep", lambda x: time.sleep(60), "CPU")
except ImportError:
    pass
"""


def test_an_operation_that_ends_its_process_costs_its_own_entry(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "sitecustomize.py").write_text(CRASHING)
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))
    child = OperationChild(Place(torch, None), operation_s=3)
    try:
        fine = {"name": "neg", "arguments": [tensor(0)]}
        rows = [{"name": f"crash.{each}", "arguments": [tensor(0)]} for each in ("abort", "sleep")]
        times = child.time([["fp32", [4]]], [fine, rows[0], fine, rows[1], fine])
    finally:
        child.close()
    assert ["error" in each for each in times] == [False, True, False, True, False]
    assert times[1]["error"] == "the process that timed it was ended by SIGABRT: something broke"
    assert times[3]["error"] == "it took longer than 3 s"


def test_a_process_that_cannot_start_is_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "executable", "/bin/false")
    child = OperationChild(Place(torch, None))
    with pytest.raises(Failure, match="cannot be started: .* ended with status 1"):
        child.time([], [{"name": "neg"}])


def test_indices_stay_inside_their_tensors() -> None:
    types = [["fp32", [5, 3]], ["int64", [100, 7]], ["int64", [100]], ["fp32", [100, 9]]]
    assert called("embedding", tensor(0), tensor(1), tensors=types).shape == (100, 7, 3)
    assert called("index_select", tensor(0), 1, tensor(2), tensors=types).shape == (5, 100)
    assert called("index.Tensor", tensor(0), [tensor(2)], tensors=types).shape == (100, 3)
    both = called("index.Tensor", tensor(0), [None, tensor(2)], tensors=types)
    assert both.shape == (5, 100)
    loss = called("nll_loss_forward", tensor(3), tensor(2), None, 1, -100, tensors=types)
    assert loss[0].shape == ()


def test_tensors_have_their_strides_and_formats() -> None:
    rows = [["bf16", [4, 3], [0, 1]], ["bool", [100]], ["int8", [3]], ["complex64", [2]]]
    rows += [["fp32", [2, 3, 4, 4], [48, 1, 12, 3]], ["uint8", [0]]]
    types = TensorTypes(rows, CPU)
    expanded = types.make(tensor(0))
    assert expanded.stride() == (0, 1) and expanded.dtype is torch.bfloat16
    assert types.bytes_of(tensor(0)) == 6
    assert 0 < types.make(tensor(1)).sum() < 100
    assert types.make(tensor(2), below=1000).min() >= 0
    assert types.make(tensor(3)).is_complex()
    assert types.make(tensor(4)).is_contiguous(memory_format=torch.channels_last)
    assert types.make(tensor(5)).numel() == 0
    numbers = TensorTypes([["fp32", [1000]]], CPU).make(tensor(0))
    assert 0.25 <= numbers.min() and numbers.max() <= 0.75


def test_texts_become_what_torch_takes() -> None:
    types = [["fp32", [2, 3, 4, 4]]]
    assert called("_to_copy", tensor(0), tensors=types, dtype="bf16").dtype is torch.bfloat16
    last = called("clone", tensor(0), tensors=types, memory_format="channels_last")
    assert last.is_contiguous(memory_format=torch.channels_last)
    assert called("gelu", tensor(0), tensors=types, approximate="tanh").shape == (2, 3, 4, 4)
    assert called("add.Scalar", tensor(0), "-inf", tensors=types).max() == float("-inf")
    assert called("zeros", [2, 3], dtype="int64").dtype is torch.int64


def test_recurrent_layers_are_called_as_one() -> None:
    types = [["fp32", [3, 5, 4]], ["fp32", [32, 4]], ["fp32", [32, 8]], ["fp32", [32]]]
    types += [["fp32", [1, 3, 8]], ["fp32", [3, 5, 8]]]
    weights = [tensor(1), tensor(2), tensor(3), tensor(3)]
    options = ["lstm", 8, 1, True, 0.0, True, False]
    arguments = [tensor(0), weights, tensor(4), tensor(4), *options]
    output, (hidden, cell) = called("recurrent", *arguments, tensors=types)
    assert output.shape == (3, 5, 8) and hidden.shape == cell.shape == (1, 3, 8)
    gradients = called("recurrent_backward", tensor(5), *arguments, tensors=types,
                       results=[tensor(0), weights])
    assert [list(each.shape) for each in gradients] == [[32, 4], [32, 8], [32], [32], [3, 5, 4]]


def test_scaled_updates_are_not_skipped() -> None:
    types = [["fp32", [4]], ["fp32", []]]
    call = make_call(
        Fields({"name": "_amp_foreach_non_finite_check_and_unscale_",
                "arguments": [[tensor(0)], tensor(1), tensor(1)]}, "operation"),
        TensorTypes(types, CPU), CPU)
    values = [cell.cell_contents for cell in call.__closure__ or ()]
    positional = next(each for each in values if isinstance(each, list))
    assert positional[1] == 0 and positional[2] == 1


def test_short_operations_are_timed_many_at_once() -> None:
    assert steps_at_once(5e-6, 8e-6, OF_AN_OPERATION) == 256
    assert steps_at_once(1e-5, 3e-5, OF_AN_OPERATION) == 83
    assert steps_at_once(1e-5, 1.0, OF_AN_OPERATION) == 1


def measured_product(name: str = "mm") -> dict[str, Any]:
    return {"name": name, "arguments": [tensor(0), tensor(0)], "results": [tensor(0)]}


def test_an_operation_is_a_job_like_any_other(client: Client) -> None:
    """Each iteration calls it once, and the job ends with its memory."""
    row = measured_product()
    ready = client.ask(
        id=1, do="prepare", job=7, tensors=[["fp32", [32, 32]]], operation=row
    )["ready"]
    assert ready["name"] == "mm" and ready["batch"] is None and ready["parameters"] is None
    assert client.ask(id=2, do="run", job=7, iterations=50)["done"] == {}
    assert client.ask(id=3, do="run_ahead", job=7, iterations=5)["completed"]["iterations"] == 5
    assert client.ask(id=4, do="release", job=7)["done"] == {}


@pytest.mark.parametrize(
    "row, why",
    [
        (measured_product("no_such_operation"), "this PyTorch has no such operation"),
        (measured_product("item"), "the host waits for the device"),
        ({"name": "mm", "arguments": [tensor(0), tensor(1)]}, "mm: PyTorch: "),
        ({"name": "mm", "arguments": [tensor(0), tensor(9)]}, "there is no tensor 9"),
        ({"arguments": []}, "name"),
    ],
)
def test_an_operation_that_cannot_be_called_is_no_job(
    client: Client, row: dict[str, Any], why: str
) -> None:
    tensors = [["fp32", [32, 32]], ["fp32", [8, 8]]]
    answer = client.ask(id=1, do="prepare", job=8, tensors=tensors, operation=row)
    assert why in answer["error"]["message"]
    assert "no job 8" in client.ask(id=2, do="run", job=8, iterations=1)["error"]["message"]


def test_energies_are_measured_on_numbers_as_in_a_network() -> None:
    """Of both signs where the operation takes them, and positive where it does not."""
    from ampere.worker.operation_job import is_finite
    from ampere.worker.operation_values import normal_numbers, positive_numbers

    row = Fields({"name": "sqrt", "arguments": [tensor(0)]}, "operation")
    for numbers, finite in ((normal_numbers, False), (positive_numbers, True)):
        types = TensorTypes([["fp32", [1000]]], CPU, numbers)
        assert is_finite(make_call(row, types, CPU)()) is finite
    made = TensorTypes([["fp32", [1000]]], CPU, normal_numbers).make(tensor(0))
    assert made.min() < -1 and made.max() > 1
    assert not is_finite([torch.ones(1), (torch.tensor(float("inf")),)])
    assert is_finite([None, 3, torch.ones(2, dtype=torch.int64)])

"""The user's own files."""

from __future__ import annotations

import os
import sys
import textwrap
from pathlib import Path
from typing import Any, Callable, Iterator

import pytest
from worker_helpers import Client

from ampere.job import Job

Write = Callable[[str], Path]


@pytest.fixture()
def client() -> Iterator[Client]:
    client = Client()
    yield client
    client.close()


@pytest.fixture()
def write(tmp_path: Path) -> Write:
    def write_it(text: str, name: str = "train.py") -> Path:
        path = tmp_path / name
        path.write_text(textwrap.dedent(text))
        return path

    return write_it


def failing(client: Client, path: Any, **keys: Any) -> dict[str, Any]:
    answer = client.script(path, **keys)
    assert "error" in answer, answer
    error: dict[str, Any] = answer["error"]
    return error


HEAD = """
import torch
from ampere.job import Job
"""

TRAINED = HEAD + """
def build(batch=64, width=4):
    model = torch.nn.Linear(width, 2)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    x = torch.randn(batch, width)
    def step():
        optimizer.zero_grad()
        loss = model(x).square().mean()
        loss.backward()
        optimizer.step()
        return loss
    return Job(step, model=model)
"""


def test_a_job(client: Client, write: Write) -> None:
    before = (list(sys.path), sys.argv, os.getcwd())
    answer = client.script(write(TRAINED), arguments={"batch": 16})
    assert answer["ready"] == {
        "name": "train", "batch": 16, "parameters": 10, "data": False, "compiled": False,
        "notes": [],
    }
    assert client.ask(id=2, do="run", job=1, iterations=3) == {"id": 2, "done": {}}
    assert client.ask(id=3, do="release", job=1) == {"id": 3, "done": {}}
    assert (sys.path, sys.argv, os.getcwd()) == before
    assert "train" not in sys.modules


def test_the_batch_is_the_default_of_the_function(client: Client, write: Write) -> None:
    assert client.script(write(TRAINED))["ready"]["batch"] == 64


TUPLES = HEAD + """
def build(kind):
    torch.manual_seed(0)
    model = torch.nn.Linear(4, 2)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    x, target = torch.randn(6, 4), torch.randint(2, (6,))
    criterion = torch.nn.CrossEntropyLoss()
    global watched
    watched = model.weight
    if kind == "tensor":
        return model, x, lambda y: criterion(y, target), optimizer
    if kind == "target":
        return model, (x, target), criterion, optimizer
    return model, {"input": x}, lambda y: criterion(y, target), optimizer
"""


@pytest.mark.parametrize("kind", ["tensor", "target", "dict"])
def test_tuples(client: Client, write: Write, kind: str) -> None:
    ready = client.script(write(TUPLES), arguments={"kind": kind})["ready"]
    assert (ready["batch"], ready["parameters"]) == (6, 10)
    watched = sys.modules["train"].watched  # type: ignore[attr-defined]
    before = watched.detach().clone()
    client.ask(id=2, do="run", job=1, iterations=1)
    assert not (watched == before).all()  # it trains
    client.ask(id=3, do="release", job=1)


DATA = HEAD + """
seen = []
def build(kind="list"):
    data = {
        "list": [1, 2, 3],
        "loader": torch.utils.data.DataLoader([1, 2, 3], batch_size=None),
        "generator": (each for each in [1, 2, 3]),
        "empty": [],
    }[kind]
    return Job(seen.append, data=data, batch=1, name="with data")
"""


def seen_items(client: Client, iterations: int) -> list[Any]:
    assert "done" in client.ask(id=2, do="run", job=1, iterations=iterations)
    seen = [int(each) for each in sys.modules["train"].seen]  # type: ignore[attr-defined]
    client.ask(id=3, do="release", job=1)
    return seen


@pytest.mark.parametrize("kind", ["list", "loader"])
def test_data_begin_again_when_they_end(client: Client, write: Write, kind: str) -> None:
    ready = client.script(write(DATA), data=True, arguments={"kind": kind})["ready"]
    assert ready["data"] is True and ready["name"] == "with data"
    assert seen_items(client, 6) == [1, 2, 3, 1, 2, 3, 1]


@pytest.mark.parametrize("keys", [{}, {"data": False}])
def test_one_item_again_and_again(client: Client, write: Write, keys: dict[str, Any]) -> None:
    assert client.script(write(DATA), **keys)["ready"]["data"] is True
    assert seen_items(client, 3) == [1, 1, 1, 1]


def test_data_that_cannot_begin_again(client: Client, write: Write) -> None:
    path = write(DATA)
    client.script(path, data=True, arguments={"kind": "generator"})
    error = client.ask(id=2, do="run", job=1, iterations=5)["error"]
    assert error["code"] == "failed"
    assert "data ended after 3 items and cannot be started again" in error["message"]
    client.ask(id=3, do="release", job=1)
    error = failing(client, path, arguments={"kind": "empty"})
    assert error["message"] == "train.py: build(): data has no items"


@pytest.mark.parametrize(
    "text, keys, code, message",
    [
        ("def building(): pass", {}, "usage", "no function 'build': did you mean 'building'?"),
        ("def train(): pass\ndef _b(): pass", {}, "usage", "no function 'build': there are train"),
        ("x = 1", {}, "usage", "no function 'build': the file defines no functions"),
        ("build = 3", {}, "usage", "'build' is no function, but int"),
        (TRAINED, {"arguments": {"bach": 3}}, "usage",
         "train.py: build(): got an unexpected keyword argument 'bach'; it is "
         "build(batch=64, width=4)"),
        ("def build(size): pass", {}, "usage", "missing a required argument: 'size'"),
        (TRAINED, {"arguments": [3]}, "usage", "arguments: must be an object, not a list"),
        (TRAINED, {"data": "yes"}, "usage", "'data' must be true or false"),
        ("def build(): pass", {}, "failed", "but returned nothing (None)"),
        ("def build(): return 5", {}, "failed", "but returned int: 5"),
        ("def build(): return (1, 2)", {}, "failed", "but returned a tuple of 2"),
        ("def build(): return (1, 2, 3, 4)", {}, "failed", "'model' of the tuple must be a module"),
        ("def build(): return (len, 2, len, 4)", {}, "failed", "'optimizer' of the tuple"),
        ("def build(:", {}, "failed", "SyntaxError"),
        ("import not_there_at_all", {}, "failed", "No module named 'not_there_at_all'"),
        ("def build(): exit(3)", {}, "failed", "it calls sys.exit(3)"),
        (HEAD + "def build(): return Job(5)", {}, "failed", "step must be a function"),
        (HEAD + "def build(): return Job(print, batch=0)", {}, "failed", "must be 1 or more"),
        (HEAD + "def build(): return Job(print, data=3)", {}, "failed", "data must be something"),
        ("def build(): raise MemoryError('much')", {}, "failed", "train.py: out of memory: much"),
    ],
)
def test_faults(
    client: Client, write: Write, text: str, keys: dict[str, Any], code: str, message: str
) -> None:
    before = list(sys.path)
    error = failing(client, write(text), **keys)
    assert error["code"] == code
    assert message in error["message"]
    assert sys.path == before


def test_no_such_file(client: Client, tmp_path: Path) -> None:
    error = failing(client, tmp_path / "none.py")
    assert error["code"] == "usage" and error["message"].endswith("none.py: there is no such file")
    assert "is a folder" in failing(client, tmp_path)["message"]
    assert "'path' must be a text" in client.ask(
        id=1, do="prepare", job=1, script={"path": 3}
    )["error"]["message"]


RAISES = HEAD + """
def helper():
    torch.nn.Linear(4, 2)(torch.zeros(3, 5))
def build():
    helper()
def late():
    calls = []
    def step():
        calls.append(1)
        if len(calls) == 3:
            raise ValueError("the third")
    return Job(step)
"""


def test_tracebacks_show_the_lines_of_the_user(client: Client, write: Write) -> None:
    path = write(RAISES)
    text = failing(client, path)["message"]
    assert text.startswith("train.py: build() failed\nTraceback (most recent call last):")
    assert text.count("File ") == 2  # build and helper, not torch and not the worker
    assert "torch.nn.Linear(4, 2)(torch.zeros(3, 5))" in text
    assert "RuntimeError: mat1 and mat2 shapes cannot be multiplied" in text


def test_a_step_that_fails_later(client: Client, write: Write) -> None:
    assert "ready" in client.script(write(RAISES), function="late")
    error = client.ask(id=2, do="run", job=1, iterations=5)["error"]
    assert error["code"] == "failed"
    assert error["message"].startswith("train.py: step() failed\n")
    assert error["message"].endswith("ValueError: the third")
    assert "done" in client.ask(id=3, do="run", job=1, iterations=1)  # the worker goes on


@pytest.mark.parametrize("value", ["float('nan')", "torch.tensor(float('inf'))"])
def test_a_loss_that_is_no_number_is_noted(client: Client, write: Write, value: str) -> None:
    path = write(HEAD + f"def build(): return Job(lambda: {value})")
    (note,) = client.script(path)["ready"]["notes"]
    assert "the loss is not a finite number" in note


@pytest.mark.parametrize("value", ["None", "1.5", "torch.ones(3)", "'text'", "True"])
def test_other_returned_values_are_no_loss(client: Client, write: Write, value: str) -> None:
    path = write(HEAD + f"def build(): return Job(lambda: {value})")
    assert client.script(path)["ready"]["notes"] == []


def test_the_folder_of_the_file_is_importable(
    client: Client, tmp_path: Path, write: Write
) -> None:
    (tmp_path / "beside_it.py").write_text("WIDTH = 3")
    path = write(
        HEAD + """
import sys
def build():
    assert sys.argv == [__file__]
    assert __name__ == "train"
    import beside_it
    return Job(lambda: None, batch=beside_it.WIDTH)
"""
    )
    assert client.script(path)["ready"]["batch"] == 3
    client.ask(id=2, do="release", job=1)
    assert "beside_it" not in sys.modules
    # Another revision of both files in a folder of its own.
    other = tmp_path / "other"
    other.mkdir()
    (other / "beside_it.py").write_text("WIDTH = 4")
    copy = other / path.name
    copy.write_text(path.read_text())
    assert client.script(copy)["ready"]["batch"] == 4
    client.ask(id=3, do="release", job=1)


def test_a_changed_file_counts(client: Client, write: Write) -> None:
    path = write(HEAD + "def build(): return Job(print, batch=1)")
    assert client.script(path)["ready"]["batch"] == 1
    client.ask(id=2, do="release", job=1)
    path.write_text(HEAD + "def build(): return Job(print, batch=2)")
    assert client.script(path)["ready"]["batch"] == 2
    client.ask(id=2, do="release", job=1)


def test_the_model_must_be_on_the_device(client: Client, write: Write) -> None:
    model = "torch.nn.Linear(2, 2, device='meta')"
    path = write(HEAD + f"def build(): return Job(print, model={model})")
    error = failing(client, path)
    assert error["code"] == "usage"
    assert "the model is on meta, but cpu is measured" in error["message"]


def test_settings_of_a_script_stay_with_it(client: Client, write: Write) -> None:
    import torch

    path = write(
        HEAD + """
seen = []
torch.set_float32_matmul_precision("high")
def build():
    return Job(lambda: seen.append(torch.get_float32_matmul_precision()))
"""
    )
    from worker_helpers import mlp

    client.script(path)
    assert "ready" in client.prepare(mlp(), job=2)
    assert torch.get_float32_matmul_precision() == "highest"
    client.ask(id=2, do="run", job=1, iterations=1)
    assert sys.modules["train"].seen == ["high", "high"]  # type: ignore[attr-defined]
    client.ask(id=2, do="run", job=2, iterations=1)
    assert torch.get_float32_matmul_precision() == "highest"
    client.ask(id=3, do="release", job=1)


def test_jobs_are_checked_where_they_are_made() -> None:
    with pytest.raises(TypeError, match="batch must be a whole number"):
        Job(print, batch=True)
    with pytest.raises(TypeError, match="name must be a text"):
        Job(print, name=3)  # type: ignore[arg-type]
    job = Job(print, batch=4, data=[1])
    assert (job.batch, job.data, job.model, job.name) == (4, [1], None, None)

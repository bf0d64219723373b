"""Calls of language models that scripts make, traced by the worker."""

from __future__ import annotations

import textwrap
from pathlib import Path
from typing import Any, Iterator

import pytest
from worker_helpers import Client, mlp

SCRIPT = """
    import torch
    from torch import nn

    class Model(nn.Module):
        def __init__(self, width):
            super().__init__()
            self.embedding, self.head = nn.Embedding(50, width), nn.Linear(width, 50)

        def prefill(self, tokens):
            x = self.embedding(tokens)
            return self.head(x), x

        def decode(self, token, cache):
            cache = torch.cat([cache, self.embedding(token)], 1)
            return self.head(cache.mean(1)), cache

    def build(width=16):
        return Model(width)

    def train(width=16):
        return 7
    """


@pytest.fixture()
def client() -> Iterator[Client]:
    client = Client()
    yield client
    client.close()


def call(stage: str = "decode", **values: Any) -> dict[str, Any]:
    usual = dict(batch=3, tokens=1, context=9) if stage == "decode" else dict(batch=3, tokens=9, context=0)
    return {"stage": stage, **usual, **values}


def ask(client: Client, tmp_path: Path, generation: Any, function: str = "build", **more: Any) -> dict[str, Any]:
    path = tmp_path / "model.py"
    path.write_text(textwrap.dedent(SCRIPT))
    script = {"path": str(path), "function": function, "arguments": {"width": 8}}
    return client.ask(id=1, do="trace", script=script, generation=generation, **more)


@pytest.mark.parametrize("stage, rows", [("prefill", 9), ("decode", 10)])
def test_a_call_is_traced_with_its_cache(client: Client, tmp_path: Path, stage: str, rows: int) -> None:
    program = ask(client, tmp_path, call(stage))["program"]
    assert program["name"] == "model" and program["samples"] == 3 and program["origin"]["way"] == "fake"
    assert program["generation"] == {**call(stage), "cache_bytes": 3 * rows * 8 * 4}
    assert "argmax" in [row["name"] for row in program["operations"]]


def test_the_model_is_converted(client: Client, tmp_path: Path) -> None:
    program = ask(client, tmp_path, call(), number_format="bf16")["program"]
    assert {kind for kind, *_ in program["tensors"]} == {"bf16", "int64"}
    assert program["generation"]["cache_bytes"] == 3 * 10 * 8 * 2


@pytest.mark.parametrize("generation, says", [
    (call("sampling"), "'stage' must be prefill or decode"),
    (call(batch=0), "'batch' must be 1 or more"),
    (call(context=0), "'context' must be 1 or more"),
    (call("prefill", tokens=0), "'tokens' must be 1 or more"),
    (7, "generation: must be an object"),
])
def test_a_wrong_field_is_named(client: Client, tmp_path: Path, generation: Any, says: str) -> None:
    error = ask(client, tmp_path, generation)["error"]
    assert error["code"] == "usage" and says in error["message"]


def test_a_network_has_no_cache(client: Client) -> None:
    setup = {"batch": 3, "optimizer": "sgd", "precision": "fp32"}
    error = client.ask(id=1, do="trace", model=mlp(), setup=setup, generation=call())["error"]
    assert error["code"] == "usage" and "needs a 'script'" in error["message"]


def test_what_the_function_returns_is_checked(client: Client, tmp_path: Path) -> None:
    assert "but gave int" in ask(client, tmp_path, call(), "train")["error"]["message"]
    assert "'int4' is not there" in ask(client, tmp_path, call(), number_format="int4")["error"]["message"]


def prepare(client: Client, tmp_path: Path, generation: Any, function: str = "build", **more: Any) -> dict[str, Any]:
    path = tmp_path / "model.py"
    path.write_text(textwrap.dedent(SCRIPT + MEASURED))
    script = {"path": str(path), "function": function, "arguments": {"log": str(tmp_path / "log")}, **more.pop("script", {})}
    return client.ask(id=1, do="prepare", job=1, script=script, generation=generation, **more)


# Models that write down how long the cache of each decode is, and whether there are gradients.
MEASURED = """
    class Logged(Model):
        def __init__(self, log):
            super().__init__(8)
            self.log = log

        def note(self, stage, cache):
            with open(self.log, "a") as file:
                print(stage, cache.shape[1], torch.is_grad_enabled(), file=file)

        def prefill(self, tokens):
            self.note("prefill", tokens)
            return super().prefill(tokens)

        def decode(self, token, cache):
            self.note("decode", cache)
            return super().decode(token, cache)

    class Grown:
        pass

    class Object(Logged):
        def prefill(self, tokens):
            logits, kept = super().prefill(tokens)
            cache = Grown()
            cache.layers = [kept]
            return logits, cache

        def decode(self, token, cache):
            logits, cache.layers[0] = super().decode(token, cache.layers[0])
            return logits, cache

    class List(Object):
        def prefill(self, tokens):
            logits, cache = super().prefill(tokens)
            return logits, cache.layers

        def decode(self, token, cache):
            self.note("decode", cache[0])
            logits, cache[0] = Model.decode(self, token, cache[0])
            return logits, cache

    def logged(log):
        return Logged(log)

    def of_object(log):
        return Object(log)

    def of_list(log):
        return List(log)
    """


@pytest.mark.parametrize("function", ["logged", "of_object", "of_list"])
def test_a_decode_runs_again_and_again_with_the_same_cache(client: Client, tmp_path: Path, function: str) -> None:
    ready = prepare(client, tmp_path, call(), function)["ready"]
    assert (ready["name"], ready["batch"], ready["parameters"]) == (f"model.{function}", 3, 50 * 8 + 8 * 50 + 50)
    client.ask(id=2, do="run", job=1, iterations=4)
    lines = (tmp_path / "log").read_text().splitlines()
    # A prefill and a decode fill the cache; the first step is that of preparing.
    assert lines == ["prefill 8 False", "decode 8 False"] + ["decode 9 False"] * 5
    assert client.ask(id=3, do="release", job=1)["done"] == {}


def test_a_prefill_runs_again_and_again(client: Client, tmp_path: Path) -> None:
    assert "ready" in prepare(client, tmp_path, call("prefill"), "logged")
    client.ask(id=2, do="run", job=1, iterations=2)
    assert (tmp_path / "log").read_text().splitlines() == ["prefill 9 False"] * 4


def test_a_measured_model_is_converted(client: Client, tmp_path: Path) -> None:
    assert "'int4' is not there" in prepare(client, tmp_path, call(), "logged", number_format="int4")["error"]["message"]
    assert "ready" in prepare(client, tmp_path, call(), "logged", number_format="bf16")
    assert client.ask(id=2, do="run", job=1, iterations=1)["done"] == {}


def test_what_cannot_be_measured_leaves_no_job(client: Client, tmp_path: Path) -> None:
    assert "reads no data" in prepare(client, tmp_path, call(), "logged", script={"data": True})["error"]["message"]
    assert "'stage' must be" in prepare(client, tmp_path, call("sampling"), "logged")["error"]["message"]
    error = client.ask(id=1, do="prepare", job=1, model=mlp(), setup={}, generation=call())["error"]
    assert error["code"] == "usage" and "needs a 'script'" in error["message"]
    assert "there is no job 1" in client.ask(id=2, do="run", job=1, iterations=1)["error"]["message"]

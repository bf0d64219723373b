"""Requests and answers: in this process where possible, and through a real worker."""

from __future__ import annotations

import gc
import io
import json
import os
import signal
import subprocess
import sys
import time
import weakref
from pathlib import Path
from typing import Any, Iterator

import pytest
import torch
from worker_helpers import PYTHON, Client, fixture, mlp

from ampere.worker import model_job, server, streams
from ampere.worker.failure import Failure
from ampere.worker.guard import guarded, network_error
from ampere.worker.listing import listing
from ampere.worker.torch_import import parse_version


@pytest.fixture()
def client() -> Iterator[Client]:
    client = Client()
    yield client
    client.close()


def test_a_job_from_prepare_to_release(client: Client) -> None:
    answer = client.prepare(fixture("lines"))
    assert answer["id"] == 1
    ready = answer["ready"]
    assert ready == {
        "name": "lines", "batch": 3, "parameters": 238, "data": False, "compiled": False,
        "notes": [],
    }
    assert client.ask(id="a", do="run", job=1, iterations=2) == {"id": "a", "done": {}}
    ahead = client.ask(id=4, do="run_ahead", job=1, iterations=2)
    assert ahead["completed"]["iterations"] == 2
    assert 0 <= time.monotonic() - ahead["completed"]["at_s"] < 10
    assert client.ask(id=5, do="time_step", job=1) == {"id": 5, "times": None}
    assert client.ask(id=6, do="release", job=1) == {"id": 6, "done": {}}
    assert client.ask(id=7, do="run", job=1, iterations=1)["error"]["code"] == "usage"


def test_two_jobs_at_the_same_time(client: Client) -> None:
    assert "ready" in client.prepare(mlp(), job=1)
    assert "ready" in client.prepare(mlp(), job=2)
    assert "done" in client.ask(id=1, do="run", job=1, iterations=1)
    assert "done" in client.ask(id=1, do="release", job=1)
    assert "done" in client.ask(id=1, do="run", job=2, iterations=1)


SETUP = {"batch": 2, "optimizer": "sgd", "precision": "fp32"}


@pytest.mark.parametrize(
    "request_, message",
    [
        ({"id": 1}, "'do' is missing"),
        ({"id": 1, "do": 5}, "'do' must be a text, not the number 5"),
        ({"id": 1, "do": "train"}, "'train' is no request: there are prepare, run"),
        ({"id": 1, "do": "run", "job": 9, "iterations": 1}, "there is no job 9"),
        ({"id": 1, "do": "run", "iterations": 1}, "'job' is missing"),
        ({"id": 1, "do": "run", "job": True}, "'job' must be a whole number, not true"),
        ({"id": 1, "do": "prepare", "job": 1}, "needs one of 'model', 'script' and 'operation'"),
        ({"id": 1, "do": "prepare", "job": 1, "model": {}}, "'setup' is missing"),
        ({"id": 1, "do": "prepare", "job": 1, "model": {}, "setup": []}, "setup: must be an obj"),
        ({"id": 1, "do": "prepare", "job": 1, "model": [], "setup": SETUP}, "model: must be"),
        ({"id": 1, "do": "prepare", "job": 1, "model": {}, "setup": SETUP}, "'layers' is missing"),
        (
            {"id": 1, "do": "prepare", "job": 1, "model": {"layers": []}, "setup": SETUP},
            "has no layers",
        ),
        (
            {"id": 1, "do": "prepare", "job": 1, "model": {"layers": [7]}, "setup": SETUP},
            "layers[0]: must be an object, not the number 7",
        ),
    ],
)
def test_requests_that_make_no_sense(
    client: Client, request_: dict[str, Any], message: str
) -> None:
    answer = client.ask(**request_)
    assert answer["id"] == 1
    assert answer["error"]["code"] == "usage"
    assert message in answer["error"]["message"]


def test_iterations_must_be_a_positive_number(client: Client) -> None:
    client.prepare(mlp())
    for iterations in (0, -1, 1.5, "2", None, [1]):
        answer = client.ask(id=1, do="run", job=1, iterations=iterations)
        assert answer["error"]["code"] == "usage", iterations
    assert "done" in client.ask(id=1, do="run", job=1, iterations=1)


def test_a_number_is_used_once(client: Client) -> None:
    client.prepare(mlp())
    assert "job 1 is there already" in client.prepare(mlp())["error"]["message"]


@pytest.mark.parametrize(
    "line",
    [b"nonsense\n", b"\n", b"[1, 2]\n", b"null\n", b'{"id": 1\n', b"\xff\xfe{}\n", b"[" * 100000],
)
def test_lines_that_are_no_requests(client: Client, line: bytes) -> None:
    answer = client.server.answer(line)
    assert answer is not None
    assert answer["id"] is None
    assert answer["error"]["code"] == "usage"
    assert len(answer["error"]["message"]) < 300


def serve(client: Client, lines: bytes) -> list[dict[str, Any]]:
    answers = io.BytesIO()
    client.server.serve(io.BytesIO(lines), answers)
    return [json.loads(line) for line in answers.getvalue().splitlines()]


def test_a_line_that_is_too_long_is_skipped(
    client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(streams.read_line, "__defaults__", (100,))
    long = b'{"id": 1, "do": "' + b"x" * 3000000 + b'"}\n'
    first, second = serve(client, long + b'{"id": 2, "do": "nothing"}\n')
    assert first == {
        "id": None,
        "error": {"code": "usage", "message": "the request is longer than 100 bytes"},
    }
    assert second["id"] == 2


def test_quit_and_the_end_of_requests(client: Client) -> None:
    assert serve(client, b'{"do": "quit"}\n{"id": 1, "do": "x"}\n') == []
    assert serve(client, b"") == []
    assert len(serve(client, b'{"id": 1, "do": "x"}')) == 1  # a last line without its end


class Big:
    """Something that lives in a frame that failed."""


def test_what_failed_is_freed() -> None:
    left: list[Any] = []

    def work() -> None:
        big = Big()
        left.append(weakref.ref(big))
        raise RuntimeError("CUDA out of memory. Tried to allocate 9.00 GiB. GPU 0 has a total …")

    try:
        guarded(network_error("net"), work)
    except Failure as failure:
        assert failure.code == "failed"
        assert failure.message.startswith("net: out of memory: Tried to allocate 9.00 GiB.")
        assert failure.__context__ is None
        gc.collect()
        assert left[0]() is None
    else:
        pytest.fail("no failure")


def test_out_of_memory_empties_the_cache(client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    emptied = []

    def no_memory(*_: Any) -> None:
        raise RuntimeError("[enforce fail at alloc_cpu.cpp:66] . DefaultCPUAllocator: can't "
                           "allocate memory: you tried to allocate 4 bytes")

    monkeypatch.setattr(type(client.server._place), "free_cache", lambda _: emptied.append(1))
    with monkeypatch.context() as patch:
        patch.setattr(model_job, "make_step", no_memory)
        error = client.prepare(mlp())["error"]
    assert error["code"] == "failed" and error["message"].startswith("net: out of memory: ")
    assert emptied == [1]
    assert "ready" in client.prepare(mlp())  # under the same number


def test_other_errors_of_torch_name_the_network(client: Client) -> None:
    model = mlp()
    model["layers"][3]["shape"]["channels"] = 4  # not what out_features says
    model["layers"].append({"name": "s", "op": "scale", "shape": {"layout": "flat", "channels": 4}})
    error = client.prepare(model)["error"]
    assert error["code"] == "failed"
    assert error["message"].startswith("net: PyTorch: The size of tensor")


def test_a_fault_of_the_worker_does_not_end_it(
    client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    with monkeypatch.context() as patch:
        patch.setattr(server, "read_model", lambda _: 1 / 0)
        error = client.prepare(mlp())["error"]
    assert error == {"code": "failed", "message": "the worker has a fault: division by zero"}
    assert "ready" in client.prepare(mlp())


def test_versions() -> None:
    assert parse_version("2.11.0+cu130") == (2, 11)
    assert parse_version("1.13.0a0") == (1, 13)
    assert parse_version("git") == (0, 0)


def test_listing() -> None:
    known = listing()
    assert known["interpreter"] == sys.executable
    assert known["torch"] == torch.__version__
    assert known["devices"][0]["place"] == "cpu"
    assert "GiB" in known["devices"][0]["hardware"]
    json.dumps(known)


# A real worker


def environment(*before: Path) -> dict[str, str]:
    paths = os.pathsep.join(str(path) for path in [*before, PYTHON])
    return {**os.environ, "PYTHONPATH": paths, "PYTHONDONTWRITEBYTECODE": "1"}


COMMAND = [sys.executable, "-m", "ampere.worker"]


class Worker:
    def __init__(self, errors: Path) -> None:
        self.errors = errors
        self.process = subprocess.Popen(
            [*COMMAND, "--device", "cpu", "--threads", "1"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=errors.open("wb"),
            env=environment(),
        )
        self.hello = self.receive()

    def receive(self) -> dict[str, Any]:
        assert self.process.stdout is not None
        line = self.process.stdout.readline()
        assert line, self.errors.read_text()
        return json.loads(line)  # type: ignore[no-any-return]

    def send(self, **request: Any) -> None:
        assert self.process.stdin is not None
        self.process.stdin.write(json.dumps(request).encode() + b"\n")
        self.process.stdin.flush()

    def ask(self, **request: Any) -> dict[str, Any]:
        self.send(**request)
        return self.receive()


@pytest.fixture(scope="module")
def worker(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Worker]:
    worker = Worker(tmp_path_factory.mktemp("worker") / "stderr")
    yield worker
    worker.process.kill()
    worker.process.wait()


NOISY = """
import os, subprocess, sys
print("printed at import")
def build():
    def step():
        print("printed in step")
        os.write(1, b"written to fd 1\\n")
        subprocess.run(["echo", "printed by a child"])
        assert sys.stdin.read() == ""
    import ampere.job
    return ampere.job.Job(step)
def slow():
    import time, ampere.job
    calls = []
    return ampere.job.Job(lambda: calls.append(1) or time.sleep(60 if len(calls) > 1 else 0))
"""


def test_hello(worker: Worker) -> None:
    hello = worker.hello
    assert hello["ampere_worker"] == 1 and hello["place"] == "cpu" and hello["scripts"] is True
    assert set(hello["device"]) == {"name", "hardware", "driver", "framework"}
    assert f"torch {torch.__version__}" in hello["device"]["framework"]
    assert "1 thread," in hello["device"]["framework"]
    assert hello["setups"]["precision"] == ["fp32", "bf16"]


def test_a_real_worker_trains(worker: Worker) -> None:
    answer = worker.ask(id=1, do="prepare", job=1, model=fixture("images"), setup=SETUP)
    assert answer["ready"]["parameters"] == 1383
    assert worker.ask(id=2, do="run", job=1, iterations=3) == {"id": 2, "done": {}}
    assert worker.ask(id=3, do="release", job=1) == {"id": 3, "done": {}}


def test_prints_go_to_stderr(worker: Worker, tmp_path: Path) -> None:
    path = tmp_path / "noisy.py"
    path.write_text(NOISY)
    assert "ready" in worker.ask(id=1, do="prepare", job=2, script={"path": str(path)})
    assert worker.ask(id=2, do="release", job=2) == {"id": 2, "done": {}}
    assert worker.ask(id=3, do="x")["id"] == 3  # answers are in step
    written = worker.errors.read_text()
    for text in ("printed at import", "printed in step", "written to fd 1", "printed by a child"):
        assert text in written


def test_an_interrupt_ends_a_worker_quietly(worker: Worker, tmp_path: Path) -> None:
    path = tmp_path / "noisy.py"
    path.write_text(NOISY)
    script = {"path": str(path), "function": "slow"}
    assert "ready" in worker.ask(id=1, do="prepare", job=3, script=script)
    before = worker.errors.read_text()
    worker.send(id=2, do="run", job=3, iterations=1)
    with pytest.raises(subprocess.TimeoutExpired):
        worker.process.wait(0.3)
    worker.process.send_signal(signal.SIGINT)
    assert worker.process.wait(20) == 130
    assert worker.errors.read_text() == before


def run_worker(tmp_path: Path, torch_source: str, *options: str) -> tuple[int, dict[str, Any]]:
    (tmp_path / "torch.py").write_text(torch_source)
    result = subprocess.run(
        [*COMMAND, *options],
        input=b"",
        capture_output=True,
        env=environment(tmp_path),
        check=False,
    )
    return result.returncode, json.loads(result.stdout)


NO_TORCH = "raise ImportError(\"No module named 'torch'\", name='torch')"


def test_an_interpreter_without_torch(tmp_path: Path) -> None:
    code, hello = run_worker(tmp_path, NO_TORCH)
    assert code == 1
    assert hello["ampere_worker"] == 1 and hello["error"]["code"] == "unknown"
    assert f"{sys.executable} has no PyTorch" in hello["error"]["message"]


def test_listing_without_torch(tmp_path: Path) -> None:
    code, known = run_worker(tmp_path, NO_TORCH, "--list")
    assert code == 0
    assert known["torch"] is None and known["devices"] == []
    assert "has no PyTorch" in known["error"]["message"]


def test_a_torch_that_is_too_old(tmp_path: Path) -> None:
    _, hello = run_worker(tmp_path, "__version__ = '1.12.1'")
    assert hello["error"]["code"] == "unknown"
    assert "has PyTorch 1.12.1, but 1.13 or later is needed" in hello["error"]["message"]


def test_a_torch_that_is_broken(tmp_path: Path) -> None:
    _, hello = run_worker(tmp_path, "raise ImportError('libcudart.so.12: cannot open')")
    assert "cannot import PyTorch: libcudart.so.12" in hello["error"]["message"]


def test_importing_ampere_does_not_import_torch() -> None:
    code = "import sys, ampere, ampere.job, ampere.worker.__main__; print('torch' in sys.modules)"
    result = subprocess.run([sys.executable, "-c", code], capture_output=True, env=environment())
    assert result.stdout.strip() == b"False", result.stderr

"""What is done with the queue of a GPU, on a fake GPU."""

from __future__ import annotations

import time
from typing import Any, Callable, Optional

import pytest
import worker_helpers  # noqa: F401

from ampere.worker.compiling import MOST_STEPS, settle
from ampere.worker.cuda_queue import CYCLES_PER_SECOND, CudaProgress, CudaQueue
from ampere.worker.failure import Failure
from ampere.worker.place import Place, choose_place
from ampere.worker.repeat import Repeater
from ampere.worker.timing import LONGEST_HOLD_S, steps_at_once, time_steps


class FakeGpu:
    """A GPU and the host that fills its queue, with one clock in seconds.

    A step takes `host_s` to hand over and `device_s` to do. At `busy_until` the queue is empty.
    """

    def __init__(self, host_s: float, device_s: float, synchronizes: bool = False) -> None:
        self.host_s, self.device_s, self.synchronizes = host_s, device_s, synchronizes
        self.now = 100.0
        self.busy_until = 100.0
        self.steps = 0
        self.holds: list[float] = []

    def clock(self) -> float:
        return self.now

    def step(self) -> None:
        self.now += self.host_s
        self.busy_until = max(self.busy_until, self.now) + self.device_s
        self.steps += 1
        if self.synchronizes:
            self.wait()

    def wait(self, *_: Any) -> None:
        self.now = max(self.now, self.busy_until)

    def sleep(self, cycles: int) -> None:
        self.holds.append(cycles / CYCLES_PER_SECOND)
        self.busy_until = max(self.busy_until, self.now) + self.holds[-1]

    def event(self, enable_timing: bool = True) -> FakeEvent:
        return FakeEvent(self)

    def queue(self) -> CudaQueue:
        return CudaQueue(self.event, self.sleep, self.wait)


class FakeEvent:
    def __init__(self, gpu: FakeGpu) -> None:
        self.gpu = gpu
        self.at = 0.0

    def record(self) -> None:
        self.at = max(self.gpu.busy_until, self.gpu.now)

    def synchronize(self) -> None:
        self.gpu.now = max(self.gpu.now, self.at)

    def query(self) -> bool:
        return self.gpu.now >= self.at

    def elapsed_time(self, end_event: Any) -> float:
        return (float(end_event.at) - self.at) * 1e3


def fake_place(gpu: FakeGpu) -> Place:
    class Cuda:
        Event = staticmethod(gpu.event)
        _sleep = staticmethod(gpu.sleep)
        synchronize = staticmethod(gpu.wait)

    class Torch:
        cuda = Cuda

    return Place(Torch, 0)


@pytest.mark.parametrize("host_s, device_s", [(2e-4, 5e-5), (5e-5, 4e-4), (1e-3, 0.02)])
def test_the_device_is_timed_without_the_host(host_s: float, device_s: float) -> None:
    gpu = FakeGpu(host_s, device_s)
    device, host = time_steps(gpu.queue(), gpu.step, gpu.clock)
    assert device == pytest.approx(device_s)
    assert host == pytest.approx(host_s)


def test_a_step_that_waits_for_the_device_cannot_be_timed() -> None:
    gpu = FakeGpu(1e-4, 1e-3, synchronizes=True)
    with pytest.raises(Failure, match="the device began before all of it was handed over"):
        time_steps(gpu.queue(), gpu.step, gpu.clock)
    assert max(gpu.holds) == pytest.approx(LONGEST_HOLD_S)
    assert len(gpu.holds) < 10


class ShortQueue:
    """Takes only so many steps while it is held."""

    def __init__(self, gpu: FakeGpu, room: int) -> None:
        self.gpu, self.room = gpu, room
        self.wait: Callable[[], None] = gpu.wait
        self.tried: list[int] = []

    def run_held(self, enqueue: Callable[[], None], hold_s: float) -> Optional[float]:
        before = self.gpu.steps
        taken = self.gpu.queue().run_held(enqueue, hold_s)
        self.tried.append(self.gpu.steps - before)
        return taken if self.tried[-1] <= self.room else None


def test_fewer_steps_are_timed_when_the_queue_is_full() -> None:
    gpu = FakeGpu(1e-5, 1e-4)
    queue = ShortQueue(gpu, 3)
    device, host = time_steps(queue, gpu.step, gpu.clock)
    assert queue.tried[:3] == [8, 1, 1]
    assert (device, host) == (pytest.approx(1e-4), pytest.approx(1e-5))


def test_how_many_steps_are_timed_at_once() -> None:
    assert steps_at_once(1e-5, 2e-5) == 8
    assert steps_at_once(1e-3, 1e-3) == 3
    assert steps_at_once(1e-4, 4e-3) == 2
    assert steps_at_once(1.0, 2.0) == 1
    assert steps_at_once(0, 0) == 8


def test_progress_is_two_calls_behind() -> None:
    gpu = FakeGpu(host_s=0.0, device_s=0.01)
    progress = CudaProgress(gpu.event, gpu.clock)

    def call(steps: int) -> tuple[int, float]:
        for _ in range(steps):
            gpu.step()
        return progress.handed_over(steps)

    assert call(10) == (0, 0)
    assert call(20) == (0, 0)
    assert call(30) == (10, pytest.approx(100.1))  # it waited for the first call: 0.1 s
    assert gpu.now == pytest.approx(100.1)
    gpu.now += 0.5
    assert call(40) == (20, pytest.approx(100.3))  # the second call ended 0.2 s after the first


def test_run_waits_for_calls_ahead() -> None:
    gpu = FakeGpu(host_s=0.0, device_s=0.01)
    repeater = Repeater(gpu.step, fake_place(gpu))
    assert repeater.run_ahead(5) == (0, 0.0)
    assert gpu.now < gpu.busy_until
    repeater.run(1)
    assert gpu.now == gpu.busy_until
    assert repeater.run_ahead(5) == (0, 0.0)  # begins anew
    assert gpu.steps == 11


def test_a_cpu_reports_what_it_has_just_done() -> None:
    done = []
    repeater = Repeater(lambda: done.append(1), Place(None, None))
    before = time.monotonic()
    count, ended = repeater.run_ahead(7)
    assert count == 7 and before <= ended <= time.monotonic()
    assert len(done) == 7
    assert repeater.time_step() is None


def test_steps_are_repeated_until_compiling_has_stopped() -> None:
    counts = iter([1, 2, 2, 3, 3, 3, 3, 3])  # after the first step, then after each further one
    steps = []
    assert settle(lambda: steps.append(1), 0, lambda: next(counts))
    assert len(steps) == 6  # the last three compiled nothing


def test_compiling_that_never_stops() -> None:
    steps: list[int] = []
    assert not settle(lambda: steps.append(1), 0, lambda: len(steps) + 1)
    assert len(steps) == MOST_STEPS


def test_nothing_was_compiled() -> None:
    assert settle(lambda: pytest.fail("no further step is needed"), 0, lambda: 0)


class FakeTorch:
    __version__ = "2.11.0"

    def __init__(self, gpus: int, built: bool = True) -> None:
        self.chosen: Optional[int] = None
        outer = self

        class Cuda:
            is_available = staticmethod(lambda: gpus > 0)
            device_count = staticmethod(lambda: gpus)

            @staticmethod
            def set_device(number: int) -> None:
                outer.chosen = number

        class Backends:
            class cuda:
                is_built = staticmethod(lambda: built)

        self.cuda, self.backends = Cuda, Backends


@pytest.mark.parametrize(
    "gpus, text, place",
    [
        (0, "local", "cpu"),
        (2, "local", "cuda:0"),
        (2, "cpu", "cpu"),
        (2, "cuda", "cuda:0"),
        (2, "cuda:1", "cuda:1"),
    ],
)
def test_devices(gpus: int, text: str, place: str) -> None:
    torch = FakeTorch(gpus)
    chosen = choose_place(torch, text)
    assert chosen.name == place
    assert torch.chosen == chosen.gpu


@pytest.mark.parametrize(
    "gpus, built, text, code, message",
    [
        (1, True, "cuda:1", "unknown", "cuda:1: this machine has 1 GPU, cuda:0"),
        (4, True, "cuda:4", "unknown", "this machine has 4 GPUs, cuda:0 to cuda:3"),
        (0, True, "cuda:0", "unknown", "PyTorch sees no GPU"),
        (0, False, "cuda", "unknown", "was built without CUDA"),
        (1, True, "gpu", "usage", "device 'gpu': must be"),
        (1, True, "cuda:-1", "usage", "device 'cuda:-1': must be"),
    ],
)
def test_devices_that_are_not_there(
    gpus: int, built: bool, text: str, code: str, message: str
) -> None:
    with pytest.raises(Failure) as caught:
        choose_place(FakeTorch(gpus, built), text)
    assert caught.value.code == code
    assert message in caught.value.message

"""How long one operation takes, alone, on tensors that it has already seen."""

from __future__ import annotations

import gc
import statistics
import time
from functools import partial
from typing import Any, Callable

from . import host
from .cuda_queue import CudaQueue, cuda_event
from .failure import failed
from .fields import Fields
from .operation_call import make_call
from .operation_values import TensorTypes
from .place import Place
from .timing import OF_AN_OPERATION, time_steps

CPU_BURST_S, CPU_BURSTS = 0.002, 3
CPU_LONG_S = 0.02  # an operation that takes longer is timed once
KEPT_BYTES = 1 << 30  # of freed memory that torch may keep for the next operation
USABLE = 0.9  # of free memory: workspaces need the rest

Times = dict[str, float]


def time_operation(operation: Fields, types: TensorTypes, place: Place) -> Times:
    """Raises Failure, and what torch raises."""
    check_room(operation, types, place)
    set_tf32(place.torch, operation)
    call = make_call(operation, types, place.device)
    try:
        return _time_on_gpu(call, place) if place.gpu is not None else _time_on_cpu(call)
    finally:
        del call
        _release(place)


def set_tf32(torch: Any, operation: Fields) -> None:
    """Torch's defaults where the operation does not say otherwise."""
    torch.backends.cuda.matmul.allow_tf32 = operation.boolean("tf32", False)
    torch.backends.cudnn.allow_tf32 = operation.boolean("tf32", True)


def _time_on_gpu(call: Callable[[], Any], place: Place) -> Times:
    torch = place.torch
    queue = CudaQueue(partial(cuda_event, torch), torch.cuda._sleep, place.synchronize)
    call()  # loads kernels and chooses algorithms
    device_s, host_s = time_steps(queue, call, effort=OF_AN_OPERATION)
    return {"device_s": device_s, "host_s": host_s}


def _time_on_cpu(call: Callable[[], Any]) -> Times:
    call()
    once = _burst(call, 1)
    if once > CPU_LONG_S:
        return {"device_s": once, "host_s": 0.0}
    calls = max(1, int(CPU_BURST_S / max(once, 1e-7)))
    bursts = [_burst(call, calls) for _ in range(CPU_BURSTS)]
    return {"device_s": statistics.median(bursts), "host_s": 0.0}


def _burst(call: Callable[[], Any], calls: int) -> float:
    start = time.perf_counter()
    for _ in range(calls):
        call()
    return (time.perf_counter() - start) / calls


def check_room(operation: Fields, types: TensorTypes, place: Place) -> None:
    """On a GPU others may use the memory, too; on a CPU nothing would refuse."""
    values = [operation.json.get(key) for key in ("arguments", "results")]
    keywords = operation.json.get("keywords")
    if isinstance(keywords, dict):
        values += list(keywords.values())
    needed = sum(types.bytes_of(each) for each in values)
    free = _free_bytes(place)
    if free is not None and needed > USABLE * free:
        raise failed(
            f"out of memory: its tensors take {host.gibibytes(needed)}, and "
            f"{host.gibibytes(USABLE * free)} can be used"
        )


def _free_bytes(place: Place) -> Any:
    if place.gpu is None:
        return host.available_memory()
    cuda = place.torch.cuda
    kept = cuda.memory_reserved(place.gpu) - cuda.memory_allocated(place.gpu)
    return cuda.mem_get_info(place.gpu)[0] + kept


def _release(place: Place) -> None:
    if place.gpu is None:
        return
    cuda = place.torch.cuda
    if cuda.memory_reserved(place.gpu) > KEPT_BYTES:
        gc.collect()
        cuda.empty_cache()

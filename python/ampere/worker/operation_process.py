"""python3 -m ampere.worker.operation_process: times operations on behalf of the worker.

An operation with arguments that do not fit together can bring its process down, or make a GPU
unusable for it. So this is a process of its own. It reads lines from stdin and writes one line for
each operation to stdout:

    {"tensors": [...]}     the types that operations refer to from now on; not answered
    {"operation": {...}}   answered by {"device_s": ..., "host_s": ...} or {"error": "..."}

It begins with {"ready": true}. After an error that leaves the GPU unusable it says "broken": true.
"""

from __future__ import annotations

import argparse
import ctypes
import gc
import json
import signal
import sys
from typing import Any

from .failure import Failure
from .fields import Fields
from .guard import is_out_of_memory, out_of_memory_text, short_text
from .streams import read_line, take_streams, write_line

FATAL = ("CUDA error", "device-side assert", "illegal memory access", "cuDNN error", "CUBLAS_STATUS")
PARENT_DEATH_SIGNAL = 1  # PR_SET_PDEATHSIG of prctl


def main() -> int:
    parser = argparse.ArgumentParser(prog="python3 -m ampere.worker.operation_process")
    parser.add_argument("--device", default="cpu")
    parser.add_argument("--threads", type=int)
    options = parser.parse_args()
    requests, answers = take_streams()
    _end_with_parent()
    from .operation_values import TensorTypes
    from .place import choose_place
    from .torch_import import import_torch

    torch = import_torch()
    if options.threads is not None:
        torch.set_num_threads(options.threads)
    place = choose_place(torch, options.device)
    # Operations that change a tensor are repeated; numbers that shrink must not become slow ones.
    torch.set_flush_denormal(True)
    torch.manual_seed(0)
    gc.freeze()
    types = TensorTypes([], place.device)
    write_line(answers, {"ready": True})
    while True:
        line = read_line(requests)
        if line is None:
            return 0
        request = json.loads(line)
        if "tensors" in request:
            types = TensorTypes(request["tensors"], place.device)
            continue
        write_line(answers, _answer(request.get("operation"), types, place))


def _answer(operation: object, types: Any, place: Any) -> dict[str, Any]:
    from .operation_timing import time_operation

    try:
        return {**time_operation(Fields(operation, "operation"), types, place)}
    except Failure as failure:
        return {"error": failure.message}
    except Exception as error:
        if is_out_of_memory(error):
            text = out_of_memory_text(error)
        else:
            text = f"{type(error).__name__}: {short_text(error)}"
    answer: dict[str, Any] = {"error": text}
    if any(part in text for part in FATAL):
        answer["broken"] = True
    else:
        gc.collect()
        place.free_cache()
    return answer


def _end_with_parent() -> None:
    """Even in the middle of an operation."""
    try:
        ctypes.CDLL(None).prctl(PARENT_DEATH_SIGNAL, signal.SIGKILL)
    except (OSError, AttributeError):
        pass  # another system


if __name__ == "__main__":
    sys.exit(main())

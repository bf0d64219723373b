"""Errors of torch as errors of the worker."""

from __future__ import annotations

from typing import Callable, TypeVar

from .failure import Failure, failed

Result = TypeVar("Result")

OUT_OF_MEMORY = (
    "out of memory",
    "can't allocate memory",  # torch's allocator of the CPU
    "not enough memory",
    "ALLOC_FAILED",  # cuBLAS and cuDNN
)
LONGEST = 600  # characters of a message


def guarded(explain: Callable[[BaseException], Failure], work: Callable[[], Result]) -> Result:
    """Calls `work` and explains what it raises.

    The Failure is raised after the exception is gone. Its traceback would keep alive the tensors
    of every frame, and memory could not be freed.
    """
    try:
        return work()
    except Failure:
        raise
    except (Exception, SystemExit) as error:
        failure = explain(error)
    raise failure


def network_error(name: str) -> Callable[[BaseException], Failure]:
    """Explains what torch raises with the network or the operation of this name."""

    def explain(error: BaseException) -> Failure:
        if is_out_of_memory(error):
            return failed(f"{name}: {out_of_memory_text(error)}")
        return failed(f"{name}: PyTorch: {short_text(error)}")

    return explain


def is_out_of_memory(error: BaseException) -> bool:
    if isinstance(error, MemoryError):
        return True
    kind = type(error).__name__
    return kind == "OutOfMemoryError" or (
        isinstance(error, RuntimeError) and any(part in str(error) for part in OUT_OF_MEMORY)
    )


def out_of_memory_text(error: BaseException) -> str:
    text = short_text(error).partition(" Including")[0].partition(" If reserved")[0]
    known = "CUDA out of memory. "
    if text.startswith(known):
        text = text[len(known) :]
    return f"out of memory: {text}" if text else "out of memory"


def short_text(error: BaseException) -> str:
    """The first lines of a message; what follows are hints and stacks of C++."""
    lines = [line.strip() for line in str(error).splitlines() if line.strip()]
    text = " ".join(lines[:3]) or type(error).__name__
    return text if len(text) <= LONGEST else text[:LONGEST] + "…"

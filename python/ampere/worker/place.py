"""The device that trains: which one was asked for, and what it is."""

from __future__ import annotations

import ctypes
import platform
import re
from dataclasses import dataclass
from typing import Any, Optional

from . import host
from .failure import unknown, usage


@dataclass(frozen=True)
class Place:
    """The CPU, or one GPU."""

    torch: Any
    gpu: Optional[int]  # its number; None for the CPU

    @property
    def name(self) -> str:
        return "cpu" if self.gpu is None else f"cuda:{self.gpu}"

    @property
    def kind(self) -> str:
        return "cpu" if self.gpu is None else "cuda"

    @property
    def device(self) -> Any:
        return self.torch.device(self.name)

    def synchronize(self) -> None:
        """Waits until the device is idle."""
        if self.gpu is not None:
            self.torch.cuda.synchronize(self.gpu)

    def free_cache(self) -> None:
        """Returns memory that torch keeps but no tensor uses."""
        if self.gpu is not None:
            self.torch.cuda.empty_cache()


def gpu_count(torch: Any) -> int:
    return int(torch.cuda.device_count()) if torch.cuda.is_available() else 0


def choose_place(torch: Any, text: str) -> Place:
    """The device named `local`, `cpu`, `cuda` or `cuda:N`. Makes a GPU the current one."""
    if text == "cpu":
        return Place(torch, None)
    if text != "local" and not re.fullmatch(r"cuda(:\d+)?", text):
        raise usage(f"device '{text}': must be local, cpu, cuda or cuda:N with a number N")
    gpus = gpu_count(torch)
    if text == "local" and gpus == 0:
        return Place(torch, None)
    number = int(text.partition(":")[2] or 0) if text != "local" else 0
    if number >= gpus:
        raise unknown(f"{text}: {_no_such_gpu(torch, gpus)}")
    torch.cuda.set_device(number)
    return Place(torch, number)


def _no_such_gpu(torch: Any, gpus: int) -> str:
    if gpus == 1:
        return "this machine has 1 GPU, cuda:0"
    if gpus > 1:
        return f"this machine has {gpus} GPUs, cuda:0 to cuda:{gpus - 1}"
    if not torch.backends.cuda.is_built():
        return f"this PyTorch ({torch.__version__}) was built without CUDA"
    return "PyTorch sees no GPU: nvidia-smi and CUDA_VISIBLE_DEVICES may tell why"


def describe(place: Place) -> dict[str, str]:
    """`device` of the hello."""
    torch = place.torch
    if place.gpu is None:
        return {**host.describe(), "framework": ", ".join(_cpu_framework(torch))}
    properties = torch.cuda.get_device_properties(place.gpu)
    hardware = (
        f"{properties.multi_processor_count} multiprocessors, compute capability "
        f"{properties.major}.{properties.minor}, {host.gibibytes(properties.total_memory)}"
    )
    return {
        "name": str(properties.name),
        "hardware": hardware,
        "driver": _driver_version() or f"driver for CUDA {torch.version.cuda}",
        "framework": ", ".join(_cuda_framework(torch)),
    }


def _python() -> str:
    return f"Python {'.'.join(platform.python_version_tuple()[:2])}"


def _cuda_framework(torch: Any) -> list[str]:
    parts = [f"torch {torch.__version__}", f"CUDA {torch.version.cuda}"]
    cudnn = torch.backends.cudnn.version()
    if cudnn:
        # 8902 is 8.9.2, and since version 9 91002 is 9.10.2.
        split = (10000, 100) if cudnn >= 90000 else (1000, 100)
        parts.append(f"cuDNN {cudnn // split[0]}.{cudnn % split[0] // split[1]}")
    return [*parts, _python()]


def _cpu_framework(torch: Any) -> list[str]:
    config = torch.__config__.show()
    parts = [f"torch {torch.__version__}"]
    mkl = re.search(r"Math Kernel Library Version (\S+)", config)
    blas = re.search(r"BLAS_INFO=(\w+)", config)
    if mkl:
        parts.append(f"MKL {mkl[1]}")
    elif blas:
        parts.append(f"BLAS {blas[1]}")
    onednn = re.search(r"MKL-DNN v(\S+)", config)
    if onednn:
        parts.append(f"oneDNN {onednn[1]}")
    threads = torch.get_num_threads()
    return [*parts, f"{threads} thread{'' if threads == 1 else 's'}", _python()]


def _driver_version() -> Optional[str]:
    """From NVML; None where there is none, as on a Jetson."""
    try:
        nvml = ctypes.CDLL("libnvidia-ml.so.1")
        text = ctypes.create_string_buffer(96)
        if nvml.nvmlInit_v2() != 0:
            return None
        known = nvml.nvmlSystemGetDriverVersion(text, len(text)) == 0
        nvml.nvmlShutdown()
        return text.value.decode() if known else None
    except (OSError, AttributeError):
        return None

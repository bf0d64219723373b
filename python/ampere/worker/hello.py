"""Getting ready to train, and what the worker says when it is."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Optional

from .failure import unknown
from .place import choose_place, describe
from .setups import announce
from .torch_import import import_torch

if TYPE_CHECKING:
    from .server import Server


def start(device: str, threads: Optional[int]) -> tuple[Server, dict[str, Any]]:
    """The server and the hello. Raises Failure if this Python or this machine cannot train."""
    torch = import_torch()
    if threads is not None:
        torch.set_num_threads(threads)
    place = choose_place(torch, device)
    from .server import Server

    try:
        announced = announce(place)
        hello = {
            "place": place.name,
            "device": describe(place),
            "setups": announced.as_json(),
            "scripts": True,
            "operations": True,
            "operation_jobs": True,
        }
    except RuntimeError as error:
        # A driver that is too old, or a GPU that is lost, shows with the first real use.
        raise unknown(f"{place.name}: {str(error).splitlines()[0]}") from None
    return Server(place, announced), hello

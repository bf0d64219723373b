"""python3 -m ampere.worker: trains with PyTorch on behalf of ampere-runner."""

from __future__ import annotations

import argparse
import os
import signal
import sys
from typing import Optional, Sequence

from .failure import Failure
from .streams import take_streams, write_line

PROTOCOL = 1
THREAD_VARIABLES = ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS")


def main(arguments: Optional[Sequence[str]] = None) -> int:
    try:
        return work(parse_arguments(arguments))
    except (KeyboardInterrupt, BrokenPipeError):
        # The runner, or the person at the keyboard, has ended the work. A second signal must not
        # interrupt Python's own end.
        signal.signal(signal.SIGINT, signal.SIG_IGN)
        return 130


def parse_arguments(arguments: Optional[Sequence[str]]) -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        prog="python3 -m ampere.worker",
        description="Trains networks with PyTorch on behalf of ampere-runner, which starts this "
        "program and talks to it over its standard streams (docs/worker-protocol.md).",
    )
    parser.add_argument(
        "--device", default="local", help="local (a GPU if there is one), cpu, cuda or cuda:N"
    )
    parser.add_argument("--threads", type=int, help="threads of the CPU that PyTorch uses")
    parser.add_argument(
        "--list", action="store_true", help="print versions and devices as JSON, and end"
    )
    options = parser.parse_args(arguments)
    if options.threads is not None and options.threads < 1:
        parser.error(f"argument --threads: must be 1 or more, not {options.threads}")
    return options


def work(options: argparse.Namespace) -> int:
    requests, answers = take_streams()
    if options.threads is not None:
        for name in THREAD_VARIABLES:  # libraries read them when torch loads them
            os.environ[name] = str(options.threads)
    if options.list:
        from .listing import listing

        write_line(answers, listing())
        return 0
    from .hello import start

    try:
        server, hello = start(options.device, options.threads)
    except Failure as failure:
        write_line(answers, {"ampere_worker": PROTOCOL, "error": failure.as_json()})
        return 1
    write_line(answers, {"ampere_worker": PROTOCOL, **hello})
    server.serve(requests, answers)
    return 0


if __name__ == "__main__":
    sys.exit(main())

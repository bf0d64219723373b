"""What PyTorch's own estimator says of the steps of a suite, for `ampere evaluate --suite FILE --peers`.

    python3 bench/torch/runtime_estimator.py bench/suites/modern.toml > peers.jsonl
    python3 bench/torch/runtime_estimator.py bench/suites/modern.toml --mode operator-level-benchmark >> peers.jsonl

torch.distributed._tools.RuntimeEstimator adds up the times of operations, by a roofline or by running each alone. It knows
no energy, no host and no overlap. It needs PyTorch 2.6 or later, a CUDA device, what the scripts of the suite need, and the
package `ampere` (PYTHONPATH=python). A step that it cannot do is a line with a failure, and the others follow.
"""

import argparse
import contextlib
import importlib.util
import itertools
import json
import pathlib
import sys

MODES = {"operator-level-cost-model": "PyTorch RuntimeEstimator, roofline",
         "operator-level-benchmark": "PyTorch RuntimeEstimator, benchmarked"}


def word(value):
    return value if isinstance(value, str) else json.dumps(value)


def entries(path):
    """The scripts of a suite with their arguments and the names that ampere gives them."""
    import tomllib
    suite = tomllib.loads(path.read_text())
    for step in suite.get("steps", []):
        choices = {key: value if isinstance(value, list) else [value] for key, value in step.get("arguments", {}).items()}
        keys = sorted(choices)
        for values in itertools.product(*(choices[key] for key in keys)):
            arguments = dict(zip(keys, values))
            name = ", ".join(f"{key} {word(value)}" for key, value in arguments.items()) or step["script"]
            yield name, path.parent / step["script"].rpartition(":")[0], step["script"].rpartition(":")[2], arguments


def missing():
    """Why the estimator cannot run here; None where it can."""
    try:
        import torch
        from torch.distributed._tools.runtime_estimator import RuntimeEstimator  # noqa: F401
    except ImportError as error:
        return f"there is no torch.distributed._tools.runtime_estimator ({error}); it came with PyTorch 2.6"
    if not torch.cuda.is_available():
        return f"torch {torch.__version__} sees no CUDA device, and the estimator asks it for its peak and its bandwidth"
    return None


def build_step(script, function):
    spec = importlib.util.spec_from_file_location(script.stem, script)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return getattr(module, function)


def estimated_s(build, arguments, mode):
    from ampere.tracing.fake import without_numbers  # torch's own mode cannot move a module to a device
    from torch.distributed._tools.runtime_estimator import RuntimeEstimator
    estimator = RuntimeEstimator()
    with without_numbers():
        job = build(**arguments)
        job.step()  # the first one makes the state of the optimizer
        with estimator(estimate_mode_type=mode):
            job.step()
    return estimator.total_runtime / 1e3


def part(text):
    """K/N, so that N processes share a suite: its roofline needs no device time."""
    first, _, every = text.partition("/")
    if not (first.isdigit() and every.isdigit() and int(first) < int(every)):
        raise argparse.ArgumentTypeError(f"{text} is not K/N with K below N")
    return int(first), int(every)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("suite", type=pathlib.Path)
    parser.add_argument("--mode", choices=MODES, default="operator-level-cost-model")
    parser.add_argument("--names", action="store_true", help="print the names of the steps and estimate nothing")
    parser.add_argument("--part", type=part, default=(0, 1), metavar="K/N", help="only every Nth step, from the Kth on (from 0)")
    options = parser.parse_args()
    first, every = options.part
    steps = list(entries(options.suite))[first::every]
    if options.names:
        print("\n".join(name for name, *_ in steps))
        return 0
    if (why := missing()) is not None:
        print(f"runtime_estimator.py: {why}", file=sys.stderr)
        return 3
    for name, script, function, arguments in steps:
        line = {"peer": MODES[options.mode], "entry": name}
        try:
            with contextlib.redirect_stdout(sys.stderr):  # where it prints sentences of its own
                line["time_s"] = estimated_s(build_step(script, function), arguments, options.mode)
        except Exception as error:  # whatever a step of somebody's own may raise
            line["failure"] = f"{type(error).__name__}: {error}"
        print(json.dumps(line), flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())

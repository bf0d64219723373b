"""The peak memory that PyTorch counts in one step, beside the predicted one: peaks.py FOLDER

FOLDER has the answers of `ampere choose --json`, as bench/choose/on_gpu writes them. Prints CSV. Needs a GPU.
"""

import csv
import gc
import json
import pathlib
import re
import sys

import torch

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "torch"))
import training_steps  # noqa: E402

STEPS = 3  # the state of the optimizer exists after the first


def peak_of(network, optimizer, batch, precision):
    torch.cuda.reset_peak_memory_stats()
    step = training_steps.build(network=network, batch=batch, precision=precision, optimizer=optimizer).step
    for _ in range(STEPS):
        step()
    torch.cuda.synchronize()
    return torch.cuda.max_memory_allocated()


def main():
    rows = csv.writer(sys.stdout)
    rows.writerow(["network", "batch", "precision", "predicted_bytes", "measured_bytes", "error"])
    optimizers = {"resnet50": "sgd"}
    for path in sorted(pathlib.Path(sys.argv[1]).glob("*.json")):
        network = path.stem
        for one in json.loads(path.read_text(encoding="utf-8"))["alternatives"]:
            batch, precision = re.fullmatch(r"batch (\d+), precision (\w+)", one["name"]).groups()
            predicted = one["peak_memory_bytes"]
            if predicted is None:
                continue
            measured = peak_of(network, optimizers.get(network, "adamw"), int(batch), precision)
            rows.writerow([network, batch, precision, predicted, measured, f"{predicted / measured - 1:.4f}"])
            gc.collect()
            torch.cuda.empty_cache()


if __name__ == "__main__":
    main()

"""Predicted peaks of memory against those that PyTorch counted: recorded_peaks.py PEAKS.csv FOLDER

FOLDER has the answers of `ampere choose --json`. PEAKS.csv has network, batch, precision and measured_bytes, counted by
torch.cuda.max_memory_allocated() in three iterations of the same step in another run. Needs nothing but Python itself.
"""

import csv
import json
import pathlib
import sys


def main():
    with open(sys.argv[1], encoding="utf-8") as file:
        measured = {(row["network"], f"batch {row['batch']}, precision {row['precision']}"): int(row["measured_bytes"])
                    for row in csv.DictReader(file)}
    for path in sorted(pathlib.Path(sys.argv[2]).glob("*.json")):
        answer = json.loads(path.read_text(encoding="utf-8"))
        errors = [one["peak_memory_bytes"] / measured[path.stem, one["name"]] - 1
                  for one in answer["alternatives"] if (path.stem, one["name"]) in measured]
        print(f"{path.stem:<22} peaks: {len(errors)} settings, {100 * min(errors):+.1f} to {100 * max(errors):+.1f} %")


if __name__ == "__main__":
    main()

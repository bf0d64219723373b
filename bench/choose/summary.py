"""How well choices were predicted: summary.py FOLDER, or summary.py FILE.json ...

Reads answers of `ampere choose --check N --json` in which everything was measured, and prints one row per network and
objective: whether the measured best is the predicted one or among the predicted two, what taking the predicted best
costs more, and whether the fronts are the same. Needs nothing but Python itself.
"""

import json
import pathlib
import sys


def front(points):
    """Those of {name: (energy, time)} that no other beats."""
    return {name for name, (e, t) in points.items()
            if not any(a <= e and b <= t and (a, b) != (e, t) for a, b in points.values())}


def describe(path):
    answer = json.loads(path.read_text(encoding="utf-8"))
    measured = {one["alternative"]: (one["energy_j"], one["time_s"])
                for one in answer["checked"]["measured"] if one.get("energy_j") is not None}
    predicted = {index: (one["energy_j"]["mean"], one["time_s"]["mean"])
                 for index, one in enumerate(answer["alternatives"]) if index in measured}
    same = front(predicted) == front(measured)
    for which, name in enumerate(("energy", "time")):
        order = sorted(predicted, key=lambda index: predicted[index][which])
        best = min(measured, key=lambda index: measured[index][which])
        pairs = [(a, b) for i, a in enumerate(order) for b in order[i + 1:]]
        held = sum(measured[a][which] < measured[b][which] for a, b in pairs)
        cost = measured[order[0]][which] / measured[best][which] - 1
        print(f"{path.stem:<22} {name:<7} rank of the measured best {order.index(best) + 1} of {len(order)}, "
              f"predicted best costs {100 * cost:.1f} % more, {held} of {len(pairs)} pairs in order, "
              f"front {'the same' if same else 'differs'}")


def main():
    given = [pathlib.Path(word) for word in sys.argv[1:]]
    paths = sorted(given[0].glob("*.json")) if len(given) == 1 and given[0].is_dir() else given
    for path in paths:
        describe(path)


if __name__ == "__main__":
    main()

#!/usr/bin/env python3
"""Searches the widths of a network under an energy limit by gradients, with ampere.cost and with FLOPs.

    search.py [--model resnet18] [--rig sim:xavier] [--limit 0.5] [--steps 200]
    search.py --rig cuda:0 --batch 128 --data /usr/share/datasets/fashion-mnist --epochs 6    # and trains what it found

Both searches are the same program: they make the sum of the logarithms of the widths, a stand-in for accuracy, as large
as they can while the cost stays below the limit. One is guided by what ampere estimates, the other by an energy that is
proportional to FLOPs, which is right for the original network. At the end both networks are run on the rig. With a
simulated device the energies are simulated, and called so. With --data both networks and the original, a resnet18, are
trained, too, which shows how well they learn.
"""

from __future__ import annotations

import argparse
import os
import sys
import tempfile
from typing import Any, Callable, Dict, List, Sequence, Tuple

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "python"))

import torch  # noqa: E402

import ampere  # noqa: E402
from learn import learn, read_data  # noqa: E402

Energy = Callable[[Any], Any]  # of a tensor of widths, in joules per iteration


def clamp(widths: Any, cost: ampere.Cost) -> Any:
    least = torch.tensor([float(width.multiple_of) for width in cost.widths], dtype=torch.float64)
    return torch.minimum(torch.maximum(widths, least), torch.tensor(cost.original(), dtype=torch.float64))


def worth(widths: Sequence[float], cost: ampere.Cost) -> float:
    """Mean share of the channels, in logarithms: 1 for the original."""
    shares = torch.tensor(widths, dtype=torch.float64) / torch.tensor(cost.original(), dtype=torch.float64)
    return float(torch.exp(torch.log(shares).mean()))


def search(energy: Energy, cost: ampere.Cost, limit_j: float, steps: int) -> List[int]:
    """Widths, whole and inside the limit as `energy` sees it."""
    logs = torch.log(torch.tensor(cost.original(), dtype=torch.float64)).requires_grad_(True)
    optimizer = torch.optim.Adam([logs], lr=0.02)
    price = 0.0  # of the limit: how much worth a share of energy costs
    for _ in range(steps):
        optimizer.zero_grad()
        excess = energy(clamp(torch.exp(logs), cost).unsqueeze(0))[0] / limit_j - 1
        (-logs.mean() + price * excess).backward()
        optimizer.step()
        price = max(0.0, price + 0.05 * float(excess.detach()))
    return round_inside(clamp(torch.exp(logs.detach()), cost), energy, cost, limit_j)


def round_inside(widths: Any, energy: Energy, cost: ampere.Cost, limit_j: float) -> List[int]:
    """Scales the widths until they are inside, rounded down to what each width may be."""
    units = torch.tensor([float(width.multiple_of) for width in cost.widths], dtype=torch.float64)
    low, high = 0.05, 2.0
    best = clamp(torch.zeros_like(widths), cost)
    for _ in range(30):
        scale = (low + high) / 2
        tried = clamp(torch.floor(widths * scale / units) * units, cost)
        if float(energy(tried.unsqueeze(0))[0]) <= limit_j:
            low, best = scale, tried
        else:
            high = scale
    return [int(width) for width in best.tolist()]


def run(name: str, widths: Sequence[int], rig: str, batch: int, store: str) -> Tuple[float, str]:
    """Energy per iteration, and how it is known."""
    network = f"{name}:" + ",".join(map(str, widths))
    done = ampere.run(network, rig=rig, batch=batch, store=store, no_learning=True)
    return done.energy_j_per_iteration, done.source


def main(words: Sequence[str]) -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--model", default="resnet18")
    parser.add_argument("--rig", default="sim:xavier")
    parser.add_argument("--batch", type=int, default=10)
    parser.add_argument("--limit", type=float, default=0.5, help="share of the energy of the original")
    parser.add_argument("--steps", type=int, default=200)
    parser.add_argument("--timings", type=int, default=400)
    parser.add_argument("--networks", type=int, default=24)
    parser.add_argument("--store", help="where profiles are kept (default: in a folder that is removed at the end)")
    parser.add_argument("--data", help="folder of Fashion-MNIST, to train a resnet18 on")
    parser.add_argument("--epochs", type=int, default=6)
    options = parser.parse_args(words)
    if options.data and options.model != "resnet18":
        parser.error("--data: only a resnet18 is trained")
    with tempfile.TemporaryDirectory(prefix="ampere-search-") as folder:
        store = options.store or f"sqlite:{folder}/store.db"
        ampere.profile(options.model, rig=options.rig, batch=options.batch, store=store, timings=options.timings,
                       networks=options.networks)
        compare(options, store)


def compare(options: argparse.Namespace, store: str) -> None:
    setup = {"batch": options.batch, "store": store}
    with ampere.cost(options.model, **setup) as cost, ampere.cost(options.model, method="flops", **setup) as by_flops:
        original = torch.tensor([cost.original()], dtype=torch.float64)
        whole_j = float(cost(original)[0])
        limit_j = options.limit * whole_j
        flops_scale = whole_j / float(by_flops(original)[0])  # so that FLOPs are right for the original
        found = {
            "ampere.cost": search(cost, cost, limit_j, options.steps),
            "FLOPs": search(lambda widths: flops_scale * by_flops(widths), cost, limit_j, options.steps),
        }
        print(f"{options.model}, batch {options.batch}, on {cost.device}: the limit is {limit_j:.4g} J per iteration, "
              f"{100 * options.limit:.0f} % of the original")
        for name, widths in found.items():
            estimated = cost.evaluate([widths]).energy_j[0]
            energy, source = run(options.model, widths, options.rig, options.batch, store)
            verdict = "inside the limit" if energy <= limit_j else "above the limit"
            print(f"by {name}: {energy:.4g} J {source} ({100 * energy / limit_j:.0f} % of the limit, {verdict}), "
                  f"estimated {estimated:.4g} J, worth {worth(widths, cost):.3f}, widths {','.join(map(str, widths))}")
        if options.data:
            train({"original": cost.original(), **found}, [width.name for width in cost.widths], options)


def train(networks: Dict[str, List[int]], names: List[str], options: argparse.Namespace) -> None:
    data = read_data(options.data, "cuda" if torch.cuda.is_available() else "cpu")
    for name, widths in networks.items():
        learned = learn(dict(zip(names, map(int, widths))), data, options.epochs, options.batch)
        print(f"{name}, trained for {options.epochs} epochs: {100 * learned.accuracy:.2f} % of the test set, "
              f"{learned.energy_j:.4g} J {learned.source}, {learned.time_s:.3g} s", flush=True)


if __name__ == "__main__":
    main(sys.argv[1:])

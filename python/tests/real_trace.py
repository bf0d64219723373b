#!/usr/bin/env python3
"""Traces real networks with the installed PyTorch and times their operations alone: real_trace.py [DEVICE]

For each network: the program traced with fake tensors and by running it, whether both agree, every distinct
operation timed alone, and the sum of these times beside the time that the device really needs for an iteration.
Prints a table. What fails is printed with its traceback, and the rest goes on. With $OUT set, programs and times
are written to $OUT/real_trace.json.gz. Not run by the tests, because it needs a GPU and large libraries.
"""

import collections
import gzip
import json
import os
import sys
import time
import traceback
import warnings
from functools import partial
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

import torch  # noqa: E402
from torch import nn  # noqa: E402

import ampere  # noqa: E402
from ampere._trace import _traced  # noqa: E402
from ampere.tracing.objects import function_subject  # noqa: E402
from ampere.worker.cuda_queue import CudaQueue, cuda_event  # noqa: E402
from ampere.worker.operation_child import OperationChild  # noqa: E402
from ampere.worker.place import choose_place  # noqa: E402
from ampere.worker.timing import time_steps  # noqa: E402

PATIENCE_S = 75  # no network is begun after this


def job(model, inputs, loss, optimizer, batch, dtype=None):
    """One iteration as people write it."""
    kind = next(model.parameters()).device.type

    def step():
        optimizer.zero_grad()
        with torch.autocast(kind, dtype=dtype or torch.bfloat16, enabled=dtype is not None):
            value = loss(model(**inputs) if isinstance(inputs, dict) else model(inputs))
        value.backward()
        optimizer.step()
        return value

    return ampere.Job(step, model=model, batch=batch)


def image_network(name, batch, size, optimizer, dtype, device):
    import torchvision

    model = getattr(torchvision.models, name)(weights=None).to(device)
    images, labels = torch.randn(batch, 3, size, size, device=device), torch.randint(1000, (batch,), device=device)
    made = optimizer(model.parameters())
    return job(model, images, lambda x: nn.functional.cross_entropy(x, labels), made, batch, dtype)


def gpt2(batch, length, dtype, device):
    import transformers

    config = transformers.GPT2Config(n_layer=6, n_head=12, n_embd=768)
    model = transformers.GPT2LMHeadModel(config).to(device)
    model.train()
    ids = torch.randint(config.vocab_size, (batch, length), device=device)
    optimizer = torch.optim.AdamW(model.parameters(), lr=1e-4)
    return job(model, {"input_ids": ids, "labels": ids}, lambda x: x.loss, optimizer, batch, dtype)


class Recurrent(nn.Module):
    def __init__(self):
        super().__init__()
        self.embedding = nn.Embedding(10000, 512)
        self.lstm = nn.LSTM(512, 512, 2, batch_first=True)
        self.head = nn.Linear(512, 10000)

    def forward(self, ids):
        return self.head(self.lstm(self.embedding(ids))[0]).flatten(0, 1)


def lstm(batch, length, device):
    model = Recurrent().to(device)
    ids, labels = (torch.randint(10000, (batch, length), device=device) for _ in range(2))
    optimizer = torch.optim.Adam(model.parameters())
    return job(model, ids, lambda x: nn.functional.cross_entropy(x, labels.flatten()), optimizer, batch)


def cases(device):
    sgd, adamw = partial(torch.optim.SGD, lr=0.01, momentum=0.9), partial(torch.optim.AdamW, lr=1e-4)
    bf16 = torch.bfloat16
    large = device.type == "cuda"
    return {
        "resnet18": partial(image_network, "resnet18", 64 if large else 2, 224 if large else 64, sgd, None, device),
        "resnet50 bf16": partial(image_network, "resnet50", 64 if large else 2, 224 if large else 64, adamw, bf16,
                                 device),
        "gpt2": partial(gpt2, 4 if large else 1, 512 if large else 32, None, device),
        "gpt2 bf16": partial(gpt2, 4 if large else 1, 512 if large else 32, bf16, device),
        "lstm": partial(lstm, 32 if large else 2, 64 if large else 8, device),
        "vit_b_16 bf16": partial(image_network, "vit_b_16", 32 if large else 1, 224, adamw, bf16, device),
    }


def attempt(what, work):
    """What `work` returns; after an exception, its traceback is printed and None returned."""
    begin = time.perf_counter()
    try:
        return work(), time.perf_counter() - begin
    except Exception as error:
        print(f"--- {what}: {type(error).__name__}", flush=True)
        traceback.print_exc()
        return None, time.perf_counter() - begin


def traced(build, place, way):
    """With the code of ampere.trace, so that an error keeps its own traceback."""
    return _traced(place, way, function_subject(build, {}))


def launched(program):
    rows = program.raw["operations"]
    return [rows[step[0]] for step in program.raw["steps"] if rows[step[0]].get("launches", True)]


def spelled(program, row):
    """An operation with its types written out, to compare programs with each other."""
    def whole(value):
        if isinstance(value, dict):
            return program.raw["tensors"][value["tensor"]]
        return [whole(each) for each in value] if isinstance(value, list) else value

    return json.dumps([row["name"], whole(row["arguments"]), sorted(row.get("keywords", {}))])


def differences(fake, run):
    """How many operations only one of both has, and the most frequent ones."""
    one = collections.Counter(spelled(fake, row) for row in launched(fake))
    other = collections.Counter(spelled(run, row) for row in launched(run))
    only = [("fake", one - other), ("run", other - one)]
    lines = [f"    only {way}: {count} x {text[:200]}" for way, rest in only for text, count in rest.most_common(6)]
    return sum(sum(rest.values()) for _, rest in only), lines


def device_seconds(build, place):
    """Device and host time of one iteration, and the wall-clock time where there is no queue."""
    made = build()
    for _ in range(3):
        made.step()
    if place.gpu is None:
        begin = time.perf_counter()
        for _ in range(3):
            made.step()
        return (time.perf_counter() - begin) / 3, 0.0
    queue = CudaQueue(partial(cuda_event, torch), torch.cuda._sleep, place.synchronize)
    try:
        return time_steps(queue, made.step)
    except Exception:
        return profiled_seconds(made.step, place), 0.0


def profiled_seconds(step, place, steps=3):
    """The sum of all kernels, where the queue cannot hold a whole iteration."""
    from torch.profiler import ProfilerActivity, profile

    with profile(activities=[ProfilerActivity.CUDA, ProfilerActivity.CPU]) as profiler:
        for _ in range(steps):
            step()
        place.synchronize()
    kernels = [event for event in profiler.events() if "CUDA" in str(event.device_type)]
    return sum(event.time_range.elapsed_us() for event in kernels) / steps / 1e6


def timed(program, child):
    """{operation index: answer} of those that launch."""
    indices = [index for index, row in enumerate(program.raw["operations"]) if row.get("launches", True)]
    answers = child.time(program.raw["tensors"], [program.raw["operations"][index] for index in indices])
    return dict(zip(indices, answers))


def summed(program, answers, key):
    total, missing = 0.0, collections.Counter()
    for operation, _, _ in program.raw["steps"]:
        answer = answers.get(operation)
        if answer is None:
            continue
        if "error" in answer:
            missing[f"{program.raw['operations'][operation]['name']}: {answer['error'][:150]}"] += 1
        else:
            total += answer[key]
    return total, missing


def peak_bytes(program):
    """The largest sum of all storages that are there at the same time."""
    change = collections.Counter()
    for size, born, freed, _ in program.raw["storages"]:
        change[max(born, 0)] += size
        if freed is not None:
            change[freed] -= size
    now, most = 0, 0
    for step in sorted(change):
        now += change[step]
        most = max(most, now)
    return most


def real_peak(build, place):
    if place.gpu is None:
        return None
    made = build()
    made.step()
    torch.cuda.reset_peak_memory_stats()
    made.step()
    place.synchronize()
    return torch.cuda.max_memory_allocated()


def network(name, build, place, child):
    """One row of the table, and what is written to the file."""
    kept = {}
    fake, fake_s = attempt(f"{name}: fake", lambda: traced(build, place, "fake"))
    run, run_s = attempt(f"{name}: run", lambda: traced(build, place, "run"))
    count, lines = differences(fake, run) if fake and run else (None, [])
    program = run or fake
    row = {"name": name, "fake_s": fake_s, "run_s": run_s, "fake": bool(fake), "run": bool(run), "differ": count}
    for way, each in (("fake", fake), ("run", run)):
        if each:
            kept[way] = each.raw
            lines += [f"    {way}: {note}" for note in each.notes]
            phases = collections.Counter(step[1] for step in each.raw["steps"])
            lines.append(f"    {way}: {len(each.raw['steps'])} steps {sorted(phases.items())}, {each.parameters} "
                         f"parameters, {each.raw['module_calls']} module calls, peak {peak_bytes(each) / 2**20:.0f} MiB")
            backward = [step for step in each.raw["steps"] if step[1] == 2]
            lines.append(f"    {way}: {sum(step[2] == 0 for step in backward)} of {len(backward)} backward steps "
                         "without a module")
    if program:
        answers, times_s = attempt(f"{name}: times", lambda: timed(program, child))
        row["times_s"] = times_s
        if answers:
            kept["times"] = answers
            row["operations"] = len(answers)
            row["sum_ms"], missing = summed(program, answers, "device_s")
            row["host_ms"] = summed(program, answers, "host_s")[0]
            lines += [f"    {count} x {text}" for text, count in missing.most_common(12)]
    row["real"], _ = attempt(f"{name}: device", lambda: device_seconds(build, place))
    peak, _ = attempt(f"{name}: memory", lambda: real_peak(build, place))
    if peak:
        lines.append(f"    real peak {peak / 2**20:.0f} MiB")
    if place.gpu is not None:
        torch.cuda.empty_cache()
    return row, lines, kept


def show(row):
    def milliseconds(value):
        return "-" if value is None else f"{value * 1e3:.3f}"

    real = row.get("real") or (None, None)
    total = row.get("sum_ms")
    error = f"{100 * (total / real[0] - 1):+.1f}" if total and real[0] else "-"
    print(f"{row['name']:15} fake {'yes' if row['fake'] else 'NO':3} {row['fake_s']:5.1f} s  run "
          f"{'yes' if row['run'] else 'NO':3} {row['run_s']:5.1f} s  differ {row['differ']}  timed "
          f"{row.get('operations', 0)} in {row.get('times_s', 0):.1f} s  sum {milliseconds(total)} ms  device "
          f"{milliseconds(real[0])} ms  error {error} %  host alone {milliseconds(row.get('host_ms'))} ms  host "
          f"{milliseconds(real[1])} ms", flush=True)


def main():
    warnings.simplefilter("ignore")
    begin = time.perf_counter()
    place = choose_place(torch, sys.argv[1] if len(sys.argv) > 1 else "local")
    print(f"torch {torch.__version__}, {place.name}", flush=True)
    child = OperationChild(place)
    everything = {"torch": str(torch.__version__), "place": place.name, "networks": {}}
    for name, build in cases(place.device).items():
        if time.perf_counter() - begin > PATIENCE_S:
            print(f"{name}: left out, because time is up", flush=True)
            continue
        result, _ = attempt(name, lambda: network(name, build, place, child))
        if result is None:
            continue
        row, lines, kept = result
        show(row)
        print("\n".join(lines), flush=True)
        everything["networks"][name] = {**kept, "row": row}
    child.close()
    if os.environ.get("OUT"):
        path = Path(os.environ["OUT"], "real_trace.json.gz")
        path.write_bytes(gzip.compress(json.dumps(everything).encode()))
    print(f"{time.perf_counter() - begin:.0f} s in all")
    return 0


if __name__ == "__main__":
    sys.exit(main())

#!/usr/bin/env python3
"""Kills ampere, its runner or the power of its machine at random moments, and looks at what is left.

Usage: torture.py --programs BUILD/bin [--kills N] [--seed N] [--seconds N] [CAMPAIGN...]

Each campaign prints one line of counts and its seed. After every kill the database must be whole and contain, unchanged,
all that it contained before; the same command then continues. When it has ended, everything that was measured is, to
the last bit, what it is without kills. docs/reliability.md says what is compared, and what is not, and why.
"""
import argparse
import json
import os
import random
import shutil
import signal
import sqlite3
import struct
import subprocess
import sys
import tempfile
import time
from pathlib import Path

TIMES = ("taken_at", "updated_at")
SECTOR = 512  # bytes that a disk writes whole or not at all


class Failure(Exception):
    pass


def without_times(value):
    if isinstance(value, dict):
        return {key: without_times(each) for key, each in value.items() if key not in TIMES}
    if isinstance(value, list):
        return [without_times(each) for each in value]
    return value


class Bench:
    """The programs and a folder of their own."""

    def __init__(self, programs, folder):
        self.programs, self.folder = Path(programs).resolve(), Path(folder)
        self.environment = {"PATH": os.environ["PATH"], "HOME": str(folder), "LC_ALL": "C.UTF-8"}

    def command(self, words, store):
        return [str(self.programs / "ampere"), *words, "--store", f"sqlite:{self.folder / store}"]

    def start(self, words, store, more=None):
        return subprocess.Popen(
            self.command(words, store), env={**self.environment, **(more or {})}, cwd=self.folder,
            stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)

    def run(self, words, store):
        done = subprocess.run(self.command(words, store), env=self.environment, cwd=self.folder,
                              stdin=subprocess.DEVNULL, capture_output=True, text=True)
        if done.returncode != 0:
            raise Failure(f"{' '.join(words)} ended with {done.returncode}: {done.stderr[-500:]}")
        return done.stdout

    def contents(self, store):
        """The exported profile, without the times of day. None before there is one."""
        path = self.folder / store
        if not path.exists():
            return None
        database = sqlite3.connect(path)
        try:
            complaint = database.execute("PRAGMA integrity_check").fetchone()[0]
            tables = database.execute("SELECT count(*) FROM sqlite_master").fetchone()[0]
        finally:
            database.close()
        if complaint != "ok":
            raise Failure(f"the database is damaged: {complaint}")
        if tables == 0 or not self.run(["profiles", "--json"], store).strip():
            return None
        return without_times(json.loads(self.run(["profiles", "export", "1"], store)))


def require_kept(before, after):
    """Nothing that was stored is lost or different later."""
    if before is None:
        return
    if after is None:
        raise Failure("the profile is gone")
    for part in ("observations", "timings"):
        if after[part][:len(before[part])] != before[part]:
            raise Failure(f"{part} that were stored have changed or are gone")


def first_visits(profile):
    """By what was measured: the first observation of it, and all timings."""
    found = {}
    for each in profile["observations"]:
        found.setdefault(json.dumps([each["purpose"], each["kind"], each["features"], each["model"]]), each)
    for each in profile["timings"]:
        found.setdefault(json.dumps([each["kind"], each["features"]]), each)
    return found


def numbers(observation):
    """All but the time of the network's own step, which is drawn again with every visit."""
    return {key: value for key, value in observation.items() if key not in ("timing", "pace")}


def seen_once(profile):
    """Networks of one observation. A simulated device draws new noise whenever a process asks it again."""
    seen = [json.dumps(each["model"]["layers"]) for each in profile["observations"]]
    return {model for model in seen if seen.count(model) == 1}


def require_same(whole, resumed, failures_allowed=0):
    one, two, once = first_visits(whole), first_visits(resumed), seen_once(whole)
    missing = [key for key in one if key not in two]
    failed = [key for key, each in two.items() if each.get("failure")]
    if len(missing) > failures_allowed:
        raise Failure(f"{len(missing)} of {len(one)} measurements are missing, as {missing[0][:200]}")
    if len(failed) > failures_allowed:
        raise Failure(f"{len(failed)} measurements failed")
    for key, value in one.items():
        if key not in two or key in failed or ("model" in value and json.dumps(value["model"]["layers"]) not in once):
            continue
        if numbers(two[key]) != numbers(value):
            raise Failure(f"a measurement differs: {key[:200]}")


class Campaign:
    """One command, killed again and again until it has had so many kills."""

    def __init__(self, bench, words, exact=False, runner=None):
        self.bench, self.words, self.exact, self.runner = bench, words, exact, runner

    def whole(self):
        begin = time.monotonic()
        self.bench.run(self.words, "whole.db")
        self.seconds = time.monotonic() - begin
        return self.bench.contents("whole.db")

    def victims(self, process, draw):
        """What is killed: ampere, its runner, or both."""
        if self.runner is None:
            return [process.pid], 0
        children = subprocess.run(["pgrep", "-P", str(process.pid)], capture_output=True, text=True).stdout.split()
        runner = [int(child) for child in children]
        which = draw.choice(("ampere", "runner", "both")) if runner else "ampere"
        return {"ampere": [process.pid], "runner": runner, "both": runner + [process.pid]}[which], which == "runner"

    def kill_once(self, store, draw):
        """True when something was killed before the command had ended."""
        process = self.bench.start(self.words, store)
        try:
            process.wait(draw.random() * self.seconds)
        except subprocess.TimeoutExpired:
            pids, only_runner = self.victims(process, draw)
            for pid in pids:
                try:
                    os.kill(pid, signal.SIGKILL)
                except ProcessLookupError:
                    return False
            self.runner_kills += only_runner
            process.communicate()
            return True
        if process.returncode != 0:
            raise Failure(f"it ended with {process.returncode}: {process.stderr.read()[-500:]}")
        process.communicate()
        return False

    def run(self, kills, draw):
        whole, done, rounds, self.runner_kills = self.whole(), 0, 0, 0
        while done < kills:
            rounds += 1
            store, before, self.runner_kills = f"killed{rounds}.db", None, 0
            for _ in range(draw.randint(1, 8)):
                if done >= kills:
                    break
                if not self.kill_once(store, draw):
                    break
                done += 1
                after = self.bench.contents(store)
                require_kept(before, after)
                before = after
            self.bench.run(self.words, store)
            resumed = self.bench.contents(store)
            require_kept(before, resumed)
            require_same(whole, resumed, self.runner_kills)
            if self.exact and self.runner_kills == 0 and whole != resumed:
                raise Failure("the profile differs from that of a run without kills")
            for path in self.bench.folder.glob(store + "*"):
                path.unlink()
        return {"kills": done, "profiles": rounds, "measurements": len(first_visits(whole))}


class PowerLoss(Campaign):
    """The process is killed, and what it had not synced is lost, all of it or a random part."""

    def __init__(self, bench, words, library, exact=False):
        super().__init__(bench, words, exact)
        self.library, self.lost, self.writes, self.torn_writes = library, 0, 0, 0

    def kill_once(self, store, draw):
        log = self.bench.folder / "power.log"
        log.unlink(missing_ok=True)
        process = self.bench.start(self.words, store, {
            "LD_PRELOAD": str(self.library), "POWER_LOSS_LOG": str(log),
            "POWER_LOSS_FOLDER": str(self.bench.folder / store)})
        try:
            process.wait(draw.random() * self.seconds * 1.5)
            ended = True
        except subprocess.TimeoutExpired:
            process.kill()
            ended = False
        process.communicate()
        if not ended:
            self.lose(log, draw)
            (self.bench.folder / (store + "-shm")).unlink(missing_ok=True)  # memory, not a file
        return not ended

    def lose(self, log, draw):
        """Takes back the writes after the last sync of each file; then repeats some of them."""
        pending, data = {}, log.read_bytes() if log.exists() else b""
        at = 0
        while at < len(data):
            end = data.find(b"\n", at)
            if end < 0:
                break
            words, at = data[at:end].decode().split(" "), end + 1
            if words[0] == "S":
                pending.pop(words[1], None)
                continue
            kind, path, offset, old, new, size = words[0], words[1], *map(int, words[2:])
            if at + old + new > len(data):
                break  # killed while it wrote the log, so the write itself did not happen
            pending.setdefault(path, []).append((kind, offset, data[at:at + old], data[at + old:at + old + new], size))
            self.writes += 1
            at += old + new
        keep_some = draw.random() < 0.5
        for path, writes in pending.items():
            if not Path(path).exists():  # removed at the end, by a process that was killed right after
                continue
            self.lost += len(writes)
            with open(path, "r+b") as file:
                for _, offset, old, _, size in reversed(writes):
                    file.seek(offset)
                    file.write(old)
                    file.truncate(size)
                for kind, offset, _, new, _ in writes:
                    if not keep_some or draw.random() < 0.5:
                        continue
                    if kind == "T":
                        file.truncate(offset)
                    else:
                        file.seek(offset)
                        file.write(new if draw.random() < 0.7 else self.torn(new, draw))

    def torn(self, new, draw):
        """Some of the sectors at the beginning, as if the power had failed in the middle."""
        self.torn_writes += 1
        return new[:draw.randrange(len(new) // SECTOR + 1) * SECTOR]

    def run(self, kills, draw):
        counts = super().run(kills, draw)
        return {**counts, "writes": self.writes, "writes lost": self.lost, "of them torn": self.torn_writes}


def write_data(folder, draw):
    """A small data set like MNIST: each class is bright in rows of its own, so that it can be learnt."""
    folder.mkdir()
    for part, count in (("train", 160), ("t10k", 40)):
        labels = bytes(draw.randrange(10) for _ in range(count))
        images = b"".join(bytes(200 if y // 3 == label else draw.randrange(60) for y in range(28) for _ in range(28))
                          for label in labels)
        (folder / f"{part}-labels-idx1-ubyte").write_bytes(struct.pack(">II", 0x801, count) + labels)
        (folder / f"{part}-images-idx3-ubyte").write_bytes(struct.pack(">IIII", 0x803, count, 28, 28) + images)


class Training(Campaign):
    """Pruning with training on one core: what was trained continues after its last epoch, to the last bit."""

    SETUP = ["--rig", "cpu:1", "--batch", "16", "--measure-error", "0.5", "--point-seconds", "0.05"]

    def __init__(self, bench):
        super().__init__(bench, [], runner=True)

    def prepare(self):
        write_data(self.bench.folder / "data", random.Random(1))
        self.bench.run(["profile", "lenet5", "--networks", "5", "--timings", "20", *self.SETUP], "profile.db")
        estimate = self.bench.run(["estimate", "lenet5", "--batch", "16", "--json"], "profile.db")
        self.joules = 0.7 * json.loads(estimate)["energy_j"]["mean"]

    def begin(self, name):
        """The same profile and budget every time, so that the same network is found."""
        shutil.copy(self.bench.folder / "profile.db", self.bench.folder / f"{name}.db")
        self.words = ["prune", "lenet5", "--budget", f"{self.joules}J", "--confidence", "0.5", "--no-verify",
                      "--no-learning", "--networks", "300", "--data", "data", "--epochs", "6", "--fine-tune", "4",
                      "--output-folder", name, "--json", *self.SETUP]
        return f"{name}.db"

    def trained(self, store):
        """Everything that was learnt. The joules of a processor are not the same twice."""
        result = json.loads(self.bench.run(self.words, store))
        database = sqlite3.connect(self.bench.folder / store)
        complaint = database.execute("PRAGMA integrity_check").fetchone()[0]
        database.close()
        if complaint != "ok":
            raise Failure(f"the database is damaged: {complaint}")
        return {name: [result[name]["widths"], result[name]["test"],
                       [[epoch["loss"], epoch["test"]] for epoch in result[name]["epochs"]]]
                for name in ("original", "pruned")}

    def run(self, kills, draw):
        self.prepare()
        store, begin = self.begin("whole"), time.monotonic()
        whole = self.trained(store)
        self.seconds, done, rounds, self.runner_kills = time.monotonic() - begin, 0, 0, 0
        while done < kills:
            rounds += 1
            store = self.begin(f"killed{rounds}")
            for _ in range(draw.randint(1, 8)):
                if done >= kills or not self.kill_once(store, draw):
                    break
                done += 1
            if self.trained(store) != whole:
                raise Failure("another network was found, or it learnt something else")
        return {"kills": done, "of them only the runner": self.runner_kills, "networks trained": 2 * rounds}


class Together:
    """Eight processes on one store: none may see that the others lock it."""

    VERBS = (["profile", "lenet5", "--rig", "sim:xavier", "--networks", "8", "--timings", "40"],
             ["profile", "lenet5", "--rig", "sim:tx2", "--method", "ampere", "--points", "4"],
             ["estimate", "lenet5", "--profile", "1"], ["profiles"],
             ["run", "cnn5:4,8,16,32", "--rig", "sim:xavier"],
             ["kernels", "measure", "lenet5", "--rig", "sim:server", "--configurations", "10"],
             ["profiles", "export", "1"], ["profile", "cnn5:4,8,16,32", "--rig", "sim:xavier", "--networks", "6"])

    def __init__(self, bench, seconds):
        self.bench, self.seconds = bench, seconds

    def run(self, _, draw):
        self.bench.run(list(self.VERBS[0]), "shared.db")
        commands, waits, begin = 0, 0, time.monotonic()
        running = [None] * 8
        while any(running) or time.monotonic() - begin < self.seconds:
            for place, process in enumerate(running):
                if process is None and time.monotonic() - begin < self.seconds:
                    words = self.VERBS[place] if commands < 8 else draw.choice(self.VERBS)
                    running[place] = self.bench.start(
                        [*words, "--seed", str(draw.randrange(50))] if words[0] in ("profile", "run") else list(words),
                        "shared.db")
                elif process is not None and process.poll() is not None:
                    _, errors = process.communicate()
                    commands += 1
                    waits += "which keeps it locked" in errors  # a notice after two seconds; it then goes on
                    if process.returncode != 0:
                        raise Failure(f"{process.args[1:3]} ended with {process.returncode}: {errors[-500:]}")
                    running[place] = None
            time.sleep(0.01)
        self.bench.contents("shared.db")
        # A lock that was not had in time would have ended its command with a failure, and this campaign.
        return {"processes": 8, "commands without a failure": commands, "waits over two seconds": waits}


def campaigns(bench, arguments):
    sim = ["--rig", "sim:xavier"]
    behind = ["--rig", f"cmd:{bench.programs / 'sim_runner'} xavier"]
    published = ["profile", "lenet5", "--method", "ampere", "--points", "4"]
    shim = bench.programs / "power_loss.so"
    return {
        "profile": lambda: Campaign(bench, ["profile", "lenet5", "--networks", "8", "--timings", "40", *sim]),
        "published": lambda: Campaign(bench, [*published, *sim], exact=True),
        "evaluate": lambda: Campaign(bench, ["evaluate", "lenet5", "--networks", "3", "--method", "ampere,flops",
                                             "--points", "3", *sim]),
        "kernels": lambda: Campaign(bench, ["kernels", "measure", "lenet5", "--configurations", "25", *sim]),
        "training": lambda: Training(bench),
        "runner": lambda: Campaign(bench, [*published, *behind], runner=True),
        "power": lambda: PowerLoss(bench, [*published, *sim], shim, exact=True),
        "together": lambda: Together(bench, arguments.seconds),
    }


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--programs", required=True, help="folder of ampere and the other programs")
    parser.add_argument("--kills", type=int, default=10, help="per campaign (default 10)")
    parser.add_argument("--seconds", type=float, default=10, help="of the campaign together (default 10)")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("campaigns", nargs="*")
    arguments = parser.parse_args()
    failed = False
    with tempfile.TemporaryDirectory(prefix="ampere_torture_") as folder:
        known = campaigns(Bench(arguments.programs, folder), arguments)
        for name in arguments.campaigns or known:
            inside = Path(folder) / name
            inside.mkdir()
            campaign = campaigns(Bench(arguments.programs, inside), arguments)[name]()
            begin = time.monotonic()
            try:
                counts = campaign.run(arguments.kills, random.Random(arguments.seed))
                text = "ok: " + ", ".join(f"{value} {key}" for key, value in counts.items())
            except Failure as failure:
                failed, text = True, f"FAILED: {failure}"
            print(f"{name} (seed {arguments.seed}): {text} in {time.monotonic() - begin:.0f} s", flush=True)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())

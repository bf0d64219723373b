"""A meter that runs beside this process: ``ampere measure`` around a command that only waits for us."""

from __future__ import annotations

import os
import selectors
import signal
import subprocess
import tempfile
import time
from dataclasses import dataclass
from typing import IO, Dict, List, Optional

from ._call import JsonObject, json_object
from ._messages import Messages
from ._program import environment, program
from .errors import Error, ProgramError, UsageError, error_of_status

_BEGUN = b"begun\n"
# It waits for a line, and not for the end of the pipe: processes forked meanwhile hold the pipe, too.
_COMMAND = ["sh", "-c", "echo begun; read line || :"]
_SECONDS_TO_BEGIN = 60.0
_SECONDS_TO_END = 60.0


@dataclass(frozen=True)
class Usage:
    """What a window cost. Energy that is not known is None, with a reason."""

    energy_j: Optional[float]
    time_s: float
    source: str
    meter: str
    by_domain: Dict[str, float]
    reason: Optional[str]
    uncertainty: Optional[float]  # fraction of the energy; None for a power model


class Metering:
    """Counts from construction until stop(). Throws ampere.Error if nothing can be measured."""

    def __init__(self, meter: Optional[str] = None, trace_interval_s: Optional[float] = None) -> None:
        self._trace: Optional[_Trace] = None
        self._folder: Optional[tempfile.TemporaryDirectory[str]] = None
        words = ["measure", "--json"]
        if meter is not None:
            words.append(f"--meter={_whole_machine(meter)}")
        path = None
        if trace_interval_s is not None:
            self._folder = tempfile.TemporaryDirectory(prefix="ampere-")
            path = os.path.join(self._folder.name, "power.csv")
            words += [f"--trace={path}", f"--interval={trace_interval_s:g}"]
        self.messages = Messages()
        self._errors = tempfile.TemporaryFile()
        try:
            self._child = subprocess.Popen([program(), *words, "--", *_COMMAND], stdin=subprocess.PIPE,
                                           stdout=subprocess.PIPE, stderr=self._errors, env=environment(),
                                           start_new_session=True)
        except BaseException:
            self._errors.close()
            self._forget_folder()
            raise
        self._owner = os.getpid()
        try:
            self._wait_for_begin()
            if path is not None:
                self._trace = _Trace(path)
        except BaseException:
            self.abandon()
            raise
        finally:
            self._forget_folder()  # an open file can be read without its name
        self.begun = time.monotonic()

    def energy_so_far(self) -> float:
        """Joules since the beginning. Throws ProgramError if the meter has ended."""
        if self._trace is None:
            raise ProgramError("this measurement has no trace")
        if self._owner == os.getpid() and self._child.poll() is not None:
            raise self._ended()
        return self._trace.energy_at(time.monotonic() - self.begun)

    def stop(self) -> Usage:
        """Ends the measurement. Throws ampere.Error if the program does not answer."""
        elapsed = time.monotonic() - self.begun
        try:
            output, _ = self._child.communicate(b"\n", timeout=_SECONDS_TO_END)
        except (OSError, subprocess.TimeoutExpired, ValueError) as error:
            self.abandon()
            raise ProgramError(f"the meter did not answer: {error}") from error
        lines = output.decode("utf-8", "replace").splitlines()
        self._read_errors()
        if not lines:
            raise self._ended()
        self._close_files()
        return _usage(json_object(lines[-1]), elapsed)

    def abandon(self) -> None:
        """Ends the processes without asking for an answer."""
        if self._owner != os.getpid():
            return
        if self._child.poll() is None:
            try:  # the program and the command that waits
                os.killpg(self._child.pid, signal.SIGKILL)
            except OSError:
                self._child.kill()
            self._child.wait()
        for pipe in (self._child.stdin, self._child.stdout):
            try:
                if pipe is not None:
                    pipe.close()
            except OSError:
                pass
        self._close_files()

    def _wait_for_begin(self) -> None:
        assert self._child.stdout is not None
        pipe = self._child.stdout.fileno()
        said = b""
        with selectors.DefaultSelector() as selector:
            selector.register(pipe, selectors.EVENT_READ)
            while len(said) < len(_BEGUN):
                if not selector.select(_SECONDS_TO_BEGIN):
                    raise ProgramError(f"the meter did not begin within {_SECONDS_TO_BEGIN:g} s")
                piece = os.read(pipe, len(_BEGUN) - len(said))
                if not piece:
                    raise self._ended()
                said += piece

    def _ended(self) -> Error:
        status = self._child.wait()
        self._read_errors()
        text = self.messages.error_text()
        if status == 0:
            return ProgramError(f"the meter ended early: {text}" if text else "the meter ended early")
        return error_of_status(status, text)

    def _read_errors(self) -> None:
        if self._errors.closed:
            return
        self._errors.seek(0)
        self.messages.add(self._errors.read().decode("utf-8", "replace"))
        self.messages.finish()

    def _close_files(self) -> None:
        self._errors.close()
        if self._trace is not None:
            self._trace.close()

    def _forget_folder(self) -> None:
        if self._folder is not None:
            self._folder.cleanup()
            self._folder = None


class _Trace:
    """Adds up a trace of power as it is written."""

    def __init__(self, path: str) -> None:
        self._file: IO[bytes] = open(path, "rb")
        self._unfinished = b""
        self._energy_j = 0.0
        self._time_s = 0.0
        self._power_w = 0.0

    def energy_at(self, now_s: float) -> float:
        """Since the last row, the power is taken to be that of this row."""
        lines = (self._unfinished + self._file.read()).split(b"\n")
        self._unfinished = lines.pop()
        for line in lines:
            self._add(line)
        return self._energy_j + self._power_w * max(0.0, now_s - self._time_s)

    def close(self) -> None:
        self._file.close()

    def _add(self, line: bytes) -> None:
        cells = line.split(b",")
        try:
            time_s, power_w = float(cells[0]), float(cells[1])
        except (IndexError, ValueError):
            return  # comments and the header
        self._energy_j += power_w * (time_s - self._time_s)
        self._time_s, self._power_w = time_s, power_w


def _whole_machine(meter: str) -> str:
    """A power model must count all processes: the one that works is not a child of the program."""
    if "\0" in meter:
        raise UsageError(f"{meter!r} is not a meter")
    parts: List[str] = []
    for part in meter.split("+"):
        if part.split(":")[0] == "modelled" and "cpu=" not in part:
            part += ("," if ":" in part else ":") + "cpu=machine"
        parts.append(part)
    return "+".join(parts)


def _usage(answer: JsonObject, elapsed: float) -> Usage:
    try:
        run, meter = answer["runs"][0], answer["meter"]
        energy, reason = run["energy_j"], run.get("reason")
        if energy is None and not reason:
            reason = "the meter gave no reason"
        if _counts_only_children(str(meter["name"])):
            energy, reason = None, (f"the meter {meter['name']} counts only processes that the ampere program starts; "
                                    "modelled:cpu=machine counts all")
        return Usage(energy_j=None if energy is None else float(energy), time_s=float(run.get("time_s") or elapsed),
                     source=str(answer["source"]), meter=str(meter["name"]),
                     by_domain={} if energy is None else dict(run.get("energy_j_by_domain") or {}),
                     reason=None if reason is None else str(reason), uncertainty=run.get("uncertainty"))
    except (KeyError, IndexError, TypeError, ValueError) as error:
        raise ProgramError(f"the answer of the meter cannot be read: {error!r}") from error


def _counts_only_children(meter: str) -> bool:
    """The meter may also come from the user's settings, which are for commands."""
    return any(part.split(":")[0] == "modelled" and "cpu=machine" not in part for part in meter.split("+"))

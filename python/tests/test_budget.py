"""A budget that a loop can ask."""

import os
import signal
import time
import warnings

import ampere
import pytest
from ampere import budget as budget_module
from ampere._quantities import duration, joules, with_unit


@pytest.mark.parametrize("text, value", [
    ("50 kJ", 50e3), ("50kJ", 50e3), ("3 MJ", 3e6), ("1 J", 1), ("0.5 Wh", 1800), ("1.5 kWh", 5.4e6), ("1e3 J", 1000),
    (" 2 GJ ", 2e9), ("1 MWh", 3.6e9), (250, 250.0), (0.5, 0.5)])
def test_energies_are_read(text, value):
    assert joules(text) == pytest.approx(value)


@pytest.mark.parametrize("text", ["", "50", "kJ", "-5 kJ", "0 J", "50 k", "50 mJ", "50 W", "50 kJ per step", "1,5 kJ", "nan J",
                                  "1e999 J", 0, -1, float("nan"), float("inf"), True, None, "5 kilojoules"])
def test_what_is_no_energy_is_refused(text):
    with pytest.raises(ampere.UsageError):
        ampere.Budget(text)


@pytest.mark.parametrize("value, text", [(85.512, "85.5 J"), (0.0170, "17.0 mJ"), (1234.0, "1.23 kJ"), (0, "0 J"),
                                         (None, "unknown"), (999.9, "1.00 kJ"), (3.2e-7, "320 nJ"), (1e12, "1000 GJ")])
def test_quantities_have_three_digits(value, text):
    assert with_unit(value, "J") == text


def test_long_times_are_in_hours():
    assert (duration(90), duration(600), duration(2e4), duration(1e6)) == ("90.0 s", "10 min", "5.56 h", "11.6 days")


class FakeMetering:
    """Answers the energies that a test sets."""

    def __init__(self, *_):
        self.energy, self.broken = 0.0, False

    def energy_so_far(self):
        if self.broken:
            raise RuntimeError("the meter is gone")
        return self.energy

    def stop(self):
        return ampere._metering.Usage(self.energy, 1.0, "modelled", "fake", {}, None, None)

    def abandon(self):
        pass


@pytest.fixture
def fake(monkeypatch):
    monkeypatch.setattr(budget_module, "Metering", FakeMetering)


def test_next_step_is_the_largest_of_the_last_three(fake):
    b = ampere.Budget("100 J")
    answers = []
    for energy in (0, 40, 50, 60, 70):
        b._metering.energy = energy
        answers.append(b.would_exceed())
    # Steps: 40, 10, 10, 10. At 60 J the step of 40 J is among the last three and fits exactly.
    assert answers == [False, False, False, False, False]
    b._metering.energy = 91
    assert b.would_exceed() and b.step_j == 21
    assert (b.used_j, b.left_j) == (91, 9)


def test_first_call_knows_no_step(fake):
    b = ampere.Budget("100 J")
    b._metering.energy = 99
    assert not b.would_exceed() and b.step_j is None
    b = ampere.Budget("100 J")
    b._metering.energy = 100
    assert b.would_exceed()


def test_expected_energy_can_be_given(fake):
    b = ampere.Budget("100 J")
    b._metering.energy = 60
    assert b.would_exceed(next_j=41) and not b.would_exceed(next_j=40)
    with pytest.raises(ampere.UsageError):
        b.would_exceed(next_j=float("nan"))


def test_fault_warns_once_and_never_stops_a_loop(fake):
    b = ampere.Budget("100 J")
    b._metering.energy = 70
    b.would_exceed()
    b._metering.broken = True
    with pytest.warns(ampere.AmpereWarning, match="the meter is gone"):
        assert b.would_exceed() is False
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert b.would_exceed() is False and b.used_j == 70
    assert b.fault == "the meter is gone" and "then the meter failed" in str(b)


def test_after_the_end_the_energy_stays(fake):
    with ampere.Budget("100 J") as b:
        b._metering.energy = 30
    assert b.used_j == 30 and b.left_j == 70 and str(b) == "30.0 J of 100 J used"
    b.close()


def test_loop_stops_before_the_budget_is_exceeded(real_program):
    steps = 0
    with ampere.Budget("20 J", meter="modelled:static=20,core=0") as b:  # one second
        begin = time.monotonic()
        while not b.would_exceed() and time.monotonic() - begin < 10:
            time.sleep(0.1)
            steps += 1
    assert b.fault is None and steps >= 1
    assert b.used_j < 200 and b.used_j == pytest.approx(20 * (time.monotonic() - begin), rel=0.5)


def test_meter_that_dies_leaves_the_loop_running(real_program):
    b = ampere.Budget("20 J", meter="modelled:static=20,core=0")
    os.killpg(b._metering._child.pid, signal.SIGKILL)
    b._metering._child.wait()
    with pytest.warns(ampere.AmpereWarning, match="not watched any more"):
        assert b.would_exceed() is False
    b.close()


def test_budget_without_a_meter_is_refused_when_it_is_made(fake_program):
    fake_program("sys.stderr.write('ampere: no meter at all\\n'); sys.exit(5)")
    with pytest.raises(ampere.NoMeterError, match="no meter at all"):
        ampere.Budget("1 kJ")


def test_no_process_and_no_file_is_left(real_program, tmp_path, monkeypatch):
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    import tempfile
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    b = ampere.Budget("1 kJ", meter="modelled:static=20,core=0")
    child = b._metering._child
    assert list(tmp_path.glob("ampere-*")) == []
    del b
    assert child.poll() is not None

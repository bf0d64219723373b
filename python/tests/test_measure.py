"""with ampere.measure(...): the energy of a block."""

import os
import signal
import time

import ampere
import pytest

METER = "modelled:static=20,core=0"  # 20 W, whatever else this machine does


def test_energy_of_a_block_is_readable_afterwards(real_program):
    with ampere.measure("sleep", meter=METER) as m:
        time.sleep(0.2)
    assert m.time_s >= 0.2
    assert m.energy_j == pytest.approx(20 * m.time_s, rel=0.01)
    assert m.power_w == pytest.approx(20, rel=0.01)
    assert m.source == "modelled" and m.reason is None and m.meter.startswith("modelled:")
    assert sum(m.by_domain.values()) == pytest.approx(m.energy_j)
    assert str(m).startswith("sleep: ") and "modelled" in str(m)


def test_inside_the_block_it_is_an_error(real_program):
    with ampere.measure(meter=METER) as m:
        for name in ("energy_j", "time_s", "source", "power_w"):
            with pytest.raises(ampere.Error, match="has not finished"):
                getattr(m, name)
        assert "not finished" in str(m)
        time.sleep(0.05)
    assert m.energy_j > 0


def test_exception_of_the_block_comes_out_and_the_energy_is_known(real_program):
    with pytest.raises(KeyError, match="mine"):
        with ampere.measure(meter=METER) as m:
            time.sleep(0.05)
            raise KeyError("mine")
    assert m.energy_j > 0


def test_block_shorter_than_a_period_of_the_meter_has_no_energy_but_a_reason(real_program):
    with ampere.measure(meter=METER) as m:
        pass
    assert (m.energy_j is None) == (m.reason is not None)


def test_measurements_can_be_nested(real_program):
    with ampere.measure("outer", meter=METER) as outer:
        with ampere.measure("inner", meter=METER) as inner:
            time.sleep(0.05)
        time.sleep(0.05)
    assert outer.time_s > inner.time_s and outer.energy_j > inner.energy_j


def test_measurement_is_used_once(real_program):
    with ampere.measure(meter=METER) as m:
        pass
    with pytest.raises(ampere.UsageError, match="used before"):
        with m:
            pass


def test_default_meter_counts_the_whole_machine(real_program):
    with ampere.measure() as m:
        time.sleep(0.1)
    assert m.energy_j > 0 and m.source in ("measured", "modelled")


def test_model_of_the_settings_that_counts_only_children_is_not_believed(real_program, monkeypatch):
    monkeypatch.setenv("AMPERE_METER", "modelled:static=1,core=1")
    with ampere.measure() as m:
        pass
    assert m.energy_j is None and "counts only processes" in m.reason and "unknown" in str(m)


@pytest.mark.parametrize("meter, kind", [("nonsense", ampere.Error), ("replay:/no/such.csv", ampere.Error)])
def test_meter_that_cannot_be_opened_is_an_error_before_the_block(real_program, meter, kind):
    entered = False
    with pytest.raises(kind):
        with ampere.measure(meter=meter):
            entered = True
    assert not entered


def test_meter_that_dies_costs_the_energy_and_not_the_work(real_program):
    with pytest.warns(ampere.AmpereWarning, match="the energy of epoch is unknown"):
        with ampere.measure("epoch", meter=METER) as m:
            os.killpg(m._metering._child.pid, signal.SIGKILL)
            time.sleep(0.05)
    assert m.energy_j is None and "signal 9" in m.reason and m.time_s >= 0.05


def test_processes_forked_inside_the_block_do_not_hold_it_up(real_program):
    with ampere.measure(meter=METER) as m:
        child = os.fork()
        if child == 0:
            time.sleep(100)
            os._exit(0)
    try:
        assert m.time_s < 50
    finally:
        os.kill(child, signal.SIGKILL)
        os.waitpid(child, 0)


def test_program_that_never_begins_or_says_nonsense(fake_program):
    fake_program("print('begun', flush=True); sys.stdin.readline(); print('nonsense')")
    with pytest.warns(ampere.AmpereWarning, match="not JSON"):
        with ampere.measure() as m:
            pass
    assert m.energy_j is None
    fake_program("sys.stderr.write('ampere: no meter at all\\n'); sys.exit(5)")
    with pytest.raises(ampere.NoMeterError, match="no meter at all"):
        with ampere.measure():
            pass

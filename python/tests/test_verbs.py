"""profile, profiles, models and run."""

import os
import signal
import sys
import threading
import time
import types
import warnings
from pathlib import Path

import ampere
import pytest
from ampere import _run_job
from ampere._arguments import arguments_as_words
from ampere._messages import Messages
from conftest import RIG


def test_models_are_those_of_the_zoo(real_program):
    names = [model["name"] for model in ampere.models()]
    assert "cnn5" in names and "resnet18" in names


def test_profiles_are_those_of_the_store(store):
    (one,) = ampere.profiles(store=store)
    assert one["device"]["name"] == "simulated Jetson Xavier" and "dual" in one["methods"]


def test_profile_passes_progress_on(real_program, tmp_path):
    lines = []
    summary = ampere.profile("lenet5", rig=RIG, store=f"sqlite:{tmp_path}/p.db", timings=40, networks=6,
                             progress=lines.append)
    assert summary["measured"] > 0 and summary["source"] == "simulated"
    assert any("of" in line for line in lines)
    assert not any("\x1b" in line or "\r" in line or "\n" in line for line in lines)


def test_wrong_rig_is_an_error_with_the_right_ones(real_program, tmp_path):
    with pytest.raises(ampere.UnknownError, match="no simulated device 'nope'; there are"):
        ampere.profile("cnn5", rig="sim:nope", store=f"sqlite:{tmp_path}/p.db")


def test_run_is_the_ground_truth(store):
    r = ampere.run("cnn5", rig=RIG, store=store, iterations=50)
    assert r.iterations >= 50 and r.source == "simulated" and r.batch == 10
    assert r.energy_j == pytest.approx(r.iterations * r.energy_j_per_iteration, rel=0.05)
    assert r.energy_j_per_iteration == pytest.approx(ampere.estimate("cnn5", store=store).energy_j, rel=0.1)
    assert r.energy_error_j > 0 and "per iteration" in str(r)


def test_interrupt_stops_the_program_and_keeps_what_it_measured(fake_program, tmp_path):
    ready, note = tmp_path / "ready", tmp_path / "note"
    fake_program(f"""
        import signal
        def stop(*_):
            open({str(note)!r}, "w").write("kept")
            sys.exit(130)
        signal.signal(signal.SIGINT, stop)
        open({str(ready)!r}, "w").close()
        time.sleep(100)
        """)

    def interrupt():
        while not ready.exists():
            time.sleep(0.01)
        time.sleep(0.1)
        os.kill(os.getpid(), signal.SIGINT)

    thread = threading.Thread(target=interrupt)
    thread.start()
    with pytest.raises(KeyboardInterrupt):
        ampere.profile("cnn5")
    thread.join()
    assert note.read_text() == "kept"


def test_interrupted_profile_continues(real_program, tmp_path):
    """An exception of the callback ends it in the same way as Ctrl-C does."""
    store = f"sqlite:{tmp_path}/p.db"

    def enough(line):
        if "networks measured" in line and ": 5 of" in line:
            raise KeyboardInterrupt

    try:
        ampere.profile("cnn5", rig=RIG, store=store, timings=60, networks=12, progress=enough)
        pytest.skip("skipped: the profile ended before it could be interrupted")
    except KeyboardInterrupt:
        pass
    kept = ampere.profiles(store=store)[0]["points"]
    assert kept > 0
    again = ampere.profile("cnn5", rig=RIG, store=store, timings=60, networks=12)
    assert again["measured"] < ampere.profiles(store=store)[0]["points"]


def test_program_that_someone_else_stopped_is_an_error(fake_program):
    fake_program("sys.stderr.write('ampere: interrupted after 3 points\\n'); sys.exit(130)")
    with pytest.raises(ampere.InterruptedRunError, match="after 3 points"):
        ampere.profile("cnn5")


def test_warnings_of_the_program_are_warnings_of_python(fake_program):
    fake_program("""
        sys.stderr.write("ampere: warning: joules are modelled\\n")
        print("{}")
        """)
    with pytest.warns(ampere.AmpereWarning, match="joules are modelled"):
        ampere.profile("cnn5")


def test_two_answers_are_one_too_many(fake_program):
    fake_program("print('{}'); print('{}')")
    with pytest.raises(ampere.ProgramError, match="2 answers"):
        ampere.profile("cnn5")


def test_message_of_several_lines_stays_together():
    messages = Messages()
    messages.add("\r\x1b[Kprogress\r\x1b[Kampere: first\n  sec")
    messages.add("ond\nRun with --help for more information.\n")
    messages.finish()
    assert messages.error_text() == "first\n  second"
    assert messages.others == ["progress"]


@pytest.fixture
def short_windows(monkeypatch):
    monkeypatch.setattr(_run_job, "_WARM_UP_S", 0.01)
    monkeypatch.setattr(_run_job, "_WINDOW_S", 0.05)


METER = "modelled:static=20,core=0"


def test_job_runs_in_this_process(real_program, short_windows):
    pids = []
    job = ampere.Job(lambda: pids.append(os.getpid()) or time.sleep(0.01), batch=4, name="mine")
    r = ampere.run(job, iterations=7, meter=METER)
    assert set(pids) == {os.getpid()} and r.iterations >= 7 and len(pids) >= r.iterations
    assert r.time_s_per_iteration >= 0.01 and r.model == "mine" and r.batch == 4
    assert r.energy_j_per_iteration == pytest.approx(20 * r.time_s_per_iteration, rel=0.05)
    assert r.energy_error_j >= 0 and r.source == "modelled" and r.without_data is None


def test_job_with_data_is_measured_with_and_without(real_program, short_windows):
    class Slow:
        def __iter__(self):
            for item in range(3):
                time.sleep(0.01)
                yield item

    seen = set()
    r = ampere.run(ampere.Job(seen.add, data=Slow()), meter=METER)
    assert seen == {0, 1, 2}
    assert r.time_s_per_iteration > 0.01 > r.without_data.time_s_per_iteration
    assert "without the data loader" in str(r)
    with pytest.raises(ampere.UsageError, match="empty"):
        ampere.run(ampere.Job(print, data=[]))


def test_job_takes_no_options_of_networks(real_program):
    with pytest.raises(ampere.UsageError, match="takes no batch, rig"):
        ampere.run(ampere.Job(lambda: None), batch=3, rig=RIG)
    with pytest.raises(ampere.UsageError, match="iterations"):
        ampere.run(ampere.Job(lambda: None), iterations=0)


def test_error_of_a_step_comes_out(real_program):
    def step():
        raise ValueError("out of patience")

    with pytest.raises(ValueError, match="out of patience"):
        ampere.run(ampere.Job(step))


def test_function_of_a_file_becomes_a_script(tmp_path, fake_program, monkeypatch):
    (tmp_path / "train_here.py").write_text("def build(batch=64):\n    pass\n")
    monkeypatch.syspath_prepend(str(tmp_path))
    import train_here
    fake_program("sys.stderr.write('ampere: ' + ' '.join(sys.argv[1:]) + '\\n'); sys.exit(1)")
    with pytest.raises(ampere.FailedError, match="run .*/train_here.py:build --json --arg batch=128 --iterations=5"):
        ampere.run(train_here.build, args={"batch": 128}, iterations=5)
    sys.modules.pop("train_here")


@pytest.mark.parametrize("function", [lambda: None, len, types.FunctionType(compile("0", "<cell>", "exec"), {})])
def test_function_without_a_file_is_refused(real_program, function):
    with pytest.raises(ampere.UsageError, match="top level of a Python file"):
        ampere.run(function)


@pytest.mark.parametrize("value, text", [(3, "3"), (True, "true"), (None, "null"), ("3", '"3"'), ([1, 2], "[1, 2]")])
def test_arguments_arrive_as_they_are(value, text):
    assert arguments_as_words({"x": value}) == ["--arg", f"x={text}"]


def test_argument_that_cannot_travel_is_refused():
    with pytest.raises(ampere.UsageError, match="another process"):
        arguments_as_words({"x": object()})


SCRIPT = """
import time, ampere
def build(seconds=0.01, data=False):
    return ampere.Job(lambda *_: time.sleep(seconds), batch=4, data=[1, 2] if data else None, name="sleep")
"""


def test_script_runs_in_another_process_of_this_interpreter(real_program, tmp_path):
    pytest.importorskip("torch", reason="skipped: no torch")
    if not (Path(real_program).parent / "ampere-runner").exists():
        pytest.skip("skipped: no ampere-runner beside the program")
    (tmp_path / "own.py").write_text(SCRIPT)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # the joules are modelled
        r = ampere.run(f"{tmp_path}/own.py:build", args={"seconds": 0.02, "data": True}, rig="torch:cpu", point_seconds=0.5,
                       iterations=5)
    assert r.time_s_per_iteration >= 0.02 and r.model == "sleep" and r.batch == 4
    assert r.without_data is not None and r.without_data.without_data is None


def test_traceback_of_a_script_comes_out(real_program, tmp_path):
    pytest.importorskip("torch", reason="skipped: no torch")
    if not (Path(real_program).parent / "ampere-runner").exists():
        pytest.skip("skipped: no ampere-runner beside the program")
    (tmp_path / "own.py").write_text("def build():\n    return 1 / 0\n")
    with pytest.raises(ampere.Error, match="(?s)own.py.*ZeroDivisionError"), warnings.catch_warnings():
        warnings.simplefilter("ignore")  # the joules are modelled
        ampere.run(f"{tmp_path}/own.py:build", rig="torch:cpu")


def test_arguments_are_for_scripts(real_program):
    with pytest.raises(ampere.UsageError, match="args are for"):
        ampere.run("cnn5", args={"batch": 3})

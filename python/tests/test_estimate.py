"""ampere.estimate for names and files, and what it does with answers that are no answers."""

import json
import os
import threading
import time

import ampere
import pytest
from ampere import _stream
from conftest import RIG


def test_answers_what_the_program_answers(store):
    e = ampere.estimate("cnn5", store=store, iterations=2000)
    one = ampere.estimate("cnn5", store=store)
    assert e.energy_j == pytest.approx(2000 * one.energy_j)
    assert e.energy_j == e.raw["energy_j"]["mean"]
    assert e.interval.low < e.energy_j < e.interval.high
    assert e.time_interval.low < e.time_s < e.time_interval.high
    assert e.interval.confidence == 0.9
    assert (e.model, e.batch, e.iterations, e.source, e.method, e.profile) == ("cnn5", 10, 2000, "simulated", "dual", "1")
    assert e.device == "simulated Jetson Xavier"
    assert [part.kind for part in e.parts][-1] == "linear"
    assert sum(part.energy_j for part in e.parts) == pytest.approx(one.energy_j)
    assert e.unknown == [] and e.energy_j_per_iteration == pytest.approx(one.energy_j)
    assert e.earlier_runs == 1, "a profile measures the network that it is made for"
    assert "leans on 1 earlier run of this very network" in str(e)


def test_text_has_energy_time_and_source(store):
    text = str(ampere.estimate("cnn5", store=store, iterations=2000))
    assert "cnn5: batch 10, 2000 iterations on simulated Jetson Xavier (profile 1, simulated, method dual)" in text
    assert "energy" in text and " J   (90 % interval" in text and "time" in text


def test_html_is_a_table_and_a_chart(store):
    html = ampere.estimate("cnn5", store=store)._repr_html_()
    assert html.count("<rect") == 5 and "<table>" in html and "<script" not in html


def test_html_escapes_everything(store):
    answer = ampere.estimate("cnn5", store=store).raw
    bad = "<script>alert('\"&')</script>"
    answer = json.loads(json.dumps(answer).replace("linear", "<i>"))
    answer.update(model=bad, warnings=[bad], uncovered=[{"layer": bad, "reason": bad}], method=bad, profile=bad)
    answer["device"]["name"] = bad
    html = ampere._estimate_value.estimate_of(answer)._repr_html_()
    assert "<script" not in html and "<i>" not in html and "&lt;i&gt;" in html


def test_uncovered_network_has_no_sum_and_says_why(store):
    e = ampere.estimate("resnet18", store=store)
    assert e.energy_j is None and e.time_s is None and e.interval is None
    assert e.energy_j_per_iteration is None
    assert any("no profile of" in one.reason for one in e.unknown)
    assert "unknown" in str(e) and "never profiled" in e._repr_html_()


def test_name_path_and_options_go_through(store, tmp_path):
    path = tmp_path / "odd name.json"
    os.system(f"{ampere._program.program()} show cnn5:9,16,32,64 --json > '{path}'")
    narrow = ampere.estimate(path, store=store, confidence=0.5, epochs=2, samples=100)
    assert narrow.earlier_runs == 0 and "leans" not in str(narrow)
    assert narrow.iterations == 20 and narrow.interval.confidence == 0.5
    assert narrow.energy_j < ampere.estimate("cnn5", store=store, iterations=20).energy_j


def test_suggestion_comes_through(store):
    with pytest.raises(ampere.UnknownError, match="no network 'cnn6'") as caught:
        ampere.estimate("cnn6", store=store)
    assert caught.value.remedy == "did you mean 'cnn5'?"
    assert caught.value.code == "unknown"


@pytest.mark.parametrize("options, kind, text", [
    (dict(iterations=0), ampere.UsageError, "--iterations"),
    (dict(iterations=-5), ampere.UsageError, "-5 is not between 1 and"),
    (dict(iterations=10**13), ampere.UsageError, "--iterations"),
    (dict(iterations="many"), ampere.UsageError, "many"),
    (dict(batch=77), ampere.UnknownError, "no profile for batch 77"),
    (dict(nonsense=1), ampere.UsageError, "nonsense"),
    (dict(method="guess"), ampere.UsageError, "guess"),
    (dict(precision="a\nb"), ampere.UsageError, "line break"),
    (dict(inputs=3), ampere.UsageError, "inputs are for modules")])
def test_wrong_arguments_are_refused(store, options, kind, text):
    with pytest.raises(kind, match=text):
        ampere.estimate("cnn5", store=store, **options)


def test_no_store_says_to_profile_first(real_program, tmp_path):
    with pytest.raises(ampere.UnknownError, match="no store at") as caught:
        ampere.estimate("cnn5", store=f"sqlite:{tmp_path}/none.db")
    assert "ampere profile" in caught.value.remedy


@pytest.mark.parametrize("model, text", [("", "empty"), ("-", "dash"), ("--help", "dash"), (3, "type int"), (None, "NoneType")])
def test_what_is_no_network_is_refused(real_program, model, text):
    with pytest.raises(ampere.UsageError, match=text):
        ampere.estimate(model)


def test_one_process_answers_many_questions(store):
    ampere.estimate("cnn5", store=store)
    (first,) = _stream._streams.values()
    for width in range(4, 14):
        ampere.estimate(f"cnn5:{width},16,32,64", store=store)
    with pytest.raises(ampere.UnknownError):
        ampere.estimate("cnn6", store=store)
    ampere.estimate("cnn5", store=store)
    if time.monotonic() - first.begun < _stream._LONGEST_LIFE_S:
        assert list(_stream._streams.values()) == [first]


def test_process_that_died_is_replaced(store):
    ampere.estimate("cnn5", store=store)
    (first,) = _stream._streams.values()
    first._child.kill()
    first._child.wait()
    assert ampere.estimate("cnn5", store=store).energy_j > 0


def test_few_processes_are_kept(store):
    for iterations in range(1, 9):
        ampere.estimate("cnn5", store=store, iterations=iterations)
    assert len(_stream._streams) <= _stream._MOST_STREAMS


def test_new_profile_is_seen(store):
    with pytest.raises(ampere.UnknownError):
        ampere.estimate("cnn5", store=store, batch=20)
    ampere.profile("cnn5", rig=RIG, store=store, batch=20, timings=60, networks=8)
    assert ampere.estimate("cnn5", store=store, batch=20).batch == 20


def test_threads_do_not_mix_up_answers(store):
    answers = {}

    def ask(width):
        answers[width] = ampere.estimate(f"cnn5:{width},16,32,64", store=store)

    threads = [threading.Thread(target=ask, args=(width,)) for width in range(4, 12)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert all(answer.model == f"cnn5:{width},16,32,64" for width, answer in answers.items()) and len(answers) == 8


@pytest.mark.parametrize("body, text", [
    ("sys.stdin.readline(); print('hello')", "not JSON"),
    ("sys.stdin.readline(); print('[1]')", "not an object"),
    ("sys.stdin.readline(); print('{\"model\": \"x\"}')", "cannot be read"),
    ("sys.exit(0)", "ended without an answer"),
    ("os.kill(os.getpid(), 9)", "signal 9"),
    ("sys.stderr.write('ampere: it broke\\n'); sys.exit(1)", "it broke"),
    ("sys.stderr.write('Segfault somewhere\\n'); sys.exit(99)", "Segfault somewhere")])
def test_program_that_answers_nonsense_or_dies(fake_program, body, text):
    fake_program(body)
    with pytest.raises(ampere.Error, match=text):
        ampere.estimate("cnn5")


def test_much_on_standard_error_does_not_block(fake_program):
    fake_program("""
        sys.stdin.readline()
        sys.stderr.write("noise\\n" * 100000)
        print('{"error": {"code": "unknown", "message": "nothing"}}')
        """)
    with pytest.raises(ampere.UnknownError, match="nothing"):
        ampere.estimate("cnn5")


def test_measuring_first_when_asked(real_program, tmp_path):
    lines = []
    e = ampere.estimate("cnn5", store=f"sqlite:{tmp_path}/new.db", rig=RIG, auto=True, check=True, method="ampere", progress=lines.append)
    assert e.energy_j > 0 and lines
    assert "checked" in e.raw or "check" in e.raw

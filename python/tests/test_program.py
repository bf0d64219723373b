"""The program is found, or the error says what to do."""

import subprocess
import sys
from pathlib import Path

import ampere
import pytest
from ampere import _program


def test_variable_comes_first(fake_program):
    path = fake_program("")
    assert _program.program() == str(path)


def test_variable_that_names_nothing_is_an_error_that_names_it(monkeypatch):
    monkeypatch.setenv("AMPERE_PROGRAM", "/nowhere/ampere")
    with pytest.raises(ampere.ProgramError, match="AMPERE_PROGRAM=/nowhere/ampere") as caught:
        ampere.models()
    assert "unset it" in caught.value.remedy


def test_no_program_anywhere_says_how_to_get_one(monkeypatch, tmp_path):
    monkeypatch.delenv("AMPERE_PROGRAM", raising=False)
    monkeypatch.setattr(_program, "_places", lambda: [])
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(ampere.ProgramError, match="was not found") as caught:
        ampere.models()
    assert "make build" in caught.value.remedy


def test_program_of_the_wheel_comes_before_path(monkeypatch, fake_program, tmp_path):
    path = fake_program("")
    monkeypatch.delenv("AMPERE_PROGRAM")
    monkeypatch.setattr(_program, "_places", lambda: [tmp_path / "missing", path])
    assert _program.program() == str(path)


def test_program_in_path_is_found(monkeypatch, fake_program):
    path = fake_program("")
    monkeypatch.delenv("AMPERE_PROGRAM")
    path.rename(path.parent / "ampere")
    monkeypatch.setattr(_program, "_places", lambda: [])
    monkeypatch.setenv("PATH", str(path.parent))
    assert _program.program() == str(path.parent / "ampere")


def test_another_version_is_refused_with_both_versions(fake_program):
    fake_program("", version="0.0.7")
    with pytest.raises(ampere.ProgramError, match=f"is ampere 0.0.7, but this package is for ampere {ampere.__version__}"):
        ampere.models()


def test_another_program_is_refused(monkeypatch):
    monkeypatch.setenv("AMPERE_PROGRAM", "/bin/ls")
    with pytest.raises(ampere.ProgramError, match="is not the ampere program"):
        ampere.models()


def test_program_trains_with_this_interpreter_and_this_package(monkeypatch):
    monkeypatch.setenv("AMPERE_PROGRAM", "/bin/ls")
    monkeypatch.setenv("PYTHONPATH", "/others")
    monkeypatch.delenv("AMPERE_PYTHON", raising=False)
    variables = _program.environment()
    assert variables["AMPERE_PYTHON"] == sys.executable and "AMPERE_PROGRAM" not in variables
    assert variables["PYTHONPATH"] == f"{Path(ampere.__file__).resolve().parents[1]}:/others"
    monkeypatch.setenv("AMPERE_PYTHON", "/opt/python")
    assert _program.environment()["AMPERE_PYTHON"] == "/opt/python"


def test_version_is_that_of_the_project():
    project = Path(__file__).resolve().parents[2] / "CMakeLists.txt"
    assert f"project(ampere VERSION {ampere.__version__} " in project.read_text()


def test_import_brings_only_the_standard_library():
    code = "import sys, ampere; print(sorted({'torch', 'numpy', 'onnx', 'transformers', 'lightning'} & set(sys.modules)))"
    package = Path(ampere.__file__).resolve().parents[1]
    answer = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, cwd=package, check=True)
    assert answer.stdout.strip() == "[]"


def test_keeps_the_url_of_a_server_off_the_command_line() -> None:
    from ampere._call import _in_environment

    url = "postgresql://ana:secret@host/db"
    words, variables = _in_environment(["profiles", "--json", f"--store={url}"])
    assert words == ["profiles", "--json"]
    assert variables["AMPERE_STORE"] == url
    words, variables = _in_environment(["profiles", "--store=sqlite:a.db"])
    assert words == ["profiles", "--store=sqlite:a.db"]

"""pip installs the package offline, with the program where there is one."""

import importlib.util
import os
import shutil
import subprocess
import sys
import zipfile
from pathlib import Path

import ampere
import pytest

SOURCE = Path(__file__).resolve().parents[1]


@pytest.fixture(scope="module", autouse=True)
def tools():
    for module in ("pip", "setuptools", "wheel"):
        if importlib.util.find_spec(module) is None:
            pytest.skip(f"skipped: no {module}")


@pytest.fixture
def source(tmp_path):
    """A copy, so that building leaves nothing in the tree."""
    copy = tmp_path / "python"
    shutil.copytree(SOURCE, copy, ignore=shutil.ignore_patterns("tests", "build", "__pycache__", "*.egg-info", ".*"))
    return copy


def pip(*words, program):
    environment = dict(os.environ, AMPERE_PROGRAM=program, PIP_DISABLE_PIP_VERSION_CHECK="1")
    done = subprocess.run([sys.executable, "-m", "pip", *words, "--no-build-isolation", "--no-index", "--no-deps", "-q"],
                          env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr


def small_program(tmp_path):
    """Small, so that packing takes no time."""
    path = tmp_path / "program"
    path.write_text(f"#!/bin/sh\necho ampere {ampere.__version__}\n")
    path.chmod(0o755)
    return path


def test_wheel_with_a_program_is_for_one_platform(source, tmp_path):
    pip("wheel", str(source), "-w", str(tmp_path / "out"), program=str(small_program(tmp_path)))
    (wheel,) = (tmp_path / "out").iterdir()
    assert wheel.name.startswith(f"ampere-{ampere.__version__}-py3-none-") and not wheel.name.endswith("-any.whl")
    with zipfile.ZipFile(wheel) as archive:
        names = archive.namelist()
        assert archive.getinfo("ampere/bin/ampere").external_attr >> 16 & 0o111
    assert {"ampere/py.typed", "ampere/job.py", "ampere/worker/__main__.py"} <= set(names)
    assert not any(name.startswith("tests") for name in names)


def test_wheel_without_a_program_is_for_all(source, tmp_path):
    (source / "build" / "lib" / "ampere" / "bin").mkdir(parents=True)  # left behind by an earlier build
    (source / "build" / "lib" / "ampere" / "bin" / "ampere").write_text("old")
    pip("wheel", str(source), "-w", str(tmp_path / "out"), program="")
    (wheel,) = (tmp_path / "out").iterdir()
    assert wheel.name == f"ampere-{ampere.__version__}-py3-none-any.whl"
    assert not any("/bin/" in name for name in zipfile.ZipFile(wheel).namelist())


def test_program_that_is_not_there_ends_the_build(source, tmp_path):
    with pytest.raises(AssertionError, match="there is no such file"):
        pip("wheel", str(source), "-w", str(tmp_path / "out"), program="/no/such/ampere")


def test_installed_package_works_with_the_program_inside(source, tmp_path, real_program):
    target = tmp_path / "site"
    pip("install", str(source), "--target", str(target), program=real_program)
    code = "import ampere; print(ampere._program.program()); print(len(ampere.models()))"
    environment = {"PYTHONPATH": str(target), "PATH": "/nowhere", "HOME": str(tmp_path)}
    done = subprocess.run([sys.executable, "-c", code], env=environment, cwd=tmp_path, capture_output=True, text=True,
                          check=False)
    assert done.returncode == 0, done.stderr
    program, models = done.stdout.split()
    assert program == str(target / "ampere" / "bin" / "ampere") and int(models) > 10

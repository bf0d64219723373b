"""Every test gets an ampere program and a store of its own; nothing touches the user's files."""

import shutil
import sys
import textwrap
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

import ampere  # noqa: E402
from ampere._program import program  # noqa: E402
from ampere._stream import forget_streams  # noqa: E402

RIG = "sim:xavier"


@pytest.fixture(scope="session")
def real_program():
    try:
        return program()
    except ampere.Error as error:
        pytest.skip(f"skipped: {error}")


@pytest.fixture(scope="session")
def profiled(tmp_path_factory, real_program):
    """A store with a profile of cnn5 on a simulated device."""
    path = tmp_path_factory.mktemp("store") / "store.db"
    ampere.profile("cnn5", rig=RIG, store=f"sqlite:{path}", timings=200, networks=16)
    return path


@pytest.fixture(autouse=True)
def own_home(tmp_path, monkeypatch):
    """No settings and no store of the user."""
    for name in ("XDG_CONFIG_HOME", "XDG_DATA_HOME", "HOME"):
        monkeypatch.setenv(name, str(tmp_path / "home"))
    for name in ("AMPERE_STORE", "AMPERE_RIG", "AMPERE_METER", "AMPERE_BATCH"):
        monkeypatch.delenv(name, raising=False)
    yield
    forget_streams()


@pytest.fixture
def store(profiled, tmp_path):
    """The URL of a copy of the profiled store."""
    path = tmp_path / "copy.db"
    shutil.copy(profiled, path)
    return f"sqlite:{path}"


@pytest.fixture
def fake_program(tmp_path, monkeypatch):
    """Makes a Python script the ampere program: fake_program('print(...)') answers --version by itself."""

    def make(body, version=ampere.__version__):
        path = tmp_path / "fake-ampere"
        path.write_text(f"#!{sys.executable} -S\nimport os, sys, time\n"
                        f"if sys.argv[1:] == ['--version']:\n    print('ampere {version}')\n    sys.exit(0)\n"
                        + textwrap.dedent(body))
        path.chmod(0o755)
        monkeypatch.setenv("AMPERE_PROGRAM", str(path))
        return path

    return make

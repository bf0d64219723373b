"""Puts the ampere program into the wheel, if there is one. Everything else is in pyproject.toml.

The program is that of AMPERE_PROGRAM, or of ../build/bin; ``AMPERE_PROGRAM=`` leaves it out. A wheel with
a program is for one platform, one without is for all.
"""

import os
import shutil
from pathlib import Path

from setuptools import Distribution, setup
from setuptools.command.build_py import build_py
from wheel.bdist_wheel import bdist_wheel

PROGRAMS = ("ampere", "ampere-runner")


def program():
    here = Path(__file__).resolve().parent
    given = os.environ.get("AMPERE_PROGRAM")
    if given is None:
        built = here.parent / "build" / "bin" / "ampere"
        return built if built.is_file() else None
    if given == "":
        return None
    if not Path(given).is_file():
        raise SystemExit(f"AMPERE_PROGRAM={given}: there is no such file")
    return Path(given).resolve()


class BuildWithProgram(build_py):
    """Copies the program, and the runner and the library beside it, to ampere/bin."""

    def run(self):
        super().run()
        folder = Path(self.build_lib) / "ampere" / "bin"
        shutil.rmtree(folder, ignore_errors=True)  # of an earlier build
        found = program()
        if found is None or getattr(self, "editable_mode", False):
            return
        folder.mkdir(parents=True)
        for name in PROGRAMS:
            source = found if name == "ampere" else found.parent / name
            if source.is_file():
                shutil.copy2(source, folder / name)
                (folder / name).chmod(0o755)
        for library in found.parent.glob("ampere-*-*.so"):  # loaded when they are needed
            shutil.copy2(library, folder / library.name)


class PlatformDistribution(Distribution):
    """With a program, the files belong to one platform."""

    def has_ext_modules(self):
        return program() is not None


class PlatformWheel(bdist_wheel):
    """py3-none-linux_x86_64 with a program, py3-none-any without: the Python code is for every Python 3."""

    def get_tag(self):
        return ("py3", "none", super().get_tag()[2])


setup(distclass=PlatformDistribution, cmdclass={"build_py": BuildWithProgram, "bdist_wheel": PlatformWheel})

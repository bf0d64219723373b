"""Today's program reads what earlier versions wrote, and answers as they did: compatibility.py PROGRAM FOLDER

FOLDER has one folder per version, as its README.md describes. Numbers may differ by the tolerance, which leaves room for
another compiler and no more. Estimates may become better with a new version; then the change is listed in CHANGED below,
with the version that changed it, and it is still tested that the file is read.
"""

import gzip
import json
import math
import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

TOLERANCE = 1e-9
# (folder, arguments): the version since which the answer is another one, and why.
CHANGED: dict = {}
FORMATS = {"store", "exported", "model", "program", "general", "recording"}


def numbers(value, path=""):
    """All numbers of a JSON value, by their place. Times of day and the like are texts and not among them."""
    if isinstance(value, bool):
        return {}
    if isinstance(value, (int, float)):
        return {path: float(value)}
    children = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    # The version of a format is that of the program that prints it.
    children = [(key, child) for key, child in children if key != "version"]
    return {place: number for key, child in children for place, number in numbers(child, f"{path}/{key}").items()}


class Version:
    """The files of one version, in a folder where today's program may change them."""

    def __init__(self, program, files):
        self.program, self.files = program, files
        self.folder = Path(tempfile.mkdtemp())
        for file in files.iterdir():
            if file.name.endswith(".gz") and not file.name.startswith("recording"):
                (self.folder / file.stem).write_bytes(gzip.decompress(file.read_bytes()))
            else:
                shutil.copy(file, self.folder)

    def ask(self, *arguments):
        environment = {"HOME": str(self.folder), "PATH": os.environ["PATH"]}
        ran = subprocess.run(
            [self.program, *arguments], cwd=self.folder, env=environment, capture_output=True, text=True, check=False
        )
        if ran.returncode != 0:
            raise AssertionError(f"{self.files.name}: ampere {' '.join(arguments)}: status {ran.returncode}: {ran.stderr}")
        return ran.stdout

    def questions(self):
        for line in (self.files / "answers.tsv").read_text().splitlines():
            name, arguments, answer = line.split("\t", 2)
            yield name, arguments, json.loads(answer)

    def check(self):
        """The formats that were seen, and the number of numbers that were compared."""
        self.ask("profiles", "add", "general.json", "--store", "sqlite:general.db")
        self.ask("profiles", "import", "profile.json", "--store", "sqlite:imported.db")
        seen, compared = set(), 0
        for name, arguments, expected in self.questions():
            asked = [(name, arguments)]
            if name == "store":  # what was exported answers as the store does that it came from
                asked.append(("exported", arguments.replace("sqlite:store.db", "sqlite:imported.db")))
            for kind, words in asked:
                answer = json.loads(self.ask(*words.split(), "--json"))
                seen.add(kind)
                if (self.files.name, words) not in CHANGED:
                    compared += self.compare(words, answer, expected)
        return seen, compared

    def compare(self, arguments, answer, expected):
        """Every number of then is there today and is the same; today's answer may have more."""
        today, then = numbers(answer), numbers(expected)
        for place, number in then.items():
            found = today.get(place)
            if found is None or not math.isclose(found, number, rel_tol=TOLERANCE, abs_tol=1e-15):
                raise AssertionError(f"{self.files.name}: ampere {arguments}: {place} is {found}, was {number}")
        if not then:
            raise AssertionError(f"{self.files.name}: ampere {arguments}: nothing to compare")
        return len(then)


def main():
    program, folder = str(Path(sys.argv[1]).resolve()), Path(sys.argv[2])
    versions = sorted(path for path in folder.iterdir() if path.is_dir())
    if not versions:
        sys.exit(f"{folder}: there are no files of earlier versions")
    for files in versions:
        version = Version(program, files)
        try:
            seen, compared = version.check()
        except AssertionError as failure:
            sys.exit(str(failure))
        finally:
            shutil.rmtree(version.folder)
        if seen != FORMATS:
            sys.exit(f"{files.name}: no question about {', '.join(sorted(FORMATS - seen))}")
        print(f"{files.name}: {', '.join(sorted(seen))}: {compared} numbers are as they were")


main()

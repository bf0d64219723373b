"""Python code of pages and notebooks, for the tests that run it."""

import contextlib
import io
import json
import re
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]


def code_blocks(page, language):
    """(line, code) of the blocks of a Markdown page in this language."""
    text = page.read_text(encoding="utf-8")
    for found in re.finditer(rf"^```{language}\n(.*?)^```$", text, re.DOTALL | re.MULTILINE):
        yield text.count("\n", 0, found.start()) + 2, found.group(1)


def notebook_cells(path):
    """(number, code) of the code cells of a notebook."""
    for number, cell in enumerate(json.loads(path.read_text(encoding="utf-8"))["cells"], 1):
        if cell["cell_type"] == "code":
            yield number, "".join(cell["source"])


def run_code(code, name, namespace):
    """Runs a block and returns what it printed. Line numbers in tracebacks are those of the block."""
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed):
        exec(compile(code, name, "exec"), namespace)
    return printed.getvalue()

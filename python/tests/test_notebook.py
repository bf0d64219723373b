"""The notebook runs from start to end on a simulated device, and shows what it was written with."""

import ast
import json

import pytest
from pages import ROOT, notebook_cells, run_code

NOTEBOOK = ROOT / "examples" / "notebook" / "estimate.ipynb"


def last_value(code, namespace):
    """What a notebook would show below the cell: the value of its last expression."""
    tree = ast.parse(code)
    if not tree.body or not isinstance(tree.body[-1], ast.Expr):
        return None, code
    return ast.unparse(tree.body[-1]), "\n".join(code.splitlines()[:tree.body[-1].lineno - 1])


def test_notebook_runs_from_start_to_end(real_program, monkeypatch, tmp_path):
    pytest.importorskip("torch", reason="skipped: no torch")
    monkeypatch.chdir(tmp_path)
    namespace = {"__name__": "__main__"}
    shown = []
    for number, code in notebook_cells(NOTEBOOK):
        expression, rest = last_value(code, namespace)
        run_code(rest, f"cell {number}", namespace)
        if expression is not None:
            value = eval(expression, namespace)
            shown.append(value._repr_html_() if hasattr(value, "_repr_html_") else str(value))
    assert any("<svg" in text for text in shown)
    assert not list(tmp_path.glob("*.onnx"))


def test_notebook_is_valid_and_has_outputs():
    notebook = json.loads(NOTEBOOK.read_text(encoding="utf-8"))
    assert notebook["nbformat"] == 4
    outputs = [output for cell in notebook["cells"] if cell["cell_type"] == "code" for output in cell["outputs"]]
    assert any("text/html" in output.get("data", {}) for output in outputs)
    assert not any(output["output_type"] == "error" for output in outputs)

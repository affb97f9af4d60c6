"""Runs the notebooks in examples/notebooks/ and stores in them what their cells give (`make notebooks`).

No kernel is needed: the code cells of a notebook are run from top to bottom in one namespace, in an empty directory.
What a cell prints, its last value, and the figures that it drew are its outputs, as Jupyter has them.
"""

from __future__ import annotations

import ast
import base64
import contextlib
import io
import json
import os
import tempfile
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
NOTEBOOKS = sorted((ROOT / "examples" / "notebooks").glob("*.ipynb"))

_SHOWN_AS = {"text/html": "_repr_html_", "image/svg+xml": "_repr_svg_"}


def executed(notebook: dict[str, Any]) -> dict[str, Any]:
    """The notebook with the outputs that running it gives."""
    namespace: dict[str, Any] = {"__name__": "__main__"}
    cells = []
    count = 0
    with tempfile.TemporaryDirectory() as folder, contextlib.chdir(folder):
        for cell in notebook["cells"]:
            if cell["cell_type"] == "code":
                count += 1
                outputs = _run("".join(cell["source"]), count, namespace)
                cell = {**cell, "execution_count": count, "outputs": outputs}
            cells.append(cell)
    return {**notebook, "cells": cells}


def _run(source: str, count: int, namespace: dict[str, Any]) -> list[dict[str, Any]]:
    """The outputs of one cell."""
    tree = ast.parse(source)
    last = tree.body.pop() if tree.body and isinstance(tree.body[-1], ast.Expr) else None
    name = f"<cell {count}>"
    value = None
    with contextlib.redirect_stdout(io.StringIO()) as printed:
        exec(compile(tree, name, "exec"), namespace)
        if isinstance(last, ast.Expr):
            value = eval(compile(ast.Expression(last.value), name, "eval"), namespace)
    outputs: list[dict[str, Any]] = []
    if printed.getvalue():
        outputs.append({"output_type": "stream", "name": "stdout", "text": _lines(printed.getvalue())})
    if value is not None and not source.rstrip().endswith(";"):
        outputs.append(_output("execute_result", _shown(value), execution_count=count))
    return outputs + [_output("display_data", data) for data in _figures()]


def _output(kind: str, data: dict[str, Any], **more: Any) -> dict[str, Any]:
    return {"output_type": kind, "metadata": {}, "data": data, **more}


def _shown(value: object) -> dict[str, Any]:
    """A value in all ways in which a notebook can show it."""
    ways = {kind: getattr(value, method)() for kind, method in _SHOWN_AS.items() if hasattr(value, method)}
    return {"text/plain": _lines(repr(value)), **{kind: _lines(text) for kind, text in ways.items() if text}}


def _figures() -> list[dict[str, Any]]:
    """The figures that were drawn since this was asked last."""
    from matplotlib import pyplot

    drawn = []
    for number in pyplot.get_fignums():
        figure = pyplot.figure(number)
        file = io.BytesIO()
        figure.savefig(file, format="png", dpi=100, bbox_inches="tight", metadata={"Software": None})
        drawn.append({"text/plain": [repr(figure)], "image/png": base64.b64encode(file.getvalue()).decode() + "\n"})
    pyplot.close("all")
    return drawn


def _lines(text: str) -> list[str]:
    return text.splitlines(keepends=True)


def text_of(notebook: dict[str, Any]) -> str:
    """The notebook as its file has it, as Jupyter writes it."""
    return json.dumps(notebook, indent=1, ensure_ascii=False, sort_keys=True) + "\n"


if __name__ == "__main__":
    os.environ["MPLBACKEND"] = "agg"
    for path in NOTEBOOKS:
        path.write_text(text_of(executed(json.loads(path.read_text(encoding="utf-8")))), encoding="utf-8")
        print(path.relative_to(ROOT))

"""The notebooks run, and what is stored in them is what running them gives, apart from times and pixels."""

from __future__ import annotations

import json
import re
import runpy
from pathlib import Path
from typing import Any

import pytest

from building.pages import without_times
from tests.paths import ROOT
from tests.test_docs import anchors

RUNNER: dict[str, Any] = runpy.run_path(str(ROOT / "docs" / "run_notebooks.py"))
NOTEBOOKS: list[Path] = RUNNER["NOTEBOOKS"]


@pytest.fixture(autouse=True)
def _no_window(monkeypatch: pytest.MonkeyPatch) -> None:
    import matplotlib

    monkeypatch.setenv("MPLBACKEND", "agg")
    matplotlib.use("agg")


def compared(notebook: dict[str, Any]) -> list[list[dict[str, str]]]:
    """The outputs of the code cells as text, without times; of figures only that there is one."""
    return [
        [
            {kind: without_times("".join(text)) for kind, text in texts(output).items() if kind != "image/png"}
            for output in cell["outputs"]
        ]
        for cell in notebook["cells"]
        if cell["cell_type"] == "code"
    ]


def texts(output: dict[str, Any]) -> dict[str, Any]:
    return {"stdout": output["text"]} if output["output_type"] == "stream" else output["data"]


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_what_is_stored_is_what_running_gives(path: Path) -> None:
    stored = json.loads(path.read_text(encoding="utf-8"))
    assert compared(stored) == compared(RUNNER["executed"](stored)), "run 'make notebooks'"


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_notebooks_have_pictures_and_are_written_as_jupyter_writes_them(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    notebook = json.loads(text)
    assert text == RUNNER["text_of"](notebook)
    assert (notebook["nbformat"], notebook["nbformat_minor"]) == (4, 5)
    identities = [cell["id"] for cell in notebook["cells"]]
    assert len(set(identities)) == len(identities)
    outputs = [texts(output) for cell in notebook["cells"] for output in cell.get("outputs", ())]
    assert any("image/png" in each for each in outputs)
    assert not any("<iframe" in "".join(each.get("text/html", ())) for each in outputs), "hosts leave frames out"


def test_there_are_two_of_them() -> None:
    assert [path.stem for path in NOTEBOOKS] == ["from-a-domain-to-a-policy", "learn-small-solve-large"]


def test_a_changed_output_is_noticed() -> None:
    """The first test can fail."""
    cell = {"cell_type": "code", "source": ["print(1 + 1)\n", "3"], "outputs": []}
    notebook = {"cells": [cell]}
    done = RUNNER["executed"](notebook)
    assert compared(done) == [[{"stdout": "2"}, {"text/plain": "3"}]]
    assert compared(done) != compared(notebook)


def test_figures_and_pictures_are_outputs() -> None:
    source = "from matplotlib import pyplot\npyplot.plot([1, 2]);"
    svg = "from gpaplan.display import SvgText\nSvgText('<svg/>')"
    cells = [{"cell_type": "code", "source": [text], "outputs": []} for text in (source, svg)]
    (drawn,), (shown,) = (cell["outputs"] for cell in RUNNER["executed"]({"cells": cells})["cells"])
    assert drawn["output_type"] == "display_data"
    assert drawn["data"]["image/png"].startswith("iVBOR")
    assert shown["data"]["image/svg+xml"] == ["<svg/>"]


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_links_lead_somewhere(path: Path) -> None:
    cells = json.loads(path.read_text(encoding="utf-8"))["cells"]
    text = "\n".join("".join(cell["source"]) for cell in cells if cell["cell_type"] == "markdown")
    targets = re.findall(r"\]\(([^)\s]+)\)", text)
    assert targets
    for target in targets:
        file, _, anchor = target.partition("#")
        assert (path.parent / file).exists(), target
        assert not anchor or anchor in anchors(path.parent / file), target

"""The pages of docs/results that are written from records say what the records say."""

from __future__ import annotations

import importlib.util
from pathlib import Path
from types import ModuleType

import pytest

from gpaplan.experiments.record import read_records
from tests.paths import ROOT


def load(name: str) -> ModuleType:
    spec = importlib.util.spec_from_file_location(name, ROOT / "bench" / f"{name}.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


SCRIPT = load("write_results")


@pytest.mark.parametrize("name", SCRIPT.TITLES)
def test_the_pages_are_the_report_of_their_records(name: str, tmp_path: Path) -> None:
    pytest.importorskip("matplotlib")
    pages = SCRIPT.pages(name, tmp_path)
    assert len(pages) > 1
    assert sorted(pages) == sorted(path.name for path in SCRIPT.RESULTS.glob(f"{name}*.md"))
    for page, text in pages.items():
        assert (SCRIPT.RESULTS / page).read_text(encoding="utf-8") == text, page


def test_the_speed_ups_are_those_of_the_records() -> None:
    script = load("speed_ups")
    assert script.PAGE.read_text(encoding="utf-8") == script.written()


def test_the_page_of_what_is_proven_optimal_is_that_of_its_records(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(ROOT / "bench")
    script = load("optimal_page")
    assert script.PAGE.read_text(encoding="utf-8") == script.written()


@pytest.mark.parametrize("name", SCRIPT.TITLES)
def test_every_solved_run_of_an_exact_solver_is_at_the_closed_form(name: str) -> None:
    records = read_records(SCRIPT.records_of(name))
    solved = [record for record in records if record.solver == "vi" and record.status == "solved"]
    assert len(solved) > 100
    for record in solved:
        assert record.value is not None
        assert record.optimal is not None
        if not record.gpa or record.fallback:
            assert record.value == pytest.approx(record.optimal, abs=1e-3)

"""The pages of docs/results that are written from records say what the records say."""

from __future__ import annotations

import importlib.util
from pathlib import Path
from types import ModuleType

import pytest

from gpaplan.experiments.record import read_records
from tests.paths import ROOT

SCRIPT = ROOT / "bench" / "write_results.py"


@pytest.fixture(scope="module")
def script() -> ModuleType:
    spec = importlib.util.spec_from_file_location("write_results", SCRIPT)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_the_pages_are_the_report_of_their_records(script: ModuleType, tmp_path: Path) -> None:
    pytest.importorskip("matplotlib")
    pages = script.pages(script.RECORDS, tmp_path)
    assert len(pages) == 6
    assert sorted(pages) == sorted(path.name for path in script.RESULTS.glob(f"{script.NAME}*.md"))
    for name, text in pages.items():
        assert (script.RESULTS / name).read_text(encoding="utf-8") == text, name


def test_every_solved_run_of_an_exact_solver_is_at_the_closed_form(script: ModuleType) -> None:
    records = [record for record in read_records(script.RECORDS) if record.solver == "vi" and record.status == "solved"]
    assert len(records) > 100
    for record in records:
        assert record.value is not None
        assert record.optimal is not None
        if not record.gpa or record.fallback:
            assert record.value == pytest.approx(record.optimal, abs=1e-3)

"""docs/results.md says what its records say."""

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


def test_the_page_is_the_report_of_its_records(script: ModuleType, tmp_path: Path) -> None:
    pytest.importorskip("matplotlib")
    _, inside, _ = script.split_page(script.PAGE.read_text(encoding="utf-8"))
    assert inside == script.written_report(script.RECORDS, tmp_path)


def test_every_solved_run_of_an_exact_solver_is_at_the_closed_form(script: ModuleType) -> None:
    records = [record for record in read_records(script.RECORDS) if record.solver == "vi" and record.status == "solved"]
    assert len(records) > 100
    for record in records:
        assert record.value is not None
        assert record.optimal is not None
        if not record.gpa or record.fallback:
            assert record.value == pytest.approx(record.optimal, abs=1e-3)

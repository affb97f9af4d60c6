"""The example for lab writes the table that docs/coming-from/fast-downward.md shows."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from tests.paths import ROOT

pytest.importorskip("lab", reason="lab is not installed (make test-elsewhere)")


def test_lab_runs_gpaplan(tmp_path: Path) -> None:
    script = ROOT / "examples" / "lab_experiment.py"
    subprocess.run([sys.executable, script, tmp_path, "--all"], check=True, capture_output=True, timeout=300)
    properties = json.loads((tmp_path / "runs-eval" / "properties").read_text())
    assert {name: run["cost"] for name, run in properties.items()} == {
        "gripper-2-hmax": 5.5,
        "gripper-2-lmcut": 5.5,
        "gripper-3-hmax": 9.75,
        "gripper-3-lmcut": 9.75,
    }
    page = (ROOT / "docs" / "coming-from" / "fast-downward.md").read_text(encoding="utf-8")
    report = (tmp_path / "runs-eval" / "report.txt").read_text()
    rows = [line for line in report.splitlines() if "- Sum''" in line]
    assert len(rows) == 3
    assert all(row in page for row in rows)

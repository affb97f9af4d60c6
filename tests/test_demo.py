"""The demo, as it is: what it shows, and that the README says so."""

from __future__ import annotations

from pathlib import Path

import pytest

from building.pages import claims
from gpaplan import demo
from tests.paths import ROOT


def test_what_the_demo_shows(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    demo.main()
    shown = capsys.readouterr().out
    titles = [line for line in shown.splitlines() if line.startswith("──")]
    order = ["One command", "Learned from toys", "The speed-up", "objects", "rules learned", "Acting", "The page"]
    assert len(titles) == len(order)
    for title, words in zip(titles, order, strict=True):
        assert words in title
    assert "guarantee         optimal  (gap 0)" in shown
    assert "move, if ?to is nearer than ?from by road" in shown
    assert "goal rate           100.0 %" in shown
    assert "error" not in shown
    assert "docs/" not in shown  # which those who installed a wheel do not have
    assert "<html" in (tmp_path / "demo" / "router.html").read_text(encoding="utf-8")
    words = " ".join(shown.split())
    for figure in claims((ROOT / "README.md").read_text(encoding="utf-8")):
        assert figure in words

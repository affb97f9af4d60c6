"""The demo, on sizes that take a second or two."""

from __future__ import annotations

from pathlib import Path

import pytest

from gpaplan import demo


def test_what_the_demo_shows(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(demo, "_TEST", (6,))
    monkeypatch.setattr(demo, "_BALLS", 60)
    monkeypatch.setattr(demo, "_TOWN", (4, 12, 3, 0, 7))
    demo.main()
    shown = capsys.readouterr().out
    titles = [line for line in shown.splitlines() if line.startswith("──")]
    order = ["Learned from toys", "The speed-up", "objects", "rules learned", "Acting", "The page"]
    assert len(titles) == len(order)
    for title, words in zip(titles, order, strict=True):
        assert words in title
    assert "21,654       773" in shown
    assert "guarantee         optimal  (gap 0)" in shown
    assert "move, if ?to is nearer than ?from by road" in shown
    assert "goal rate           100.0 %" in shown
    assert "error" not in shown
    assert "docs/" not in shown  # which those who installed a wheel do not have
    assert "<html" in (tmp_path / "demo" / "router.html").read_text(encoding="utf-8")

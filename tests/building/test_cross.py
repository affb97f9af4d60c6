"""``make cross``: which files are compiled, and what is shown of that. Zig itself is not asked."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from building import cross
from tests.paths import ROOT

COMPILER = """
import sys
words = sys.argv[1:]
file, output = words[words.index("-c") + 1], words[words.index("-o") + 1]
if "lexicon" in file:
    print("lexicon.cpp:1:1: error: no such header", file=sys.stderr)
    sys.exit(1)
print("" if "windows" in words[words.index("-target") + 1] else "a.cpp:1:1: warning: unused", file=sys.stderr)
open(output, "w").close()
"""


def test_all_files_but_the_bindings_are_compiled() -> None:
    found = cross.sources(ROOT)
    assert "src/core/base/resident_memory.cpp" in found
    assert len(found) == len(list((ROOT / "src" / "core").rglob("*.cpp"))) - len(
        list((ROOT / "src" / "core" / "bindings").rglob("*.cpp"))
    )


@pytest.mark.parametrize(("extra", "code"), [([], 0), (["src/core/lexicon.cpp"], 1)])
def test_warnings_and_errors_are_shown_and_counted(
    extra: list[str], code: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    compiler = tmp_path / "compiler.py"
    compiler.write_text(COMPILER)
    files = ["src/core/a.cpp", "src/core/b.cpp", *extra]
    monkeypatch.setattr(cross, "sources", lambda _root: files)
    targets = ["--target", "x86_64-windows-gnu", "--target", "aarch64-macos"]
    assert cross.main([*targets, "--compiler", sys.executable, str(compiler)]) == code
    shown = capsys.readouterr().out
    assert f"x86_64-windows-gnu: 2 of {len(files)} files compiled, 0 warnings" in shown
    assert f"aarch64-macos: 2 of {len(files)} files compiled, 2 warnings" in shown
    assert ("error: no such header" in shown) == bool(extra)

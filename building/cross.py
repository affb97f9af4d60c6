"""``make cross``: compile the core for systems that are not at hand.

Zig has Clang, and the headers of Windows, macOS and Linux on arm64. With them every file of src/core outside bindings/
is compiled, and not linked: that finds what is written for one system only, in the code and in its use of headers. What
needs Python's headers, a linker or Visual Studio's compiler is not tried.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).parent.parent
TARGETS = ("x86_64-windows-gnu", "aarch64-macos", "x86_64-macos", "aarch64-linux-gnu")
FLAGS = ("-std=c++20", "-O0", "-Wall", "-Wextra", "-Isrc/core")

__all__ = ["TARGETS", "main", "sources"]


class _Compiled(NamedTuple):
    file: str
    passed: bool
    said: str


def main(arguments: list[str] | None = None) -> int:
    """Compile for each target; show warnings and errors, and count."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--compiler", nargs="+", default=[sys.executable, "-m", "ziglang", "c++"])
    parser.add_argument("--target", action="append", default=[], help="instead of all; may be repeated")
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1)
    options = parser.parse_args(arguments)
    files = sources(ROOT)
    failed = 0
    for target in options.target or TARGETS:
        found = _compile_all([*options.compiler, "-target", target], files, target, options.jobs)
        bad = sum(not each.passed for each in found)
        warnings = sum(each.said.count(" warning: ") for each in found)
        print(f"{target}: {len(found) - bad} of {len(found)} files compiled, {warnings} warnings", flush=True)
        failed += bad
    return 1 if failed else 0


def sources(root: Path) -> list[str]:
    """The files of the core that need nothing of Python."""
    found = (path.relative_to(root) for path in (root / "src" / "core").rglob("*.cpp"))
    return sorted(path.as_posix() for path in found if "bindings" not in path.parts)


def _compile_all(compiler: Sequence[str], files: Sequence[str], target: str, jobs: int) -> list[_Compiled]:
    """Compile the files, a few at a time, and show how far it is and what is said."""
    terminal = sys.stdout.isatty()
    quarters = {len(files) * part // 4 for part in (1, 2, 3)}
    found: list[_Compiled] = []
    with tempfile.TemporaryDirectory() as folder, ThreadPoolExecutor(jobs) as pool:
        for each in pool.map(lambda file: _compile(compiler, file, Path(folder)), files):
            found.append(each)
            if terminal:
                print(f"\r{target}: {len(found)} of {len(files)}", end="\r", flush=True)
            elif len(found) in quarters:
                print(f"{target}: {len(found)} of {len(files)}", flush=True)
            if each.said:
                print(f"{target}: {each.file}\n{each.said}", flush=True)
    return found


def _compile(compiler: Sequence[str], file: str, folder: Path) -> _Compiled:
    output = folder / (file.replace("/", "-") + ".o")
    done = subprocess.run(
        [*compiler, *FLAGS, "-c", file, "-o", str(output)], cwd=ROOT, capture_output=True, text=True, errors="replace"
    )
    return _Compiled(file, done.returncode == 0 and output.exists(), (done.stdout + done.stderr).strip())


if __name__ == "__main__":
    sys.exit(main())

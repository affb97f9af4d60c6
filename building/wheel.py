"""``make wheel``: build the source distribution, from that the wheel, and try both.

The wheel is built from the unpacked source distribution, so that what is missing there shows. It is then installed
into an empty environment that has no compiler, and solves problems and runs the demo in an empty folder. At the end
stands how long a user waits from ``pip install`` to the first solved problem.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
import time
import venv
from pathlib import Path

ROOT = Path(__file__).parent.parent
DIST = ROOT / "dist"

__all__ = ["build", "main", "repair", "try_out"]


def main() -> None:
    """Build, repair, try out."""
    with tempfile.TemporaryDirectory() as folder:
        wheel = repair(build(Path(folder)), Path(folder))
        shutil.copy2(wheel, DIST)
        print(f"dist/{wheel.name}: {wheel.stat().st_size / 1e6:.1f} MB", flush=True)
        seconds = try_out(DIST / wheel.name, Path(folder))
    print(f"from pip install to the first solved problem: {seconds:.1f} s")


def build(folder: Path) -> Path:
    """The source distribution, in dist/, and a wheel that was built from it, in the folder."""
    shutil.rmtree(DIST, ignore_errors=True)
    progress = [sys.executable, str(ROOT / "building" / "progress.py")]
    run(sys.executable, "-m", "build", "--no-isolation", "--sdist", "--outdir", str(DIST), str(ROOT), quiet=True)
    (source,) = DIST.glob("*.tar.gz")
    print(f"dist/{source.name}: {source.stat().st_size / 1e6:.1f} MB", flush=True)
    run(
        *progress,
        *(
            sys.executable,
            "-m",
            "pip",
            "wheel",
            "-v",
            "--no-deps",
            "--no-build-isolation",
            "-w",
            str(folder),
            str(source),
        ),
    )
    (wheel,) = folder.glob("*.whl")
    return wheel


def repair(wheel: Path, folder: Path) -> Path:
    """The wheel under the name of the oldest Linux that it runs on; as it is on other systems, which need no repair."""
    if sys.platform != "linux":
        return wheel
    repaired = folder / "repaired"
    run(sys.executable, "-m", "auditwheel", "repair", "--wheel-dir", str(repaired), str(wheel), quiet=True)
    (found,) = repaired.glob("*.whl")
    return found


def try_out(wheel: Path, folder: Path) -> float:
    """Install it where there is no compiler and use it; the seconds until the first problem was solved."""
    place, empty = folder / "environment", folder / "empty"
    empty.mkdir()
    venv.create(place, with_pip=True)
    programs = place / ("Scripts" if os.name == "nt" else "bin")
    python = str(programs / "python")
    # Nothing but the environment's own programs can be found: no compiler, no cmake.
    bare = {key: value for key, value in os.environ.items() if key not in ("CC", "CXX", "PYTHONPATH", "VIRTUAL_ENV")}
    bare["PATH"] = str(programs)
    assert shutil.which("c++", path=bare["PATH"]) is None
    started = time.perf_counter()
    run(python, "-m", "pip", "install", "-qq", "--only-binary", ":all:", str(wheel), env=bare, cwd=empty)
    process = subprocess.Popen(
        [python, str(ROOT / "building" / "smoke.py")], stdout=subprocess.PIPE, text=True, env=bare, cwd=empty
    )
    assert process.stdout is not None
    print(process.stdout.readline(), end="", flush=True)  # the first problem
    seconds = time.perf_counter() - started
    print(process.stdout.read(), end="")
    if process.wait() != 0:
        raise SystemExit("the installed package does not work")
    run(python, "-m", "gpaplan.demo", env=bare, cwd=empty, quiet=True)
    print("the demo runs from an empty folder")
    return seconds


def run(*command: str, quiet: bool = False, env: dict[str, str] | None = None, cwd: Path | None = None) -> None:
    """Run a command, and stop if it fails; what a quiet one said is shown only then."""
    pipe = subprocess.PIPE if quiet else None
    found = subprocess.run(
        command, stdout=pipe, stderr=subprocess.STDOUT if quiet else None, text=True, env=env, cwd=cwd
    )
    if found.returncode != 0:
        raise SystemExit(f"{found.stdout or ''}failed ({found.returncode}): {' '.join(command)}")


if __name__ == "__main__":
    main()

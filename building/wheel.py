"""``make wheel``: build the source distribution, from that the wheel, and try both.

The wheel is built from the unpacked source distribution, so that what is missing there shows. It is then installed
into an empty environment that has no compiler, solves problems, runs the demo, and follows the README and the list of
ten things to try, each in an empty folder. At the end stands how long a user waits from ``pip install`` to the first
solved problem.

With ``--also python3.12 python3.13``, a wheel with the stable interface is built by the first of these, and tried out
with each.
"""

from __future__ import annotations

import argparse
import os
import shutil
import subprocess
import sys
import tempfile
import time
import tomllib
from pathlib import Path

from building.pages import claims, follow

ROOT = Path(__file__).parent.parent
DIST = ROOT / "dist"

__all__ = ["built", "main", "repair", "try_out"]


def main() -> None:
    """Build, repair, try out."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument(
        "--also", nargs="*", default=[], metavar="PYTHON", help="newer Pythons, for the stable interface"
    )
    arguments = parser.parse_args()
    shutil.rmtree(DIST, ignore_errors=True)
    run(sys.executable, "-m", "build", "--no-isolation", "--sdist", "--outdir", str(DIST), str(ROOT), quiet=True)
    (source,) = DIST.glob("*.tar.gz")
    print(f"dist/{source.name}: {source.stat().st_size / 1e6:.1f} MB", flush=True)
    with tempfile.TemporaryDirectory() as folder:
        seconds = try_out(built(source, sys.executable, Path(folder)), sys.executable, Path(folder))
        if arguments.also:
            wheel = built(source, with_tools(arguments.also[0], Path(folder)), Path(folder))
            for python in arguments.also:
                try_out(wheel, python, Path(folder))
    print(f"from pip install to the first solved problem: {seconds:.1f} s")


def with_tools(python: str, folder: Path) -> str:
    """An environment of another Python with what builds the package; its interpreter."""
    place = folder / "tools"
    run(python, "-m", "venv", str(place))
    interpreter = str(programs_of(place) / "python")
    with (ROOT / "pyproject.toml").open("rb") as file:
        required = tomllib.load(file)["build-system"]["requires"]
    run(interpreter, "-m", "pip", "install", "-qq", *required, "cmake", "ninja")
    return interpreter


def built(source: Path, python: str, folder: Path) -> Path:
    """The wheel that a Python builds from the source distribution, in dist/."""
    made = Path(tempfile.mkdtemp(dir=folder))
    progress = [sys.executable, str(ROOT / "building" / "progress.py")]
    pip = [python, "-m", "pip", "wheel", "-v", "--no-deps", "--no-build-isolation"]
    # cmake and ninja are next to the interpreter.
    path = os.pathsep.join((str(Path(python).parent), os.environ["PATH"]))
    run(*progress, *pip, "-w", str(made), str(source), env=os.environ | {"PATH": path})
    (wheel,) = made.glob("*.whl")
    kept = Path(shutil.copy2(repair(wheel, made), DIST))
    print(f"dist/{kept.name}: {kept.stat().st_size / 1e6:.1f} MB", flush=True)
    return kept


def repair(wheel: Path, folder: Path) -> Path:
    """The wheel under the name of the oldest Linux that it runs on; as it is on other systems, which need no repair."""
    if sys.platform != "linux":
        return wheel
    repaired = folder / "repaired"
    run(sys.executable, "-m", "auditwheel", "repair", "--wheel-dir", str(repaired), str(wheel), quiet=True)
    (found,) = repaired.glob("*.whl")
    return found


def try_out(wheel: Path, python: str, folder: Path) -> float:
    """Install it where there is no compiler and use it; the seconds until the first problem was solved."""
    place = Path(tempfile.mkdtemp(dir=folder))
    run(python, "-m", "venv", str(place / "environment"))
    programs = programs_of(place / "environment")
    interpreter = str(programs / "python")
    # Nothing but the environment's own programs can be found: no compiler, no cmake.
    bare = {key: value for key, value in os.environ.items() if key not in ("CC", "CXX", "PYTHONPATH", "VIRTUAL_ENV")}
    bare["PATH"] = str(programs)
    assert shutil.which("c++", path=bare["PATH"]) is None
    started = time.perf_counter()
    run(interpreter, "-m", "pip", "install", "-qq", "--only-binary", ":all:", str(wheel), env=bare, cwd=place)
    process = subprocess.Popen(
        [interpreter, str(ROOT / "building" / "smoke.py")], stdout=subprocess.PIPE, text=True, env=bare, cwd=place
    )
    assert process.stdout is not None
    print(process.stdout.readline(), end="", flush=True)  # the first problem
    seconds = time.perf_counter() - started
    print(process.stdout.read(), end="", flush=True)
    if process.wait() != 0:
        raise SystemExit("the installed package does not work")
    shown = run(interpreter, "-m", "gpaplan.demo", env=bare, cwd=emptied(place / "empty"), quiet=True)
    claimed = claims((ROOT / "README.md").read_text(encoding="utf-8"))
    missing = [figure for figure in claimed if figure not in " ".join(shown.split())]
    if missing:
        raise SystemExit(f"{shown}\nthe README says of the demo what it does not show: {'; '.join(missing)}")
    print(f"the demo runs from an empty folder, and shows {len(claimed)} figures of the README", flush=True)
    for page in ("README.md", "docs/ten-things.md"):
        text = (ROOT / page).read_text(encoding="utf-8")
        count = follow(text, programs, emptied(place / "empty"), bare)
        print(f"{page}: {count} commands and examples do what it says, in an empty folder", flush=True)
    return seconds


def programs_of(environment: Path) -> Path:
    """Where an environment has its programs."""
    return environment / ("Scripts" if os.name == "nt" else "bin")


def emptied(folder: Path) -> Path:
    """The folder, with nothing in it."""
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir()
    return folder


def run(*command: str, quiet: bool = False, env: dict[str, str] | None = None, cwd: Path | None = None) -> str:
    """Run a command, and stop if it fails; what a quiet one said is returned, and shown only then."""
    pipe = subprocess.PIPE if quiet else None
    found = subprocess.run(
        command, stdout=pipe, stderr=subprocess.STDOUT if quiet else None, text=True, env=env, cwd=cwd
    )
    if found.returncode != 0:
        raise SystemExit(f"{found.stdout or ''}failed ({found.returncode}): {' '.join(command)}")
    return found.stdout or ""


if __name__ == "__main__":
    main()

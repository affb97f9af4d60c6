"""Is an installed gpaplan alive? ``python building/smoke.py`` needs gpaplan and nothing else of this repository.

It runs the command as a user would, on a problem whose cost is known in closed form, learns an automaton and solves a
larger problem with it.
"""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

import gpaplan
from gpaplan.benchmarks import DOMAINS


def command(*words: str, folder: str) -> dict[str, Any]:
    """What a command of gpaplan answers."""
    found = subprocess.run(
        [sys.executable, "-P", "-m", "gpaplan", *words, "--json"], cwd=folder, capture_output=True, text=True
    )
    if found.returncode != 0:
        raise SystemExit(f"gpaplan {' '.join(words)} ended with {found.returncode}: {found.stdout}{found.stderr}")
    record: dict[str, Any] = json.loads(found.stdout)
    return record


def main() -> None:
    """Solve, learn, solve with what was learned."""
    with tempfile.TemporaryDirectory() as folder:
        for packets in (2, 3, 4):
            command("generate", "schedule", "1", str(packets), "-o", f"{packets}", folder=folder)
        small, middle, large = ([str(Path(str(n)) / name) for name in names(folder, n)] for n in (2, 3, 4))
        found = command("solve", *small, folder=folder)
        expect("the cost with 2 packets", found["value"], DOMAINS["schedule"].optimal_cost(1, 2))
        print(f"gpaplan {gpaplan.__version__} solves: expected cost {found['value']:.4f}", flush=True)
        command("learn", small[0], small[1], middle[1], "-o", "automaton.json", folder=folder)
        guided = command("solve", *large, "--gpa", "automaton.json", folder=folder)
        expect("the cost with 4 packets", guided["value"], DOMAINS["schedule"].optimal_cost(1, 4))
        print(f"and learns: {guided['expanded']} states expanded with an automaton", flush=True)


def names(folder: str, packets: int) -> list[str]:
    """The domain's file and the problem's."""
    found = sorted(each.name for each in (Path(folder) / str(packets)).iterdir())
    return [name for name in found if "domain" in name] + [name for name in found if "domain" not in name]


def expect(what: str, found: float, known: float | None) -> None:
    """Stop where a value is not the known one."""
    if known is None or abs(found - known) > 1e-3 * known:
        raise SystemExit(f"{what} is {known}, not {found}")


if __name__ == "__main__":
    main()

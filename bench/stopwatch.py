"""How long the commands of docs/first-minutes.md take, by the clock, each in a process of its own in an empty folder.

    python bench/stopwatch.py dist/gpaplan-….whl

An environment is made with only the wheel and what it needs in it. Writes the table of that page.
"""

from __future__ import annotations

import re
import shlex
import subprocess
import sys
import tempfile
import time
from pathlib import Path

sys.path.append(str(Path(__file__).parent.parent))
from building.pages import blocks, commands

PAGE = Path(__file__).parent.parent / "docs" / "first-minutes.md"


def timed(command: list[str], folder: str) -> float:
    started = time.perf_counter()
    subprocess.run(command, cwd=folder, capture_output=True, check=False)
    return time.perf_counter() - started


def measure(wheel: Path, folder: str, environment: str) -> list[tuple[str, float]]:
    """Each command with its seconds; files of the page are written as they come."""
    subprocess.run([sys.executable, "-m", "venv", environment], check=True)
    python = str(Path(environment) / "bin" / "python")
    found = [("pip install gpaplan-….whl", timed([python, "-m", "pip", "install", "-q", str(wheel)], folder))]
    for block in blocks(PAGE.read_text(encoding="utf-8")):
        if name := re.match(r"; file: (\S+)\n", block.text):
            (Path(folder) / name[1]).write_text(block.text, encoding="utf-8")
        for command, _ in commands(block) if block.language == "console" else ():
            found.append((command, timed([python, "-m", *shlex.split(command)], folder)))
    return found


def main() -> None:
    wheel = Path(sys.argv[1]).resolve()
    with tempfile.TemporaryDirectory() as folder, tempfile.TemporaryDirectory() as environment:
        found = measure(wheel, folder, environment)
    rows = [f"| `{command}` | {seconds:.1f} |" for command, seconds in found]
    total = f"| in all | {sum(seconds for _, seconds in found):.1f} |"
    table = "\n".join(["| Command | Seconds |", "|---|---:|", *rows, total])
    text = PAGE.read_text(encoding="utf-8")
    text = re.sub(r"(?<=<!-- stopwatch -->\n).*(?=<!-- end -->)", lambda _: f"\n{table}\n\n", text, flags=re.DOTALL)
    PAGE.write_text(text, encoding="utf-8")
    print(table)


if __name__ == "__main__":
    main()

"""How long the commands of docs/first-minutes.md take, by the clock, each in a process of its own in an empty folder.

    python bench/stopwatch.py

Writes the table of that page.
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


def measure(folder: str) -> list[tuple[str, float]]:
    """Each command with its seconds; files of the page are written as they come."""
    found = []
    for block in blocks(PAGE.read_text(encoding="utf-8")):
        if name := re.match(r"; file: (\S+)\n", block.text):
            (Path(folder) / name[1]).write_text(block.text, encoding="utf-8")
        for command, _ in commands(block) if block.language == "console" else ():
            started = time.perf_counter()
            subprocess.run([sys.executable, "-m", *shlex.split(command)], cwd=folder, capture_output=True, check=False)
            found.append((command, time.perf_counter() - started))
    return found


def main() -> None:
    with tempfile.TemporaryDirectory() as folder:
        found = measure(folder)
    rows = [f"| `{command}` | {seconds:.1f} |" for command, seconds in found]
    total = f"| in all | {sum(seconds for _, seconds in found):.1f} |"
    table = "\n".join(["| Command | Seconds |", "|---|---:|", *rows, total])
    text = PAGE.read_text(encoding="utf-8")
    text = re.sub(r"(?<=<!-- stopwatch -->\n).*(?=<!-- end -->)", lambda _: f"\n{table}\n\n", text, flags=re.DOTALL)
    PAGE.write_text(text, encoding="utf-8")
    print(table)


if __name__ == "__main__":
    main()

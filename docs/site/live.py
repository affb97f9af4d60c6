"""Pages that gpaplan makes, shown where the documentation has a picture of them.

Instead of a picture that is followed by ``<!-- live: NAME -->`` the site shows the page itself, in a frame, as the
commands below make it; in a checkout there is the picture.
"""

from __future__ import annotations

import re
import subprocess
import sys
import tempfile
from pathlib import Path

__all__ = ["COMMANDS", "framed", "made"]

ROOT = Path(__file__).resolve().parents[2]
RECORDS = ROOT / "docs" / "results" / "records-evaluation.csv.xz"

COMMANDS = {
    "automaton": [
        "generate gripper 1 -o .",
        "generate gripper 2 -o .",
        "generate gripper 3 -o .",
        "generate gripper 4 -o .",
        "learn domain.ppddl gripper-1.ppddl gripper-2.ppddl gripper-3.ppddl gripper-4.ppddl "
        "--abstraction canonical -o gripper.gpa.json",
        "show gripper.gpa.json --format html -o automaton.html",
    ],
    "trace": [
        "simulate domain.ppddl gripper-4.ppddl --gpa gripper.gpa.json --trials 5 --trace trace.json",
        "show trace.json --format html -o trace.html",
    ],
    "report": [f"report {RECORDS} --time cpu -o ."],
}
"""What makes NAME.html of each page; all run in one folder, in this order."""

_MARK = re.compile(r"!\[([^\]]*)\]\([^)]*\)\s*<!-- live: (\w+) -->")


def made() -> dict[str, str]:
    """The pages by their names."""
    pages: dict[str, str] = {}
    with tempfile.TemporaryDirectory() as folder:
        for name, commands in COMMANDS.items():
            for command in commands:
                arguments = [sys.executable, "-m", "gpaplan", *command.split(" ")]
                subprocess.run(arguments, cwd=folder, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
            pages[name] = Path(folder, f"{name}.html").read_text(encoding="utf-8")
    return pages


def framed(text: str, to_root: str) -> str:
    """The Markdown of a page with frames instead of the pictures; ``to_root`` leads from it to the root of the site."""

    def frame(match: re.Match[str]) -> str:
        name = match[2]
        address = f"{to_root}live/{name}.html"
        command = COMMANDS[name][-1].replace(f"{ROOT}/", "")
        return (
            f'<iframe class="live" src="{address}" title="{match[1]}" loading="lazy"></iframe>\n\n'
            f'<a href="{address}">Open it on a page of its own</a>; it was made by `gpaplan {command}`.'
        )

    return _MARK.sub(frame, text)

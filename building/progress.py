"""Run an installer and show how far the compiler is: ``python building/progress.py pip install -v …``.

A build of the core takes minutes, and pip shows nothing or everything. Here a terminal sees one line that counts
(``building the core: 37 of 112``), a log four of them. All that was said is shown only if the command fails.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
from collections import deque
from collections.abc import Iterable
from typing import TextIO

__all__ = ["main", "show"]

_STEP = re.compile(r"^\s*\[(\d+)/(\d+)\] ")
_KEPT = 200
"""Lines of the output that are shown when the command fails: a compiler's message is among them."""
_FEW = 5
"""A build of so few steps is not worth a line in a log."""


def main(command: list[str]) -> int:
    """Run the command, show its steps, and return its exit code."""
    process = subprocess.Popen(
        command,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        errors="replace",
        env={**os.environ, "NINJA_STATUS": "[%f/%t] "},
    )
    assert process.stdout is not None
    said = show(process.stdout, sys.stdout)
    code = process.wait()
    if code != 0:
        sys.stderr.writelines(said)
        sys.stderr.write(f"failed ({code}): {' '.join(command)}\n")
    return code


def show(lines: Iterable[str], to: TextIO) -> list[str]:
    """Show the steps among these lines; the last lines, whatever they are, are returned."""
    said: deque[str] = deque(maxlen=_KEPT)
    terminal = to.isatty()
    quarter = 0
    open_line = False
    for line in lines:
        said.append(line)
        found = _STEP.match(line)
        if found is None:
            continue
        done, steps = int(found[1]), int(found[2])
        if terminal:
            to.write(f"\rbuilding the core: {done} of {steps}" + ("\n" if done == steps else ""))
            open_line = done < steps
        elif steps > _FEW and (4 * done) // steps != quarter:
            to.write(f"building the core: {done} of {steps}\n")
        quarter = (4 * done) // steps % 4
        to.flush()
    if open_line:
        to.write("\n")
    return list(said)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

"""Which files of gpaplan a command passes: ``python -m tests.executed_files COMMAND…`` prints them after its output.

A file counts if one of its functions is called; what runs because a module is imported does not.
"""

from __future__ import annotations

import inspect
import os
import sys
import threading
from pathlib import Path
from types import FrameType
from typing import Any

from tests.paths import ROOT

PACKAGE = str(ROOT / "src" / "gpaplan") + os.sep
FIRST_LINE = "files of gpaplan that were executed:"


def executed(arguments: list[str]) -> list[str]:
    """Run a command of gpaplan; the files that it passed, below src/gpaplan."""
    found: set[str] = set()

    def look(frame: FrameType, event: str, _: Any) -> None:
        code = frame.f_code
        is_function = code.co_flags & inspect.CO_OPTIMIZED  # the bodies of modules and classes are not
        if event == "call" and is_function and code.co_filename.startswith(PACKAGE) and code.co_filename not in found:
            above: FrameType | None = frame
            while above is not None:
                if above.f_code.co_name == "<module>" and above.f_code.co_filename.startswith(PACKAGE):
                    return
                above = above.f_back
            found.add(code.co_filename)

    threading.setprofile(look)
    sys.setprofile(look)
    try:
        from gpaplan.cli import main

        main(arguments)
    except SystemExit as end:
        if end.code:
            raise
    finally:
        sys.setprofile(None)
    return sorted(Path(name).relative_to(PACKAGE).as_posix() for name in found)


if __name__ == "__main__":
    files = executed(sys.argv[1:])
    print(FIRST_LINE, *files, sep="\n")

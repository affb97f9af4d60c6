"""Writing files so that nobody ever sees half of one.

    with written_whole("policy.json") as file:
        file.write(…)

The text goes to a passing name in the same folder and takes the place of the file at the end. If anything fails on the
way, a full disk say, the old file is what it was. Devices and pipes, such as ``/dev/stdout``, are written directly.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TextIO

from gpaplan.errors import UsageError

__all__ = ["written_whole"]


@contextmanager
def written_whole(path: str | os.PathLike[str]) -> Iterator[TextIO]:
    """A text file (UTF-8, lines end with a line feed) that appears as a whole or not at all.

    Raises `UsageError` where it cannot be written.
    """
    target = Path(os.path.realpath(path))
    direct = target.exists() and not target.is_file()
    place = target if direct else target.with_name(f".{target.name}.{os.getpid()}")
    try:
        try:
            with open(place, "w", encoding="utf-8", newline="\n") as file:
                yield file
            if not direct:
                place.replace(target)
        finally:
            if not direct:
                place.unlink(missing_ok=True)
    except OSError as error:
        unchanged = "; the file that was there is unchanged" if target.is_file() else ""
        raise UsageError(f"cannot write '{os.fspath(path)}': {error.strerror or error}{unchanged}") from error

"""Reading files, and writing them so that nobody ever sees half of one.

    with written_whole("policy.json") as file:
        file.write(…)

The text goes to a passing name in the same folder, is brought to the disk, and takes the place of the file at the end.
If anything fails on the way, a full disk say, the old file is what it was; if the machine fails, there is the old file
or the new one. Devices and pipes, such as ``/dev/stdout``, are written directly.

    with alone_with("automaton.json"):
        …  # read it, and write it anew

Whoever else does that waits, so that what one adds is not lost to the other.
"""

from __future__ import annotations

import fcntl
import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from io import TextIOWrapper
from pathlib import Path

from gpaplan.errors import UsageError

__all__ = ["alone_with", "read_bytes", "written_whole"]


def read_bytes(path: str | os.PathLike[str], most: int) -> bytes:
    """The bytes of a file, pipe or device; ``most + 1`` of them where there are more than ``most``.

    Raises `UsageError` where it cannot be read.
    """
    name = os.fspath(path)
    try:
        with open(name, "rb") as file:
            return file.read() if 0 < os.fstat(file.fileno()).st_size <= most else file.read(most + 1)
    except FileNotFoundError:
        raise UsageError(f"{name}: no such file") from None
    except IsADirectoryError:
        raise UsageError(f"{name} is a directory, not a file") from None
    except (OSError, ValueError) as error:
        raise UsageError(f"{name} cannot be read: {getattr(error, 'strerror', None) or error}") from None


@contextmanager
def written_whole(path: str | os.PathLike[str]) -> Iterator[TextIOWrapper]:
    """A text file (UTF-8, lines end with a line feed) that appears as a whole or not at all. Bytes go to its `buffer`.

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
                    file.flush()
                    os.fsync(file.fileno())
            if not direct:
                os.replace(place, target)
                _sync_folder(target.parent)
        finally:
            if not direct:
                place.unlink(missing_ok=True)
    except OSError as error:
        unchanged = "; the file that was there is unchanged" if target.is_file() else ""
        raise UsageError(f"cannot write '{os.fspath(path)}': {error.strerror or error}{unchanged}") from error


def _sync_folder(folder: Path) -> None:
    """Bring the new name to the disk too. The file is whole without that, so a file system that cannot is no reason."""
    with suppress(OSError):
        descriptor = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)


@contextmanager
def alone_with(path: str | os.PathLike[str]) -> Iterator[None]:
    """Keep others who ask for the same file out for a while. It may be replaced meanwhile.

    Where there is no such file, or its file system knows no locks, nobody is kept out.
    """
    lock = _locked(path)
    try:
        yield
    finally:
        if lock is not None:
            os.close(lock)


def _locked(path: str | os.PathLike[str]) -> int | None:
    while True:
        try:
            lock = os.open(path, os.O_RDONLY | os.O_CLOEXEC)
        except OSError:
            return None
        try:
            fcntl.flock(lock, fcntl.LOCK_EX)
            # Whoever had it before may have put another file in its place.
            if os.path.samestat(os.fstat(lock), os.stat(path)):
                return lock
        except FileNotFoundError:
            pass
        except OSError:
            os.close(lock)
            return None
        except BaseException:
            os.close(lock)
            raise
        os.close(lock)

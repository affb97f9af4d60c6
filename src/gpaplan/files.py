"""Reading files, and writing them so that nobody ever sees half of one.

    with written_whole("policy.json") as file:
        file.write(…)

The text goes to another name in the same folder, is brought to the disk, and takes the place of the file at the end.
If anything fails on the way, a full disk say, the old file is what it was; if the machine fails, there is the old file
or the new one. Devices and pipes, such as ``/dev/stdout``, are written directly.

    with alone_with("automaton.json"):
        …  # read it, and write it again

Whoever else does that waits, so that what one adds is not lost to the other.

The names `STDIN` and `STDOUT` stand for the standard streams.
"""

from __future__ import annotations

import glob
import os
import stat
import sys
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from io import TextIOWrapper
from itertools import islice
from pathlib import Path
from typing import cast

from gpaplan import system
from gpaplan.errors import UsageError, did_you_mean, misplaced

STDIN = "<stdin>"
STDOUT = "<stdout>"

_LOOK = 0.05
"""Seconds between two looks at the limits while a pipe is silent."""
_PIECE = 1 << 20  # bytes that are read at a time
_LEFT_ALONE = 3600.0
"""Seconds after which nobody writes to a part of a file any more."""
_LISTED = 1000
"""So many files of a folder are looked at for a name that may be meant."""
_READ = os.O_RDONLY | system.open_flag("O_CLOEXEC", "O_BINARY")
_DO_NOT_WAIT = system.open_flag("O_NONBLOCK")
_FOLDER = _READ | system.open_flag("O_DIRECTORY")
_standard_input: list[bytes] = []
"""What was read from there: a command may need a file more than once, and that stream has its bytes only once."""


def file_name(given: object, what: str) -> str:
    """The name of a file; `UsageError` for what is no path."""
    if not isinstance(given, str | os.PathLike):
        raise misplaced(given, "file", f"pass the path of {what}")
    return os.fspath(given)


def can_be_read(path: str | os.PathLike[str]) -> bool:
    """Whether there is such a file, or it is standard input."""
    return os.fspath(path) == STDIN or os.path.exists(path)


def read_bytes(path: str | os.PathLike[str], most: int, poll: Callable[[], object] = lambda: None) -> bytes:
    """The bytes of a file, pipe or device; ``most + 1`` of them where there are more than ``most``.

    ``poll`` is called now and then, also while a pipe has nothing to say. Raises `UsageError` where it cannot be read.
    """
    name = os.fspath(path)
    if name == STDIN:
        return _read_standard_input(most, poll)
    try:
        # Without O_NONBLOCK, a pipe that nobody writes to could not even be opened.
        descriptor = os.open(name, _READ | _DO_NOT_WAIT)
        try:
            return b"".join(_pieces(descriptor, most + 1, poll))
        finally:
            os.close(descriptor)
    except FileNotFoundError:
        raise UsageError(f"{name}: no such file{_instead(name)}") from None
    except (OSError, ValueError) as error:
        if isinstance(error, OSError) and os.path.isdir(name):  # of which Windows says that it may not be read
            raise UsageError(f"{name} is a directory, not a file{_instead(name)}") from None
        raise UsageError(f"{name} cannot be read: {getattr(error, 'strerror', None) or error}") from None


def _instead(name: str) -> str:
    """What may be meant in place of a name that is no file: one with a similar name, or what there is in a folder."""
    folder = name if os.path.isdir(name) else os.path.dirname(name) or "."
    try:
        with os.scandir(folder) as entries:
            found = sorted(each.name for each in islice(entries, _LISTED) if each.is_file())
            suffix = os.path.splitext(name)[1]
            found.sort(key=lambda each: os.path.splitext(each)[1] != suffix)
    except (OSError, ValueError):
        return f";  there is no folder '{folder}'"
    shown = ", ".join(found[:5]) + (", …" if len(found) > 5 else "")
    hint = did_you_mean(os.path.basename(name), found)
    return f";  {hint or f'there are {shown}'}" if found else ""


def _read_standard_input(most: int, poll: Callable[[], object]) -> bytes:
    if not _standard_input:
        try:
            _standard_input.append(b"".join(_pieces(0, most + 1, poll)))
        except OSError as error:
            raise _unreadable(error) from None
    return _standard_input[0]


def _unreadable(error: OSError) -> UsageError:
    return UsageError(f"standard input cannot be read: {error.strerror or error}")


def read_lines(most: int, poll: Callable[[], object]) -> Iterator[bytes]:
    """The lines of standard input, as they come, without their ends; ``most + 1`` bytes of one that has more than
    ``most``, so that nobody can fill the memory. ``poll`` is called now and then, also while nothing comes (but not on
    Windows). Raises `UsageError` where it cannot be read.
    """
    line = bytearray()
    try:
        for piece in _pieces(0, sys.maxsize, poll):
            for number, part in enumerate(piece.split(b"\n")):
                if number > 0:
                    yield bytes(line)
                    line.clear()
                line += part[: most + 1 - len(line)]
    except OSError as error:
        raise _unreadable(error) from None
    if line:
        yield bytes(line)


def _pieces(descriptor: int, most: int, poll: Callable[[], object]) -> Iterator[bytes]:
    is_file = stat.S_ISREG(os.fstat(descriptor).st_mode)
    while most > 0:
        poll()
        if not is_file and not system.wait_for_input(descriptor, _LOOK):
            continue
        with suppress(BlockingIOError):  # somebody else was quicker to read it
            piece = os.read(descriptor, min(most, _PIECE))
            if not piece:
                return
            most -= len(piece)
            yield piece


@contextmanager
def written_whole(path: str | os.PathLike[str]) -> Iterator[TextIOWrapper]:
    """A text file (UTF-8, lines end with a line feed) that appears as a whole or not at all. Bytes go to its `buffer`.

    Raises `UsageError` where it cannot be written.
    """
    if file_name(path, "the file to write") == STDOUT:
        yield from _standard_output()
        return
    target = Path(os.path.realpath(path))
    direct = target.exists() and not target.is_file()
    place = target if direct else target.with_name(f".{target.name}.{os.getpid()}-{threading.get_native_id()}")
    try:
        _sweep(target)
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
                with suppress(OSError):  # it has its other name by now
                    place.unlink()
    except OSError as error:
        unchanged = "; the file that was there is unchanged" if target.is_file() else ""
        raise UsageError(f"cannot write '{os.fspath(path)}': {error.strerror or error}{unchanged}") from error


def _sweep(target: Path) -> None:
    """Remove what processes that were killed while they wrote a file have left of it."""
    for each in target.parent.glob(f".{glob.escape(target.name)}.[0-9]*"):
        with suppress(OSError):  # somebody else was quicker
            if time.time() - each.stat().st_mtime > _LEFT_ALONE:
                each.unlink()


def write_text(path: str | os.PathLike[str], *texts: str) -> None:
    """Write a file of these texts, as a whole or not at all."""
    with written_whole(path) as file:
        file.writelines(texts)


def write_files(folder: str | os.PathLike[str], contents: Mapping[str, str | bytes]) -> list[Path]:
    """Write files, by name, into a folder, which is made if need be; returns their paths."""
    try:
        Path(folder).mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise UsageError(f"cannot write to '{os.fspath(folder)}': {error.strerror or error}") from error
    paths = {Path(folder) / name: content for name, content in contents.items()}
    for path, content in paths.items():
        with written_whole(path) as file:
            file.buffer.write(content if isinstance(content, bytes) else content.encode())
    return list(paths)


def _standard_output() -> Iterator[TextIOWrapper]:
    """The stream as a file, whatever the encoding of the terminal is."""
    sys.stdout.flush()
    try:
        number = sys.stdout.fileno()
    except ValueError:  # it is what a test or a notebook put in its place
        yield cast("TextIOWrapper", sys.stdout)
        return
    with open(os.dup(number), "w", encoding="utf-8", newline="\n") as file:
        yield file


def _sync_folder(folder: Path) -> None:
    """Bring the new name to the disk too. The file is whole without that, so a file system that cannot is no reason."""
    with suppress(OSError):
        descriptor = os.open(folder, _FOLDER)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)


@contextmanager
def alone_with(path: str | os.PathLike[str], *, wait: bool = True) -> Iterator[bool]:
    """Keep others who ask for the same file out for a while; the file may be replaced meanwhile. Whether they are kept
    out: they are not if somebody else is alone with it, and we do not wait, or if its file system knows no locks."""
    place = Path(path).with_name(f".{Path(path).name}.lock")
    while True:
        try:
            lock = os.open(place, os.O_RDWR | os.O_CREAT | system.open_flag("O_CLOEXEC"), 0o666)
        except OSError as error:
            raise UsageError(f"cannot write '{os.fspath(path)}': {error.strerror or error}") from None
        is_ours = system.lock(lock, wait=wait)
        with suppress(FileNotFoundError):  # who had it before may have removed it meanwhile
            if not is_ours or os.path.samestat(os.fstat(lock), os.stat(place)):
                break
        os.close(lock)
    try:
        yield is_ours
    finally:
        if is_ours:
            with suppress(OSError):  # what counts is the lock, which ends with the descriptor
                place.unlink()
        os.close(lock)

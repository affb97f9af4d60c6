"""From a file or a string to a `SourceText`.

Files are read as UTF-8 (with or without a byte order mark) and otherwise as Latin-1, the encoding of old competition
files. What cannot be PPDDL is refused before it costs anything: directories, files over `MAX_INPUT_BYTES`, files that
are not text.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable
from typing import TypeAlias

from gpaplan.errors import Diagnostic, InputError, UsageError
from gpaplan.files import read_bytes
from gpaplan.source import SourceText, Span

MAX_INPUT_BYTES = 32 * 1024 * 1024
"""Larger files are refused."""

Source: TypeAlias = str | os.PathLike[str]
"""A path, or a string: PPDDL text if it has an opening parenthesis in it, a file name otherwise."""

_CONTROL = re.compile(rb"[\x00-\x08\x0e-\x1f\x7f]")


def read_source(source: Source, poll: Callable[[], object] = lambda: None) -> SourceText:
    """The text of a file, or a string that is PPDDL text itself. ``poll`` is called now and then.

    Raises `UsageError` where there is no such file, and `InputError` where the file is not a text of bearable size.
    """
    if isinstance(source, str) and "(" in source:
        if len(source) > MAX_INPUT_BYTES:
            raise InputError([_too_large("<string>", len(source))])
        return SourceText(source)
    name = os.fspath(source)
    if not name:
        raise UsageError("the file name is empty")
    data = read_bytes(name, MAX_INPUT_BYTES, poll)
    if len(data) > MAX_INPUT_BYTES:
        size = os.stat(name).st_size if os.path.exists(name) else 0  # there is none of standard input
        raise InputError([_too_large(name, max(len(data), size))])
    return _decode(data, name)


def _too_large(name: str, size: int) -> Diagnostic:
    limit = MAX_INPUT_BYTES // (1024 * 1024)
    return Diagnostic(f"is too large: {size:,} bytes, and the limit is {MAX_INPUT_BYTES:,} ({limit} MiB)", file=name)


def _decode(data: bytes, name: str) -> SourceText:
    control = _CONTROL.search(data)
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        if control is not None:
            raise _not_text(data, min(control.start(), error.start), name) from None
        return SourceText(data.decode("latin-1"), name)
    if b"\0" in data:
        raise _not_text(data, data.index(b"\0"), name)
    return SourceText(text, name)


def _not_text(data: bytes, offset: int, name: str) -> InputError:
    source = SourceText(data.decode("latin-1"), name)
    message = f"this is not a text file: it has the byte 0x{data[offset]:02x} here"
    return InputError([Diagnostic(message, Span(source, offset, offset + 1))])

"""``-`` on the command line: standard input where a file is read, standard output where one is written.

Each can be had only once. What has it is remembered with the call of the command: a second ``-`` is refused, and so is
``--json`` next to a file that goes to standard output. The names by which `gpaplan.files` knows the streams are also
those that messages use: ``<stdin>:3:7: unknown predicate …``.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from gpaplan.errors import UsageError
from gpaplan.files import STDIN, STDOUT

_INPUT = "gpaplan.standard-input"
_OUTPUT = "gpaplan.standard-output"


class _File(click.Path):
    """A file, or a standard stream."""

    def __init__(self, stream: str) -> None:
        super().__init__(path_type=Path)
        self._stream = stream

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        if str(value) != "-":
            return super().convert(value, param, ctx)
        if self._stream == STDIN:
            claim_input(_name(param), ctx)
        else:
            claim_output(f"{_name(param)} -", ctx)
        return Path(self._stream)


class _InputName(_File):
    """The same as a text: a file, a standard stream, or what the command knows by a name."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        return str(super().convert(value, param, ctx)) if value == "-" else value


class _NoStream(click.Path):
    """What cannot be a standard stream, and why not: ``-`` is refused, where it would become a file of that name."""

    def __init__(self, why: str, *, file_okay: bool = True) -> None:
        super().__init__(path_type=Path, file_okay=file_okay)
        self._why = why

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        if str(value) == "-" and not (ctx and ctx.resilient_parsing):
            raise UsageError(f"{_name(param)} - cannot be a standard stream: {self._why}")
        return super().convert(value, param, ctx)


INPUT = _File(STDIN)
INPUT_NAME = _InputName(STDIN)
OUTPUT = _File(STDOUT)
RESULTS = _NoStream("results are kept by SQLite, which needs a file on a disk; give its name")
DIRECTORY = _NoStream("several files are written; give a directory", file_okay=False)


def _name(param: click.Parameter | None) -> str:
    """What a parameter is called in the help."""
    if param is None:
        return "-"
    return param.opts[0] if isinstance(param, click.Option) else (param.metavar or param.name or "").strip("[].")


def claim_input(user: str, ctx: click.Context | None = None) -> None:
    """Have standard input for one ``user``. Raises `UsageError` if there is another one."""
    ctx = ctx or click.get_current_context()
    if ctx.resilient_parsing:
        return
    if _INPUT in ctx.meta:
        raise UsageError(
            f"standard input (-) can be read once only, and is wanted for {ctx.meta[_INPUT]} and for {user}; "
            "give a file for one of them"
        )
    ctx.meta[_INPUT] = user


def claim_output(user: str, ctx: click.Context | None = None) -> None:
    """Have standard output for one ``user``, an option. Raises `UsageError` if there is another one."""
    ctx = ctx or click.get_current_context()
    if ctx.resilient_parsing:
        return
    if _OUTPUT in ctx.meta:
        first, second = sorted((ctx.meta[_OUTPUT], user), key=lambda each: each != "--json")
        raise UsageError(f"{first} and {second} both write to standard output; give a file")
    ctx.meta[_OUTPUT] = user


def output_is_taken() -> bool:
    """Whether a file is written to standard output, so that what is said for people has to go elsewhere."""
    ctx = click.get_current_context(silent=True)
    return ctx is not None and ctx.meta.get(_OUTPUT, "--json") != "--json"

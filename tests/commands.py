"""Commands of gpaplan, run in this process: that they have one of their own is tested where it matters."""

from __future__ import annotations

import io
import json
import os
import shlex
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, redirect_stderr, redirect_stdout
from typing import Any, NamedTuple

from gpaplan import files
from gpaplan.cli import main


class Done(NamedTuple):
    """How a command ended, and what it printed."""

    returncode: int
    stdout: str
    stderr: str


@contextmanager
def _on_standard_input(text: str) -> Iterator[None]:
    before = os.dup(0)
    with tempfile.TemporaryFile() as file:
        file.write(text.encode())
        file.seek(0)
        os.dup2(file.fileno(), 0)
        files._standard_input.clear()
        try:
            yield
        finally:
            os.dup2(before, 0)
            os.close(before)
            files._standard_input.clear()


def run(*arguments: object, given: str = "") -> Done:
    """Run a command, as ``gpaplan`` would, with a text on standard input."""
    output, errors = io.StringIO(), io.StringIO()
    code: Any = None
    with redirect_stdout(output), redirect_stderr(errors), _on_standard_input(given):
        try:
            main(list(map(str, arguments)))
        except SystemExit as end:
            code = end.code
    assert isinstance(code, int)
    return Done(code, output.getvalue(), errors.getvalue())


def run_line(line: str) -> Done:
    """Run a line of a shell: a command of gpaplan, after what gives it its input, if there is a pipe."""
    source, _, command = line.rpartition(" | ")
    given = subprocess.run(["sh", "-c", source], capture_output=True, text=True, check=True).stdout
    program, *arguments = shlex.split(command)
    assert program == "gpaplan", line
    return run(*arguments, given=given)


def gpaplan(*arguments: object, code: int = 0) -> Done:
    """Run a command that ends with this exit code."""
    done = run(*arguments)
    assert done.returncode == code, done.stderr
    return done


def as_json(*arguments: object, code: int = 0) -> dict[str, Any]:
    """What a command says with ``--json``."""
    record: dict[str, Any] = json.loads(gpaplan(*arguments, "--json", code=code).stdout)
    return record

"""Commands of gpaplan, run in this process: that they have one of their own is tested where it matters."""

from __future__ import annotations

import io
import json
from contextlib import redirect_stderr, redirect_stdout
from typing import Any, NamedTuple

from gpaplan.cli import main


class Done(NamedTuple):
    """How a command ended, and what it printed."""

    returncode: int
    stdout: str
    stderr: str


def run(*arguments: object) -> Done:
    """Run a command, as ``gpaplan`` would."""
    output, errors = io.StringIO(), io.StringIO()
    code: Any = None
    with redirect_stdout(output), redirect_stderr(errors):
        try:
            main(list(map(str, arguments)))
        except SystemExit as end:
            code = end.code
    assert isinstance(code, int)
    return Done(code, output.getvalue(), errors.getvalue())


def gpaplan(*arguments: object, code: int = 0) -> Done:
    """Run a command that ends with this exit code."""
    done = run(*arguments)
    assert done.returncode == code, done.stderr
    return done


def as_json(*arguments: object, code: int = 0) -> dict[str, Any]:
    """What a command says with ``--json``."""
    record: dict[str, Any] = json.loads(gpaplan(*arguments, "--json", code=code).stdout)
    return record

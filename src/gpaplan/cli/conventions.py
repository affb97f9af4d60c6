"""What all commands share: ``--json``, exit codes, errors.

With ``--json`` a command prints exactly one JSON object on standard output, errors included; everything else goes to
standard error. A mistake of the user never shows a traceback.
"""

from __future__ import annotations

import contextlib
import json
import os
import sys
from collections.abc import Iterator, Sequence
from typing import Any, NoReturn, TextIO

import click

from gpaplan import interrupts
from gpaplan.cli import colour
from gpaplan.cli.tables import print_rows
from gpaplan.display import harmless_json, plain
from gpaplan.errors import STOPPED, DataError, GpaplanError, InputError, UsageError
from gpaplan.statuses import Status

EXIT_CODES: dict[str, int] = {Status.SOLVED: 0, Status.NO_PROPER_POLICY: 20, "not-written": 23}
"""By status; what was not stopped and is not listed has 0."""
EXIT_CODES |= {reason.status: reason.exit_code for reason in STOPPED.values()}
_USAGE = UsageError.exit_code
_STATUS = {reason.exit_code: reason.status for reason in STOPPED.values()}


def run(command: click.Command, arguments: list[str] | None) -> NoReturn:
    """Run a command and leave with its exit code. Everything that can go wrong is turned into a message here.

    What is raised has the error as its context, which holds on to what was under way until the process ends.
    """
    as_json = "--json" in (sys.argv[1:] if arguments is None else arguments)
    try:
        result = command.main(arguments, prog_name="gpaplan", standalone_mode=False)
        sys.stdout.flush()
        code = result if isinstance(result, int) else 0
        if code == 0 and interrupts.taken():  # of which nobody took notice before all was done
            code = EXIT_CODES[Status.INTERRUPTED]
    except GpaplanError as error:
        raise SystemExit(_fail(str(error), error.exit_code, as_json, error)) from None
    except click.UsageError as error:
        usage = f"{error.ctx.get_usage()}\n" if error.ctx is not None else ""
        hint = f"\ntry '{error.ctx.command_path} --help'" if error.ctx is not None else ""
        if as_json:
            raise SystemExit(_fail(error.format_message(), _USAGE, as_json)) from None
        raise SystemExit(_fail(f"{usage}{error.format_message()}{hint}", _USAGE, as_json)) from None
    except (KeyboardInterrupt, click.Abort):
        raise SystemExit(_fail("interrupted", EXIT_CODES[Status.INTERRUPTED], as_json)) from None
    except MemoryError:
        message = "out of memory; give --memory-limit to stop earlier with what was found"
        raise SystemExit(_fail(message, EXIT_CODES[Status.MEMORY_LIMIT], as_json)) from None
    except (BrokenPipeError, SystemExit):
        # Whoever read our output has gone (click turns that into SystemExit): nothing is left to say, and nobody to
        # say it to.
        _silence(sys.stdout)
        _silence(sys.stderr)
        raise SystemExit(0) from None
    except OSError as error:
        _silence(sys.stdout)  # what is still buffered would fail again at exit
        message = f"cannot write the output: {error.strerror or error}"
        raise SystemExit(_fail(message, _USAGE, as_json)) from None
    raise SystemExit(code)


def _silence(stream: TextIO) -> None:
    """Let what is written to a standard stream from now on, and what it still keeps, go nowhere."""
    with contextlib.suppress(OSError, ValueError):  # a stream of a test has no number
        os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())


def _fail(message: str, code: int, as_json: bool, error: GpaplanError | None = None) -> int:
    if as_json:
        if isinstance(error, InputError):
            errors = [diagnostic.to_json() for diagnostic in error.diagnostics]
        elif isinstance(error, DataError):
            errors = [{"file": error.file, "line": error.line, "column": error.column, "message": error.message}]
        else:
            errors = [{"file": None, "line": None, "column": None, "message": message}]
        with _dropped_if_full(sys.stdout):
            print_json({"status": _STATUS.get(code, Status.ERROR), "errors": errors})
    with _dropped_if_full(sys.stderr):
        colour.echo(colour.paint_message(message), err=True)
    return code


@contextlib.contextmanager
def _dropped_if_full(stream: TextIO) -> Iterator[None]:
    """What cannot be written, because a stream is full or gone, goes nowhere: there is nobody left to tell."""
    try:
        yield
        stream.flush()
    except OSError:
        _silence(stream)


def print_json(record: dict[str, Any]) -> None:
    """One JSON object on standard output; what is not a finite number is null."""
    unicode = (sys.stdout.encoding or "utf-8").lower().startswith("utf")
    click.echo(harmless_json(json.dumps(plain(record), indent=2, ensure_ascii=not unicode)))


def answer(as_json: bool, record: dict[str, Any], title: str, rows: Sequence[tuple[str, str]]) -> None:
    """The result of a command: the record with ``--json``, else the rows, a table for people."""
    if as_json:
        print_json(record)
    else:
        print_rows(title, rows)


def show_warning(text: str) -> None:
    """A warning, on standard error."""
    colour.echo(colour.paint_message(text), err=True)

"""What all commands share: how they read and write, answer, and fail.

With ``--json`` a command prints exactly one JSON object on standard output, errors included; everything else goes to
standard error. A mistake of the user never shows a traceback.

``-`` is standard input where a file is read, and standard output where one is written. Each can be had only once: what
has it is remembered with the call of the command.

Colours help where somebody can see them: on a terminal, unless ``NO_COLOR`` is set or ``TERM`` is ``dumb``; elsewhere
only if ``FORCE_COLOR`` or ``CLICOLOR_FORCE`` is set. ``NO_COLOR`` has the last word, and what ``--json`` prints is
never painted. Names come from files, and files from anybody: control characters are shown and not sent to the terminal.
Colours are exempt because they are written with `_MARK`, half of a character, never found in a file; it is replaced at
the very end.
"""

from __future__ import annotations

import contextlib
import json
import os
import sys
import textwrap
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, NoReturn, TextIO, TypeAlias

import click

from gpaplan import interrupts
from gpaplan.display import harmless, harmless_json, hidden, plain, show_on_terminal
from gpaplan.errors import STOPPED, DataError, GpaplanError, InputError, UsageError
from gpaplan.files import STDIN, STDOUT
from gpaplan.statuses import Status

if TYPE_CHECKING:
    from gpaplan.spaces.state_space import Symmetry
    from gpaplan.tasks.task import GroundTask

EXIT_CODES: dict[str, int] = {
    Status.SOLVED: 0,
    Status.NO_PROPER_POLICY: 20,
    "fails": 21,
    "not-written": 23,
    "failed": 24,
}
"""By status; what was not stopped and is not listed has 0."""
NOT_STRICT = 38
"""The exit code of 'check --strict' where something is to be looked at."""
EXIT_CODES |= {reason.status: reason.exit_code for reason in STOPPED.values()}
_USAGE = UsageError.exit_code
_STATUS = {reason.exit_code: reason.status for reason in STOPPED.values()}


def run(command: click.Command, arguments: list[str] | None) -> NoReturn:
    """Run a command and leave with its exit code. Everything that can go wrong is turned into a message here.

    What is raised has the error as its context, which holds on to what was under way until the process ends.
    """
    as_json = "--json" in (sys.argv[1:] if arguments is None else arguments)
    show_on_terminal()
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
        echo(paint_message(message), err=True)
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
    text = json.dumps(plain(record), indent=2, ensure_ascii=not unicode)
    with hidden():
        click.echo(harmless_json(text))


def answer(record: dict[str, Any], title: str, rows: Sequence[Row]) -> int:
    """The result of a command: the record with ``--json``, else the rows, a table for people. Returns the exit code."""
    if wants_json():
        print_json(record)
    else:
        print_rows(title, rows)
    return EXIT_CODES.get(record["status"], 0)


def say(record: dict[str, Any], text: str) -> int:
    """The same where a line or two say it all."""
    if wants_json():
        print_json(record)
    else:
        echo(text, err=output_is_taken())
    return EXIT_CODES.get(record["status"], 0)


def show_warning(text: str) -> None:
    """A warning, on standard error."""
    echo(paint_message(text), err=True)


# --- standard streams ---


_INPUT = "gpaplan.standard-input"
_OUTPUT = "gpaplan.standard-output"


class _File(click.Path):
    """A file, for which ``-`` is a standard stream; or one that cannot be a stream, and why not."""

    def __init__(self, stream: str = "", *, why_not: str = "", **settings: Any) -> None:
        super().__init__(path_type=Path, **settings)
        self._stream, self._why_not = stream, why_not

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        if str(value) != "-" or (ctx and ctx.resilient_parsing):
            path = Path(os.fsdecode(super().convert(value, param, ctx)))
            if self._stream == STDOUT and path.is_dir():  # said now, and not after minutes of work
                raise UsageError(f"cannot write '{path}': it is a folder")
            if self._stream == STDOUT and not path.parent.is_dir():
                raise UsageError(f"cannot write '{path}': there is no folder '{path.parent}'")
            return path
        if self._why_not:
            raise UsageError(f"{_name(param)} - cannot be a standard stream: {self._why_not}")
        if self._stream == STDIN:
            claim_input(_name(param), ctx)
        else:
            claim_output(f"{_name(param)} -", ctx)
        return Path(self._stream)


class _InputName(_File):
    """The same as a text: a file, a standard stream, or what the command knows by a name."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        return str(super().convert(value, param, ctx)) if value == "-" else value


INPUT = _File(STDIN)
INPUT_NAME = _InputName(STDIN)
OUTPUT = _File(STDOUT)
FOLDER = click.Path(file_okay=False, path_type=Path)
RESULTS = _File(why_not="records are added to a file on a disk; give its name")
DIRECTORY = _File(why_not="several files are written; give a directory", file_okay=False)


def _name(param: click.Parameter | None) -> str:
    """What a parameter is called in the help."""
    if param is None:
        return "-"
    return param.opts[0] if isinstance(param, click.Option) else (param.metavar or param.name or "").strip("[].")


def claim_input(user: str, ctx: click.Context | None = None) -> None:
    """Have standard input for one ``user``. Raises `UsageError` if there is another one."""
    ctx = ctx or click.get_current_context()
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


def wants_json() -> bool:
    """Whether standard output is that of ``--json``."""
    ctx = click.get_current_context(silent=True)
    return ctx is not None and ctx.meta.get(_OUTPUT) == "--json"


def output_is_taken() -> bool:
    """Whether a file is written to standard output, so that what is said for people has to go elsewhere."""
    ctx = click.get_current_context(silent=True)
    return ctx is not None and ctx.meta.get(_OUTPUT, "--json") != "--json"


# --- colour ---


Paint: TypeAlias = Callable[[str], str]
_MARK = "\udc1b"


def _painted(text: str, **look: Any) -> str:
    before, after = click.style("|", **look).replace("\x1b", _MARK).split("|")
    return f"{before}{text}{after}"


bold: Paint = partial(_painted, bold=True)
cyan: Paint = partial(_painted, fg="cyan")
_dim: Paint = partial(_painted, dim=True)
_good: Paint = partial(_painted, fg="green", bold=True)
_limited: Paint = partial(_painted, fg="yellow", bold=True)
_bad: Paint = partial(_painted, fg="red", bold=True)

_STATUSES: dict[str, Paint] = {Status.SOLVED: _good, **dict.fromkeys(STOPPED, _limited)}
_STATUSES |= {Status.NO_PROPER_POLICY: _bad, Status.ERROR: _bad, "crashed": _bad}


def is_coloured(stream: TextIO) -> bool:
    """Whether what is printed there is to be in colour."""
    if os.environ.get("NO_COLOR"):
        return False
    if any(os.environ.get(name, "0") not in ("", "0") for name in ("FORCE_COLOR", "CLICOLOR_FORCE")):
        return True
    return stream.isatty() and os.environ.get("TERM") != "dumb"


def echo(text: str, *, err: bool = False) -> None:
    """Print a text, on standard error if so asked, with its colours or without them."""
    with hidden():
        click.echo(rendered(text), err=err, color=is_coloured(sys.stderr if err else sys.stdout))


def rendered(text: str) -> str:
    """A painted text as terminals know it, with no other control characters than its colours."""
    return harmless(text).replace(_MARK, "\x1b")


def paint_row(name: str, value: str) -> tuple[str, str]:
    """The name and a line of the value of a row of an answer."""
    if name == "status":
        return _dim(name), _STATUSES.get(value, _bad)(value)
    if name in _STATUSES:
        return _STATUSES[name](name), value
    return _dim(name), value


def paint_message(message: str) -> str:
    """An error or a warning: what is wrong stands out, and what goes with it, indented, does not."""
    lines = []
    for line in message.splitlines():
        paint = _limited if "warning: " in line else _bad
        lines.append(_dim(line) if line.startswith((" ", "Usage: ", "try '")) else paint(line))
    return "\n".join(lines)


# --- tables ---


_WIDTH = 100
"""Characters of a line."""


def costs_row(task: GroundTask) -> tuple[str, str]:
    """What actions cost, and why that is not what the metric says."""
    from gpaplan.tasks.grounding import costs_of

    return "costs", str(costs_of(task))


def dropped_rows(task: GroundTask) -> list[tuple[str, str]]:
    """What was dropped, where something was."""
    them = "it" if len(task.dropped_atoms) + len(task.dropped_actions) == 1 else "them"
    return [("dropped", f"{task.dropped}: the goal cannot depend on {them}")] if task.dropped else []


def up_to(symmetry: object) -> str:
    """What follows a number of states: that they are counted up to symmetry, where they are."""
    return " up to symmetry" if symmetry else ""


def show_symmetry(symmetry: Symmetry | None) -> str:
    """The classes of interchangeable objects in a few words."""
    if symmetry is None:
        return "off: there are not enough interchangeable objects"
    shown = [f"{len(objects):,} like {objects[0]}" for objects in symmetry.classes]
    return "interchangeable: " + ", ".join(shown[:6]) + (", …" if len(shown) > 6 else "")


def wrapped(text: str) -> str:
    """A text in lines of bearable width, broken between words only."""
    return textwrap.fill(text, _WIDTH, break_long_words=False, break_on_hyphens=False)


Row: TypeAlias = tuple[str, str | None]
"""A name and what is said of it, in lines; without anything the row is left out."""


def print_rows(title: str, rows: Sequence[Row]) -> None:
    """A two-column table for people, on standard error where standard output is that of a file."""
    shown = [(name, value.splitlines()) for name, value in rows if value]
    width = max(len(name) for name, _ in shown)
    say = partial(echo, err=output_is_taken())
    say(bold(title))
    for name, lines in shown:
        for number, line in enumerate(lines):
            label, text = paint_row(name, line)
            padding = " " * (width - len(name))
            say(f"  {label}{padding}  {text}" if number == 0 else f"  {'':<{width}}  {text}")

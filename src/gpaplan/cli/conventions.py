"""What all commands share: options, ``--json``, exit codes, errors.

With ``--json`` a command prints exactly one JSON object on standard output, errors included; everything else goes to
standard error. A mistake of the user never shows a traceback.
"""

from __future__ import annotations

import contextlib
import functools
import gc
import inspect
import json
import os
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, NoReturn, TextIO, TypeAlias

import click

from gpaplan import _core
from gpaplan.cli import colour, streams
from gpaplan.errors import STOPPED, DataError, Diagnostic, GpaplanError, InputError, UsageError
from gpaplan.records import plain
from gpaplan.statuses import Status

if TYPE_CHECKING:
    from gpaplan.automata.automaton import PolicyAutomaton
    from gpaplan.automata.canonical import CanonicalAbstraction
    from gpaplan.limits import AnyLimits, Limits
    from gpaplan.policies.policy import Policy
    from gpaplan.ppddl import Domain, ParsedTask
    from gpaplan.spaces.state_space import StateSpace
    from gpaplan.spaces.symmetry import Symmetry
    from gpaplan.tasks.costs import CostMode
    from gpaplan.tasks.task import GroundTask

EXIT_CODES: dict[str, int] = {Status.SOLVED: 0, Status.NO_PROPER_POLICY: 20}
"""By status; what was not stopped and is not listed has 0."""
EXIT_CODES |= {reason.status: reason.exit_code for reason in STOPPED.values()}
_USAGE = UsageError.exit_code
_STATUS = {reason.exit_code: reason.status for reason in STOPPED.values()}

Decorator: TypeAlias = Callable[[Any], Any]


def run(command: click.Command, arguments: list[str] | None) -> NoReturn:
    """Run a command and leave with its exit code. Everything that can go wrong is turned into a message here.

    What is raised has the error as its context, which holds on to what was under way until the process ends.
    """
    as_json = "--json" in (sys.argv[1:] if arguments is None else arguments)
    try:
        result = command.main(arguments, prog_name="gpaplan", standalone_mode=False)
        sys.stdout.flush()
        code = result if isinstance(result, int) else 0
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
        _drop(sys.stdout)
        _drop(sys.stderr)
        raise SystemExit(0) from None
    except OSError as error:
        _drop(sys.stdout)  # what is still buffered would fail again at exit
        message = f"cannot write the output: {error.strerror or error}"
        raise SystemExit(_fail(message, _USAGE, as_json)) from None
    raise SystemExit(code)


def _drop(stream: TextIO) -> None:
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
        _drop(stream)


def print_json(record: dict[str, Any]) -> None:
    """One JSON object on standard output; what is not a finite number is null."""
    unicode = (sys.stdout.encoding or "utf-8").lower().startswith("utf")
    click.echo(json.dumps(plain(record), indent=2, ensure_ascii=not unicode))


def answer(as_json: bool, record: dict[str, Any], title: str, rows: Sequence[tuple[str, str]]) -> None:
    """The result of a command: the record with ``--json``, else the rows, a table for people."""
    if as_json:
        print_json(record)
    else:
        print_rows(title, rows)


# --- options that mean the same everywhere ---

FILE = click.Path(path_type=Path)
COUNT = click.IntRange(min=1)
POSITIVE = click.FloatRange(min=0, min_open=True)


def in_order(*options: Decorator) -> Decorator:
    """Several options as one, in the order of the help."""

    def decorate(command: Any) -> Any:
        for option in reversed(options):
            command = option(command)
        return command

    return decorate


def bundled(argument: str, make: Callable[..., Any], *options: Decorator) -> Decorator:
    """Options that a command gets as one ``argument``: what ``make`` makes of all that it has parameters for."""
    names = tuple(inspect.signature(make).parameters)

    def decorate(command: Any) -> Any:
        @functools.wraps(command)
        def with_argument(**values: Any) -> Any:
            made = make(**{name: values.pop(name) for name in names})
            return command(**{argument: made}, **values)

        return in_order(*options)(with_argument)

    return decorate


def _claim(context: click.Context, _option: click.Parameter, value: bool) -> bool:
    if value:
        streams.claim_output("--json", context)
    return value


json_option = click.option(
    "--json", "as_json", is_flag=True, callback=_claim, help="Print one JSON object and nothing else."
)
output_option = click.option(
    "-o",
    "--output",
    type=streams.OUTPUT,
    required=True,
    metavar="FILE",
    help="Write it there; '-' for standard output.",
)
seed_option = click.option("--seed", type=click.IntRange(min=0, max=2**64 - 1), default=0, show_default=True)
dead_end_cost_option = click.option(
    "--dead-end-cost", type=POSITIVE, metavar="D", help="What giving up costs. Default: what the policy's file says."
)
cost_option = click.option(
    "--cost",
    type=click.Choice(["auto", "unit", "metric"]),
    default="auto",
    show_default=True,
    help="1 for each action, or the costs that the problem's :metric names; auto: these if it asks for the least.",
)


def _as_bool(_context: click.Context, _option: click.Parameter, value: str | None) -> bool | None:
    return None if value is None else value == "on"


relevance_option = click.option(
    "--relevance",
    type=click.Choice(["on", "off"]),
    callback=_as_bool,
    help="Drop the atoms and actions that the goal cannot depend on.  "
    "[default: on, unless an automaton or a policy was made with all of them]",
)


def _features(
    goals: bool | None, ignore: tuple[str, ...], counts: str | None, relations: str | None, types: bool | None
) -> dict[str, Any]:
    asked = {"goals": goals, "ignore": ignore or None, "counts": counts, "relations": relations, "types": types}
    return {name: value for name, value in asked.items() if value is not None}


learning_options = in_order(
    click.option(
        "--ties",
        type=click.Choice(_core.tie_names()),
        default="harmonize",
        show_default=True,
        help="Which of several optimal actions an example takes.",
    ),
    bundled(
        "features",
        _features,
        click.option("--goals/--no-goals", default=None, help="Features that see the goal.  [default: no-goals]"),
        click.option(
            "--ignore", multiple=True, metavar="PREDICATE", help="Do not look at this predicate. May be repeated."
        ),
        click.option(
            "--counts",
            type=click.Choice(["one-many", "presence"]),
            help="Whether one object in a role and many are told apart.  [default: one-many]",
        ),
        click.option(
            "--relations",
            type=click.Choice(["all-some", "presence", "none"]),
            help="Whether relations between roles that hold for all and for some are told apart, seen, or neither.  "
            "[default: all-some]",
        ),
        click.option("--types/--no-types", default=None, help="Types of objects as features.  [default: types]"),
    ),
)
"""What an example teaches, and as ``features`` what is seen; `chosen_abstraction` takes the latter."""


def _limits(time_limit: float | None, memory_limit: float | None) -> Limits:
    from gpaplan.limits import Limits

    return Limits(time_limit, memory_limit)


limits_options = bundled(
    "limits",
    _limits,
    click.option("--time-limit", type=POSITIVE, metavar="SECONDS", help="Stop after this long."),
    click.option(
        "--memory-limit", type=POSITIVE, metavar="MB", help="Stop when the process holds more memory than this."
    ),
)


@dataclass
class TaskFiles:
    """DOMAIN [PROBLEM]. Once the task is grounded: what there was to warn of, and how many seconds each step took."""

    domain_file: Path
    problem_file: Path | None
    problem_name: str | None
    relevance: bool | None = None
    """Whether to drop what the goal cannot depend on; None: as the automaton and the policy ask for, else yes."""
    warnings: Sequence[Diagnostic] = field(default=(), init=False)
    seconds: dict[str, float] = field(default_factory=dict, init=False)

    def ground(
        self, cost: CostMode, *, limits: AnyLimits, automaton: PolicyAutomaton | None = None, **options: Any
    ) -> GroundTask:
        """Parse and ground the task, with the options of `gpaplan.ground`; warnings go to standard error.

        Unless it was asked for, an ``automaton`` decides whether everything is kept.
        """
        from gpaplan.limits import started as start
        from gpaplan.ppddl import parse_task

        started = time.perf_counter()
        stop = start(limits)
        with _no_search_for_cycles():
            parsed = parse_task(self.domain_file, self.problem_file, self.problem_name, limits=stop)
            options["relevance"] = relevance_for(self.relevance, automaton)
            return self._ground(parsed, started, cost, stop, options)

    def ground_with(
        self, policy_file: Path | None, cost: CostMode, *, limits: AnyLimits, automaton: PolicyAutomaton | None = None
    ) -> tuple[GroundTask, Policy | None]:
        """The task, and the policy of a file for it. Unless it was asked for, the file decides what is dropped."""
        from gpaplan.policies.policy_file import OtherAtomsError

        task = self.ground(cost, limits=limits, automaton=automaton)
        if policy_file is None:
            return task, None
        try:
            return task, load_policy(policy_file, task, limits)
        except OtherAtomsError:
            if self.relevance is not None or (automaton is not None and automaton.relevance != "either"):
                raise
            self.relevance = not task.relevance
        task = self.ground(cost, limits=limits)
        return task, load_policy(policy_file, task, limits)

    def ground_unless_alone(self, cost: CostMode, *, limits: AnyLimits, **options: Any) -> GroundTask | Domain:
        """The same, but the domain as it is if there is no problem."""
        from gpaplan.limits import started as start
        from gpaplan.ppddl.loading import ParsedTask, parse_domain_or_task

        started = time.perf_counter()
        stop = start(limits)
        with _no_search_for_cycles():
            parsed = parse_domain_or_task(self.domain_file, self.problem_file, self.problem_name, limits=stop)
            if isinstance(parsed, ParsedTask):
                options["relevance"] = relevance_for(self.relevance)
                return self._ground(parsed, started, cost, stop, options)
        self._warn(parsed.warnings)
        self.seconds = {"parse": time.perf_counter() - started}
        return parsed.domain

    def _ground(
        self, parsed: ParsedTask, started: float, cost: CostMode, stop: _core.Stop, options: dict[str, Any]
    ) -> GroundTask:
        from gpaplan.tasks.grounding import ground

        self._warn(parsed.warnings)
        read = time.perf_counter()
        task = ground(parsed, cost=cost, limits=stop, **options)
        self.seconds = {"parse": read - started, "ground": time.perf_counter() - read}
        return task

    def _warn(self, warnings: Sequence[Diagnostic]) -> None:
        if not self.warnings:  # once, if the task is grounded again
            for warning in warnings:
                show_warning(warning.render())
        self.warnings = warnings


@contextlib.contextmanager
def _no_search_for_cycles() -> Iterator[None]:
    """For a task, which may be millions of objects and not one cycle: to look through them all would take a second in
    which nothing else happens, Ctrl-C included. They stay until the command ends, so they are not looked through later.
    """
    gc.disable()
    try:
        yield
    finally:
        gc.freeze()
        gc.enable()


task_arguments = bundled(
    "files",
    TaskFiles,
    click.argument("domain_file", metavar="DOMAIN", type=streams.INPUT),
    click.argument("problem_file", metavar="[PROBLEM]", type=streams.INPUT, required=False),
    click.option("--problem-name", metavar="NAME", help="The problem to take from a file that holds several."),
    cost_option,
    relevance_option,
)
"""DOMAIN [PROBLEM] and the options that choose among problems and costs, and say what is dropped."""


def load_policy(file: Path, task: GroundTask, limits: AnyLimits) -> Policy:
    """Read a policy; a warning says if it was made for other costs."""
    from gpaplan.policies.policy import Policy

    policy = Policy.read(task, file, limits=limits)
    _warn_of_costs(file, "the policy was made for", [policy.cost], task.cost)
    return policy


def load_automaton(file: Path) -> PolicyAutomaton:
    """Read an automaton. Once it is known what the problems cost, `compare_costs` is to be called."""
    from gpaplan.automata.automaton import PolicyAutomaton

    return PolicyAutomaton.read(file)


def relevance_for(asked_for: bool | None, automaton: PolicyAutomaton | None = None) -> bool:
    """Whether to drop what the goal cannot depend on: what was asked for, or what an automaton was learned with."""
    return asked_for if asked_for is not None else automaton is None or automaton.relevance != "off"


def compare_costs(file: Path | None, automaton: PolicyAutomaton | None, cost: str) -> None:
    """Warn if an automaton was learned with other costs."""
    if file is not None and automaton is not None:
        _warn_of_costs(file, "the automaton was learned with", automaton.cost_modes, cost)


def _warn_of_costs(file: Path, what: str, modes: Sequence[str], cost: str) -> None:
    """Warn of what was made for other costs than those of the task."""
    if modes and cost not in modes:
        made = f"{what} {' and '.join(modes)} costs, and the task has {cost} costs"
        show_warning(f"{file}: warning: {made} (--cost {modes[0]})")


def show_warning(text: str) -> None:
    """A warning, on standard error."""
    colour.echo(colour.paint_message(text), err=True)


def chosen_abstraction(
    old: PolicyAutomaton | None, file: Path | None, features: dict[str, Any]
) -> CanonicalAbstraction | None:
    """What --goals, --ignore and their like ask for; None if the automaton that is updated decides."""
    from gpaplan.automata.canonical import CanonicalAbstraction

    wanted = CanonicalAbstraction(**features)
    if old is None:
        return wanted
    if features and wanted.options != old.abstraction.options:
        given = " and ".join(f"--{name}" for name in features)
        raise UsageError(f"'{file}' was learned with {old.abstraction.options}; leave {given} out")
    return None


def progress_line(text: Callable[[float], str]) -> Callable[[], None] | None:
    """A line on standard error that is written again and again while work goes on, or None where nobody looks at it.

    ``text`` is asked for the line with the seconds since the start. The first line appears after half a second, and
    `clear_progress` removes the last one.
    """
    if not sys.stderr.isatty():
        return None
    started = time.monotonic()
    last = started + 0.3

    def show() -> None:
        nonlocal last
        now = time.monotonic()
        if now - last >= 0.2:
            last = now
            show_progress(text(now - started))

    return show


def start_counting(limits: Limits, spaces: Sequence[StateSpace]) -> _core.Stop:
    """Start the clock, with a progress line that counts the states of the last of the spaces, once there is one."""
    return limits.start(
        progress_line(lambda seconds: f"{_counted(spaces[-1])}, {seconds:.1f} s" if spaces else "grounding …")
    )


def _counted(space: StateSpace) -> str:
    return f"{len(space):,} states{up_to(space.symmetry)}"


def show_progress(text: str) -> None:
    """Write a progress line anew, where somebody looks at it."""
    if sys.stderr.isatty():
        sys.stderr.write(f"\r\x1b[K{text}")
        sys.stderr.flush()


def clear_progress() -> None:
    """Remove the progress line."""
    show_progress("")


def costs_row(task: GroundTask) -> tuple[str, str]:
    """What actions cost, and why that is not what the metric says."""
    from gpaplan.tasks.costs import costs_of

    return "costs", str(costs_of(task))


def dropped_rows(task: GroundTask) -> list[tuple[str, str]]:
    """What was dropped, where something was."""
    return [("dropped", f"{task.dropped}: the goal cannot depend on them")] if task.dropped else []


def up_to(symmetry: object) -> str:
    """What follows a number of states: that they are counted up to renaming, where they are."""
    return " up to renaming" if symmetry else ""


def show_symmetry(symmetry: Symmetry | None) -> str:
    """The classes of interchangeable objects in a few words."""
    if symmetry is None:
        return "off: there are not enough interchangeable objects"
    shown = [f"{len(objects):,} like {objects[0]}" for objects in symmetry.classes]
    return "interchangeable: " + ", ".join(shown[:6]) + (", …" if len(shown) > 6 else "")


def print_rows(title: str, rows: Sequence[tuple[str, str]]) -> None:
    """A two-column table for people, on standard error where standard output is that of a file."""
    width = max(len(name) for name, _ in rows)
    say = functools.partial(colour.echo, err=streams.output_is_taken())
    say(colour.title(title))
    for name, value in rows:
        for number, line in enumerate(value.splitlines() or [""]):
            label, text = colour.paint_row(name, line)
            padding = " " * (width - len(name))
            say(f"  {label}{padding}  {text}" if number == 0 else f"  {'':<{width}}  {text}")

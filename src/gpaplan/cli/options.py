"""Options that mean the same for all commands, and putting several together."""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, TypeAlias

import click

from gpaplan import _core
from gpaplan.cli import streams

if TYPE_CHECKING:
    from gpaplan.limits import Limits

Decorator: TypeAlias = Callable[[Any], Any]

LARGEST = 2**64 - 1
"""The core counts in 64 bits."""
COUNT = click.IntRange(min=1, max=LARGEST)
COUNT_OR_ZERO = click.IntRange(min=0, max=LARGEST)
ANY_COUNT = click.IntRange(min=1)
"""For settings that say themselves what is too large."""
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


def output_option(what: str) -> Decorator:
    """The file that a command is there to write."""
    return click.option(
        "-o",
        "--output",
        type=streams.OUTPUT,
        required=True,
        metavar="FILE",
        help=f"Write {what} to this file; '-' for standard output.",
    )


def seed_option(text: str = "Seed of random choices; the same input and seed give the same output.") -> Decorator:
    """A number that stands for all that is left to chance."""
    return click.option("--seed", type=COUNT_OR_ZERO, default=0, show_default=True, metavar="N", help=text)


dead_end_cost_option = click.option(
    "--dead-end-cost", type=POSITIVE, metavar="D", help="What giving up costs.  [default: what the policy's file says]"
)
cost_option = click.option(
    "--cost",
    type=click.Choice(["auto", "unit", "metric"]),
    default="auto",
    show_default=True,
    help="Cost of an action: 1 (unit) or what :metric says (metric); auto: metric if it is minimised.",
)


def _as_bool(_context: click.Context, _option: click.Parameter, value: str | None) -> bool | None:
    return None if value is None else value == "on"


relevance_option = click.option(
    "--relevance",
    type=click.Choice(["on", "off"]),
    callback=_as_bool,
    help="Drop the atoms and actions that the goal cannot depend on.  "
    "[default: on, unless the automaton or policy was made without that]",
)


def _features(
    goals: bool | None, ignore: tuple[str, ...], counts: str | None, relations: str | None, types: bool | None
) -> dict[str, Any]:
    asked = {"goals": goals, "ignore": ignore or None, "counts": counts, "relations": relations, "types": types}
    return {name: value for name, value in asked.items() if value is not None}


def spelled(features: dict[str, Any]) -> str:
    """The options that asked for some features."""
    return " and ".join(f"--no-{name}" if value is False else f"--{name}" for name, value in features.items())


learning_options = in_order(
    click.option(
        "--ties",
        type=click.Choice(_core.tie_names()),
        default="harmonize",
        show_default=True,
        help="Which of several optimal actions to learn from.",
    ),
    bundled(
        "features",
        _features,
        click.option("--goals/--no-goals", default=None, help="Use features of the goal.  [default: no-goals]"),
        click.option("--ignore", multiple=True, metavar="PREDICATE", help="Ignore this predicate. May be repeated."),
        click.option(
            "--counts",
            type=click.Choice(["one-many", "presence"]),
            help="Tell one object in a role from many, or only see whether there is any.  [default: one-many]",
        ),
        click.option(
            "--relations",
            type=click.Choice(["all-some", "presence", "none"]),
            help="Of relations between roles: tell those that hold for all from those that hold for some, only see "
            "whether there are any, or ignore them.  [default: all-some]",
        ),
        click.option(
            "--types/--no-types", default=None, help="Use the types of objects as features.  [default: types]"
        ),
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

"""Options that mean the same for all commands, and putting several together."""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, TypeAlias

import click

from gpaplan import _core
from gpaplan.cli import conventions
from gpaplan.settings import Declaration, declarations

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


def bundled(argument: str, make: Callable[..., Any], *options: Decorator, also: Sequence[str] = ()) -> Decorator:
    """Options that a command gets as one ``argument``: what ``make`` makes of all that it has parameters for, and of
    what it takes ``also``."""
    parameters = inspect.signature(make).parameters.values()
    names = (*(each.name for each in parameters if each.kind != each.VAR_KEYWORD), *also)

    def decorate(command: Any) -> Any:
        @functools.wraps(command)
        def with_argument(**values: Any) -> Any:
            made = make(**{name: values.pop(name) for name in names})
            return command(**{argument: made}, **values)

        return in_order(*options)(with_argument)

    return decorate


class Option(click.Option):
    """An option that knows its group in the help, and whether it is rare: then only ``--help-all`` shows it."""

    def __init__(self, *arguments: Any, group: str = "Options", is_rare: bool = False, **settings: Any) -> None:
        super().__init__(*arguments, **settings)
        self.group, self.is_rare = group, is_rare

    def get_help_extra(self, ctx: click.Context) -> Any:
        """Without the largest number that the core can count to."""
        extra = super().get_help_extra(ctx)
        if getattr(self.type, "max", None) == LARGEST:
            del extra["range"]
        return extra


def option(names: str, kind: Any, text: str, default: Any = None, **settings: Any) -> Decorator:
    """An option with a value: its names, what the value may be (a list: one of these), and what it says of itself.

    The default is shown, a file is called FILE, and a number N, unless the settings say otherwise.
    """
    metavar = "FILE" if isinstance(kind, click.Path) else "N" if isinstance(kind, click.IntRange) else None
    usual: dict[str, Any] = {"type": click.Choice(kind) if isinstance(kind, list | tuple) else kind, "metavar": metavar}
    usual |= {"cls": Option, "show_default": default is not None, "help": text}
    if default is not None:  # with a default, even of None, click asks for no option that is required
        usual["default"] = default
    return click.option(*names.split(), **usual | settings)


class Command(click.Command):
    """A command whose help has groups of options, the common ones first, and leaves out what is rarely needed."""

    def get_params(self, ctx: click.Context) -> list[click.Parameter]:
        """With an option that shows all options, as click adds the one that shows the help."""
        *others, shows_help = super().get_params(ctx)
        if not any(isinstance(each, Option) and each.is_rare for each in others):
            return [*others, shows_help]
        shows_all = click.Option(
            ["--help-all"],
            is_flag=True,
            is_eager=True,
            expose_value=False,
            callback=self._show_all,
            help="Show all options.",
        )
        return [*others, shows_help, shows_all]

    def _show_all(self, ctx: click.Context, _option: click.Parameter, value: bool) -> None:
        if value:
            ctx.meta["gpaplan.all"] = True
            conventions.echo(ctx.get_help())
            ctx.exit()

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Group by group; those of no group come first."""
        groups: dict[str, list[tuple[str, str]]] = {"Options": []}
        for parameter in self.get_params(ctx):
            shown = parameter.get_help_record(ctx) if isinstance(parameter, click.Option) else None
            is_rare = isinstance(parameter, Option) and parameter.is_rare and "gpaplan.all" not in ctx.meta
            if shown is not None and not is_rare:
                groups.setdefault(parameter.group if isinstance(parameter, Option) else "Options", []).append(shown)
        for name, rows in groups.items():
            with formatter.section(name):
                formatter.write_dl(rows)


def declared(record: type, *names: str, prefix: str = "", **defaults: Any) -> Decorator:
    """The options of settings of a record, all of them unless some are named, with other ``defaults`` if given."""
    found = declarations(record)
    return in_order(*(_declared(name, found[name], prefix, defaults) for name in names or found))


def _declared(name: str, setting: Declaration, prefix: str, defaults: dict[str, Any]) -> Decorator:
    default = defaults.get(name, setting.default)
    text = (
        setting.help if setting.default_in_words is None else f"{setting.help}  [default: {setting.default_in_words}]"
    )
    option = functools.partial(
        click.option,
        "--" + f"{prefix}{name}".replace("_", "-"),
        cls=Option,
        group=setting.group,
        is_rare=setting.is_rare,
        default=default,
        help=text,
    )
    if isinstance(default, bool):
        return option(is_flag=True)
    return option(type=_type_of(setting), metavar=setting.metavar, show_default=default is not None)


def _type_of(setting: Declaration) -> Any:
    if setting.choices:
        return click.Choice(setting.choices)
    if setting.is_whole:
        return click.IntRange(int(setting.least or 0), int(min(setting.most or LARGEST, LARGEST)))
    low = setting.least if setting.above is None else setting.above
    high = setting.most if setting.below is None else setting.below
    return click.FloatRange(low, high, min_open=setting.above is not None, max_open=setting.below is not None)


def _claim(context: click.Context, _option: click.Parameter, value: bool) -> bool:
    if value:
        conventions.claim_output("--json", context)
    return value


json_option = click.option(
    "--json", "as_json", is_flag=True, callback=_claim, help="Print one JSON object and nothing else."
)


def output_option(what: str) -> Decorator:
    """The file that a command is there to write."""
    return option(
        "-o --output", conventions.OUTPUT, f"Write {what} to this file; '-' for standard output.", required=True
    )


dead_end_cost_option = option(
    "--dead-end-cost", POSITIVE, "What giving up costs.  [default: what the policy's file says]", metavar="D"
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
    option("--ties", _core.tie_names(), "Which of several optimal actions to learn from.", "harmonize"),
    bundled(
        "features",
        _features,
        click.option("--goals/--no-goals", default=None, help="Use features of the goal.  [default: no-goals]"),
        click.option("--ignore", multiple=True, metavar="PREDICATE", help="Ignore this predicate. May be repeated."),
        option(
            "--counts",
            ["one-many", "presence"],
            "Tell one object in a role from many, or only see whether there is any.  [default: one-many]",
        ),
        option(
            "--relations",
            ["all-some", "presence", "none"],
            "Of relations between roles: tell those that hold for all from those that hold for some, only see "
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
    option("--memory-limit", POSITIVE, "Stop when the process holds more memory than this.", metavar="MB"),
)


def example(*commands: str) -> str:
    """The end of a command's help: commands that a newcomer can copy."""
    return "\n".join(["\b", "Example:" if len(commands) == 1 else "Examples:", *(f"  {each}" for each in commands)])

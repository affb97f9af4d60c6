"""Options: each is declared once, as the default of the parameter that gets it.

    @options.command("gpaplan merge one.gpa.json other.gpa.json -o merged.gpa.json")
    def command(
        files: tuple[Path, ...] = argument("AUTOMATON...", nargs=-1, required=True),
        output: Path = output_option("the automaton"),
        limits: Limits = limits_options,
    ) -> int:

So the order of the parameters is that of the help. Several options may become one thing: `bundled` makes such a thing
of a function whose parameters are declared in the same way, and `declared` makes options of the settings of a record.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import click

from gpaplan import _core
from gpaplan.cli import conventions
from gpaplan.limits import Limits
from gpaplan.settings import Declaration, declarations

LARGEST = 2**64 - 1
"""The core counts in 64 bits."""
COUNT = click.IntRange(min=1, max=LARGEST)
COUNT_OR_ZERO = click.IntRange(min=0, max=LARGEST)
POSITIVE = click.FloatRange(min=0, min_open=True)


@dataclass(frozen=True, slots=True)
class _One:
    """What a parameter of a function is given: what click reads for it, and what becomes of that."""

    kind: type[click.Parameter]
    names: list[str]
    settings: dict[str, Any]

    def parameters(self, name: str) -> list[click.Parameter]:
        return [self.kind([*self.names, name], **self.settings)]

    def take(self, name: str, values: dict[str, Any]) -> Any:
        return values.pop(name)


@dataclass(frozen=True, slots=True)
class _Bundle:
    """The same of several, of which one thing is made."""

    make: Callable[..., Any]
    members: dict[str, _One | _Bundle]

    def parameters(self, _name: str = "") -> list[click.Parameter]:
        return [each for name, member in self.members.items() for each in member.parameters(name)]

    def take(self, _name: str, values: dict[str, Any]) -> Any:
        return self.make(**{name: member.take(name, values) for name, member in self.members.items()})


def bundled(make: Callable[..., Any]) -> Any:
    """What ``make`` makes of the options that its parameters have as defaults."""
    return _Bundle(make, {each.name: each.default for each in inspect.signature(make).parameters.values()})


def command(
    *examples: str, epilog: str = "", group: click.Group | None = None, has_json: bool = True, **settings: Any
) -> Callable[[Callable[..., Any]], Command]:
    """A command, of a group perhaps, that calls a function with such parameters. It has ``--json``, unless it has not,
    which `conventions.answer` looks for. The help ends with examples."""

    def decorate(function: Callable[..., Any]) -> Command:
        given: _Bundle = bundled(function)
        made = Command(
            function.__name__,
            callback=lambda **values: given.take("", values),
            params=[*given.parameters(), *([_json_option()] if has_json else [])],
            help=inspect.cleandoc(function.__doc__ or ""),
            epilog=epilog + example(*examples),
            **settings,
        )
        if group is not None:
            group.add_command(made)
        return made

    return decorate


def example(*commands: str) -> str:
    """The end of a command's help: commands that a newcomer can copy."""
    if not commands:
        return ""
    return "\n".join(["\b", "Example:" if len(commands) == 1 else "Examples:", *(f"  {each}" for each in commands)])


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


def argument(metavar: str, kind: Any = conventions.INPUT, **settings: Any) -> Any:
    """An argument, a file unless another kind is given."""
    return _One(click.Argument, [], {"metavar": metavar, "type": kind, **settings})


def option(names: str, kind: Any, text: str, default: Any = None, **settings: Any) -> Any:
    """An option with a value: its names, what the value may be (a list: one of these), and what it says of itself.

    The default is shown, a file is called FILE, and a number N, unless the settings say otherwise.
    """
    metavar = "FILE" if isinstance(kind, click.Path) else "N" if isinstance(kind, click.IntRange) else None
    usual: dict[str, Any] = {"type": click.Choice(kind) if isinstance(kind, list | tuple) else kind, "metavar": metavar}
    usual |= {"show_default": default is not None, "help": text}
    if default is not None:  # with a default, even of None, click asks for no option that is required
        usual["default"] = default
    return _One(Option, names.split(), usual | settings)


def flag(names: str, text: str, **settings: Any) -> Any:
    """An option without a value."""
    return _One(Option, [names], {"is_flag": True, "help": text, **settings})


def declared(record: type, *names: str, prefix: str = "", **defaults: Any) -> Any:
    """The options of settings of a record, all of them unless some are named, with other ``defaults`` if given. They
    become a dictionary, by the names of the settings."""
    members = {f"{prefix}{name}": setting(record, name, prefix, **defaults) for name in names or declarations(record)}
    return _Bundle(lambda **values: {name.removeprefix(prefix): value for name, value in values.items()}, members)


def setting(record: type, name: str, prefix: str = "", called: str = "", **defaults: Any) -> Any:
    """The option of one setting of a record, under its own name unless it is ``called`` something else."""
    found = declarations(record)[name]
    default = defaults.get(name, found.default)
    text = found.help if found.default_in_words is None else f"{found.help}  [default: {found.default_in_words}]"
    settings = {"group": found.group, "is_rare": found.is_rare, "default": default, "help": text}
    if isinstance(found.default, bool):
        settings["is_flag"] = True
    else:
        metavar = found.metavar or (None if found.choices else "N" if found.is_whole else "X")
        settings |= {"type": _type_of(found), "metavar": metavar, "show_default": default is not None}
    return _One(Option, [called or "--" + f"{prefix}{name}".replace("_", "-")], settings)


def _type_of(setting: Declaration) -> Any:
    if setting.choices:
        return click.Choice(setting.choices)
    if setting.is_whole:
        return click.IntRange(int(setting.least or 0), int(min(setting.most or LARGEST, LARGEST)))
    low = setting.least if setting.above is None else setting.above
    high = setting.most if setting.below is None else setting.below
    return click.FloatRange(low, high, min_open=setting.above is not None, max_open=setting.below is not None)


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


# --- options that mean the same for all commands ---


def _json_option() -> Option:
    def claim(context: click.Context, _option: click.Parameter, value: bool) -> None:
        if value:
            conventions.claim_output("--json", context)

    text = "Print one JSON object and nothing else."
    return Option(["--json"], is_flag=True, expose_value=False, callback=claim, help=text)


def output_option(what: str, names: str = "-o --output", *, required: bool = True) -> Any:
    """A file that a command writes; most are there for that."""
    text = f"Write {what} to this file; '-' for standard output."
    return option(names, conventions.OUTPUT, text, required=required)


relevance_option = option(
    "--relevance",
    ["on", "off"],
    "Drop the atoms and actions that the goal cannot depend on.  "
    "[default: on, unless the automaton or policy was made without that]",
    callback=lambda _context, _option, value: None if value is None else value == "on",
)
ties_option = option("--ties", _core.tie_names(), "Which of several optimal actions to learn from.", "harmonize")


@bundled
def features_options(
    goals: bool | None = flag("--goals/--no-goals", "Use features of the goal.  [default: no-goals]", default=None),
    ignore: tuple[str, ...] = option(
        "--ignore", str, "Ignore this predicate. May be repeated.", multiple=True, metavar="PREDICATE"
    ),
    counts: str | None = option(
        "--counts",
        ["one-many", "presence"],
        "Tell one object in a role from many, or only see whether there is any.  [default: one-many]",
    ),
    relations: str | None = option(
        "--relations",
        ["all-some", "presence", "none"],
        "Of relations between roles: tell those that hold for all from those that hold for some, only see whether "
        "there are any, or ignore them.  [default: all-some]",
    ),
    types: bool | None = flag(
        "--types/--no-types", "Use the types of objects as features.  [default: types]", default=None
    ),
) -> dict[str, Any]:
    """What is seen of an example; `chosen_abstraction` takes it."""
    asked = {"goals": goals, "ignore": ignore or None, "counts": counts, "relations": relations, "types": types}
    return {name: value for name, value in asked.items() if value is not None}


@bundled
def limits_options(
    time_limit: float | None = setting(Limits, "seconds", called="--time-limit"),
    memory_limit: float | None = setting(Limits, "megabytes", called="--memory-limit"),
) -> Limits:
    """Where a command stops."""
    return Limits(time_limit, memory_limit)

"""The command ``gpaplan``.

Each command is a module of this package, imported only when it is called. All of them share the conventions of
`gpaplan.cli.conventions`: what ``--json`` prints, exit codes, how errors are shown.
"""

from __future__ import annotations

import importlib
import sys
from pathlib import Path
from typing import NoReturn

import click

from gpaplan import interrupts
from gpaplan.cli import conventions
from gpaplan.cli.options import example
from gpaplan.display import under_way
from gpaplan.errors import UsageError, did_you_mean

_COMMANDS = {
    "run": "Check a problem, solve it, learn from it where that helps, and say what came of it.",
    "new": "Begin a domain of your own: a working example to change.",
    "check": "Say what is in a PPDDL task, or what is wrong with it.",
    "test": "Check what is expected of domains.",
    "solve": "Find a policy that reaches the goal at the least expected cost.",
    "learn": "Learn an automaton from the optimal policies of small problems.",
    "grow": "Learn an automaton from problems of growing size, but only from those that add something.",
    "prune": "Remove the edges of an automaton that are not needed.",
    "merge": "Merge automata of one domain.",
    "rules": "Check rules that people write on problems.",
    "verify": "Check a rule list on all problems of a class, up to a size.",
    "certify": "Prove a rule list for problems of every size.",
    "certificate": "Check what is proven of a rule list.",
    "compare": "Compare two automata or rule lists on problems.",
    "show": "Show an automaton, a policy or a trace.",
    "bench": "Run a suite of experiments, with and without automata, and record every run.",
    "evaluate": "Compute the exact cost and goal probability of a policy.",
    "simulate": "Run trials of a policy, or of an actor that decides state by state.",
    "act": "Decide for a robot or a simulator: states in, actions out, as JSON lines.",
    "explain": "Say why a policy takes an action in a state, and what the others would cost.",
    "serve": "Open a workbench for a problem in the browser: why, and what if.",
    "export": "Write the reachable Markov decision process for a model checker.",
    "generate": "Write a problem of a benchmark domain.",
    "shrink": "Make small problems out of a large one.",
    "report": "Write tables, figure and page from the results of a suite.",
}


class _Commands(click.Group):
    """The table above; a command's module has a click command named ``command``."""

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002
        return list(_COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:  # noqa: ARG002
        if cmd_name not in _COMMANDS:
            return None
        with interrupts.held():
            command = importlib.import_module(f"gpaplan.cli.{cmd_name}").command
            if (core := sys.modules.get("gpaplan._core")) is not None:
                core.say_out_of_memory()
        assert isinstance(command, click.Command)
        return command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:  # noqa: ARG002
        with formatter.section("Commands"):
            formatter.write_dl(list(_COMMANDS.items()))

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        if args and args[0] not in _COMMANDS and not args[0].startswith("-"):
            run = f"did you mean 'gpaplan run {' '.join(args)}'?" if Path(args[0]).is_file() else ""
            hint = run or did_you_mean(args[0], _COMMANDS) or f"there are {', '.join(_COMMANDS)}"
            raise UsageError(f"there is no command '{args[0]}';  {hint}")
        return super().resolve_command(ctx, args)


@click.group(
    cls=_Commands,
    invoke_without_command=True,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
    epilog=example(
        "gpaplan generate gripper 3",
        "gpaplan solve domain.ppddl gripper-3.ppddl",
    )
    + "\n\nExit codes: 0 done; 10-19 stopped by a limit or an interrupt; 20-29 no solution exists; "
    "30-39 the input is at fault; anything else is a bug in gpaplan.",
)
@click.option("--version", is_flag=True, help="Show the version, and everything a bug report should include.")
@click.option("--json", "as_json", is_flag=True, help="With --version: print one JSON object.")
@click.pass_context
def gpaplan(ctx: click.Context, version: bool, as_json: bool) -> None:
    """Plan under uncertainty: learn from small problems, solve far larger ones."""
    if version:
        from gpaplan.cli import versions

        if as_json:
            conventions.print_json(versions.describe_versions())
        else:
            conventions.echo("\n".join(versions.version_lines()))
        ctx.exit()
    if as_json:
        raise UsageError("--json goes with --version here, or after a command: 'gpaplan check … --json'")
    if ctx.invoked_subcommand is None:
        conventions.echo(ctx.get_help())
    elif ctx.invoked_subcommand not in ("act", "serve"):  # which wait for others most of the time
        ctx.with_resource(under_way(ctx.invoked_subcommand))


def main(arguments: list[str] | None = None) -> NoReturn:
    """Run the command and leave with its exit code: raises `SystemExit`. A process begins in ``gpaplan.__main__``."""
    conventions.run(gpaplan, arguments)

"""``gpaplan completion``: what a shell needs to complete commands, options, names and files."""

from __future__ import annotations

import click
from click.shell_completion import get_completion_class

from gpaplan.cli import colour
from gpaplan.cli.options import example
from gpaplan.errors import UsageError

_SHELLS = {
    "bash": '# Put this into ~/.bashrc:  eval "$(gpaplan completion bash)"',
    "zsh": '# Put this into ~/.zshrc, below compinit:  eval "$(gpaplan completion zsh)"',
    "fish": "# Once:  gpaplan completion fish > ~/.config/fish/completions/gpaplan.fish",
}


@click.command(epilog=example('eval "$(gpaplan completion bash)"'))
@click.argument("shell", metavar="bash|zsh|fish", type=click.Choice(list(_SHELLS)))
@click.pass_context
def command(ctx: click.Context, shell: str) -> None:
    """Print the completion script for a shell.

    Its first line says where to put it. Commands, options, solvers, heuristics, benchmark domains, suites and files are
    completed.
    """
    kind = get_completion_class(shell)
    if kind is None:
        raise UsageError(f"the installed version of click completes nothing in {shell}")
    colour.echo(
        f"{_SHELLS[shell]}\n{kind(ctx.find_root().command, {}, 'gpaplan', '_GPAPLAN_COMPLETE').source().strip()}"
    )

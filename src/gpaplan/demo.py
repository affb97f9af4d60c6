"""``make demo``: what gpaplan does today, on one page."""

from __future__ import annotations

import contextlib
import shlex
import sys
import tempfile
import time
from pathlib import Path

import click

from gpaplan.benchmarks import generate
from gpaplan.cli import gpaplan
from gpaplan.cli.conventions import run
from gpaplan.grounding import ground
from gpaplan.state_space import StateSpace


def _title(text: str) -> None:
    click.echo()
    click.echo(click.style(f"── {text} " + "─" * max(0, 100 - len(text)), bold=True))


def _command(text: str) -> None:
    """Show a command and run it; what it says of errors is part of the show."""
    click.echo(click.style(f"$ gpaplan {text}", fg="cyan"))
    with contextlib.redirect_stderr(sys.stdout):
        run(gpaplan, shlex.split(text))


def main() -> None:
    """Generate a benchmark, look at it, break it, enumerate it, walk it."""
    with tempfile.TemporaryDirectory() as name, contextlib.chdir(name):
        _title("A benchmark domain, written as readable PPDDL")
        _command("generate gripper 6")
        click.echo("\n" + "\n".join(Path("domain.ppddl").read_text().splitlines()[:24]) + "\n  …")

        _title("What is in it")
        _command("check domain.ppddl gripper-6.ppddl --states")

        _title("A mistake is shown where it is")
        broken = Path("gripper-6.ppddl").read_text().replace("ball-in ball3", "bal-in ball3", 1)
        Path("broken.ppddl").write_text(broken)
        _command("check domain.ppddl broken.ppddl")

        _title("Trials of the random policy")
        _command("simulate domain.ppddl gripper-6.ppddl --trials 1000 --horizon 1000")

    _title("The state space explodes with the number of balls, and is walked at C++ speed")
    for balls in range(6, 13, 2):
        benchmark = generate("gripper", balls)
        started = time.perf_counter()
        space = StateSpace(ground(benchmark.domain, benchmark.problem))
        found = space.explore()
        seconds = time.perf_counter() - started
        click.echo(
            f"  {balls:2} balls: {found.states:>9,} states, {found.state_action_pairs:>9,} state-action pairs, "
            f"{seconds:6.3f} s"
        )
    click.echo("\nNext: the tutorial in docs/tutorial.md, and 'gpaplan --help'.")


if __name__ == "__main__":
    with contextlib.suppress(BrokenPipeError):
        main()

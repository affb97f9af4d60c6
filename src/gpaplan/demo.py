"""``make demo``: what gpaplan does today, on one page."""

from __future__ import annotations

import shlex
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


def _command(text: str, directory: Path) -> None:
    """Show a command and run it, with files of the demo's own directory."""
    click.echo(click.style(f"$ gpaplan {text}", fg="cyan"))
    words = [str(directory / word) if word.endswith(".ppddl") else word for word in shlex.split(text)]
    run(gpaplan, words)


def main() -> None:
    """Generate a benchmark, look at it, break it, enumerate it, walk it."""
    with tempfile.TemporaryDirectory() as name:
        directory = Path(name)
        _title("A benchmark domain, written as readable PPDDL")
        click.echo(click.style("$ gpaplan generate gripper 6", fg="cyan"))
        domain_path, problem_path = generate("gripper", 6).write(directory)
        click.echo(f"{domain_path.name} and {problem_path.name}, of which:\n")
        click.echo("\n".join(domain_path.read_text().splitlines()[:24]) + "\n  …")

        _title("What is in it")
        _command("check domain.ppddl gripper-6.ppddl --states", directory)

        _title("A mistake is shown where it is")
        broken = problem_path.read_text().replace("ball-in ball3", "bal-in ball3", 1)
        (directory / "broken.ppddl").write_text(broken)
        _command("check domain.ppddl broken.ppddl", directory)

        _title("Trials of the random policy")
        _command("simulate domain.ppddl gripper-6.ppddl --trials 1000 --horizon 1000", directory)

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
    main()

"""``make demo``: learn on small problems, solve large ones, and see what it saves, in a minute or two."""

from __future__ import annotations

import contextlib
import shlex
import sys
import tempfile
import time
from pathlib import Path

import click

from gpaplan.automata.automaton import PolicyAutomaton
from gpaplan.benchmarks import DOMAINS, generate
from gpaplan.cli import gpaplan
from gpaplan.cli.conventions import run
from gpaplan.files import written_whole
from gpaplan.limits import Limits
from gpaplan.solving.run import solve
from gpaplan.solving.solution import Solution
from gpaplan.solving.solvers import LRTDP
from gpaplan.tasks.grounding import ground

_TRAINING = (2, 3, 4, 5)
_TEST = (6, 8, 10, 12)


def _title(text: str) -> None:
    click.echo()
    click.echo(click.style(f"── {text} " + "─" * max(0, 100 - len(text)), bold=True))


def _command(text: str) -> None:
    """Show a command and run it; what it says of errors is part of the show."""
    click.echo(click.style(f"$ gpaplan {text}", fg="cyan"))
    with contextlib.redirect_stderr(sys.stdout), contextlib.suppress(SystemExit):
        run(gpaplan, shlex.split(text))


def _solve(packets: int, automaton: PolicyAutomaton | None) -> Solution:
    benchmark = generate("schedule", 1, packets)
    task = ground(benchmark.domain, benchmark.problem)
    return solve(task, LRTDP(), automaton=automaton, limits=Limits(60), symmetry="off")


def _compare(automaton: PolicyAutomaton) -> None:
    click.echo("  packets   states expanded            seconds                 speed-up   expected cost (optimal)")
    click.echo("            without      with          without      with")
    ratio = 1.0
    for packets in _TEST:
        plain, guided = _solve(packets, None), _solve(packets, automaton)
        ratio = plain.seconds["total"] / guided.seconds["total"]
        click.echo(
            f"  {packets:7} {plain.expanded:11,} {guided.expanded:9,} {plain.seconds['total']:16.3f} "
            f"{guided.seconds['total']:9.4f} {ratio:12,.0f} x   {guided.value:.4f} "
            f"({DOMAINS['schedule'].optimal_cost(1, packets):.4f})"
        )
    click.echo(f"\nWith {_TEST[-1]} packets, learned from at most {_TRAINING[-1]}: {ratio:,.0f} times as fast.")


def main() -> None:
    """Learn an automaton for a router from four small problems, and solve larger ones with and without it."""
    started = time.perf_counter()
    page = Path("demo") / "schedule.html"
    page.parent.mkdir(exist_ok=True)
    page = page.resolve()
    with tempfile.TemporaryDirectory() as name, contextlib.chdir(name):
        _title("A router must serve packets that arrive by chance before they expire: a PPDDL domain")
        for packets in _TRAINING:
            generate("schedule", 1, packets).write(".")
        _command("check domain.ppddl schedule-1-5.ppddl --states")

        _title("A mistake is shown where it is")
        text = Path("schedule-1-2.ppddl").read_text()
        Path("broken.ppddl").write_text(text.replace("(waiting", "(waitng", 1))
        _command("check domain.ppddl broken.ppddl")

        _title("Learn from four small problems")
        files = " ".join(f"schedule-1-{packets}.ppddl" for packets in _TRAINING)
        _command(f"learn domain.ppddl {files} -o schedule.gpa.json")
        _command("show schedule.gpa.json")
        automaton = PolicyAutomaton.read("schedule.gpa.json")
        with written_whole(page) as file:
            file.write(automaton.to_html())

        _title(
            "Solve larger problems of the same domain with LRTDP, packets told apart, without and with what was learned"
        )
        _compare(automaton)

        _title("Packets are interchangeable: five hundred of them, up to renaming, and the policy proven optimal")
        generate("schedule", 1, 500).write(".")
        _command("solve domain.ppddl schedule-1-500.ppddl --gpa schedule.gpa.json --prove")
    click.echo("\nEvery policy was checked: it reaches the goal with probability one, at the exact cost shown.")
    click.echo(f"Look at the automaton: {page.as_uri()}")
    click.echo(f"({time.perf_counter() - started:.0f} s. Next: docs/tutorial.md, and 'gpaplan --help'.)")


if __name__ == "__main__":
    with contextlib.suppress(BrokenPipeError):
        main()

"""Learn on small problems, solve large ones, and see what it saves, in a minute or two.

``make demo`` in a checkout; ``python -m gpaplan.demo`` where gpaplan is installed.
"""

from __future__ import annotations

import contextlib
import shlex
import sys
import tempfile
import time
from pathlib import Path

from gpaplan.automata.automaton import PolicyAutomaton
from gpaplan.benchmarks import FAMILIES, generate
from gpaplan.cli import gpaplan
from gpaplan.cli.conventions import bold, cyan, echo, run
from gpaplan.files import write_text
from gpaplan.solving.run import solve
from gpaplan.solving.solution import Solution
from gpaplan.solving.solvers import LRTDP

_ROUTER = "schedule-ippc"
_TRAINING = (2, 3, 4, 5)
_TEST = (6, 7, 8, 9)
_TOWN = (4, 50, 10, 0, 7)
"""A random graph of fifty places, with ten parcels."""


def _show(title: str, *commands: str) -> None:
    """A title, and commands that are shown and run; what they say of errors is part of the show."""
    echo("")
    echo(bold(f"── {title} " + "─" * max(0, 100 - len(title))))
    for text in commands:
        echo(cyan(f"$ gpaplan {text}"))
        with contextlib.redirect_stderr(sys.stdout), contextlib.suppress(SystemExit):
            run(gpaplan, shlex.split(text))


def _written(name: str, *theta: int) -> str:
    """The name of a problem's file, which is written with its domain's."""
    return generate(name, *theta).write(".")[1].name


def _solve(packets: int, automaton: PolicyAutomaton | None) -> Solution:
    task = generate(_ROUTER, 1, packets)
    return solve(task, LRTDP(), automaton=automaton, symmetry="off")


def _compare(automaton: PolicyAutomaton) -> None:
    echo("  packets   states expanded            seconds                 speed-up   expected cost (optimal)")
    echo("            without      with          without      with")
    ratio = 1.0
    for packets in _TEST:
        plain, guided = _solve(packets, None), _solve(packets, automaton)
        ratio = plain.seconds["total"] / guided.seconds["total"]
        echo(
            f"  {packets:7} {plain.expanded:11,} {guided.expanded:9,} {plain.seconds['total']:16.3f} "
            f"{guided.seconds['total']:9.4f} {ratio:12,.0f} x   {guided.value:.4f} "
            f"({FAMILIES[_ROUTER].optimal_cost(1, packets):.4f})"
        )
    echo(f"\nWith {_TEST[-1]} packets, learned from at most {_TRAINING[-1]}: {ratio:,.0f} times as fast.")


def _all() -> PolicyAutomaton:
    _show(
        "One command: a domain and a problem, and nothing else",
        "new plants",
        "run plants/domain.ppddl plants/large.ppddl",
    )
    files = " ".join(_written(_ROUTER, 1, packets) for packets in _TRAINING)
    _show(
        "Learned from toys: a router with 2 to 5 packets, which arrive by chance and expire unless they are served",
        f"learn domain.ppddl {files} -o router.gpa.json",
    )
    automaton = PolicyAutomaton.read("router.gpa.json")
    _show("The speed-up on larger problems: LRTDP without and with what was learned, packets told apart")
    _compare(automaton)
    _show(
        "1,000 objects and a few more, up to symmetry, and the policy proven optimal",
        f"solve domain.ppddl {_written('gripper', 1000)} --prove",
    )
    echo("\nEvery policy so far was checked: it reaches the goal with probability one, at the exact cost shown.")
    town = _written("delivery", *_TOWN)
    _show(
        "Maps: rules learned out of one large problem alone, 50 places and 10 parcels, to be read by people",
        f"learn domain.ppddl {town} -o delivery.gpa.json",
        "show delivery.gpa.json",
    )
    _show(
        "Acting where a policy for every state is out of reach: by these rules",
        f"simulate domain.ppddl {town} --gpa delivery.gpa.json --trials 20",
    )
    return automaton


def main() -> None:
    """What one command does, what is learned from small problems, and what it is good for: a router, a thousand balls,
    maps."""
    started = time.perf_counter()
    folder = Path("demo")
    folder.mkdir(exist_ok=True)
    page = (folder / "router.html").resolve()
    with tempfile.TemporaryDirectory() as name, contextlib.chdir(name):
        automaton = _all()
        write_text(page, automaton.to_html())
    _show("The page to look at")
    echo(f"The router's automaton, to be explored in a browser: {page.as_uri()}")
    echo(f"({time.perf_counter() - started:.0f} s. Next: 'gpaplan --help'; every command's own help has an example.)")


if __name__ == "__main__":
    with contextlib.suppress(BrokenPipeError):
        main()

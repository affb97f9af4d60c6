"""What the commands that act share: the options of an actor, and its automaton and policy."""

from __future__ import annotations

import functools
from pathlib import Path
from typing import Any

import click

from gpaplan.acting.view import ActingSettings
from gpaplan.automata.automaton import PolicyAutomaton
from gpaplan.cli import colour, options, streams
from gpaplan.display import counted
from gpaplan.errors import UsageError
from gpaplan.limits import Limits
from gpaplan.solving.solvers import SSiPP
from gpaplan.spaces.settings import SpaceSettings
from gpaplan.tasks.task import GroundTask

gpa_option = click.option("--gpa", "gpa_file", type=streams.INPUT, metavar="FILE", help="Act by this automaton.")


teach_options = options.bundled(
    "teach",
    lambda teach, save_gpa: (teach or save_gpa is not None, save_gpa),
    click.option("--teach", is_flag=True, help="Without --gpa: learn from this very problem first, if it is large."),
    click.option("--save-gpa", type=streams.OUTPUT, metavar="FILE", help="Write what --teach learned to this file."),
)
"""Whether to learn from the problem, and the file to write that to."""


def take_lessons(
    task: GroundTask, gpa_file: Path | None, teach: tuple[bool, Path | None], limits: Limits, **settings: Any
) -> PolicyAutomaton | None:
    """What is learned from a problem, if that is asked for and something is; says so on standard error."""
    is_asked, save = teach
    if not is_asked:
        return None
    if gpa_file is not None:
        raise UsageError("--teach learns an automaton, and --gpa gives one: leave one of them out")
    from gpaplan.learning.teaching import teach as learned_from

    found = learned_from(task, limits=limits, **settings)
    if found is None:
        colour.echo("nothing useful was learned from the problem: going on without", err=True)
        return None
    size = counted(len(found.automaton.vertices), "vertex", "vertices")
    origin = f"{counted(len(found.made), 'small problem')} that it was made into" if found.made else "it"
    colour.echo(f"learned an automaton of {size} from {origin}", err=True)
    if save is not None:
        found.automaton.write(save)
    return found.automaton


def _options(steps: int, decision_states: int, decision_work: int, **settings: Any) -> dict[str, Any]:
    return {"solver": SSiPP(steps=steps, max_states=decision_states), "work": decision_work, **settings}


_option = functools.partial(click.option, show_default=True)

actor_options = options.bundled(
    "options",
    _options,
    _option("--steps", type=options.COUNT, default=10, metavar="N", help="Look ahead this many steps."),
    _option(
        "--decision-states",
        type=options.COUNT,
        default=1000,
        metavar="N",
        help="Look at this many states at most for a decision.",
    ),
    _option(
        "--decision-work",
        type=options.COUNT,
        default=100_000,
        metavar="N",
        help="Do this much work at most for a decision; 10 million take about a second.",
    ),
    options.declared(ActingSettings, "heuristic", "match"),
    options.declared(SpaceSettings, "symmetry", "max_outcomes"),
    options.declared(ActingSettings, "dead_end_cost", "seed"),
    also=("heuristic", "match", "symmetry", "max_outcomes", "dead_end_cost", "seed"),
)
"""How an actor decides, as ``options`` of `gpaplan.Actor`."""

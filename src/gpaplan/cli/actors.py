"""What the commands that act share: the options of an actor, and its automaton and policy."""

from __future__ import annotations

import functools
from typing import Any

import click

from gpaplan.acting.view import ActingSettings
from gpaplan.cli import options, streams
from gpaplan.solving.solvers import SSiPP
from gpaplan.spaces.settings import SpaceSettings

gpa_option = click.option("--gpa", "gpa_file", type=streams.INPUT, metavar="FILE", help="Act by this automaton.")


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

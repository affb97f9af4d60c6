"""What the commands that act share: the options of an actor, and its automaton and policy."""

from __future__ import annotations

from typing import Any

import click

from gpaplan.cli import options, streams
from gpaplan.solving.heuristics import HEURISTICS
from gpaplan.solving.settings import RunSettings
from gpaplan.solving.solvers import SSiPP
from gpaplan.spaces.settings import SpaceSettings

__all__ = ["actor_options", "gpa_option"]

gpa_option = click.option("--gpa", "gpa_file", type=streams.INPUT, metavar="FILE", help="Act by this automaton.")


def _options(
    steps: int,
    decision_states: int,
    decision_time: float,
    heuristic: str,
    match: str,
    symmetry: str,
    max_outcomes: int,
    dead_end_cost: float | None,
    seed: int,
) -> dict[str, Any]:
    return {
        "solver": SSiPP(steps=steps, max_states=decision_states),
        "seconds": decision_time,
        "heuristic": heuristic,
        "match": match,
        "symmetry": symmetry,
        "max_outcomes": max_outcomes,
        "dead_end_cost": dead_end_cost,
        "seed": seed,
    }


actor_options = options.in_order(
    click.option(
        "--steps", type=options.COUNT, default=10, show_default=True, metavar="N", help="Look ahead this many steps."
    ),
    click.option(
        "--decision-states",
        type=options.COUNT,
        default=1000,
        show_default=True,
        metavar="N",
        help="Look at this many states at most for a decision.",
    ),
    click.option(
        "--decision-time",
        type=options.POSITIVE,
        default=0.01,
        show_default=True,
        metavar="SECONDS",
        help="Look ahead this long at most for a decision.",
    ),
    click.option(
        "--heuristic",
        type=click.Choice(list(HEURISTICS)),
        default="ff",
        show_default=True,
        help="What estimates the costs beyond the look-ahead.",
    ),
    options.declared(RunSettings, "match"),
    options.declared(SpaceSettings, "symmetry", "max_outcomes"),
    options.dead_end_cost_option,
    options.declared(RunSettings, "seed"),
    options.bundled("options", _options),
)
"""How an actor decides, as ``options`` of `gpaplan.Actor`."""

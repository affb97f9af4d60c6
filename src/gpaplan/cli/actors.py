"""What the commands that act share: the options of an actor, and its automaton and policy."""

from __future__ import annotations

from typing import Any

from gpaplan.acting.view import ActingSettings
from gpaplan.cli import options, streams
from gpaplan.cli.options import option
from gpaplan.solving.solvers import SSiPP
from gpaplan.spaces.settings import SpaceSettings

gpa_option = option("--gpa gpa_file", streams.INPUT, "Act by this automaton.")


def _options(steps: int, decision_states: int, decision_work: int, **settings: Any) -> dict[str, Any]:
    return {"solver": SSiPP(steps=steps, max_states=decision_states), "work": decision_work, **settings}


actor_options = options.bundled(
    "options",
    _options,
    option("--steps", options.COUNT, "Look ahead this many steps.", 10),
    option("--decision-states", options.COUNT, "Look at this many states at most for a decision.", 1000),
    option(
        "--decision-work",
        options.COUNT,
        "Do this much work at most for a decision; 10 million take about a second.",
        100_000,
    ),
    options.declared(ActingSettings, "heuristic", "match"),
    options.declared(SpaceSettings, "symmetry", "max_outcomes"),
    options.declared(ActingSettings, "dead_end_cost", "seed"),
    also=("heuristic", "match", "symmetry", "max_outcomes", "dead_end_cost", "seed"),
)
"""How an actor decides, as ``options`` of `gpaplan.Actor`."""

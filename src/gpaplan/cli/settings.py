"""Options that become records: what a state space is like, and how problems to learn from are solved.

A command gets the record, and not the options that it is made of.
"""

from __future__ import annotations

from dataclasses import replace
from typing import cast

import click

from gpaplan.cli.options import COUNT, POSITIVE, Decorator, bundled, cost_option, in_order, seed_option
from gpaplan.solving.heuristics import ADMISSIBLE
from gpaplan.solving.settings import RunSettings
from gpaplan.solving.solvers import make_solver, solver_of
from gpaplan.spaces.settings import MAX_OUTCOMES, SpaceSettings

max_outcomes_option = click.option(
    "--max-outcomes",
    type=COUNT,
    default=MAX_OUTCOMES,
    show_default=True,
    metavar="N",
    help="Refuse actions with more than N outcomes in a state.",
)


giving_up_option = click.option(
    "--dead-end-cost",
    type=POSITIVE,
    metavar="D",
    help="Allow giving up in every state, at cost D.  [default: not allowed]",
)


def symmetry_option(default: str) -> Decorator:
    """Whether states are met up to renaming."""
    return click.option(
        "--symmetry",
        type=click.Choice(["on", "off", "auto"]),
        default=default,
        show_default=True,
        help="Treat states that differ only by renaming interchangeable objects as one; auto: if at least three "
        "objects are interchangeable.",
    )


def _space_options(symmetry: str) -> Decorator:
    return bundled("space_settings", SpaceSettings, symmetry_option(symmetry), max_outcomes_option)


space_options = _space_options("auto")
"""With the command's ``--cost`` they become ``space_settings``."""

plain_space_options = _space_options("off")
"""The same for commands that show the task itself, unless asked."""


def training_options(defaults: RunSettings) -> Decorator:
    """How problems are solved to optimality, as ``settings``."""
    usual = solver_of(defaults.solver)
    heuristics, solvers = click.Choice(ADMISSIBLE), click.Choice(["lrtdp", "ilao", "lao", "vi"])

    def settings(
        solver: str,
        heuristic: str,
        epsilon: float,
        dead_end_cost: float | None,
        seed: int,
        space_settings: SpaceSettings,
    ) -> RunSettings:
        chosen = replace(defaults, solver=make_solver(solver, epsilon), heuristic=heuristic)
        return replace(chosen, dead_end_cost=dead_end_cost, seed=seed, space=space_settings)

    return in_order(
        click.option(
            "--solver", type=solvers, default=usual.name, show_default=True, help="How the problems are solved."
        ),
        click.option(
            "--heuristic",
            type=heuristics,
            default=cast("str", defaults.heuristic),
            show_default=True,
            help="What guides the solver; all of these are admissible.",
        ),
        click.option(
            "--epsilon",
            type=POSITIVE,
            default=usual.epsilon,
            show_default=True,
            metavar="E",
            help="The residual at which a solver stops.",
        ),
        giving_up_option,
        cost_option,
        seed_option(),
        space_options,
        bundled("settings", settings),
    )

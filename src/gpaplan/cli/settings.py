"""Options that become records: what a state space is like, and how problems to learn from are solved.

A command gets the record, and not the options that it is made of.
"""

from __future__ import annotations

import functools
from collections.abc import Callable
from dataclasses import replace
from typing import Any, TypeVar, cast

import click

from gpaplan.cli.conventions import cost_option, seed_option
from gpaplan.solving.heuristics import ADMISSIBLE
from gpaplan.solving.settings import RunSettings
from gpaplan.solving.solvers import make_solver, solver_of
from gpaplan.spaces.settings import MAX_OUTCOMES, SpaceSettings

F = TypeVar("F", bound=Callable[..., Any])

max_outcomes_option = click.option(
    "--max-outcomes",
    type=click.IntRange(min=1),
    default=MAX_OUTCOMES,
    show_default=True,
    metavar="N",
    help="Refuse actions with more joint outcomes in a state.",
)

symmetry_option = click.option(
    "--symmetry",
    type=click.Choice(["on", "off", "auto"]),
    default="off",
    show_default=True,
    help="Meet states up to renaming of interchangeable objects; auto: if there are at least three of them.",
)


def space_options(command: F) -> F:
    """With the command's ``--cost`` they become ``space_settings``."""

    @functools.wraps(command)
    def with_record(*, cost: Any, symmetry: Any, max_outcomes: int, **others: Any) -> Any:
        settings = SpaceSettings(cost=cost, symmetry=symmetry, max_outcomes=max_outcomes)
        return command(space_settings=settings, **others)

    return cast("F", symmetry_option(max_outcomes_option(with_record)))


def training_options(defaults: RunSettings) -> Callable[[F], F]:
    """How problems are solved to optimality, as ``settings``."""
    solver = solver_of(defaults.solver)

    def decorate(command: F) -> F:
        @space_options
        @functools.wraps(command)
        def with_record(
            *, solver: str, heuristic: str, epsilon: float, seed: int, space_settings: SpaceSettings, **others: Any
        ) -> Any:
            chosen = replace(defaults, solver=make_solver(solver, epsilon), heuristic=heuristic)
            return command(settings=replace(chosen, seed=seed, space=space_settings), **others)

        for decorator in (
            seed_option,
            cost_option,
            click.option(
                "--epsilon", type=click.FloatRange(min=0, min_open=True), default=solver.epsilon, show_default=True
            ),
            click.option(
                "--heuristic", type=click.Choice(ADMISSIBLE), default=cast("str", defaults.heuristic), show_default=True
            ),
            click.option(
                "--solver", type=click.Choice(["lrtdp", "ilao", "lao", "vi"]), default=solver.name, show_default=True
            ),
        ):
            with_record = decorator(with_record)
        return cast("F", with_record)

    return decorate

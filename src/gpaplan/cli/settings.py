"""Options that become records: what a state space is like, and how problems to learn from are solved.

A command gets the record, and not the options that it is made of.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from gpaplan.cli.options import Decorator, bundled, declared, in_order, option
from gpaplan.errors import UsageError
from gpaplan.settings import declarations
from gpaplan.solving.heuristics import ADMISSIBLE, AnyHeuristic, PatternDatabases
from gpaplan.solving.settings import RunSettings
from gpaplan.solving.solvers import LRTDP, SoftFLARES, Solver, SSiPP, make_solver
from gpaplan.spaces.settings import SpaceSettings

max_outcomes_option = declared(SpaceSettings, "max_outcomes")
cost_option = declared(SpaceSettings, "cost")
seed_option = declared(RunSettings, "seed")


def space_options(symmetry: str = "auto") -> Decorator:
    """With the command's ``--cost`` they become ``space_settings``."""
    return bundled(
        "space_settings", SpaceSettings, declared(SpaceSettings, "symmetry", "max_outcomes", symmetry=symmetry)
    )


_PATTERNS = ("variables", "states", "work")
_FLARES = ("horizon", "distance", "labelling", "alpha", "beta")
_OF_RUN = tuple(declarations(RunSettings))

run_options = in_order(
    declared(RunSettings, *_OF_RUN),
    declared(LRTDP, "epsilon"),
    declared(PatternDatabases, *_PATTERNS, prefix="pdb_"),
    declared(SoftFLARES, *_FLARES, prefix="flares_"),
    declared(SSiPP, "steps", prefix="ssipp_"),
    space_options(),
)
"""All that decides how a task is solved; `run_settings` makes the record of them."""


def run_settings(space_settings: SpaceSettings, options: dict[str, Any]) -> RunSettings:
    """The record of `run_options`, which it takes out of all options of a command."""
    values = {name: options.pop(name) for name in _OF_RUN}
    own = {name: options.pop(name) for name in ("epsilon", *(f"flares_{each}" for each in _FLARES), "ssipp_steps")}
    values["solver"] = _make_solver(values["solver"], own)
    values["heuristic"] = _make_heuristic(values["heuristic"], {each: options.pop(f"pdb_{each}") for each in _PATTERNS})
    return RunSettings(**values, space=space_settings)


def _make_heuristic(name: str | None, given: dict[str, Any]) -> AnyHeuristic | None:
    """A heuristic with the settings given, which are those of pattern databases."""
    if name in ("pdb", "best"):
        return PatternDatabases(**given, landmarks=name == "best")
    if other := next((key for key, value in given.items() if value != getattr(PatternDatabases(), key)), None):
        raise UsageError(f"--pdb-{other.replace('_', '-')} is for pattern databases: give --heuristic pdb or best")
    return name


def _make_solver(name: str | None, own: dict[str, Any]) -> Solver | None:
    """A solver with those of the options that are its own; none, unless one is asked for."""
    if name is None:
        return None if own["epsilon"] == LRTDP().epsilon else LRTDP(epsilon=own["epsilon"])
    if name == SSiPP.name:
        return SSiPP(epsilon=own["epsilon"], steps=own["ssipp_steps"])
    if name == SoftFLARES.name:
        return SoftFLARES(epsilon=own["epsilon"], **{each: own[f"flares_{each}"] for each in _FLARES})
    return make_solver(name, own["epsilon"])


def training_options(defaults: RunSettings) -> Decorator:
    """How problems are solved to optimality, as ``settings``."""
    usual = defaults.first_solver

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
        option("--solver", ["lrtdp", "ilao", "lao", "vi"], "How the problems are solved.", usual.name),
        option(
            "--heuristic", ADMISSIBLE, "What guides the solver; all of these are admissible.", str(defaults.heuristic)
        ),
        declared(LRTDP, "epsilon", epsilon=usual.epsilon),
        declared(RunSettings, "dead_end_cost"),
        cost_option,
        seed_option,
        space_options(),
        bundled("settings", settings),
    )

"""``gpaplan check``: what is in a task, or what is wrong with it."""

from __future__ import annotations

import time
from typing import Any, Literal

import click

from gpaplan.cli import conventions
from gpaplan.cli.settings import space_options
from gpaplan.errors import STOP_REASONS, UsageError
from gpaplan.limits import Limits
from gpaplan.ppddl.writer import write_formula
from gpaplan.spaces.settings import MAX_OUTCOMES, SpaceSettings
from gpaplan.spaces.state_space import Exploration, StateSpace
from gpaplan.spaces.symmetry import Symmetry, mode_of
from gpaplan.spaces.symmetry import describe as describe_symmetry
from gpaplan.tasks.encode import declared_objects
from gpaplan.tasks.grounding import MAX_ACTIONS
from gpaplan.tasks.task import GroundTask


@click.command()
@conventions.task_arguments
@click.option("--states", is_flag=True, help="Count the reachable states and state-action pairs.")
@space_options
@click.option("--max-states", type=conventions.COUNT, help="Stop counting at this many states.")
@click.option(
    "--max-actions",
    type=conventions.COUNT,
    default=MAX_ACTIONS,
    show_default=True,
    help="Refuse tasks with more ground actions.",
)
@conventions.limits_options
@conventions.json_option
def command(
    files: conventions.TaskFiles,
    space_settings: SpaceSettings,
    states: bool,
    max_states: int | None,
    max_actions: int,
    limits: Limits,
    as_json: bool,
) -> int:
    """Say what is in a PPDDL task, or what is wrong with it.

    DOMAIN and PROBLEM are PPDDL files; one file may hold both. All errors are reported in one run, each with its place.
    """
    symmetry = mode_of(space_settings.symmetry)
    if (max_states is not None or space_settings.max_outcomes != MAX_OUTCOMES) and not states:
        raise UsageError("--max-states and --max-outcomes go with --states")
    if symmetry != "off" and not states:
        raise UsageError("--symmetry goes with --states: it says up to what states are counted")
    started = time.perf_counter()
    spaces: list[StateSpace] = []
    stop = conventions.start_counting(limits, spaces)
    task = files.ground(space_settings.cost, max_actions=max_actions, limits=stop)
    record = describe(task)
    exploration: Exploration | None = None
    if states:
        space = StateSpace(task, space_settings, limits=stop)
        spaces.append(space)
        exploration = space.explore(max_states=max_states, limits=stop)
        if exploration.stopped_by:
            record["status"] = STOP_REASONS[exploration.stopped_by].status
        record["states"] = exploration.states
        record["state_action_pairs"] = exploration.state_action_pairs
        record["complete"] = exploration.complete
        record["symmetry"] = describe_symmetry(symmetry, space.symmetry)
        if exploration.complete:
            record["max_outcomes"] = space.core.widest_outcome
    conventions.clear_progress()
    record["warnings"] = [warning.to_json() for warning in files.warnings]
    total = time.perf_counter() - started
    record["seconds"] = {**files.seconds, "states": total - sum(files.seconds.values()), "total": total}
    rows = _rows(record, exploration, spaces[-1].symmetry if symmetry != "off" else "off")
    conventions.answer(as_json, record, f"{task.domain.name} / {task.problem.name}", rows)
    return conventions.EXIT_CODES.get(record["status"], 0)


def describe(task: GroundTask) -> dict[str, Any]:
    """What a task contains, as ``--json`` prints it."""
    names: dict[str, int] = {}
    for types in declared_objects(task.domain, task.problem).values():
        for name in types:
            names[name] = names.get(name, 0) + 1
    order = ["object", *(declaration.name for declaration in task.domain.types)]
    return {
        "status": "ok",
        "domain": task.domain.name,
        "problem": task.problem.name,
        "cost": task.cost,
        "objects": len(task.objects),
        "objects_by_type": {name: names.get(name, 0) for name in dict.fromkeys(order)},
        "atoms": task.core.atom_count,
        "static_atoms": task.core.static_count,
        "actions": task.core.action_count,
        "actions_by_schema": task.actions_by_schema(),
        "goal": None if task.problem.goal is None else write_formula(task.problem.goal),
        "max_outcomes": task.core.outcome_bound(),
    }


def _rows(
    record: dict[str, Any], exploration: Exploration | None, symmetry: Symmetry | Literal["off"] | None
) -> list[tuple[str, str]]:
    by_type = {name: n for name, n in record["objects_by_type"].items() if name != "object"}
    types = ", ".join(f"{name} {count:,}" for name, count in by_type.items())
    schemas = "\n".join(f"{name} {count:,}" for name, count in record["actions_by_schema"].items())
    exact = exploration is not None and exploration.complete
    rows = [
        ("objects", f"{record['objects']:,}" + (f"  ({types})" if types else "")),
        ("atoms", f"{record['atoms']:,}  (and {record['static_atoms']:,} static)"),
        ("actions", f"{record['actions']:,}" + (f"\n{schemas}" if schemas else "")),
        ("outcomes", f"{'' if exact else 'at most '}{record['max_outcomes']:,} of an action"),
        ("goal", _shorten(record["goal"]) if record["goal"] is not None else "none: no state is a goal"),
    ]
    if exploration is not None:
        partly = "" if exploration.complete else f"  (stopped by {STOP_REASONS[exploration.stopped_by].name})"
        rows.append(("states", f"{'' if exploration.complete else 'at least '}{exploration.states:,}{partly}"))
        rows.append(("state-action pairs", f"{exploration.state_action_pairs:,}"))
        if symmetry != "off":
            rows.append(("symmetry", conventions.show_symmetry(symmetry)))
        rows.append(("time", f"{record['seconds']['total']:.2f} s"))
    return rows


def _shorten(text: str, most: int = 300) -> str:
    text = " ".join(text.split())
    return text if len(text) <= most else f"{text[:most]} …"

"""``gpaplan check``: what is in a task, or in a domain alone, or what is wrong with it."""

from __future__ import annotations

import contextlib
import time
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Literal

from gpaplan import _core
from gpaplan.cli import check_all, conventions, inputs, options
from gpaplan.cli.inputs import space_options
from gpaplan.cli.options import argument, flag, option
from gpaplan.errors import STOP_REASONS, LimitError, UsageError
from gpaplan.limits import Limits
from gpaplan.ppddl import Domain, syntax
from gpaplan.ppddl.writer import write_formula, write_signature
from gpaplan.spaces.dead_ends import DeadEnds, find_dead_ends
from gpaplan.spaces.state_space import (
    MAX_OUTCOMES,
    Exploration,
    SpaceSettings,
    StateSpace,
    Symmetry,
    describe as describe_symmetry,
    mode_of,
)
from gpaplan.tasks.goal import GoalPart, changed_predicates, goal_parts
from gpaplan.tasks.grounding import MAX_ACTIONS, declared_objects
from gpaplan.tasks.task import GroundTask
from gpaplan.tasks.unused import unused_parts, why_never
from gpaplan.tasks.variables import count_values, find_variables, takes_a_moment


@options.command("gpaplan check domain.ppddl gripper-3.ppddl --states")
def command(
    files: inputs.TaskFiles = inputs.task_arguments,
    more: tuple[Path, ...] = argument("[FILE]...", nargs=-1),
    fix: bool = flag("--fix", "First mend what has one answer: missing requirements, misspelt names."),
    states: bool = flag("--states", "Count the reachable states, state-action pairs and dead ends."),
    strict: bool = flag(
        "--strict",
        "For continuous integration: fail where there is a warning, something unused, or a goal never reached.",
    ),
    variables: bool = flag("--variables", "Show the finite-domain variables that the atoms form."),
    space_settings: SpaceSettings = space_options(symmetry="off"),
    max_states: int | None = option("--max-states", options.COUNT, "Stop counting at this many states."),
    max_actions: int = option("--max-actions", options.COUNT, "Refuse tasks with more ground actions.", MAX_ACTIONS),
    limits: Limits = options.limits_options,
    as_json: bool = options.json_option,
) -> int:
    """Say what is in a PPDDL task or domain, or what is wrong with it.

    DOMAIN and PROBLEM are PPDDL files; one file may hold both, and a domain may be checked alone. All errors are
    reported in one run, each with its place. For a problem it also says which parts of its goal can never be reached.
    More FILEs, or folders, are checked all at once: each problem with the domain that it names.
    """
    given = [each for each in (files.domain_file, files.problem_file, *more) if each is not None]
    if fix:
        check_all.mend(given, limits)
    if more or any(each.is_dir() for each in given):
        if states or variables:
            raise UsageError("--states and --variables are for one problem: give DOMAIN and PROBLEM")
        return check_all.check_all(given, files.cost, strict, limits, as_json)
    symmetry = mode_of(space_settings.symmetry)
    if (max_states is not None or space_settings.max_outcomes != MAX_OUTCOMES) and not states:
        raise UsageError("--max-states and --max-outcomes go with --states")
    if symmetry != "off" and not states:
        raise UsageError("--symmetry goes with --states: it says up to what states are counted")
    started = time.perf_counter()
    stop = limits.start()
    task = files.ground_unless_alone(max_actions=max_actions, limits=stop)
    if not isinstance(task, GroundTask):
        return _check_domain(task, files, "--states" if states else "--variables" if variables else "", as_json)
    parts = goal_parts(task, limits=stop)
    record = describe(task)
    record["goal_parts"] = parts
    record["unused"] = unused_parts(task)
    record["why_never"] = why_never(task)
    record |= _describe_variables(task, asked_for=variables, stop=stop)
    exploration: Exploration | None = None
    found_symmetry: Symmetry | Literal["off"] | None = "off"
    dead_ends: DeadEnds | None = None
    if states:
        space = StateSpace(task, space_settings, limits=stop)
        found_symmetry = space.symmetry if symmetry != "off" else "off"
        exploration = space.explore(max_states=max_states, limits=stop)
        if exploration.complete:
            record["max_outcomes"] = space.core.widest_outcome
            with contextlib.suppress(LimitError):
                dead_ends = find_dead_ends(space, limits=stop)
        stopped_by = exploration.stopped_by or stop.reason
        if stopped_by:
            record["status"] = STOP_REASONS[stopped_by].status
        record["states"] = exploration.states
        record["state_action_pairs"] = exploration.state_action_pairs
        record["complete"] = exploration.complete
        record["dead_ends"] = dead_ends
        record["symmetry"] = describe_symmetry(symmetry, space.symmetry)
    record["warnings"] = files.warnings
    total = time.perf_counter() - started
    record["seconds"] = {**files.seconds, "states": total - sum(files.seconds.values()), "total": total}
    rows = _rows(task, record, exploration, found_symmetry, parts, dead_ends)
    code = conventions.answer(as_json, record, f"{task.domain.name} / {task.problem.name}", rows)
    never = any(not part.reachable for part in parts) or (dead_ends is not None and dead_ends.initial)
    if strict and record["status"] == "ok" and (files.warnings or record["unused"] or never):
        return conventions.NOT_STRICT
    return code


def _check_domain(domain: Domain, files: inputs.TaskFiles, option: str, as_json: bool) -> int:
    if option:
        raise UsageError(f"{option} needs a problem: a domain alone has no states")
    record = describe_domain(domain)
    record["warnings"] = files.warnings
    record["seconds"] = {**files.seconds, "total": sum(files.seconds.values())}
    return conventions.answer(as_json, record, f"{domain.name}, a domain without a problem", domain_rows(record))


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
        "cost_mode": task.cost,
        "objects": len(task.objects),
        "objects_by_type": {name: names.get(name, 0) for name in dict.fromkeys(order)},
        "atoms": task.core.atom_count,
        "static_atoms": task.core.static_count,
        **task.count_dropped(),
        "actions": task.core.action_count,
        "actions_by_schema": task.actions_by_schema(),
        "goal": None if task.problem.goal is None else write_formula(task.problem.goal),
        "max_outcomes": task.core.outcome_bound(),
    }


def _rows(
    task: GroundTask,
    record: dict[str, Any],
    exploration: Exploration | None,
    symmetry: Symmetry | Literal["off"] | None,
    parts: Sequence[GoalPart],
    dead_ends: DeadEnds | None,
) -> list[tuple[str, str]]:
    by_type = {name: n for name, n in record["objects_by_type"].items() if name != "object"}
    types = ", ".join(f"{name} {count:,}" for name, count in by_type.items())
    schemas = "\n".join(f"{name} {count:,}" for name, count in record["actions_by_schema"].items())
    exact = exploration is not None and exploration.complete
    rows = [
        ("objects", f"{record['objects']:,}" + (f"  ({types})" if types else "")),
        ("atoms", f"{record['atoms']:,}  (and {record['static_atoms']:,} static)"),
        ("actions", f"{record['actions']:,}" + (f"\n{schemas}" if schemas else "")),
        *conventions.dropped_rows(task),
        ("outcomes", f"{'' if exact else 'at most '}{record['max_outcomes']:,} of an action"),
        ("goal", _shorten(record["goal"]) if record["goal"] is not None else "none: no state is a goal"),
        conventions.costs_row(task),
    ]
    missing = [str(part) for part in parts if not part.reachable]
    rows.append(("never reached", "\n".join(_shorten(text) for text in missing)))
    rows.append(("why", "\n".join(record["why_never"]) if missing else ""))
    rows.append(("never used", "\n".join(record["unused"])))
    rows.append(("variables", _show_variables(record)))
    if exploration is not None:
        partly = "" if exploration.complete else f"  (stopped by {STOP_REASONS[exploration.stopped_by].name})"
        up_to = conventions.up_to(symmetry != "off" and symmetry)
        rows.append(("states", f"{'' if exploration.complete else 'at least '}{exploration.states:,}{up_to}{partly}"))
        rows.append(("state-action pairs", f"{exploration.state_action_pairs:,}{up_to}"))
        rows += _dead_end_rows(dead_ends, not missing and bool(parts))
        if symmetry != "off":
            rows.append(("symmetry", conventions.show_symmetry(symmetry)))
        rows.append(("time", f"{record['seconds']['total']:.2f} s"))
    return rows


def _describe_variables(task: GroundTask, *, asked_for: bool, stop: _core.Stop) -> dict[str, Any]:
    """The variables if they were asked for, and how many have how many values; of large tasks only if asked for."""
    if not asked_for and not takes_a_moment(task):
        return {"variable_count": None, "variables_by_size": None}
    found = find_variables(task, limits=stop) if asked_for else ()
    counts = Counter(map(len, found) if asked_for else count_values(task, limits=stop))
    return {
        "variable_count": counts.total(),
        "variables_by_size": {str(values): counts[values] for values in sorted(counts)},
        **({"variables": [variable.to_json() for variable in found]} if asked_for else {}),
    }


def _show_variables(record: dict[str, Any]) -> str:
    """The variables one by one if they were asked for, else their number."""
    if "variables" in record:
        return "\n".join(map(_show_variable, record["variables"])) or "none"
    if record["variable_count"] is None:
        return "not counted: the task is large (--variables finds them)"
    sizes = list(record["variables_by_size"])
    if not sizes:
        return "none"
    values = sizes[0] if len(sizes) == 1 else f"{sizes[0]} to {sizes[-1]}"
    return f"{record['variable_count']:,}  (of {values} values)"


def _show_variable(variable: dict[str, Any]) -> str:
    """``at: (at dock) | (at bay) | none of them``; of an atom that is in no mutex group, its name alone."""
    if len(variable["atoms"]) == 1:
        return str(variable["name"])
    values = variable["atoms"] + (["none of them"] if variable["may_be_none"] else [])
    return f"{variable['name']}: {_shorten(' | '.join(values))}"


def _dead_end_rows(found: DeadEnds | None, parts_reached: bool) -> list[tuple[str, str]]:
    """How many states are dead ends, and how one gets into the first."""
    if found is None:
        return [("dead ends", "unknown: not all states were looked at")]
    if found.initial:
        why = ", although no part of it is known to be out of reach by itself" if parts_reached else ""
        return [("dead ends", f"all states: the goal cannot be reached{why}")]
    if not found.count:
        return [("dead ends", "none: the goal can be reached from every state")]
    improper = found.without_proper_policy - found.count
    lines = [
        f"{found.count:,}: states from which the goal cannot be reached",
        f"first entered by {found.action}, with probability {found.probability:.6g},",
        f"where these hold: {_shorten(' '.join(map(str, found.state or ())))}",
    ]
    certain = "no policy reaches the goal with probability one"
    if improper:
        lines.append(f"and {improper:,} from which it can, but {certain}")
    return [("dead ends", "\n".join(lines))]


def _shorten(text: str, most: int = 300) -> str:
    text = " ".join(text.split())
    return text if len(text) <= most else f"{text[:most]} …"


# --- a domain alone ---


def describe_domain(domain: syntax.Domain) -> dict[str, Any]:
    """What a domain contains, as ``--json`` prints it."""
    changing = changed_predicates(domain)
    return {
        "status": "ok",
        "domain": domain.name,
        "problem": None,
        "requirements": list(domain.requirements),
        "types": {each.name: list(each.parents) for each in domain.types},
        "constants": {each.name: list(each.types) for each in domain.constants},
        "predicates": {
            each.name: {"declared": write_signature(each.name, each.parameters), "changes": each.name in changing}
            for each in domain.predicates
        },
        "functions": [write_signature(each.name, each.parameters) for each in domain.functions],
        "schemas": [write_signature(each.name, each.parameters) for each in domain.schemas],
    }


def domain_rows(record: dict[str, Any]) -> list[tuple[str, str]]:
    """The same for people."""
    types = [name + _supertype_words(parents) for name, parents in record["types"].items()]
    constants = [name + _supertype_words(of) for name, of in record["constants"].items()]
    changing, fixed = (
        [each["declared"] for each in record["predicates"].values() if each["changes"] == changes]
        for changes in (True, False)
    )
    return [
        ("types", ", ".join(types)),
        ("constants", ", ".join(constants)),
        ("predicates", "\n".join(changing)),
        ("never changed", "\n".join(fixed)),
        ("functions", "\n".join(record["functions"])),
        ("actions", "\n".join(record["schemas"]) or "none"),
    ]


def _supertype_words(types: list[str]) -> str:
    return "" if types == ["object"] else f" - {' or '.join(types)}"

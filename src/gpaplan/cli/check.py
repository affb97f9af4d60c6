"""``gpaplan check``: what is in a task, or in a domain alone, or what is wrong with it; and the mending of what has one
answer.

Of many files a problem is checked with the domain that it names: the one in its own file, else the nearest one.
"""

from __future__ import annotations

import contextlib
import os
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal

from gpaplan import _core
from gpaplan.cli import conventions, inputs, options
from gpaplan.cli.inputs import space_options
from gpaplan.cli.options import argument, flag, option
from gpaplan.display import counted
from gpaplan.errors import STOP_REASONS, Diagnostic, Fix, GpaplanError, InputError, LimitError, UsageError
from gpaplan.files import written_whole
from gpaplan.limits import AnyLimits, Limits
from gpaplan.ppddl import Domain
from gpaplan.ppddl.loading import ParsedTask, defined_in, parse_domain_or_task
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
from gpaplan.tasks.grounding import MAX_ACTIONS, CostMode, declared_objects, ground
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
) -> int:
    """Say what is in a PPDDL task or domain, or what is wrong with it.

    DOMAIN and PROBLEM are PPDDL files; one file may hold both, and a domain may be checked alone. All errors are
    reported in one run, each with its place. For a problem it also says which parts of its goal can never be reached.
    More FILEs, or folders, are checked all at once: each problem with the domain that it names.
    """
    given = [each for each in (files.domain_file, files.problem_file, *more) if each is not None]
    if fix:
        mend(given, limits)
    if more or any(each.is_dir() for each in given):
        if states or variables:
            raise UsageError("--states and --variables are for one problem: give DOMAIN and PROBLEM")
        return check_all(given, files.cost, strict, limits)
    symmetry = mode_of(space_settings.symmetry)
    if (max_states is not None or space_settings.max_outcomes != MAX_OUTCOMES) and not states:
        raise UsageError("--max-states and --max-outcomes go with --states")
    if symmetry != "off" and not states:
        raise UsageError("--symmetry goes with --states: it says up to what states are counted")
    started = time.perf_counter()
    stop = limits.start()
    task = files.ground_unless_alone(max_actions=max_actions, limits=stop)
    if not isinstance(task, GroundTask):
        return _check_domain(task, files, "--states" if states else "--variables" if variables else "")
    parts = goal_parts(task, limits=stop)
    record = describe(task) | {"goal_parts": parts, "unused": unused_parts(task), "why_never": why_never(task)}
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
        described = {"dead_ends": dead_ends, "symmetry": describe_symmetry(symmetry, space.symmetry)}
        record |= {**exploration._asdict(), **described}
        del record["stopped_by"]
    record["warnings"] = files.warnings
    total = time.perf_counter() - started
    record["seconds"] = {**files.seconds, "states": total - sum(files.seconds.values()), "total": total}
    rows = _rows(task, record, exploration, found_symmetry, parts, dead_ends)
    code = conventions.answer(record, f"{task.domain.name} / {task.problem.name}", rows)
    never = any(not part.reachable for part in parts) or (dead_ends is not None and dead_ends.initial)
    if strict and record["status"] == "ok" and (files.warnings or record["unused"] or never):
        return conventions.NOT_STRICT
    return code


def _check_domain(domain: Domain, files: inputs.TaskFiles, option: str) -> int:
    if option:
        raise UsageError(f"{option} needs a problem: a domain alone has no states")
    record = describe_domain(domain)
    record["warnings"] = files.warnings
    record["seconds"] = {**files.seconds, "total": sum(files.seconds.values())}
    return conventions.answer(record, f"{domain.name}, a domain without a problem", domain_rows(record))


def describe(task: GroundTask) -> dict[str, Any]:
    """What a task contains, as ``--json`` prints it."""
    names = Counter(name for types in declared_objects(task.domain, task.problem).values() for name in types)
    order = ["object", *(declaration.name for declaration in task.domain.types)]
    return {
        "status": "ok",
        "domain": task.domain.name,
        "problem": task.problem.name,
        "cost_mode": task.cost,
        "objects": len(task.objects),
        "objects_by_type": {name: names[name] for name in dict.fromkeys(order)},
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


def describe_domain(domain: Domain) -> dict[str, Any]:
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


# --- many files at once ---

_SUFFIXES = (".ppddl", ".pddl")


@dataclass
class _Found:
    """What there is to say of a file."""

    errors: dict[str, Diagnostic] = field(default_factory=dict)
    warnings: dict[str, Diagnostic] = field(default_factory=dict)
    """By their text, since a domain is read with each of its problems."""
    notes: list[str] = field(default_factory=list)
    """What is never used, or never reached."""

    def to_json(self, file: Path) -> dict[str, Any]:
        parts = {"errors": self.errors, "warnings": self.warnings}
        shown = {name: [each.to_json() for each in found.values()] for name, found in parts.items()}
        return {"file": str(file), **shown, "notes": self.notes}


def check_all(paths: Sequence[Path], cost: CostMode, strict: bool, limits: AnyLimits) -> int:
    """Check all files, and those of folders. Returns the exit code."""
    found = _check_files(_files(paths), cost, limits)
    wrong = sum(bool(each.errors) for each in found.values())
    odd = sum(bool(each.warnings or each.notes) for each in found.values())
    status = "errors" if wrong else "warnings" if odd else "ok"
    lines = [
        conventions.paint_message(one)
        for file, each in found.items()
        for one in (*each.errors, *each.warnings, *(f"{file}: {note}" for note in each.notes))
    ]
    lines.append(f"{counted(len(found), 'file')}: {wrong} with errors, {odd} with something to look at")
    files = [each.to_json(file) for file, each in found.items()]
    conventions.say({"status": status, "files": files}, "\n".join(lines))
    return InputError.exit_code if wrong else conventions.NOT_STRICT if strict and odd else 0


def mend(paths: Sequence[Path], limits: AnyLimits) -> None:
    """Mend what has one answer, and say so on standard error."""
    files = _files(paths)
    while fixes := [fix for each in _check_files(files, None, limits).values() for fix in _fixes(each)]:
        for source in {fix.span.source.name: fix.span.source for fix in fixes}.values():
            if Path(source.name).read_bytes() != source.text.encode():
                raise UsageError(f"'{source.name}' is not UTF-8, or has a byte order mark: it cannot be mended")
            text, own = source.text, {fix for fix in fixes if fix.span.source.name == source.name}
            for span, new in sorted(own, key=lambda fix: (fix.span.start, fix.text), reverse=True):
                conventions.echo(
                    f"{source.name}:{span.line}: {text[span.start : span.end] or 'added'} -> {new.strip()}", err=True
                )
                text = text[: span.start] + new + text[span.end :]
            with written_whole(source.name) as stream:
                stream.buffer.write(text.encode())


def _fixes(found: _Found) -> Iterator[Fix]:
    return (each.fix for each in (*found.errors.values(), *found.warnings.values()) if each.fix is not None)


def _files(paths: Sequence[Path]) -> list[Path]:
    found: dict[Path, None] = {}
    for path in paths:
        inside = [each for each in sorted(path.rglob("*")) if each.suffix in _SUFFIXES] if path.is_dir() else [path]
        if not inside:
            raise UsageError(f"there is no {' or '.join(_SUFFIXES)} file in '{path}'")
        found |= dict.fromkeys(inside)
    return list(found)


def _check_files(files: Sequence[Path], cost: CostMode | None, limits: AnyLimits) -> dict[Path, _Found]:
    """What there is to say of each file; without costs, only what reading them shows."""
    found = {file: _Found() for file in files}
    defined = {file: defined_in(file) for file in files}
    unused: dict[Path, list[set[str]]] = {}
    for file, (domains, problems) in defined.items():
        for name, of in problems.items() or [(None, "")]:
            is_alone = of in domains or not of  # a problem that names no domain is wrong by itself
            home = file if is_alone else _nearest(file, [each for each in files if of in defined[each][0]])
            if home is None:
                error = Diagnostic(f"no domain '{of}' is among the files", file=str(file))
                found[file].errors[error.render()] = error
                continue
            try:
                parsed = parse_domain_or_task(home, None if home == file else file, name, limits=limits)
                for warning in parsed.warnings:
                    found.get(Path(warning.path or file), found[file]).warnings[warning.render()] = warning
                if isinstance(parsed, ParsedTask) and cost is not None:
                    task = ground(parsed, cost=cost, relevance=inputs.relevance_for(None), limits=limits)
                    never = [part.text for part in goal_parts(task, limits=limits) if not part.reachable]
                    found[file].notes += [f"the goal is never reached: {text}" for text in never]
                    found[file].notes += why_never(task) if never else []
                    unused.setdefault(home, []).append(set(unused_parts(task)))
            except InputError as error:
                for each in error.diagnostics:
                    found.get(Path(each.path or file), found[file]).errors[each.render()] = each
            except GpaplanError as error:
                found[file].errors[str(error)] = Diagnostic(str(error), file=str(file))
    for home, parts in unused.items():
        found[home].notes += sorted(set.intersection(*parts))  # what is unused in all of its problems
    return found


def _nearest(file: Path, homes: Sequence[Path]) -> Path | None:
    """The file that shares most folders with another."""
    return max(homes, key=lambda home: len(os.path.commonpath([home.resolve(), file.resolve()])), default=None)

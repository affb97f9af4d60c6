"""``gpaplan show``: an automaton, a policy, a trace or a state as text, graph, picture or page."""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from gpaplan import _core
from gpaplan.automata import automaton_file
from gpaplan.cli import conventions, options
from gpaplan.cli.conventions import OUTPUT, dropped_rows, output_is_taken, print_json
from gpaplan.cli.inputs import TaskFiles, look_option, problem_name_option
from gpaplan.cli.options import COUNT, COUNT_OR_ZERO, argument, option
from gpaplan.data import is_ppddl, read_json, show
from gpaplan.display import counted
from gpaplan.errors import DataError, UsageError
from gpaplan.files import write_text
from gpaplan.pictures import Look, draw
from gpaplan.policies import policy_file
from gpaplan.policies.policy import Policy
from gpaplan.traces import trace as traces


@dataclass
class _Shown:
    """What a file holds, in all ways in which it can be shown."""

    what: str
    formats: dict[str, Callable[[], str]]
    record: dict[str, Any]
    """What ``--json`` says of it."""


@options.command(
    "gpaplan show gripper.gpa.json",
    "gpaplan show gripper.gpa.json --format html -o gripper.html",
    "gpaplan show domain.ppddl gripper-3.ppddl --format svg -o state.svg",
)
def command(
    file: Path = argument("FILE"),
    domain_file: Path | None = argument("[DOMAIN]", required=False),
    problem_file: Path | None = argument("[PROBLEM]", required=False),
    problem_name: str | None = problem_name_option,
    format_name: str = option(
        "--format",
        ["text", "dot", "svg", "json", "html"],
        "A summary, Graphviz (automata only), a picture (automata and states), the file itself in its normal form, or "
        "a page for a browser.",
        "text",
    ),
    level: int = option(
        "--level",
        COUNT_OR_ZERO,
        "The abstraction level of an automaton: 1 without counts, 2 without extents of relations either, 3 without "
        "relations.",
        0,
    ),
    states: int = option(
        "--states", COUNT, "How many states of a policy to draw at most: those nearest to the initial one.", 100
    ),
    look: Look = look_option,
    output: Path | None = option("-o --output", OUTPUT, "Write to this file.  [default: standard output]"),
) -> None:
    """Show what is in FILE: an automaton, a trace, or a policy of the task in DOMAIN [PROBLEM].

    Traces and rules have pictures if a task is given. 'gpaplan show DOMAIN [PROBLEM]' shows the initial state.
    """
    given = [each for each in (file, domain_file, problem_file) if each is not None]
    if given[-1].suffix == ".json" and is_ppddl(file):  # the domain came first, as elsewhere
        file, domain_file, problem_file = given[-1], given[0], given[1] if len(given) > 2 else None
    files = None if domain_file is None else TaskFiles(domain_file, problem_file, problem_name)
    if file.suffix in (".ppddl", ".pddl") and problem_file is None:
        shown = _state(TaskFiles(file, domain_file, problem_name), look)
    else:
        shown = _read(file, files, level, states, look)
    _show(shown, format_name, output)


def _show(shown: _Shown, format_name: str, output: Path | None) -> None:
    if format_name not in shown.formats:
        raise UsageError(f"{shown.what} is shown as {', '.join(shown.formats)}, not as {format_name}")
    if conventions.wants_json() and output is None and format_name != "text":
        raise UsageError("--json prints a summary; give -o FILE to write another format as well")
    if output is not None:
        write_text(output, shown.formats[format_name]())
        if not output_is_taken():
            conventions.echo(f"written to {output}", err=True)
    elif not conventions.wants_json():
        text = shown.formats[format_name]()
        if format_name == "text":
            conventions.echo(text.removesuffix("\n"))
        else:
            sys.stdout.write(text)
    if conventions.wants_json():
        print_json({"status": "ok", **shown.record, "output": None if output is None else str(output)})


def _state(files: TaskFiles, look: Look) -> _Shown:
    files.relevance = False  # what the goal does not depend on is there to be seen
    task = files.ground(limits=None)
    atoms = "\n".join(map(str, sorted(task.initial_state)))
    record = {"domain": task.domain.name, "problem": task.problem.name}
    return _Shown("a state", {"text": lambda: atoms + "\n", "svg": lambda: draw(task, look=look)}, record)


def _read(file: Path, files: TaskFiles | None, level: int, states: int, look: Look) -> _Shown:
    """What is in a file, which says by its format what it is."""
    what = "an automaton, a policy or a trace"
    record, name = read_json(file, what, policy_file.MAX_BYTES)
    found = record.get("format") if isinstance(record, dict) else None
    if found == policy_file.FORMAT:
        return _policy(record, name, files, states)
    if found == traces.FORMAT:
        return _trace(record, name, files, look)
    if found == automaton_file.RULES_FORMAT:
        return _automaton(record, name, level, files, look)
    if files is not None:
        raise UsageError(f"DOMAIN is for policies, rules and traces, and '{name}' is none")
    if found == automaton_file.FORMAT:
        return _automaton(record, name, level)
    if not isinstance(found, str):
        raise DataError(f"has no format; this is not {what}", name)
    raise DataError(f"is {show(found)}; this is not {what}", name, "format")


def _automaton(
    data: dict[str, Any], name: str, level: int, files: TaskFiles | None = None, look: Look | None = None
) -> _Shown:
    given = automaton_file.filter_of(data, name, None)
    task = {} if files is None else {"task": files.ground(limits=None, automaton=given), "look": look}
    automaton = given.coarsened(level)
    record = {
        "domain": automaton.domain_name,
        **automaton.sizes,
        "abstraction": automaton.abstraction_record,
        "settings": automaton.settings,
        "training": [example._asdict() for example in automaton.training],
    }
    return _Shown(
        f"this {given.noun}", {**automaton.formats, "html": lambda: given.to_html(level=level, **task)}, record
    )


def _policy(data: dict[str, Any], name: str, files: TaskFiles | None, states: int) -> _Shown:
    if files is None:
        raise UsageError(
            f"'{name}' is a policy, which says what to do and not what comes of it: "
            f"give the task too, gpaplan show {name} DOMAIN [PROBLEM]"
        )
    files.cost = cost if (cost := data.get("cost")) in ("unit", "metric") else "auto"
    files.relevance = bool(data.get("irrelevant"))
    task = files.ground(limits=None)
    policy = policy_file.policy_of(data, name, task)
    formats: dict[str, Callable[[], str]] = {
        "text": lambda: _summary(policy),
        "json": policy.to_text,
        "html": lambda: policy.to_html(states=states),
    }
    record = {
        "domain": task.domain.name,
        "problem": task.problem.name,
        "cost_mode": policy.cost,
        "decisions": len(policy),
        "dead_end_cost": policy.dead_end_cost,
        "by_schema": dict(_by_schema(policy)),
        "symmetry": [] if policy.symmetry is None else [list(objects) for objects in policy.symmetry.classes],
        **task.count_dropped(),
    }
    return _Shown("a policy", formats, record)


def _by_schema(policy: Policy) -> list[tuple[str, int]]:
    """How many decisions each schema has; giving up is one."""
    actions = Counter(policy.decisions.values())
    names: Counter[str] = Counter()
    for action, count in actions.items():
        names["give-up" if action == _core.GIVE_UP else policy.task.action(action).schema] += count
    return sorted(names.items())


def _summary(policy: Policy) -> str:
    up_to = " up to symmetry" if policy.symmetry else ""
    return "\n".join(
        [
            f"policy for problem '{policy.task.problem.name}' of domain '{policy.task.domain.name}'",
            f"  decisions    {counted(len(policy), 'state')}{up_to}",
            "  by schema    " + ", ".join(f"{schema} {count}" for schema, count in _by_schema(policy)),
            *(f"  {name:<12} {text}" for name, text in dropped_rows(policy.task)),
            f"  costs        {policy.cost}",
            *([] if policy.dead_end_cost is None else [f"  dead ends    giving up costs {policy.dead_end_cost:g}"]),
            "",
        ]
    )


def _trace(data: dict[str, Any], name: str, files: TaskFiles | None, look: Look) -> _Shown:
    trace = traces.trace_of(data, name)
    if files is not None:
        files.relevance = False
    task = None if files is None else files.ground(limits=None)
    formats: dict[str, Callable[[], str]] = {
        "text": lambda: trace.summary() + "\n",
        "json": trace.to_text,
        "html": lambda: trace.to_html(task, look=look),
    }
    trials = [
        {"seed": each.seed, "steps": len(each.steps), "end": each.end, "cost": each.cost} for each in trace.trials
    ]
    record = {"domain": trace.domain, "problem": trace.problem, "cost_mode": trace.cost_mode, "trials": trials}
    return _Shown("a trace", formats, record)

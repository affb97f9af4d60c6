"""What must stay true of a domain, as a file of expectations that ``gpaplan test`` checks.

    [[expect]]
    domain = "domain.ppddl"
    problem = "small.ppddl"
    proper = true
    cost_at_most = 12.5

Each table is one expectation: a task, perhaps another state than its initial one, and what must hold of the policy that
`gpaplan.solve` finds, or of acting with what was learned. Files are named from the folder of the expectations.
"""

from __future__ import annotations

import xml.etree.ElementTree as ET
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Annotated, Any

import msgspec
from msgspec import Meta

from gpaplan.acting.trials import simulate_acting
from gpaplan.automata.filters import TransitionFilter
from gpaplan.data import PositiveNumber, parse_toml, read_text, typed
from gpaplan.display import Shown, note
from gpaplan.errors import STOPPED, GpaplanError
from gpaplan.limits import Limits
from gpaplan.ppddl import parse_task
from gpaplan.solving.run import solve
from gpaplan.solving.solution import Solution
from gpaplan.statuses import Status
from gpaplan.tasks.goal import changed_predicates
from gpaplan.tasks.grounding import ground
from gpaplan.tasks.task import GroundTask, parse_atom, parse_name

__all__ = ["Expectation", "Finding", "check_expectations", "junit_xml", "read_expectations"]

_PRECISION = 1e-9
"""The share by which a computed cost or probability may miss a bound: they are doubles."""


class Expectation(msgspec.Struct, forbid_unknown_fields=True, frozen=True, kw_only=True):
    """What is expected of one task."""

    domain: str
    problem: str | None = None
    name: str | None = None
    """What it is called in the report; the problem's file otherwise."""
    state: list[str] | None = None
    """The fluent atoms to begin with, in place of the initial state's."""
    dead_end_cost: PositiveNumber | None = None
    proper: bool | None = None
    """Whether there is a policy that reaches the goal with probability one."""
    cost_at_most: float | None = None
    goal_probability_at_least: Annotated[float, Meta(ge=0, le=1, description="a number from 0 to 1")] | None = None
    never: list[str] = []
    """Actions, or schemas, that the policy takes in no state that it reaches."""
    first: str | None = None
    """The action, or schema, that the policy takes at once."""
    gpa: str | None = None
    """An automaton or rules that acting reaches the goal with in all of so many ``trials``."""
    trials: Annotated[int, Meta(ge=1, le=1_000_000)] = 100


class _File(msgspec.Struct, forbid_unknown_fields=True):
    expect: list[Expectation]


@dataclass(frozen=True)
class Finding(Shown):
    """What became of one thing that was expected."""

    name: str
    """Of the expectation."""
    expected: str
    """What was expected, in words."""
    holds: bool
    found: str
    """What is the case, in words."""


def read_expectations(file: Path) -> list[Expectation]:
    """The expectations of a file. Raises `DataError` if it is no such file."""
    name = str(file)
    return typed(parse_toml(read_text(file, name, "expectations"), name, "expectations"), _File, name).expect


def check_expectations(
    expectations: Iterable[Expectation], folder: Path, limits: Limits | None = None
) -> Iterator[Finding]:
    """What becomes of each, one after the other. A file that is wrong is a finding, too."""
    for each in expectations:
        name = each.name or each.problem or each.domain
        note(name)
        try:
            yield from _check(each, name, _task(each, folder), folder, limits)
        except GpaplanError as error:
            yield Finding(name, "it can be checked", False, str(error))


def _task(expected: Expectation, folder: Path) -> GroundTask:
    parsed = parse_task(folder / expected.domain, None if expected.problem is None else folder / expected.problem)
    problem = parsed.problem
    if expected.state is not None:
        changing = changed_predicates(parsed.domain)
        kept = [atom for atom in problem.init if atom.predicate not in changing]
        problem = replace(problem, init=(*kept, *map(parse_atom, expected.state)))
    return ground(parsed.domain, problem)


def _check(
    expected: Expectation, name: str, task: GroundTask, folder: Path, limits: Limits | None
) -> Iterator[Finding]:
    if expected.gpa is not None:
        automaton = TransitionFilter.read(folder / expected.gpa)
        acted = simulate_acting(
            task, automaton, trials=expected.trials, dead_end_cost=expected.dead_end_cost, limits=limits
        )
        reached = acted.ends.get("goal", 0)
        text = f"acting by {expected.gpa} reaches the goal in all of {expected.trials} trials"
        yield Finding(name, text, reached == expected.trials, f"in {reached} of {acted.trials}")
    named = [each for each in (*expected.never, expected.first or "") if "(" in each]
    of_policy = (expected.proper, expected.cost_at_most, expected.goal_probability_at_least, expected.first)
    if any(each is not None for each in of_policy) or expected.never or expected.gpa is None:
        symmetry = "off" if named else "auto"
        found = solve(task, dead_end_cost=expected.dead_end_cost, symmetry=symmetry, limits=limits)
        if found.status == Status.INTERRUPTED:
            raise KeyboardInterrupt  # the rest is not wanted any more
        yield from _of_policy(expected, name, found)


def _of_policy(expected: Expectation, name: str, found: Solution) -> Iterator[Finding]:
    known = found.goal_probability
    status = str(found.status) if known is None else f"{found.status}, goal probability {known:.6g}"
    wanted = expected.proper
    if wanted is None and expected.dead_end_cost is None and expected.goal_probability_at_least is None:
        wanted = True
    if wanted is not None:
        text = f"{'a' if wanted else 'no'} policy reaches the goal with probability one"
        is_known = found.proper or found.status in (Status.SOLVED, Status.NO_PROPER_POLICY)  # a limit proves nothing
        yield Finding(name, text, is_known and found.proper == wanted, status)
    if (cost := expected.cost_at_most) is not None:
        cost_found = f"it costs {found.value:.6g}" if found.closed else status
        yield Finding(name, f"the policy costs at most {cost:g}", found.value <= cost * (1 + _PRECISION), cost_found)
    if (least := expected.goal_probability_at_least) is not None:
        holds = known is not None and known >= least * (1 - _PRECISION)
        yield Finding(name, f"the goal is reached with probability {least:g} at least", holds, status)
    if not (expected.never or expected.first):
        return
    policy = found.policy
    if expected.first is not None:
        start = policy.action(found.space.task.initial_state)
        text = f"the policy begins with {expected.first}"
        yield Finding(name, text, _is_meant(expected.first, start), f"it begins with {start}")
    is_whole = found.closed or found.status not in STOPPED
    others = "others only" if is_whole else f"others as far as it was found ({status})"
    for each in expected.never:
        taken = next((action for action in policy.values() if _is_meant(each, action)), None)
        yield Finding(name, f"the policy never takes {each}", taken is None and is_whole, f"it takes {taken or others}")


def _is_meant(text: str, action: Any) -> bool:
    """Whether an action is the one, or of the schema, that a text names."""
    if action is None:
        return False
    schema, arguments = parse_name(text, "action")
    return action.schema == schema and ("(" not in text or action.arguments == arguments)


def junit_xml(findings: Iterable[Finding]) -> str:
    """The findings as the XML that servers of continuous integration read."""
    findings = list(findings)
    failures = sum(not each.holds for each in findings)
    suite = ET.Element("testsuite", name="gpaplan", tests=str(len(findings)), failures=str(failures))
    for each in findings:
        case = ET.SubElement(suite, "testcase", classname=each.name, name=each.expected)
        if not each.holds:
            ET.SubElement(case, "failure", message=each.found)
    return '<?xml version="1.0" encoding="utf-8"?>\n' + ET.tostring(suite, encoding="unicode") + "\n"

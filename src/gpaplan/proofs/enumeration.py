"""All problems of a class up to a size, and whether a rule list reaches the goal on each of them.

    result = verify_rules(rules, domain, conditions, sizes={"place": 4, "parcel": 2})
    print(result.random.failing, result.any.failing)

The problems are enumerated predicate by predicate, first the static facts, then the goal; two that differ by the names
of objects only are one. What the conditions leave of the initial state is enumerated in the core, all initial states of
a goal together, where the states that the rules lead to make one graph (src/core/proofs/kept_graph.hpp).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import chain, permutations
from math import factorial
from typing import Any, Literal as OneOf, TypeAlias

from gpaplan import _core, interrupts
from gpaplan.concepts.encoding import core_filter
from gpaplan.concepts.rules import RuleList
from gpaplan.display import Shown, counted, note, under_way
from gpaplan.errors import LimitError, TooLargeError, UsageError
from gpaplan.limits import AnyLimits, started
from gpaplan.ppddl import syntax
from gpaplan.ppddl.writer import write_problem
from gpaplan.proofs.conditions import Condition, Structure
from gpaplan.proofs.examples import common_conditions
from gpaplan.tasks.goal import changed_predicates
from gpaplan.tasks.grounding import declared_objects, ground, supertypes
from gpaplan.tasks.task import GroundAction, GroundAtom, GroundTask, parse_atom

MOST_RENAMINGS = 50_000
"""Renamings beyond which those of some types are not tried; then some problems are looked at more than once."""
BEGIN = "begin"
"""What is true before an initial state is chosen: a predicate of the task that all initial states share."""
MAX_OUTCOMES = 100_000
MOST_CHOICES = 20_000_000
"""Of the atoms of one predicate, together with these atoms: what is held in memory."""
MOST_SIZES = 5_000
"""Numbers of objects, where the work is what ends the enumeration."""
GOAL_WORK = 50_000
"""What a goal counts, besides the states that the rules lead to: its task is grounded, and may be solved."""
MOST_OBJECTS = 5
"""Of a type, where the work is what ends the enumeration."""

Choice: TypeAlias = OneOf["any", "random"]
"""Whatever kept actions are taken, or one of them drawn at random."""


REASONS = {
    "stuck": "the list keeps no action",
    "trapped": "no action that the list keeps ever leads to the goal",
    "loop": "the actions that the list keeps can be chosen so that the goal is never reached",
}
"""Why the goal is not reached with probability one."""


@dataclass(frozen=True, slots=True)
class Failure:
    """An initial state from which the goal is not reached with probability one, and why."""

    problem: syntax.Problem
    actions: tuple[GroundAction, ...]
    """That the rules keep, from the initial state to the last one."""
    last: frozenset[GroundAtom]
    """The fluent atoms of the last state."""
    kind: str
    """One of `REASONS`."""

    @property
    def reason(self) -> str:
        """The reason, in words."""
        where = f"after {counted(len(self.actions), 'action')}" if self.actions else "in the initial state"
        return f"{where} {REASONS[self.kind]}"

    def to_json(self) -> dict[str, Any]:
        """The failure as plain data; the problem as text."""
        texts = {"actions": list(map(str, self.actions)), "last": list(map(str, sorted(self.last)))}
        return {"reason": self.kind, "words": self.reason, "problem": write_problem(self.problem), **texts}


@dataclass(slots=True)
class Verdict(Shown):
    """How a rule list does under random or under any choice: how many initial states fail, and the first of them."""

    failing: int = 0
    first: Failure | None = None

    def to_json(self) -> dict[str, Any]:
        """The verdict as plain data; the problem as text."""
        return {"failing": self.failing, **({} if self.first is None else self.first.to_json())}


@dataclass(slots=True)
class VerificationBySize(Shown):
    """What was enumerated, up to the size at which the list fails."""

    problems: int = 0
    """Initial states of all goals."""
    goals: int = 0
    """Goals, each with its objects and static facts."""
    states: int = 0
    """That the rules lead to."""
    sizes: list[dict[str, int]] = field(default_factory=list)
    """The numbers of objects that were looked at, by type."""
    random: Verdict = field(default_factory=Verdict)
    any: Verdict = field(default_factory=Verdict)
    at_failure: int = 0
    """Initial states of the size at which the list fails."""
    stopped: str = ""
    """What ended the look at that size early, a limit or ``"too-large"``; it may fail on more. Empty if nothing did."""


@under_way("looking at all problems")
def verify_rules(
    rules: RuleList,
    domain: syntax.Domain,
    conditions: Sequence[Condition],
    *,
    most: Mapping[str, int],
    least: Mapping[str, int] | None = None,
    choice: Choice = "any",
    limits: AnyLimits = None,
) -> VerificationBySize:
    """Check a rule list on all problems with at most so many objects of each type, the smallest first.

    Ends after the first size at which the list fails, under any choice or, with ``choice="random"``, under random
    choice; a limit during that size leaves how it fails so far. Raises `LimitError` at a limit before.
    """
    rules.check(domain)
    result = VerificationBySize()
    verdict = result.any if choice == "any" else result.random
    size: dict[str, int] = {}
    before = 0
    try:
        for size, goals in _sizes(domain, conditions, most, least or {}, stop := started(limits)):
            before = result.problems
            for goal in goals:
                _check(rules, *goal, conditions, stop, result)
                note(f"{result.problems:,} problems, {result.states:,} states")
            result.sizes.append(size)
            if verdict.failing:
                break
    except TooLargeError:
        if not verdict.failing:
            raise
        result.stopped = "too-large"
    except (_core.Stopped, KeyboardInterrupt) as error:
        result.stopped = _reason(error)
        if not verdict.failing:
            known = f", after {result.problems:,} on which the list does not fail," if result.problems else ""
            raise LimitError(f"looking at all problems{known}", result.stopped) from None
    if verdict.failing:
        result.at_failure = result.problems - before
        result.sizes += [size] if result.stopped else []
    return result


def _reason(error: _core.Stopped | KeyboardInterrupt) -> str:
    """What ended the work, as the core names it."""
    if isinstance(error, KeyboardInterrupt):
        interrupts.taken()
        return "interrupt"
    return str(error.args[0])


@under_way("looking for a small problem on which the rules fail")
def smallest_failure(
    rules: RuleList,
    domain: syntax.Domain,
    problems: Sequence[syntax.Problem],
    *,
    work: int,
    assume: Sequence[Condition] = (),
    limits: AnyLimits = None,
    accept: Callable[[syntax.Problem], bool] = lambda _: True,
) -> tuple[Failure | None, str]:
    """A smallest problem like these, and accepted, on which a rule list fails under random choice, as far as the
    counted work goes; or on what the list does not fail, in words, empty if that is not known.

    Of the initial states of a goal only the first on which the list fails is looked at: there may be others.
    """
    stop = started(limits).part(max_work=work)
    seen, complete = VerificationBySize(), ""
    try:
        conditions = [*common_conditions(domain, problems), *assume]
        least, most = object_counts(domain, problems, {"": MOST_OBJECTS})
        for number, (size, goals) in enumerate(_sizes(domain, conditions, most, least, stop)):
            if number == MOST_SIZES:
                raise _core.Stopped("work")
            for goal in goals:
                failure = _check(rules, *goal, conditions, stop, seen)
                note(f"{seen.problems:,} problems")
                if failure is not None and accept(failure.problem):
                    return failure, ""
                if 16 * seen.states + GOAL_WORK * seen.goals > work:
                    raise _core.Stopped("work")
            if seen.problems:
                complete = f"all {seen.problems:,} problems of up to {sum(size.values())} objects that are like these"
    except (TooLargeError, UsageError):  # of much that is alike, goals that are no conjunctions, and the like
        return None, ""
    except (_core.Stopped, KeyboardInterrupt) as error:
        if (reason := _reason(error)) != "work":
            raise LimitError("looking at all problems", reason) from None
    return None, "" if seen.random.failing else complete


def object_counts(
    domain: syntax.Domain, problems: Sequence[syntax.Problem], given: Mapping[str, int]
) -> tuple[dict[str, int], dict[str, int]]:
    """The least and the largest number of objects of each type.

    ``given`` has the largest, by type, that of ``""`` for the others; of a type of which all problems have equally many
    that number is taken. Types are those that objects of the problems have, or else all without subtypes.
    """
    above = supertypes(domain)
    below = [name for name in above if not any(name in above[other] for other in above if other != name)]
    types = sorted({each.types[0] for problem in problems for each in problem.objects}) or below
    if unknown := [name for name in given if name and name not in types]:
        raise UsageError(f"there are no objects of type '{unknown[0]}';  there are {', '.join(types)}")
    least, most = {}, {}
    for name in types:
        counts = [sum(each.types[0] == name for each in problem.objects) for problem in problems]
        least[name] = max(1, min(counts, default=1))
        fixed = len(counts) > 1 and len(set(counts)) == 1
        most[name] = given.get(name, counts[0] if fixed else given.get("", max(counts, default=1)))
    return least, most


# --- static facts and goals, up to the names of objects ---

Goals: TypeAlias = Iterator[tuple[syntax.Problem, Structure]]
"""Problems that have objects alone, each with the static facts and what the goal asks for."""


def _sizes(
    domain: syntax.Domain,
    conditions: Sequence[Condition],
    most: Mapping[str, int],
    least: Mapping[str, int],
    stop: _core.Stop,
) -> Iterator[tuple[dict[str, int], Goals]]:
    """The numbers of objects, small ones first, each with all static facts and goals that the conditions allow."""
    changing = changed_predicates(domain)
    stages = [each.name for each in domain.predicates if each.name not in changing]
    stages += [f"@{each.name}" for each in domain.predicates if each.name in changing]
    ranges = [range(min(least.get(name, 1), count), count + 1) for name, count in most.items()]
    for counts in _by_sum(ranges):
        size = dict(zip(most, counts, strict=True))
        groups = [[syntax.TypedName(f"{name}{i + 1}", (name,)) for i in range(size[name])] for name in size]
        problem = syntax.Problem("counterexample", domain.name, objects=tuple(chain(*groups)))
        start, renamings = Structure(domain, declared_objects(domain, problem), {}), _renamings(domain, groups)
        found = _extend(start, renamings, stages, conditions, stop)
        yield size, ((problem, each) for each in found)


def _by_sum(ranges: Sequence[range], total: int | None = None) -> Iterator[tuple[int, ...]]:
    """Numbers out of ranges: all, the least sum first, or those of a sum; they are too many to be sorted."""
    lowest, highest = (sum(each[end] for each in ranges) for end in (0, -1))
    if total is None:
        for each in range(lowest, highest + 1):
            yield from _by_sum(ranges, each)
    elif lowest <= total <= highest:
        if not ranges:
            yield ()
        for first in ranges[0] if ranges else ():
            yield from ((first, *rest) for rest in _by_sum(ranges[1:], total - first))


def _renamings(domain: syntax.Domain, groups: list[list[syntax.TypedName]]) -> list[dict[str, str]]:
    """The ways to exchange objects of the same type, as far as they are not too many."""
    found = [{each.name: each.name for each in (*domain.constants, *chain(*groups))}]
    for names in ([each.name for each in group] for group in groups):
        if len(found) * factorial(len(names)) <= MOST_RENAMINGS:
            orders = [dict(zip(names, order, strict=True)) for order in permutations(names)]
            found = [renaming | order for renaming in found for order in orders]
    return found


def _extend(
    world: Structure,
    renamings: list[dict[str, str]],
    stages: list[str],
    conditions: Sequence[Condition],
    stop: _core.Stop,
) -> Iterator[Structure]:
    """The structures with the predicates of all stages known, one of those that differ by a renaming."""
    if not stages:
        yield world
        return
    name, *rest = stages
    known = {*world.known, name}
    due = [each for each in conditions if name in each.predicates and each.predicates <= known]
    atoms = world.atoms(name)
    clauses = world.clauses(due, {(name, atom): index for index, atom in enumerate(atoms)})
    try:
        models = _core.all_models(len(atoms), clauses, stop, MOST_CHOICES)
    except _core.TaskTooLarge:
        count = counted(len(world.objects), "object")
        raise TooLargeError(
            f"there are too many ways to choose the atoms of '{name}' for {count};  look at fewer objects"
        ) from None
    bits = {atom: 1 << index for index, atom in enumerate(atoms)}
    seen: set[int] = set()
    for found in models:
        if (key := sum(1 << index for index in found)) in seen:
            continue
        model = frozenset(atoms[index] for index in found)
        images = [sum(bits[tuple(renaming[x] for x in atom)] for atom in model) for renaming in renamings]
        seen.update(images)
        extended = replace(world, known={**world.known, name: model})
        if all(extended.satisfies(each) for each in due if each.graph is not None):
            same = [renaming for renaming, image in zip(renamings, images, strict=True) if image == key]
            yield from _extend(extended, same, rest, conditions, stop)


# --- initial states, and what the rules make of them ---


def _check(
    rules: RuleList,
    problem: syntax.Problem,
    world: Structure,
    conditions: Sequence[Condition],
    stop: _core.Stop,
    result: VerificationBySize,
) -> Failure | None:
    """Add what is true of all initial states of one goal; the first of them that fails under random choice."""
    task = _task(problem, world)
    numbers = {(atom.predicate, atom.arguments): index for index, atom in enumerate(task.atoms)}
    due = [each for each in conditions if not each.predicates <= set(world.known)]
    if any(each.graph is not None and each.graph[0] == "connected" for each in due):
        raise UsageError("only what never changes, and goals, can be asked to be connected")
    clauses = [*world.clauses(due, numbers), [2 * numbers[BEGIN, ()] + 1]]
    space = _core.StateSpace(task.core, MAX_OUTCOMES, filter=core_filter(task, rules, check=False), stop=stop)
    try:
        starts, states, trapped, looping = _core.check_starts(space, clauses, stop)
    except _core.TooManyOutcomes as error:
        action = task.action(error.args[0])
        raise TooLargeError(f"action {action} has more than {MAX_OUTCOMES:,} joint outcomes") from None
    result.problems, result.goals, result.states = result.problems + starts, result.goals + 1, result.states + states
    failures = [found and _failure(task, kind, *found[1:]) for found, kind in ((trapped, "trapped"), (looping, "loop"))]
    for verdict, found, failure in zip((result.random, result.any), (trapped, looping), failures, strict=True):
        verdict.failing, verdict.first = verdict.failing + (found[0] if found else 0), verdict.first or failure
    return failures[0]


def _failure(
    task: GroundTask, kind: str, start: list[int], actions: list[int], last: list[int], is_stuck: bool
) -> Failure:
    init = [atom for atom in task.static_atoms if atom.predicate != BEGIN] + [task.atoms[index] for index in start]
    problem = replace(task.problem, init=tuple(map(parse_atom, sorted(init))))
    atoms = frozenset(task.atoms[index] for index in last)
    return Failure(problem, tuple(map(task.action, actions)), atoms, "stuck" if is_stuck else kind)


def _task(problem: syntax.Problem, world: Structure) -> GroundTask:
    """The task of a goal; actions of its own make every fluent atom possible, and end with `BEGIN`."""
    domain, begin, schemas = world.domain, syntax.Atom(BEGIN), []
    for each in (each for each in domain.predicates if f"@{each.name}" in world.known):
        atom = syntax.Atom(each.name, tuple(syntax.Variable(own.name) for own in each.parameters))
        effect = syntax.AndEffect((syntax.Add(atom), syntax.Delete(begin)))
        schemas.append(syntax.Schema(f"{BEGIN} {each.name}", each.parameters, begin, effect))
    facts = [(name, atom) for name, atoms in world.known.items() for atom in sorted(atoms)]
    goal = syntax.And(tuple(parse_atom((name[1:], atom)) for name, atom in facts if name[0] == "@"))
    static = [parse_atom(each) for each in facts if each[0][0] != "@"]
    extended = replace(
        domain, predicates=(*domain.predicates, syntax.Predicate(BEGIN)), schemas=(*domain.schemas, *schemas)
    )
    return ground(extended, replace(problem, init=(*static, begin), goal=goal), cost="unit", relevance=False)

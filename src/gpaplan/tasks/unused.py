"""Parts of a domain that do nothing in a problem: they may be there on purpose, or because a name is misspelt.

unused_parts(task)    # ["action 'refuel' can never happen: no atom of (station …) is ever true", …]
"""

from __future__ import annotations

from collections.abc import Iterator

from gpaplan.ppddl import syntax
from gpaplan.tasks.task import GroundTask

__all__ = ["unused_parts"]


def unused_parts(task: GroundTask) -> list[str]:
    """What of a domain is never used in a problem, in a sentence each: types, predicates, actions."""
    return [*_types(task), *_predicates(task), *_schemas(task)]


def _types(task: GroundTask) -> Iterator[str]:
    domain = task.domain
    named = [each.types for each in (*domain.constants, *task.problem.objects)]
    named += [each.parents for each in domain.types]
    signatures = [each.parameters for each in domain.predicates] + [each.parameters for each in domain.functions]
    signatures += [each.parameters for each in domain.schemas]
    named += [parameter.types for each in signatures for parameter in each]
    used = {name for types in named for name in types}
    for each in domain.types:
        if each.name not in used:
            yield f"type '{each.name}' is never used: no object, parameter or type is of it"


def _predicates(task: GroundTask) -> Iterator[str]:
    goal = task.problem.goal
    asked = set() if goal is None else {atom.predicate for atom in syntax.within(goal, syntax.Atom)}
    for schema in task.domain.schemas:
        conditions = [schema.precondition, *(each.condition for each in syntax.within(schema.effect, syntax.When))]
        asked |= {atom.predicate for each in conditions for atom in syntax.within(each, syntax.Atom)}
    for predicate in task.domain.predicates:
        if predicate.name not in asked:
            yield f"predicate '{predicate.name}' is never asked for: no precondition, condition or goal has it"


def _schemas(task: GroundTask) -> Iterator[str]:
    happening = {name for name, count in task.actions_by_schema().items() if count}
    happening |= {each.schema for each in task.dropped_actions}
    true = {atom.predicate for atom in (*task.atoms, *task.static_atoms, *task.dropped_atoms)}
    for schema in task.domain.schemas:
        if schema.name in happening:
            continue
        needed = _needed(schema.precondition)
        missing = next((atom for atom in needed if atom.predicate not in true), None)
        why = "its preconditions are never true together"
        if missing is not None:
            why = f"no atom of ({missing.predicate}{' …' if missing.arguments else ''}) is ever true"
        yield f"action '{schema.name}' can never happen: {why}"


def _needed(formula: syntax.Formula) -> Iterator[syntax.Atom]:
    """Atoms without which a formula is not true, as far as that is seen at once."""
    match formula:
        case syntax.Atom():
            yield formula
        case syntax.And():
            for each in formula.operands:
                yield from _needed(each)
        case syntax.Exists():
            yield from _needed(formula.body)

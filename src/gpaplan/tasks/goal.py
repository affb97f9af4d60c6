"""What a goal asks for, the atoms of its expansion, and which of its parts can be reached at all.

Quantifiers run over the objects. Predicates that no action of the domain changes, and equality, are conditions: they
decide which parts of the goal are left, and ask for nothing. Whether an atom can be reached, or has been true from the
start, does not matter, so that the same words mean the same in every problem of a domain.

The parts of a goal are what its conjunctions join, in the words of the file. A part is out of reach if it does not hold
in any state that is reached when every action may choose its outcome and nothing that was once true, or once false,
ever ceases to be so. That is proven. A part that can be reached in this sense may be out of reach all the same, and so
may be several parts together.
"""

from __future__ import annotations

from collections.abc import Collection, Container, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import product

from gpaplan import _core
from gpaplan.display import Shown
from gpaplan.errors import LimitError
from gpaplan.limits import AnyLimits, started
from gpaplan.ppddl import syntax
from gpaplan.ppddl.writer import write_formula
from gpaplan.tasks.grounding import declared_objects
from gpaplan.tasks.task import GroundTask


def wanted_atoms(domain: syntax.Domain, problem: syntax.Problem) -> list[tuple[str, tuple[str, ...]]]:
    """The atoms that the goal asks to be true, in any of its parts, as (predicate, objects); each once."""
    if problem.goal is None:
        return []
    expansion = Expansion(declared_objects(domain, problem), _facts(problem), changed_predicates(domain))
    expansion.collect(problem.goal, {}, True)
    return list(dict.fromkeys(expansion.found))


def _facts(problem: syntax.Problem) -> dict[str, dict[tuple[str, ...], None]]:
    found: dict[str, dict[tuple[str, ...], None]] = {}
    for atom in problem.init:
        found.setdefault(atom.predicate, {})[tuple(term.name for term in atom.arguments)] = None
    return found


def changed_predicates(domain: syntax.Domain) -> set[str]:
    """The predicates that some action of a domain adds or deletes."""
    effects = [schema.effect for schema in domain.schemas]
    added = {each.atom.predicate for top in effects for each in syntax.within(top, syntax.Add)}
    return added | {each.atom.predicate for top in effects for each in syntax.within(top, syntax.Delete)}


class Expansion:
    """A walk through a goal. It leaves out the parts that are decided, and collects the atoms of the others."""

    def __init__(
        self, types: Mapping[str, frozenset[str]], facts: Mapping[str, Collection[tuple[str, ...]]], changing: set[str]
    ) -> None:
        """Of objects with their types; the facts, by predicate, decide all atoms but those of what is changing."""
        self.found: list[tuple[str, tuple[str, ...]]] = []
        self._changing = changing
        self._types = types
        self._facts = facts
        self._ranges: dict[tuple[str, ...], dict[str, None]] = {}
        self._indices: dict[tuple[str, tuple[int, ...]], dict[tuple[str, ...], list[tuple[str, ...]]]] = {}

    def collect(self, formula: syntax.Formula, binding: dict[str, str], positive: bool) -> bool | None:
        """Whether the formula holds (or its negation, if not positive); None if that is open."""
        match formula:
            case syntax.Atom():
                return self._decide(formula.predicate, tuple(_object(t, binding) for t in formula.arguments), positive)
            case syntax.Equals():
                return (_object(formula.left, binding) == _object(formula.right, binding)) == positive
            case syntax.Not():
                return self.collect(formula.operand, binding, not positive)
            case syntax.And() | syntax.Or():
                parts = (self.collect(each, binding, positive) for each in formula.operands)
                return self._junction(parts, isinstance(formula, syntax.And) == positive)
            case syntax.Imply():
                sides = ((formula.premise, not positive), (formula.conclusion, positive))
                return self._junction((self.collect(each, binding, sign) for each, sign in sides), not positive)
            case syntax.ForAll() | syntax.Exists():
                conjunctive = isinstance(formula, syntax.ForAll) == positive
                guards = list(self._guards(formula.body, positive, conjunctive))
                bindings = self.bindings(formula.parameters, binding, guards)
                return self._junction((self.collect(formula.body, each, positive) for each in bindings), conjunctive)

    def _decide(self, predicate: str, objects: tuple[str, ...], positive: bool) -> bool | None:
        """Whether an atom holds (or its negation); None if that is open."""
        if predicate not in self._changing:
            return (objects in self._facts.get(predicate, ())) == positive
        if positive:
            self.found.append((predicate, objects))
        return None

    def _junction(self, parts: Iterator[bool | None], conjunctive: bool) -> bool | None:
        """The parts are walked one by one; once the whole is decided, what they asked for is forgotten."""
        before = len(self.found)
        whole: bool | None = conjunctive
        for part in parts:
            if part is None:
                whole = None
            elif part != conjunctive:
                del self.found[before:]
                return part
        return whole

    def _guards(self, formula: syntax.Formula, positive: bool, value: bool) -> Iterator[syntax.Atom]:
        """Atoms that never change and without which the formula (or its negation) has this value."""
        match formula:
            case syntax.Atom():
                if formula.predicate not in self._changing and value != positive:
                    yield formula
            case syntax.Not():
                yield from self._guards(formula.operand, not positive, value)
            case syntax.And() | syntax.Or():
                if value != (isinstance(formula, syntax.And) == positive):
                    for each in formula.operands:
                        yield from self._guards(each, positive, value)
            case syntax.Imply():
                if value == positive:
                    yield from self._guards(formula.premise, not positive, value)
                    yield from self._guards(formula.conclusion, positive, value)

    def bindings(
        self, parameters: Sequence[syntax.TypedName], binding: dict[str, str], guards: Sequence[syntax.Atom]
    ) -> Iterator[dict[str, str]]:
        """The ways to bind the parameters, but for those that a guard rules out, as far as that is seen at once."""
        ranges = {parameter.name: self._range(parameter.types) for parameter in parameters}
        outer = {name: value for name, value in binding.items() if name not in ranges}
        return self._joined(outer, ranges, guards)

    def _joined(
        self, bound: dict[str, str], ranges: Mapping[str, dict[str, None]], guards: Sequence[syntax.Atom]
    ) -> Iterator[dict[str, str]]:
        """The bindings for which all guards are true, guard by guard: first those of which most is bound."""
        left = {name: own for name, own in ranges.items() if name not in bound}
        useful = [guard for guard in guards if _free_variables(guard, left)]
        if not useful:
            yield from (bound | dict(zip(left, objects, strict=True)) for objects in product(*left.values()))
            return
        guard = min(useful, key=lambda each: len(_free_variables(each, left)))
        for objects in self._facts_with(guard, bound, left):
            found: dict[str, str] = {}
            for term, name in zip(guard.arguments, objects, strict=True):
                if term.name in left and (name not in left[term.name] or found.setdefault(term.name, name) != name):
                    break
            else:
                yield from self._joined(bound | found, ranges, guards)

    def _facts_with(
        self, atom: syntax.Atom, bound: dict[str, str], left: Container[str]
    ) -> Collection[tuple[str, ...]]:
        """The facts of a predicate with the arguments that are bound."""
        known = tuple(place for place, term in enumerate(atom.arguments) if term.name not in left)
        if not known:
            return self._facts.get(atom.predicate, ())
        key = (atom.predicate, known)
        if key not in self._indices:
            index = self._indices[key] = {}
            for fact in self._facts.get(atom.predicate, ()):
                index.setdefault(tuple(fact[place] for place in known), []).append(fact)
        return self._indices[key].get(tuple(_object(atom.arguments[place], bound) for place in known), ())

    def _range(self, types: tuple[str, ...]) -> dict[str, None]:
        if types not in self._ranges:
            self._ranges[types] = {name: None for name, own in self._types.items() if not own.isdisjoint(types)}
        return self._ranges[types]


def _free_variables(atom: syntax.Atom, parameters: Container[str]) -> set[str]:
    return {term.name for term in atom.arguments if isinstance(term, syntax.Variable) and term.name in parameters}


def _object(term: syntax.Term, binding: dict[str, str]) -> str:
    return binding[term.name] if isinstance(term, syntax.Variable) else term.name


# --- which parts can be reached ---


@dataclass(frozen=True, slots=True)
class GoalPart(Shown):
    """A part of a goal, its text, and where it stands: file, line and column, None if it was not read from a text."""

    text: str
    reachable: bool
    """False if no reachable state can satisfy it, True if that is not known."""
    instance: str | None = None
    """Where a part says ``forall`` and is out of reach: the first objects for which it is, such as ``?b = b3``."""
    file: str | None = None
    line: int | None = None
    column: int | None = None

    def __str__(self) -> str:
        where = "" if self.file is None else f"{self.file}:{self.line}: "
        return f"{where}{self.text}" + (f", for {self.instance}" if self.instance else "")


def goal_parts(task: GroundTask, *, limits: AnyLimits = None) -> tuple[GoalPart, ...]:
    """The parts of the task's goal, in the order of the text; none if it has no goal. `LimitError` at a limit."""
    if task.problem.goal is None:
        return ()
    try:
        reach = _Reach(task, started(limits))
    except _core.Stopped as error:
        raise LimitError("looking at the goal", error.args[0]) from None
    return tuple(_examine(part, reach) for part in _split(task.problem.goal))


def _split(goal: syntax.Formula) -> Iterator[syntax.Formula]:
    if not isinstance(goal, syntax.And):
        yield goal
        return
    for operand in goal.operands:
        yield from _split(operand)


def _examine(part: syntax.Formula, reach: _Reach) -> GoalPart:
    reachable = reach.collect(part, {}, True) is not False
    instance = None
    if not reachable and isinstance(part, syntax.ForAll):
        bindings = reach.bindings(part.parameters, {}, ())
        first = next(binding for binding in bindings if reach.collect(part.body, binding, True) is False)
        instance = ", ".join(f"{name} = {value}" for name, value in first.items())
    span = part.span
    place = (None, None, None) if span is None else (span.source.name, span.line, span.column)
    return GoalPart(write_formula(part), reachable, instance, *place)


class _Reach(Expansion):
    """Formulas are False where they are out of reach, and True or None where they are not."""

    def __init__(self, task: GroundTask, stop: _core.Stop) -> None:
        types = declared_objects(task.domain, task.problem)
        super().__init__(types, _facts(task.problem), changed_predicates(task.domain))
        never_true, never_false = map(set, _core.find_fixed_atoms(task.core, stop))
        fluent = list(enumerate(task.atoms))
        self._true = {*task.static_atoms, *task.dropped_atoms}
        self._true.update(atom for index, atom in fluent if index not in never_true)
        self._never_false = {*task.static_atoms, *(atom for index, atom in fluent if index in never_false)}

    def _decide(self, predicate: str, objects: tuple[str, ...], positive: bool) -> bool | None:
        decided = super()._decide(predicate, objects, positive)
        self.found.clear()
        if decided is not None:
            return decided
        possible = (predicate, objects) in self._true if positive else (predicate, objects) not in self._never_false
        return None if possible else False

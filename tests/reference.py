"""The semantics of PPDDL as a short program: what an action does, read straight off the syntax tree.

Nothing here is grounded, indexed or cached. A state is a frozen set of ground atoms, an atom a tuple such as
``("on", "a", "b")``, a probability a `Fraction`. This is the definition that the grounder and the core are tested
against, so it is written to be checked by reading:

- Conditions, those of `when` too, are evaluated in the state before the action.
- An outcome deletes first and adds afterwards: an atom both deleted and added is true in the successor.
- A `probabilistic` effect is one random choice; the probability its outcomes leave over means that nothing happens.
  Several of them in one `and`, and the copies that a `forall` makes of one, are chosen independently.
- A state is a goal state if the goal holds in it; a problem without a goal has no goal state.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from fractions import Fraction
from itertools import product
from typing import NamedTuple, TypeAlias

from gpaplan.ppddl.syntax import (
    Add,
    And,
    AndEffect,
    Atom,
    Change,
    Constant,
    Delete,
    Domain,
    Effect,
    Equals,
    Exists,
    Expression,
    ForAll,
    ForAllEffect,
    Formula,
    Imply,
    Not,
    Number,
    Or,
    Probabilistic,
    Problem,
    Term,
    TypedName,
    When,
)

GroundAtom: TypeAlias = tuple[str, ...]
State: TypeAlias = frozenset[GroundAtom]
Action: TypeAlias = tuple[str, tuple[str, ...]]
Binding: TypeAlias = dict[str, str]
"""The object that each variable in scope stands for."""


class Branch(NamedTuple):
    """One way an effect can turn out."""

    probability: Fraction = Fraction(1)
    adds: State = frozenset()
    deletes: State = frozenset()
    reward: Fraction = Fraction(0)
    total_cost: Fraction = Fraction(0)

    def joined(self, other: Branch) -> Branch:
        """Both branches at once, chosen independently."""
        return Branch(
            self.probability * other.probability,
            self.adds | other.adds,
            self.deletes | other.deletes,
            self.reward + other.reward,
            self.total_cost + other.total_cost,
        )


class Interpreter:
    """The state space of one problem, computed on demand from its syntax tree."""

    def __init__(self, domain: Domain, problem: Problem) -> None:
        self.domain = domain
        self.problem = problem
        self.schemas = {schema.name: schema for schema in domain.schemas}
        self.parents: dict[str, set[str]] = {}
        for declaration in domain.types:
            self.parents.setdefault(declaration.name, set()).update(declaration.parents)
        self.object_types: dict[str, set[str]] = {}
        for declared in domain.constants + problem.objects:
            types = self.object_types.setdefault(declared.name, {"object"})
            types.update(*(self._supertypes(name) for name in declared.types))
        self.values = {
            (value.term.function, *(argument.name for argument in value.term.arguments)): value.value
            for value in problem.values
        }

    # --- the state space ---------------------------------------------------------------------------------------

    def initial_state(self) -> State:
        return frozenset(self._ground(atom, {}) for atom in self.problem.init)

    def is_goal(self, state: State) -> bool:
        return self.problem.goal is not None and self.holds(self.problem.goal, {}, state)

    def applicable(self, state: State) -> list[Action]:
        """The actions whose precondition holds: schemas, then arguments, in the order of their declarations."""
        return [
            (schema.name, tuple(binding.values()))
            for schema in self.domain.schemas
            for binding in self._bindings(schema.parameters, {})
            if self.holds(schema.precondition, binding, state)
        ]

    def outcomes(self, state: State, action: Action) -> list[tuple[Fraction, State, Fraction, Fraction]]:
        """Probability, successor, change of reward and of total cost, one entry for each way the choices can fall."""
        name, arguments = action
        schema = self.schemas[name]
        binding = {parameter.name: argument for parameter, argument in zip(schema.parameters, arguments, strict=True)}
        return [
            (branch.probability, (state - branch.deletes) | branch.adds, branch.reward, branch.total_cost)
            for branch in self._branches(schema.effect, binding, state)
        ]

    def transitions(self, state: State, action: Action) -> dict[State, Fraction]:
        """The probability of each successor; those with probability zero are left out."""
        successors: dict[State, Fraction] = {}
        for probability, successor, _, _ in self.outcomes(state, action):
            successors[successor] = successors.get(successor, Fraction(0)) + probability
        return successors

    def explore(self, limit: int) -> list[State]:
        """The reachable states, breadth first, at most `limit` of them; goal states are not expanded."""
        states = [self.initial_state()]
        known = set(states)
        for state in states:
            for action in [] if self.is_goal(state) else self.applicable(state):
                for successor in self.transitions(state, action):
                    if successor not in known and len(states) < limit:
                        known.add(successor)
                        states.append(successor)
        return states

    # --- formulas and effects ----------------------------------------------------------------------------------

    def holds(self, formula: Formula, binding: Binding, state: State) -> bool:
        match formula:
            case Atom():
                return self._ground(formula, binding) in state
            case Equals(left, right):
                return self._object(left, binding) == self._object(right, binding)
            case Not(operand):
                return not self.holds(operand, binding, state)
            case And(operands):
                return all(self.holds(operand, binding, state) for operand in operands)
            case Or(operands):
                return any(self.holds(operand, binding, state) for operand in operands)
            case Imply(premise, conclusion):
                return not self.holds(premise, binding, state) or self.holds(conclusion, binding, state)
            case ForAll(parameters, body):
                return all(self.holds(body, inner, state) for inner in self._bindings(parameters, binding))
            case Exists(parameters, body):
                return any(self.holds(body, inner, state) for inner in self._bindings(parameters, binding))

    def _branches(self, effect: Effect, binding: Binding, state: State) -> list[Branch]:
        """Every way the effect can turn out in the state, with positive probabilities that sum to one."""
        match effect:
            case Add(atom):
                return [Branch(adds=frozenset({self._ground(atom, binding)}))]
            case Delete(atom):
                return [Branch(deletes=frozenset({self._ground(atom, binding)}))]
            case Change(direction, quantity, amount):
                change = self._value(amount, binding) * (1 if direction == "increase" else -1)
                return [Branch(reward=change) if quantity == "reward" else Branch(total_cost=change)]
            case AndEffect(effects):
                return self._independent(self._branches(part, binding, state) for part in effects)
            case ForAllEffect(parameters, body):
                copies = self._bindings(parameters, binding)
                return self._independent(self._branches(body, inner, state) for inner in copies)
            case When(condition, body):
                return self._branches(body, binding, state) if self.holds(condition, binding, state) else [Branch()]
            case Probabilistic(choices):
                branches = [
                    branch._replace(probability=choice.probability * branch.probability)
                    for choice in choices
                    for branch in self._branches(choice.effect, binding, state)
                ]
                branches.append(Branch(probability=1 - sum((choice.probability for choice in choices), Fraction(0))))
                return [branch for branch in branches if branch.probability > 0]

    @staticmethod
    def _independent(parts: Iterable[list[Branch]]) -> list[Branch]:
        """Every combination of one branch from each part."""
        combined = [Branch()]
        for part in parts:
            combined = [branch.joined(other) for branch in combined for other in part]
        return combined

    # --- names -------------------------------------------------------------------------------------------------

    def _value(self, expression: Expression, binding: Binding) -> Fraction:
        if isinstance(expression, Number):
            return expression.value
        return self.values[expression.function, *(self._object(term, binding) for term in expression.arguments)]

    def _ground(self, atom: Atom, binding: Binding) -> GroundAtom:
        return (atom.predicate, *(self._object(term, binding) for term in atom.arguments))

    @staticmethod
    def _object(term: Term, binding: Binding) -> str:
        return term.name if isinstance(term, Constant) else binding[term.name]

    def _bindings(self, parameters: tuple[TypedName, ...], outer: Binding) -> Iterator[Binding]:
        """The outer binding extended by every tuple of objects of the parameters' types."""
        names = [parameter.name for parameter in parameters]
        for objects in product(*(self._objects_of(parameter) for parameter in parameters)):
            yield {**outer, **dict(zip(names, objects, strict=True))}

    def _objects_of(self, parameter: TypedName) -> list[str]:
        """The objects of any of the parameter's types; constants come first, then the problem's objects."""
        return [name for name, types in self.object_types.items() if not types.isdisjoint(parameter.types)]

    def _supertypes(self, name: str) -> set[str]:
        """The type, its supertypes, theirs, and so on."""
        found = {name}
        while new := set().union(*(self.parents.get(known, set()) for known in found)) - found:
            found |= new
        return found

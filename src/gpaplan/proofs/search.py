"""Finding a proof: conditions that are kept, and a rank.

Nothing here needs to be trusted: what is found is proven by obligations (`gpaplan.proofs.obligations`).

Samples are the states that the list leads to on example problems. The rank is chosen greedily from a pool of measures
made of the list's own concepts: each part must not grow on any sampled step that is left, and the one with which most
steps fall is taken. Conditions that hold in all samples are candidates. Which of them an obligation needs is found in
universes of few objects, where everything is propositional, from unsatisfiable cores; it is then proven from these in
the full universe. What a condition needs to be kept is needed, too; a candidate that cannot be kept is dropped.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import combinations, permutations, product
from math import inf
from typing import Any, NamedTuple, TypeAlias

from gpaplan.concepts.evaluation import Evaluator
from gpaplan.concepts.expressions import Concept, Literal, parse_concept
from gpaplan.concepts.rules import RuleList
from gpaplan.ppddl import syntax
from gpaplan.proofs.conditions import Condition
from gpaplan.proofs.examples import structure_of
from gpaplan.proofs.obligations import Claim, Measure, Obligation, has_no_model, parse_measure
from gpaplan.proofs.universes import Finite, Vocabulary
from gpaplan.spaces.state_space import StateSpace
from gpaplan.tasks.goal import changed_predicates
from gpaplan.tasks.grounding import ground

__all__ = ["Prover", "SampledProblem", "find_rank"]

MOST_STATES = 300
"""Sampled of one problem."""
MOST_OBJECTS = 10
"""In the universes in which cores are found."""


class Step(NamedTuple):
    """A kept action of a sampled state, and what may come of it."""

    problem: SampledProblem
    state: int
    rule: int
    action: int
    outcomes: list[int]


class SampledProblem:
    """A sampled problem: up to so many of the states that a list leads to, and the steps from them."""

    def __init__(self, domain: syntax.Domain, problem: syntax.Problem, rules: RuleList) -> None:
        self.problem = problem
        task = ground(domain, problem, cost="unit", relevance=False)
        self.space, self.evaluator = StateSpace(task), Evaluator(task)
        self.steps: list[Step] = []
        self.deciding: dict[int, int | None] = {}
        self.is_stuck = False
        found = {self.space.initial: None}
        for state in (rest := [self.space.initial]):
            is_goal = self.space.is_goal(state)
            rule, kept = (None, []) if is_goal else self.evaluator.fits(self.space, state, rules)
            self.deciding[state] = rule
            self.is_stuck |= rule is None and not is_goal
            for transition in self.space.transitions(state) if rule is not None else ():
                action = task.action_index(transition.action)
                after = [outcome.state for outcome in transition.outcomes]
                new = [each for each in after if each not in found]
                if action in kept and len(found) + len(new) <= MOST_STATES:
                    found |= dict.fromkeys(new)
                    rest += new
                    self.steps.append(Step(self, state, rule or 0, action, after))
        start = structure_of(domain, problem)
        fluent = {name[1:] for name in start.known if name.startswith("@")}
        self.structures = []
        for state in found:
            own: dict[str, set[tuple[str, ...]]] = {name: set() for name in fluent}
            for atom in self.space.atoms(state):
                if atom.predicate in own:
                    own[atom.predicate].add(atom.arguments)
            known = {name: frozenset(atoms) for name, atoms in own.items()}
            self.structures.append(replace(start, known={**start.known, **known}))


# --- the rank ---

Choices: TypeAlias = Mapping[int, tuple[Literal, ...]]
"""Of rules, by number: what the actions fulfil that lower the rank."""


def find_rank(
    domain: syntax.Domain, rules: RuleList, samples: Sequence[SampledProblem]
) -> tuple[list[Measure], Choices] | None:
    """A rank that falls with every sampled step; or with one of each state, and which; None if none is in the pool."""
    steps = [step for each in samples for step in each.steps]
    values: dict[Any, Any] = {}
    pools = _pools(domain, rules)
    for choices in _choices(domain, rules, steps):
        left = [step for step in steps if _is_chosen(step, choices)]
        rank: list[Measure] = []
        while left and (found := next(filter(None, (_best(pool, left, values) for pool in pools)), None)):
            rank.append(found[0])
            left = found[1]
        if not left:
            return rank, choices
    return None


def _choices(domain: syntax.Domain, rules: RuleList, steps: Sequence[Step]) -> Iterator[Choices]:
    """No choice; then for one rule or two a literal that tells apart what it keeps, but always leaves some of it.

    Literals are those of the list's rules about this schema, and what is nearer by any of them.
    """
    yield {}
    nearer = dict.fromkeys(each.operands[2:] for rule in rules.rules for each in rule.literals if each.word == "nearer")
    useful: list[tuple[int, Literal]] = []
    for number, rule in enumerate(rules.rules):
        schema = next(each for each in domain.schemas if each.name == rule.schema)
        pool = [each for other in rules.rules if other.schema == rule.schema for each in other.literals]
        pool += [
            Literal("nearer", (one.name, other.name, *way))
            for one, other in permutations(schema.parameters, 2)
            if one.types == other.types
            for way in nearer
        ]
        own = [step for step in steps if step.rule == number]
        states = {(id(step.problem), step.state) for step in own}
        for literal in dict.fromkeys(pool):
            kept = [step for step in own if _is_chosen(step, {number: (literal,)})]
            if len(kept) < len(own) and {(id(step.problem), step.state) for step in kept} == states:
                useful.append((number, literal))
    yield from ({number: (literal,)} for number, literal in useful)
    for (one, first), (other, second) in combinations(useful, 2):
        yield {one: (first, second)} if one == other else {one: (first,), other: (second,)}


def _is_chosen(step: Step, choices: Choices) -> bool:
    space, evaluator = step.problem.space, step.problem.evaluator
    return all(evaluator.literal(space, step.state, each, step.action) for each in choices.get(step.rule, ()))


def _best(pool: list[Measure], left: list[Step], values: dict[Any, Any]) -> tuple[Measure, list[Step]] | None:
    """The measure with which most of the steps fall while none grows, and the steps that are then left."""
    best: tuple[int, Measure, list[Step]] | None = None
    for measure in pool:
        fallen, rest = 0, []
        for step in left:
            before = _value(measure, step.problem, step.state, values)
            after = [(each, _value(measure, step.problem, each, values)) for each in step.outcomes]
            if any(value < before for _, value in after):  # of sets: a proper part
                fallen += 1
                continue
            same = [each for each, value in after if value == before]
            if not same:
                break
            rest.append(step._replace(outcomes=same))
        else:
            if fallen and (best is None or fallen > best[0]):
                best = fallen, measure, rest
    return None if best is None else best[1:]


def _value(measure: Measure, problem: SampledProblem, state: int, values: dict[Any, Any]) -> Any:
    key = (id(problem), state, measure)
    if key not in values:
        values[key] = _evaluate(measure, problem, state)
    return values[key]


def _evaluate(measure: Measure, problem: SampledProblem, state: int) -> Any:
    space, evaluator = problem.space, problem.evaluator
    match measure.kind:
        case "set":
            return evaluator.concept(space, state, measure.parts[0])
        case "pairs":
            return evaluator.relation(space, state, measure.parts[0])
        case "literal":
            return evaluator.literal(space, state, measure.parts[0])
        case "decides":
            return problem.deciding.get(state) == measure.parts[0] - 1
    positions, target, road = measure.parts
    reached = evaluator.concept(space, state, target)
    goal = evaluator.concept(space, state, positions)
    pairs = evaluator.relation(space, state, road)
    length = 0
    while not reached & goal:
        more = {x for x, y in pairs if y in reached} - reached
        if not more:
            return inf
        reached, length = reached | more, length + 1
    return length


def _pools(domain: syntax.Domain, rules: RuleList) -> list[list[Measure]]:
    """Measures made of the predicates that change and of the list's own concepts, those to be tried first in front."""
    fluent = changed_predicates(domain)
    literals = [literal for rule in rules.rules for literal in rule.literals]
    changing = [each for each in domain.predicates if each.name in fluent]
    places = [f"{each.name}/{i + 1}" for each in changing for i in range(len(each.parameters))]
    base = [*places, *(f"(not {each})" for each in places)]
    nearer = dict.fromkeys(each.operands[2:] for each in literals if each.word == "nearer")
    distances = [Measure("distance", (parse_concept(each), *way)) for way, each in product(nearer, places)]
    flags = [
        f"literal {text}" for each in changing if not each.parameters for text in (each.name, f"(not {each.name})")
    ]
    own = [str(part) for literal in literals for part in literal.walk() if isinstance(part, Concept)]
    binary = [each.name for each in changing if len(each.parameters) == 2]
    pairs = [parse_measure(f"(pairs {name})") for name in binary]
    more = [f"(some (minus {name} @{name}) any)" for name in binary] + own
    more += [f"(some {name} {c})" for name in binary for each in own for c in (each, f"(not {each})")]
    more = [text for each in dict.fromkeys(more) for text in (each, f"(not {each})")]
    both = [f"(and {one} {other})" for one, other in combinations(dict.fromkeys([*base, *own]), 2)]
    return [
        [parse_measure(f"!{each}") for each in places],
        [*map(parse_measure, base), *distances, *map(parse_measure, flags), *pairs],
        [Measure("decides", (number,)) for number in range(1, len(rules) + 1)],
        [*map(parse_measure, more)],
        [*map(parse_measure, both)],
    ]


# --- proofs ---


@dataclass
class Prover:
    """Proves obligations of a claim with Z3; work is counted by Z3's own measure."""

    claim: Claim
    candidates: list[Condition]
    sizes: list[dict[str, int]]
    """The numbers of objects of each type in the universes in which cores are found; the candidates can hold there."""
    work: int
    """For one try of one query."""
    cores: dict[Obligation, list[Condition]] = field(default_factory=dict)
    """Of the obligations that are proven: the conditions that they need."""
    steps: list[tuple[int, int]] = field(default_factory=list)
    """Of each rule: the measure and the outcome by which it falls."""

    def prove(self) -> Obligation | None:
        """Prove all that is needed; the obligation that is open, None if there is none."""
        self.steps = self.steps or [self._step(number) for number in range(len(self.claim.rules))]
        rest, seen = self.claim.obligations(self.steps), set[Obligation]()
        while rest:
            obligation = rest.pop()
            if obligation in seen:
                continue
            if obligation not in self.cores and (core := self.discharge(obligation)) is not None:
                self.cores[obligation] = core
            if obligation in self.cores:
                seen.add(obligation)
                rest += [each for condition in self.cores[obligation] for each in self.claim.keeping(condition)]
            elif obligation.condition is None:
                return obligation
            else:
                self.drop(obligation.condition)
                rest, seen = self.claim.obligations(self.steps), set[Obligation]()
        return None

    def widened(self) -> Prover:
        """The same without the conditions that the proof can do without, one after the other; all is proven."""
        found = replace(self, candidates=self.needed)
        for condition in found.candidates[::-1]:
            trial = replace(found, work=self.work // 10)
            trial.drop(condition)
            if trial.prove() is None:
                found = replace(trial, candidates=trial.needed)
        return replace(found, work=self.work)

    def drop(self, condition: Condition) -> None:
        """Do without a candidate, and forget what was proven with it."""
        self.candidates = [each for each in self.candidates if each != condition]
        self.cores = {each: core for each, core in self.cores.items() if condition not in (each.condition, *core)}

    def _step(self, rule: int) -> tuple[int, int]:
        """The first measure and outcome by which a rule falls where there are few objects; -1 if it varies."""
        outcomes = range(len(self.claim.outcomes[self.claim.rules[rule].schema]))
        for measure, outcome in product(range(len(self.claim.rank)), outcomes):
            parts = [Obligation("falls", rule, outcome, measure)]
            parts += [Obligation("holds", rule, outcome, each) for each in range(measure)]
            if all(self._bounded(each, size, []) is not None for size in self.sizes for each in parts):
                return measure, outcome
        return -1, 0

    @property
    def needed(self) -> list[Condition]:
        """The conditions that the proof rests on, in the order of the candidates."""
        rest = self.claim.obligations(self.steps)
        found: set[Condition] = set()
        while rest:
            new = set(self.cores[rest.pop()]) - found
            found |= new
            rest += [each for condition in new for each in self.claim.keeping(condition)]
        return [each for each in self.candidates if each in found]

    def discharge(self, obligation: Obligation) -> list[Condition] | None:
        """The conditions from which an obligation follows, None if it is not proven."""
        core: list[Condition] = []
        for size in self.sizes:
            found = self._bounded(obligation, size, core)
            if found is None:
                return None
            core = found
        # How many objects there are was not to be seen where there are few.
        sizes = [each for each in self.candidates if not each.predicates]
        for tried in (core, [each for each in self.candidates if each in core or each in sizes]):
            if has_no_model(self.claim, obligation, tried, self.work):
                return tried
        return None

    def _bounded(
        self, obligation: Obligation, size: Mapping[str, int], first: list[Condition]
    ) -> list[Condition] | None:
        """The conditions that are needed where there are few objects, those given among them; None if all do not do."""
        import z3

        universe = few_objects(self.claim.vocabulary, size)
        query = self.claim.query(obligation, universe, self.candidates)
        solver = z3.Solver()
        solver.set("core.minimize", True)
        solver.set("rlimit", self.work)
        solver.add(query.violation)
        names: dict[str, Condition] = {}
        for each in self.candidates:
            formula = query.conditions[str(each)]
            if each in first or each == obligation.condition:
                solver.add(formula)
            else:
                names[f"condition {len(names)}"] = each
                solver.add(z3.Implies(z3.Bool(f"condition {len(names) - 1}"), formula))
        if solver.check(*map(z3.Bool, names)) != z3.unsat:
            return None
        core = {names[str(each)] for each in solver.unsat_core()} | set(first)
        return [each for each in self.candidates if each in core or (each.graph or ("",))[0] == "connected"]


def chosen_sizes(counts: Sequence[dict[str, int]]) -> list[dict[str, int]]:
    """The smallest, and the two largest of those that are not too large to be written out."""
    ordered = sorted(counts, key=lambda each: sum(each.values()))
    small = [each for each in ordered if sum(each.values()) <= MOST_OBJECTS] or ordered[:1]
    return [each for index, each in enumerate(small) if index in (0, len(small) - 2, len(small) - 1)]


def few_objects(vocabulary: Vocabulary, counts: Mapping[str, int]) -> Finite:
    """A universe with so many objects of each type, besides the constants."""
    above = vocabulary.above
    objects = {f"{name}{i}": above[name] for name, count in counts.items() for i in range(count)}
    for each in vocabulary.domain.constants:
        objects[each.name] = frozenset().union(*(above[name] for name in each.types))
    return Finite(vocabulary, objects)

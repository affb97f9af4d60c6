"""Finding a proof: conditions that are kept, and a rank.

Nothing here needs to be trusted: what is found is proven by obligations (`gpaplan.proofs.obligations`).

Samples are the states that the list leads to on example problems. Conditions that hold in all of them are candidates.
The rank is chosen greedily from measures made of the domain's predicates and the list's distances: each falls with some
rules and does not grow with those that are left, in the samples and in universes of few objects, where everything is
propositional. There it is also found, from unsatisfiable cores, which candidates an obligation needs; it is then proven
from these in the full universe. What a condition needs to be kept is needed, too; a candidate that cannot be kept is
dropped.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from itertools import combinations, permutations, product
from math import inf
from typing import Any, NamedTuple, TypeAlias

from gpaplan.concepts.evaluation import Evaluator
from gpaplan.concepts.expressions import Literal, parse_concept, parse_literal
from gpaplan.concepts.rules import RuleList
from gpaplan.display import note
from gpaplan.ppddl import syntax
from gpaplan.proofs.conditions import Condition
from gpaplan.proofs.examples import structure_of
from gpaplan.proofs.obligations import Claim, Measure, Obligation, has_no_model, parse_measure
from gpaplan.proofs.translator import State
from gpaplan.proofs.universes import Finite, Vocabulary
from gpaplan.spaces.state_space import StateSpace
from gpaplan.tasks.goal import changed_predicates
from gpaplan.tasks.grounding import ground

__all__ = ["Prover", "SampledProblem"]

MOST_STATES = 300
"""Sampled of one problem."""
MOST_TRIED = 12
"""Beginnings of a rank that are tried."""
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


def choices_of(domain: syntax.Domain, rules: RuleList, steps: Sequence[Step]) -> Iterator[Choices]:
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
            kept = [step for step in own if is_chosen(step, {number: (literal,)})]
            if len(kept) < len(own) and {(id(step.problem), step.state) for step in kept} == states:
                useful.append((number, literal))
    yield from ({number: (literal,)} for number, literal in useful)
    for (one, first), (other, second) in combinations(useful, 2):
        yield {one: (first, second)} if one == other else {one: (first,), other: (second,)}


def is_chosen(step: Step, choices: Choices) -> bool:
    space, evaluator = step.problem.space, step.problem.evaluator
    return all(evaluator.literal(space, step.state, each, step.action) for each in choices.get(step.rule, ()))


def _sampled(measure: Measure, left: Sequence[Step], values: dict[Any, Any]) -> tuple[set[int], list[Step]] | None:
    """The rules with all whose sampled steps a measure falls, and the other steps, without the outcomes with which it
    grows; None if it grows with a step."""
    rest, rising = [], set()
    for step in left:
        before = _value(measure, step.problem, step.state, values)
        after = [(each, _value(measure, step.problem, each, values)) for each in step.outcomes]
        if not any(value < before for _, value in after):  # of sets: a proper part
            rising.add(step.rule)
        rest.append(step._replace(outcomes=[each for each, value in after if value <= before]))
        if not rest[-1].outcomes:
            return None
    return {step.rule for step in left} - rising, [step for step in rest if step.rule in rising]


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
    positions, target, road, *while_ = measure.parts
    if not all(evaluator.literal(space, state, each) for each in while_):
        return inf
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


def measures_of(domain: syntax.Domain, rules: RuleList) -> list[Measure]:
    """Measures made of the predicates that change and of what the list compares distances to, in the order of trial."""
    fluent = changed_predicates(domain)
    changing = [each for each in domain.predicates if each.name in fluent]
    places = [f"{each.name}/{i + 1}" for each in changing for i in range(len(each.parameters))]
    literals = [literal for rule in rules.rules for literal in rule.literals]
    nearer = dict.fromkeys(each.operands[2:] for each in literals if each.word == "nearer")
    distances = [Measure("distance", (parse_concept(each), *way)) for way, each in product(nearer, places)]
    flags = [parse_literal(each.name) for each in changing if not each.parameters]
    whole = dict.fromkeys(
        [*flags, *(each.negation() if each.negated else each for each in literals if not each.parameters)]
    )
    signed = [each for one in whole for each in (one, one.negation())]
    while_ = [Measure("distance", (*each.parts, one)) for each, one in product(distances, signed)]
    pairs = [f"(pairs {each.name})" for each in changing if len(each.parameters) == 2]
    sets = [*(f"!{each}" for each in places), *places, *(f"(not {each})" for each in places)]
    decides = [f"(decides {number})" for number in range(1, len(rules) + 1)]
    states = [Measure("literal", (each,)) for each in signed]
    return [
        *map(parse_measure, sets),
        *distances,
        *states,
        *map(parse_measure, pairs),
        *while_,
        *map(parse_measure, decides),
    ]


# --- proofs ---


@dataclass
class Prover:
    """Proves obligations of a claim with Z3; work is counted by Z3's own measure."""

    claim: Claim
    candidates: list[Condition]
    universes: list[Finite]
    """Those of few objects, in which cores are found; the candidates can hold there."""
    work: int
    """For one try of one query."""
    cores: dict[Obligation, list[Condition]] = field(default_factory=dict)
    """Of the obligations that are proven: the conditions that they need."""
    steps: list[tuple[int, int]] = field(default_factory=list)
    """Of each rule: the measure and the outcome by which it falls."""
    formulas: dict[tuple[Finite, Obligation | Condition], Any] = field(default_factory=dict)
    """What was translated already."""
    small: dict[Obligation, bool] = field(default_factory=dict)
    """Whether an obligation holds in the small universes."""

    def find_rank(self, steps: Sequence[Step], measures: Sequence[Measure]) -> bool:
        """Find measure after measure: each falls with some rules and does not grow with the others that are left, first
        with the sampled steps, then in the small universes. Where none is left an earlier one is taken back."""
        values: dict[Any, Any] = {}
        seen: list[dict[int, list[int]]] = []

        def extend(left: dict[int, list[int]], steps: Sequence[Step]) -> list[tuple[Measure, dict[int, int]]] | None:
            if not left or left in seen or len(seen) > MOST_TRIED:
                return None if left else []
            seen.append(left)
            for measure in measures:
                sampled = _sampled(measure, steps, values)
                if sampled is None or not (sampled[0] or not steps):
                    continue
                fallen, holding = self._fallen(measure, left, {step.rule for step in sampled[1]})
                if fallen and holding is not None:
                    rest = extend(holding, [step for step in sampled[1] if step.rule in holding])
                    if rest is not None:
                        return [(measure, fallen), *rest]
            return None

        outcomes = [list(range(len(self.claim.outcomes[rule.schema]))) for rule in self.claim.rules]
        found = extend(dict(enumerate(outcomes)), steps)
        if found is None:
            return False
        self.claim.rank = [measure for measure, _ in found]
        by_rule = {rule: (place, outcome) for place, (_, own) in enumerate(found) for rule, outcome in own.items()}
        self.steps = [by_rule[rule] for rule in sorted(by_rule)]
        return True

    def _fallen(
        self, measure: Measure, left: Mapping[int, list[int]], not_in_samples: set[int]
    ) -> tuple[dict[int, int], dict[int, list[int]] | None]:
        """The rules with which a measure falls in small universes, and with which outcome; of the others the outcomes
        with which it does not grow, None if there are none."""

        def is_so(kind: str, rule: int, outcome: int) -> bool:
            obligation = Obligation(kind, rule, outcome, measure)
            if obligation not in self.small:
                self.small[obligation] = all(
                    self.needed_in(obligation, each, []) is not None for each in self.universes
                )
            return self.small[obligation]

        fallen: dict[int, int] = {}
        holding: dict[int, list[int]] = {}
        for rule, outcomes in left.items():
            falling = [] if rule in not_in_samples else [each for each in outcomes if is_so("falls", rule, each)]
            if falling:
                fallen[rule] = falling[0]
                continue
            holding[rule] = [each for each in outcomes if is_so("holds", rule, each)]
            if not holding[rule]:
                return fallen, None
        return fallen, holding

    def prove(self) -> Obligation | None:
        """Prove all that is needed; the obligation that is open, None if there is none."""
        rest, seen = self.claim.obligations(self.steps), set[Obligation]()
        while rest:
            obligation = rest.pop()
            note(f"{len(self.candidates)} conditions, {len(self.cores)} parts proven")
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
        for few in self.universes:
            found = self.needed_in(obligation, few, core)
            if found is None:
                return None
            core = found
        # How many objects there are was not to be seen where there are few.
        sizes = [each for each in self.candidates if not each.predicates]
        for tried in (core, [each for each in self.candidates if each in core or each in sizes]):
            if has_no_model(self.claim, obligation, tried, self.work):
                return tried
        return None

    def needed_in(self, obligation: Obligation, universe: Finite, first: list[Condition]) -> list[Condition] | None:
        """The conditions that are needed where there are few objects, those given among them; None if all do not do."""
        import z3

        def known(key: Obligation | Condition, make: Callable[[], Any]) -> Any:
            if (universe, key) not in self.formulas:
                self.formulas[universe, key] = make()
            return self.formulas[universe, key]

        solver = z3.Solver()
        solver.set("core.minimize", True)
        solver.set("rlimit", self.work)
        solver.add(known(obligation, lambda: self.claim.violation(obligation, universe)))
        names: dict[str, Condition] = {}
        for each in self.candidates:
            formula = known(each, partial(self.claim.holds, each, State(universe)))
            if each not in first:
                names[f"condition {len(names)}"] = each
                formula = z3.Implies(z3.Bool(f"condition {len(names) - 1}"), formula)
            solver.add(formula)
        if solver.check(*map(z3.Bool, names)) != z3.unsat:
            return None
        core = {names[str(each)] for each in solver.unsat_core()} | set(first)
        return [each for each in self.candidates if each in core or (each.graph or ("",))[0] == "connected"]


def small_universes(domain: syntax.Domain, problems: Sequence[syntax.Problem]) -> list[Finite]:
    """As many objects of each type as the smallest problem has, and as the two largest of those that are not too large
    to be written out."""
    found, vocabulary = [], Vocabulary(domain)
    counts = [dict(Counter(each.types[0] for each in problem.objects)) for problem in problems]
    ordered = sorted(
        {tuple(sorted(each.items())) for each in counts}, key=lambda each: (sum(dict(each).values()), each)
    )
    small = [each for each in ordered if sum(dict(each).values()) <= MOST_OBJECTS] or ordered[:1]
    for each in [small[0], *small[1:][-2:]]:
        objects = {f"{name}{i}": vocabulary.above[name] for name, count in each for i in range(count)}
        for own in domain.constants:
            objects[own.name] = frozenset().union(*(vocabulary.above[name] for name in own.types))
        found.append(Finite(vocabulary, objects))
    return found

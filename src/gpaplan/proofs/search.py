"""Finding a proof: conditions that are kept, and a rank.

Nothing here needs to be trusted: what is found is proven by obligations (`gpaplan.proofs.obligations`).

Conditions that hold in all states that the list leads to on example problems are candidates. The rank is chosen from
measures made of the domain's predicates and the list's distances: each falls with some rules and does not grow with
those that are left, in universes of few objects, where everything is propositional. There it is also found, from
unsatisfiable cores, which candidates an obligation needs; it is then proven from these in the full universe. What a
condition needs to be kept is needed, too; a candidate that cannot be kept is dropped.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field, replace
from functools import partial
from itertools import compress, permutations, product
from operator import mul
from typing import Any

from gpaplan import _core, interrupts
from gpaplan.automata.filters import ConstrainedStateSpace
from gpaplan.automata.rules import RuleFilter
from gpaplan.concepts.expressions import Literal, parse_literal
from gpaplan.concepts.rules import RuleList
from gpaplan.display import note
from gpaplan.errors import TooLargeError
from gpaplan.ppddl import syntax
from gpaplan.proofs.conditions import Condition, Structure
from gpaplan.proofs.examples import by_predicate, structure_of
from gpaplan.proofs.obligations import (
    Bound,
    Claim,
    Measure,
    Obligation,
    Step,
    does_not_pay,
    growth,
    has_no_model,
    parse_measure,
)
from gpaplan.proofs.translator import State
from gpaplan.proofs.universes import Finite, Vocabulary
from gpaplan.tasks.goal import changed_predicates
from gpaplan.tasks.grounding import declared_objects, ground

MOST_STATES = 300
"""Looked at of one problem."""
MOST_OBJECTS = 10
"""In the universes in which cores are found."""


@contextmanager
def until_stopped(stop: _core.Stop) -> Iterator[None]:
    """Go on behind this where a limit or Ctrl-C comes; ``stop`` knows the reason."""
    try:
        yield
    except _core.Stopped:
        pass
    except KeyboardInterrupt:
        interrupts.taken()
        stop.interrupt()
        stop.check()


def met_states(domain: syntax.Domain, problem: syntax.Problem, rules: RuleFilter) -> Iterator[Structure]:
    """Up to so many of the states that a list leads to."""
    space = ConstrainedStateSpace(ground(domain, problem, cost="unit", relevance=False), rules)
    space.explore(max_states=MOST_STATES)
    start, fluent = structure_of(domain, problem), changed_predicates(domain)
    for state in range(len(space)):
        atoms = (atom for atom in space.atoms(state) if atom.predicate in fluent)
        yield replace(start, known={**start.known, **by_predicate(fluent, atoms)})


def measures_of(domain: syntax.Domain, rules: RuleList) -> tuple[list[Measure], list[Measure]]:
    """Measures for a rank, in the order of trial, made of the predicates that change and of what the list compares
    distances to; and those whose sizes make a bound on the cost, among them sets of what is asked for and holds of
    something else."""
    vocabulary = Vocabulary(domain)
    signatures = vocabulary.signatures
    changing = [name for name in signatures if name in vocabulary.fluent]
    places = {f"{name}/{i}": sort for name in changing for i, (sort, _) in enumerate(signatures[name], 1)}
    flags = [parse_literal(name) for name in changing if not signatures[name]]
    flags += [literal for rule in rules.rules for literal in rule.literals if not literal.parameters]
    unmet, met, left = ([f"(set {form.format(each)})" for each in places] for form in ("!{}", "{}", "(not {})"))
    near = [f"(distance {place} {to} {road})" for (to, road), place in product(_ways(rules), places)]
    said = [f"(literal {each})" for flag in dict.fromkeys(flags) for each in (flag, flag.negation())]
    pairs = [f"(pairs {name})" for name in changing if len(signatures[name]) == 2]
    decides = [f"(decides {number})" for number in range(1, len(rules) + 1)]
    both = [f"(set (and !{p} {q}))" for p, q in product(places, repeat=2) if places[p] == places[q]]
    rank, summands = [*unmet, *met, *left, *near, *said, *pairs, *decides], [*unmet, *met, *both, *said, *decides]
    return list(map(parse_measure, rank)), list(map(parse_measure, summands))


def size_in(measure: Measure, start: Structure) -> int:
    """How large a measure is in an initial state, or could be."""
    return len(start.members(measure.parts[0])) if measure.kind == "set" else 1


def _ways(rules: RuleList) -> list[tuple[Any, ...]]:
    """To what and along what the list compares distances."""
    literals = (literal for rule in rules.rules for literal in rule.literals)
    return list(dict.fromkeys(each.operands[2:] for each in literals if each.word == "nearer"))


@dataclass
class Prover:
    """Proves obligations of a claim with Z3; work is counted by Z3's own measure."""

    claim: Claim
    candidates: list[Condition]
    universes: list[Finite]
    """Those of few objects, by size; the candidates can hold there."""
    work: int
    """For one try of one query."""
    stop: _core.Stop
    rank: list[Measure] = field(default_factory=list)
    steps: list[Step] = field(default_factory=list)
    """Of each rule."""
    bound: Bound = ()
    """On the cost, if there is one."""
    cores: dict[Obligation, list[Condition]] = field(default_factory=dict)
    """Of the obligations that are proven: the conditions that they need."""
    seen: set[Obligation] = field(default_factory=set)
    """Those that the last proof is made of."""
    formulas: dict[tuple[Finite, Obligation | Condition], Any] = field(default_factory=dict)
    """What was translated already."""
    small: dict[Obligation, bool] = field(default_factory=dict)
    """Whether an obligation holds in the small universes."""

    def find_rank(self, measures: Sequence[Measure], rules: RuleList) -> bool:
        """Find measure after measure: the first with which some of the rules that are left fall, and none grows. If
        there is none whatever kept actions are taken, some of them are chosen."""
        steps: dict[int, Step] = {}
        while len(steps) < len(rules):
            left = [rule for rule in range(len(rules)) if rule not in steps]
            for is_chosen, measure in product((False, True), measures):
                rank, literals = [*self.rank, measure], self._choices(rules) if is_chosen else []
                found = [self._step("falls", rule, rank, literals) for rule in left]
                fallen = {rule: way for rule, way in zip(left, found, strict=True) if way is not None}
                if fallen and all(rule in fallen or self._step("holds", rule, rank, literals) for rule in left):
                    break
            else:
                return False
            self.rank.append(measure)
            steps |= fallen
        self.steps = [steps[rule] for rule in range(len(rules))]
        return True

    def _step(self, kind: str, rule: int, rank: list[Measure], literals: Sequence[tuple[int, Literal]]) -> Step | None:
        """A step with which the last measure falls, or holds, and those before hold, in the small universes."""
        choices = [(), *((literal,) for number, literal in literals if number == rule)]
        for choice, outcome in product(choices, range(len(self.claim.outcomes[self.claim.rules[rule].schema]))):
            kinds = [*("holds" for _ in rank[1:]), kind]
            due = [Obligation(each, rule, outcome, choice, measure) for each, measure in zip(kinds, rank, strict=True)]
            if all(map(self.is_small, due[::-1])):
                return Step(len(rank) - 1, outcome, choice)
        return None

    def _choices(self, rules: RuleList) -> list[tuple[int, Literal]]:
        """Literals, each with the rule of which it always leaves some action: those of the list's rules about the same
        schema, and what is nearer by any of them."""
        found = []
        for number, rule in enumerate(rules.rules):
            schema = next(each for each in self.claim.domain.schemas if each.name == rule.schema)
            pool = [each for other in rules.rules if other.schema == rule.schema for each in other.literals]
            pairs = permutations(schema.parameters, 2)
            same = [(one.name, other.name) for one, other in pairs if one.types == other.types]
            pool += [Literal("nearer", (*pair, *way)) for pair, way in product(same, _ways(rules))]
            new = [each for each in dict.fromkeys(pool) if each not in rule.literals]
            found += [(number, each) for each in new if self.is_small(Obligation("chosen", number, choice=(each,)))]
        return found

    @property
    def few(self) -> list[Finite]:
        """The universes in which ranks and cores are found: the smallest, and the two largest that can be decided."""
        return [self.universes[0], *self.universes[1:][-2:]]

    def is_small(self, obligation: Obligation) -> bool:
        """Whether an obligation holds in the small universes."""
        if obligation not in self.small:
            self.small[obligation] = all(self.needed_in(obligation, each, []) is not None for each in self.few)
        return self.small[obligation]

    def bounded(self, measures: Sequence[Measure], starts: Sequence[Structure]) -> Prover:
        """The same with a bound on the cost, if one is found; all is proven. None is looked for where kept actions are
        chosen, or a distance falls."""
        found = replace(self, candidates=self.needed)
        is_simple = all(not each.choice and self.rank[each.measure].kind != "distance" for each in self.steps)
        with until_stopped(self.stop), suppress(TooLargeError):
            if is_simple and found.find_bound(measures, starts) and found.prove() is None:
                return found
        return self

    def find_bound(self, measures: Sequence[Measure], starts: Sequence[Structure]) -> bool:
        """Find weights of measures, the least for the starts, with which every step pays in the largest of the small
        universes: a step that does not is one more inequality of a linear program."""
        import z3

        few, context = self.few[-1], z3.Context()
        is_local = (all(self.needed_in(o, few, []) is not None for o in self.claim.entering(each)) for each in measures)
        own = list(compress(measures, is_local))
        weights = [z3.Real(f"weight {i}", context) for i in range(len(own))]
        sizes = (sum(size_in(each, start) for start in starts) for each in own)
        program = z3.Optimize(ctx=context)
        program.add(*(each >= 0 for each in weights))
        program.minimize(z3.Sum(*map(mul, sizes, weights)))
        rules = range(len(self.claim.rules))
        solvers = [self._solver(few, self.claim.growing(rule, own, few), self.candidates) for rule in rules]
        while program.check() == z3.sat:
            found = [program.model().eval(each, model_completion=True).as_fraction() for each in weights]
            answers = []
            for solver in solvers:
                self._count_question()
                solver.push()
                solver.add(does_not_pay(found, own, few))
                answers.append(solver.check())
                if answers[-1] == z3.sat:
                    row = [solver.model().eval(growth(each, few)).as_fraction() for each in own]
                    program.add(z3.Sum(*map(mul, row, weights)) <= -1)
                solver.pop()
            if z3.sat not in answers:
                self.bound = tuple((weight, each) for weight, each in zip(found, own, strict=True) if weight)
                return z3.unknown not in answers
        return False

    def prove(self) -> Obligation | None:
        """Prove all that is needed; the obligation that is open, None if there is none."""
        begin = self.claim.obligations(self.rank, self.steps, self.bound)
        rest, self.seen = begin[:], set()
        while rest:
            obligation = rest.pop()
            note(f"{len(self.candidates)} conditions, {len(self.cores)} parts proven")
            if obligation in self.seen:
                continue
            if obligation not in self.cores and (core := self.discharge(obligation)) is not None:
                self.cores[obligation] = core
            if obligation in self.cores:
                self.seen.add(obligation)
                rest += [each for condition in self.cores[obligation] for each in self.claim.keeping(condition)]
            elif obligation.condition is None:
                return obligation
            else:
                self.drop(obligation.condition)
                rest, self.seen = begin[:], set()
        return None

    def widened(self) -> Prover:
        """The same without the conditions that the proof can do without, one after the other; all is proven. A limit
        leaves the class as wide as it is by then."""
        found = replace(self, candidates=self.needed)
        with until_stopped(self.stop), suppress(TooLargeError):
            for condition in found.candidates[::-1]:
                trial = replace(found)
                trial.drop(condition)
                if trial.prove() is None:
                    found = replace(trial, candidates=trial.needed)
        return found

    def drop(self, condition: Condition) -> None:
        """Do without a candidate, and forget what was proven with it."""
        self.candidates = [each for each in self.candidates if each != condition]
        self.cores = {each: core for each, core in self.cores.items() if condition not in (each.condition, *core)}

    @property
    def needed(self) -> list[Condition]:
        """The conditions that what was proven last rests on, in the order of the candidates."""
        found = {condition for each in self.seen for condition in self.cores[each]}
        return [each for each in self.candidates if each in found]

    def discharge(self, obligation: Obligation) -> list[Condition] | None:
        """The conditions from which an obligation follows, None if it is not proven."""
        core: list[Condition] = []
        for few in self.few:
            found = self.needed_in(obligation, few, core)
            if found is None:
                return None
            core = found
        # How many objects there are was not to be seen where there are few; nor, sometimes, what other parts need.
        sizes = [each for each in self.candidates if not each.predicates]
        for more in ([], sizes, sum(self.cores.values(), sizes)):
            tried = [each for each in self.candidates if each in core or each in more]
            if has_no_model(self.claim, obligation, tried, self.work):
                return tried
        return None

    def needed_in(self, obligation: Obligation, universe: Finite, first: list[Condition]) -> list[Condition] | None:
        """The conditions that are needed where there are few objects, those given among them; None if all do not do.
        Those given, if that is not known. `TooLargeError` if the universe is, and there is no smaller one."""
        self._count_question()
        try:
            return self._core(obligation, universe, first)
        except TooLargeError:
            if self.universes == [universe]:
                raise
            self._leave(universe)
            return first

    def _core(self, obligation: Obligation, universe: Finite, first: list[Condition]) -> list[Condition] | None:
        """The same, by what Z3 says."""
        import z3

        formula = partial(self._formula, universe)
        if (violation := formula(obligation)) is False:
            return first
        solver = self._solver(universe, violation, first)
        others = (each for each in self.candidates if each not in first)
        names = {f"condition {number}": each for number, each in enumerate(others)}
        literals = [z3.Bool(name, universe.context) for name in names]
        solver.add(*(z3.Implies(*pair) for pair in zip(literals, map(formula, names.values()), strict=True)))
        answer = solver.check(*literals)
        if answer == z3.unknown:
            self._leave(universe)
            return first
        if answer == z3.sat:
            return None
        core = {names[str(each)] for each in solver.unsat_core()} | set(first)
        return [each for each in self.candidates if each in core or (each.graph or ("",))[0] == "connected"]

    def _leave(self, universe: Finite) -> None:
        """Do without a universe that is too large to be of use, unless it is the last."""
        self.universes = [each for each in self.universes if each is not universe] or [universe]

    def _count_question(self) -> None:
        if self.stop.check():
            raise _core.Stopped(self.stop.reason)

    def _formula(self, universe: Finite, key: Obligation | Condition) -> Any:
        """The violation of an obligation, or a condition, translated once."""
        if (universe, key) not in self.formulas:
            universe.written = 0
            self.formulas[universe, key] = (
                self.claim.violation(key, universe)
                if isinstance(key, Obligation)
                else self.claim.holds(key, State(universe))
            )
        return self.formulas[universe, key]

    def _solver(self, universe: Finite, formula: Any, conditions: Sequence[Condition]) -> Any:
        """Z3 with a formula and conditions."""
        import z3

        solver = z3.Solver(ctx=universe.context)
        solver.set("core.minimize", True, "rlimit", self.work, "ctrl_c", False)
        solver.add(formula, *(self._formula(universe, each) for each in conditions))
        return solver


def small_universes(domain: syntax.Domain, problems: Sequence[syntax.Problem]) -> list[Finite]:
    """With the objects of problems that are not too large to be written out, by size, each number of each type once."""
    ordered = sorted(problems, key=lambda each: (len(each.objects), _types(each)))
    few = [each for each in ordered if len(each.objects) <= MOST_OBJECTS] or ordered[:1]
    found = {tuple(_types(each)): each for each in few}.values()
    return [Finite(Vocabulary(domain), declared_objects(domain, each)) for each in found]


def _types(problem: syntax.Problem) -> list[tuple[str, ...]]:
    return sorted(each.types for each in problem.objects)

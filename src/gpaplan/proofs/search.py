"""Finding a proof: conditions that are kept, and a rank.

Nothing here needs to be trusted: what is found is proven by obligations (`gpaplan.proofs.obligations`).

Conditions that hold in all states that the list leads to on example problems are candidates. The rank is chosen from
measures made of the domain's predicates and the list's distances: each falls with some rules and does not grow with
those that are left, in universes of few objects, where everything is propositional. There it is also found, from
unsatisfiable cores, which candidates an obligation needs; it is then proven from these in the full universe. What a
condition needs to be kept is needed, too; a candidate that cannot be kept is dropped.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from fractions import Fraction
from itertools import compress, permutations, product
from operator import mul
from typing import Any

from gpaplan import _core, interrupts
from gpaplan.automata.filters import ConstrainedStateSpace
from gpaplan.automata.rules import RuleFilter
from gpaplan.concepts.expressions import Concept, Literal, parse_concept, parse_literal, parse_relation
from gpaplan.concepts.rules import RuleList
from gpaplan.display import note
from gpaplan.ppddl import syntax
from gpaplan.proofs.conditions import Condition, Structure
from gpaplan.proofs.examples import structure_of
from gpaplan.proofs.obligations import Bound, Claim, Measure, Obligation, Step, does_not_pay, growth, has_no_model
from gpaplan.proofs.translator import State
from gpaplan.proofs.universes import Finite, Vocabulary
from gpaplan.tasks.goal import changed_predicates
from gpaplan.tasks.grounding import ground

__all__ = ["Prover", "measures_of", "met_states", "size_in", "small_universes", "summands", "until_stopped"]

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
        known: dict[str, set[tuple[str, ...]]] = {name: set() for name in start.known if name in fluent}
        for atom in space.atoms(state):
            if atom.predicate in known:
                known[atom.predicate].add(atom.arguments)
        yield replace(start, known={**start.known, **{name: frozenset(atoms) for name, atoms in known.items()}})


def measures_of(domain: syntax.Domain, rules: RuleList) -> list[Measure]:
    """Measures made of the predicates that change and of what the list compares distances to, in the order of trial."""
    fluent = changed_predicates(domain)
    changing = [each for each in domain.predicates if each.name in fluent]
    places = [f"{each.name}/{i + 1}" for each in changing for i in range(len(each.parameters))]
    literals = [literal for rule in rules.rules for literal in rule.literals]
    flags = [parse_literal(each.name) for each in changing if not each.parameters]
    flags += [each for each in literals if not each.parameters]
    sets = [*(f"!{each}" for each in places), *places, *(f"(not {each})" for each in places)]
    return [
        *(Measure("set", (parse_concept(each),)) for each in sets),
        *(Measure("distance", (parse_concept(each), *way)) for way, each in product(_ways(rules), places)),
        *(Measure("literal", (each,)) for flag in dict.fromkeys(flags) for each in (flag, flag.negation())),
        *(Measure("pairs", (parse_relation(each.name),)) for each in changing if len(each.parameters) == 2),
        *(Measure("decides", (number,)) for number in range(1, len(rules) + 1)),
    ]


def summands(domain: syntax.Domain, rules: RuleList) -> list[Measure]:
    """Measures whose sizes make a bound on the cost: sets of what holds, of what is asked for and does not hold, and
    what is in both; flags, and which rule decides."""
    pool, signatures = measures_of(domain, rules), Vocabulary(domain).signatures
    sets = [each for each in pool if each.kind == "set" and each.parts[0].word == "argument"]
    both = [
        Measure("set", (Concept("and", (one, other)),))
        for ((one,), (other,)) in product((each.parts for each in sets), repeat=2)
        if (one.operands[0], other.operands[0]) == ("!", "")
        if len({signatures[name][place - 1] for _, name, place in (one.operands, other.operands)}) == 1
    ]
    return [*sets, *both, *(each for each in pool if each.kind in ("literal", "decides"))]


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
        with until_stopped(self.stop):
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
        rows: list[list[Fraction]] = [[]]
        while rows and program.check() == z3.sat:
            found = [program.model().eval(each, model_completion=True).as_fraction() for each in weights]
            rows = []
            for solver in solvers:
                self._count_question()
                solver.push()
                solver.add(does_not_pay(found, own, few))
                if (answer := solver.check()) == z3.sat:
                    rows.append([solver.model().eval(growth(each, few)).as_fraction() for each in own])
                elif answer == z3.unknown:
                    return False
                solver.pop()
            program.add(*(z3.Sum(*map(mul, row, weights)) <= -1 for row in rows))
        self.bound = tuple((weight, each) for weight, each in zip(found, own, strict=True) if weight)
        return not rows

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
        with until_stopped(self.stop):
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
        Those given, if that is not known."""
        import z3

        self._count_question()
        if (violation := self._formula(universe, obligation)) is False:
            return first
        solver = self._solver(universe, violation, first)
        names: dict[str, Condition] = {}
        for each in self.candidates:
            if each not in first:
                names[f"condition {len(names)}"] = each
                named = z3.Bool(f"condition {len(names) - 1}", universe.context)
                solver.add(z3.Implies(named, self._formula(universe, each)))
        answer = solver.check(*(z3.Bool(name, universe.context) for name in names))
        if answer == z3.unknown:  # it is too large to be of use
            self.universes = [each for each in self.universes if each is not universe] or [universe]
            return first
        if answer == z3.sat:
            return None
        core = {names[str(each)] for each in solver.unsat_core()} | set(first)
        return [each for each in self.candidates if each in core or (each.graph or ("",))[0] == "connected"]

    def _count_question(self) -> None:
        if self.stop.check():
            raise _core.Stopped(self.stop.reason)

    def _formula(self, universe: Finite, key: Obligation | Condition) -> Any:
        """The violation of an obligation, or a condition, translated once."""
        if (universe, key) not in self.formulas:
            if isinstance(key, Condition):
                self.formulas[universe, key] = self.claim.holds(key, State(universe))
            else:
                self.formulas[universe, key] = self.claim.violation(key, universe)
        return self.formulas[universe, key]

    def _solver(self, universe: Finite, formula: Any, conditions: Sequence[Condition]) -> Any:
        """Z3 with a formula and conditions."""
        import z3

        solver = z3.Solver(ctx=universe.context)
        for name, value in {"core.minimize": True, "rlimit": self.work, "ctrl_c": False}.items():
            solver.set(name, value)
        solver.add(formula, *(self._formula(universe, each) for each in conditions))
        return solver


def small_universes(domain: syntax.Domain, problems: Sequence[syntax.Problem]) -> list[Finite]:
    """As many objects of each type as a problem has that is not too large to be written out, by size."""
    found, vocabulary = [], Vocabulary(domain)
    counts = {tuple(sorted(Counter(each.types[0] for each in problem.objects).items())) for problem in problems}
    ordered = sorted(counts, key=lambda each: (sum(dict(each).values()), each))
    for each in [each for each in ordered if sum(dict(each).values()) <= MOST_OBJECTS] or ordered[:1]:
        objects = {f"{name}{i}": vocabulary.above[name] for name, count in each for i in range(count)}
        for own in domain.constants:
            objects[own.name] = frozenset().union(*(vocabulary.above[name] for name in own.types))
        found.append(Finite(vocabulary, objects))
    return found

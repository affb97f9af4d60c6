"""Mutants of certified rule lists: whatever is dropped, a proof breaks, or what is left is right all the same.

    python -m tests.proofs.mutants [FAMILY]...            all mutants, and what became of each
    python -m tests.proofs.mutants --trials [FAMILY]...   lists that trials call perfect, and that fail

A mutant is a certificate (docs/results/certificates) with a rule, a literal, a condition or an effect of an action
less, a literal negated, or two rules that follow each other exchanged. The rank and its steps stay. A mutant is

    refuted   an obligation has a counterexample in a universe of few objects, in which all conditions hold
    proven    all obligations are proven again: it was not needed, or the other rules do without it
    open      neither

All problems up to a small size are enumerated, too. A mutant that is proven and fails there would be a fault of ours.
With --trials the mutated lists that fail on some problem are run on the family's larger problems, drawing among the
actions that they keep: those that reach the goal in 100 of 100 trials show what trials are worth.
"""

from __future__ import annotations

import random
import sys
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, replace

from gpaplan import StateSpace, ground
from gpaplan.automata.rules import RuleFilter
from gpaplan.benchmarks import generate
from gpaplan.concepts.encoding import Evaluator
from gpaplan.concepts.expressions import Literal, parse_literal
from gpaplan.concepts.rules import RuleList
from gpaplan.errors import LimitError, UsageError
from gpaplan.limits import Limits
from gpaplan.ppddl import syntax
from gpaplan.proofs.certificates import WORK, Certificate, certificate_of
from gpaplan.proofs.conditions import Condition
from gpaplan.proofs.enumeration import VerificationBySize, verify_rules
from gpaplan.proofs.obligations import Claim, Obligation
from gpaplan.proofs.search import Prover, small_universes
from gpaplan.tasks.goal import changed_predicates
from tests.proofs.certified_lists import RESULTS, problems

FOLDER = RESULTS / "certificates"
NEVER = parse_literal("(empty any)")
"""Holds in no state: there is an object."""

SIZES = {
    "maintenance": {"place": 3, "machine": 2},
    "gripper": {"room": 2, "ball": 2, "hand": 2},
    "schedule": {"class": 1, "packet": 2, "age": 2},
    "rover": {"rover": 1, "waypoint": 2, "sample": 1, "objective": 1},
    "delivery": {"place": 3, "parcel": 1},
    "cosanostra": {"stop": 2, "booth": 1},
    "delicate-can": {"can": 3},
}
"""Up to which problems are enumerated."""

LARGER: dict[str, list[tuple[int, ...]]] = {
    "maintenance": [(1, 10, 3, 1), (3, 12, 4, 2), (4, 10, 4, 3)],
    "gripper": [(8,), (12,)],
    "schedule": [(1, 8), (1, 12)],
    "rover": [(2, 5, 4, 3), (3, 6, 5, 4)],
    "delivery": [(4, 20, 5, 4, 3), (2, 20, 5, 3, 2), (3, 12, 4, 3, 1)],
    "cosanostra": [(5,), (8,)],
    "delicate-can": [(5,), (7,)],
}
"""On which trials are run."""


@dataclass(frozen=True)
class Mutant:
    """A certificate of which something is changed."""

    what: str
    domain: syntax.Domain
    rules: RuleList
    conditions: tuple[Condition, ...]
    order: tuple[int, ...]
    """Of each rule: which of the certificate it was, whose step of the rank it has."""


def certified(family: str) -> Certificate:
    """The certificate of a family."""
    found = certificate_of(RuleFilter.read(FOLDER / f"{family}.json"), problems(family)[0])
    assert found is not None
    return found


def mutants(certificate: Certificate, domain: syntax.Domain) -> Iterator[Mutant]:
    """All mutants, in a fixed order."""
    conditions = certificate.conditions
    order = tuple(range(len(certificate.rules)))
    for what, rules in changed_lists(certificate.rules):
        exchanged = tuple(
            certificate.rules.rules.index(rule) if "exchanged" in what else i for i, rule in enumerate(rules.rules)
        )
        yield Mutant(what, domain, rules, conditions, exchanged)
    for i, dropped in enumerate(conditions):
        yield Mutant(f"without {dropped}", domain, certificate.rules, conditions[:i] + conditions[i + 1 :], order)
    used = {rule.schema for rule in certificate.rules.rules}
    for schema in (each for each in domain.schemas if each.name in used):
        leaves = (syntax.Add, syntax.Delete, syntax.Change)
        found = (each for each in syntax.within(schema.effect, syntax.Node) if isinstance(each, leaves))
        for number, leaf in enumerate(found):
            if isinstance(leaf, syntax.Add | syntax.Delete):
                other = replace(schema, effect=without(schema.effect, [number]))
                schemas = tuple(other if each is schema else each for each in domain.schemas)
                sign = "+" if isinstance(leaf, syntax.Add) else "-"
                what = f"{schema.name} without effect {number + 1}, {sign}{leaf.atom.predicate}"
                changed = replace(domain, schemas=schemas)
                fluent = changed_predicates(changed)  # goals do not ask for what never changes
                left = [each for each in conditions if all(p[0] != "@" or p[1:] in fluent for p in each.predicates)]
                yield Mutant(what, changed, certificate.rules, tuple(left), order)


def changed_lists(given: RuleList) -> Iterator[tuple[str, RuleList]]:
    """Lists that differ by a rule or a literal."""
    rules = given.rules
    for i, rule in enumerate(rules):

        def other(*literals: Literal, i: int = i) -> RuleList:
            return RuleList((*rules[:i], replace(rules[i], literals=literals), *rules[i + 1 :]))

        yield f"without rule {i + 1}", other(NEVER)
        for j, literal in enumerate(rule.literals):
            before, after = rule.literals[:j], rule.literals[j + 1 :]
            yield f"rule {i + 1} without {literal}", other(*before, *after)
            yield f"rule {i + 1} with {literal.negation()}", other(*before, literal.negation(), *after)
        if i + 1 < len(rules):
            yield f"rules {i + 1} and {i + 2} exchanged", RuleList((*rules[:i], rules[i + 1], rule, *rules[i + 2 :]))


def without(effect: syntax.Effect, left: list[int]) -> syntax.Effect:
    """An effect without the leaf that has this number; the number is counted down."""
    match effect:
        case syntax.AndEffect(effects):
            return replace(effect, effects=tuple(without(each, left) for each in effects))
        case syntax.ForAllEffect() | syntax.When():
            return replace(effect, effect=without(effect.effect, left))
        case syntax.Probabilistic(outcomes):
            return replace(
                effect, outcomes=tuple(replace(each, effect=without(each.effect, left)) for each in outcomes)
            )
    left[0] -= 1
    return syntax.AndEffect(()) if left[0] == -1 else effect


class Judge:
    """Judges the mutants of a certificate; what was translated for one is known for those with the same rules."""

    def __init__(self, certificate: Certificate, given: list[syntax.Problem]) -> None:
        self.certificate, self.given = certificate, given
        self.last: tuple[syntax.Domain, RuleList] | None = None
        self.provers: list[Prover] = []

    def judged(self, mutant: Mutant) -> tuple[str, Obligation | None]:
        """Whether a mutant is refuted, proven or open, and the obligation that says so."""
        own, rules = self.certificate, mutant.rules
        claim = Claim(mutant.domain, rules)
        if self.last != (mutant.domain, rules):
            self.last = mutant.domain, rules
            few = Prover(claim, [], small_universes(mutant.domain, self.given), WORK, Limits().start()).few[:2]
            self.provers = [Prover(claim, [], [each], WORK, Limits().start()) for each in few]
        for prover in self.provers:
            prover.candidates = list(mutant.conditions)
        try:
            obligations = claim.obligations(own.rank, [own.steps[i] for i in mutant.order], (), mutant.conditions)
            for prover in self.provers:
                for each in obligations:
                    if prover.needed_in(each, prover.universes[0], []) is None:
                        return "refuted", each
            for each in obligations:
                if self.provers[-1].discharge(each) is None:
                    return "open", each
        except (IndexError, UsageError):  # an outcome of the steps is gone with its effect
            return "refuted", None
        return "proven", None


def enumerated(mutant: Mutant, sizes: dict[str, int]) -> VerificationBySize | None:
    """What all problems up to a small size show; None if that takes too long."""
    try:
        return verify_rules(mutant.rules, mutant.domain, mutant.conditions, most=sizes, limits=Limits(60))
    except (LimitError, UsageError):
        return None


def show(family: str, total: Counter[str]) -> None:
    """A line for each mutant of a family."""
    certificate = certified(family)
    domain, given = problems(family)
    judge = Judge(certificate, given)
    for mutant in mutants(certificate, domain):
        verdict, obligation = judge.judged(mutant)
        found = enumerated(mutant, SIZES[family])
        failing = None if found is None else (found.any if certificate.choice == "any" else found.random).failing
        assert verdict != "proven" or not failing, f"{family}, {mutant.what}: proven, and it fails"
        total[verdict] += 1
        total["fails on a small problem"] += bool(failing)
        words = "not enumerated" if failing is None else f"fails on {failing:,} small problems" if failing else "right"
        print(f"{family:13} {verdict:8} {mutant.what}; {words}; {obligation or ''}", flush=True)


def all_reach(rules: RuleList, family: str, trials: int = 100) -> bool:
    """Whether all of some trials reach the goal, drawing among what the list keeps, in at most 1,000 steps each."""
    rng = random.Random(0)
    tasks = [ground(generate(family, *theta).domain, generate(family, *theta).problem) for theta in LARGER[family]]
    places = [(StateSpace(task), Evaluator(task), task) for task in tasks]
    for number in range(trials):
        space, evaluator, task = places[number % len(places)]
        state = space.initial
        for _ in range(1000):
            kept = evaluator.fits(space, state, rules)[1]
            if space.is_goal(state) or not kept:
                break
            action = rng.choice(kept)
            step = next(each for each in space.transitions(state) if task.action_index(each.action) == action)
            chances = [float(each.probability) for each in step.outcomes]
            state = rng.choices([each.state for each in step.outcomes], chances)[0]
        if not space.is_goal(state):
            return False
    return True


def show_perfect(family: str) -> None:
    """The mutated lists of a family that trials call perfect and that fail on a problem of the class."""
    certificate = certified(family)
    domain, _ = problems(family)
    for what, rules in changed_lists(certificate.rules):
        found = enumerated(Mutant(what, domain, rules, certificate.conditions, ()), SIZES[family])
        if found is None:
            continue
        verdict = found.any if certificate.choice == "any" else found.random
        if verdict.first is not None and all_reach(rules, family):
            words = f"fails on {verdict.failing:,} of {found.problems:,} problems: {verdict.first.reason}"
            print(f"{family:13} {what}: 100 of 100 trials; under {certificate.choice} choice {words}", flush=True)


def main(arguments: list[str]) -> None:
    families = [each for each in arguments if each != "--trials"] or list(SIZES)
    if "--trials" in arguments:
        for family in families:
            show_perfect(family)
        return
    total: Counter[str] = Counter()
    for family in families:
        show(family, total)
    print(f"{total['refuted'] + total['proven'] + total['open']} mutants:", dict(total))


if __name__ == "__main__":
    main(sys.argv[1:])

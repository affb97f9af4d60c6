"""Certificates: what was proven of a rule list, for problems of every size, and how to check it again.

    certified = certify(rules, domain, problems)      # the rule list, with its certificate
    certified.write("delivery.gpa.json")
    certificate = certificate_of(certified, domain)
    certificate.open_obligations()        # proves everything once more; none is left open
    certificate.open_conditions(problem)  # that a problem does not fulfil: it is of the class if none

A certificate has the conditions that make the class, the rank, of each rule the measure and the outcome by which the
rank falls, and under random choice the literals that tell which actions lower it. That is all that the obligations are
made from (`gpaplan.proofs.obligations`), so a check trusts nothing of how they were found.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import product
from typing import Any, NamedTuple

from gpaplan.automata.filters import TransitionFilter
from gpaplan.automata.rules import AnyRules, RuleFilter, RulePolicy, rule_list
from gpaplan.concepts.expressions import parse_literal
from gpaplan.concepts.rules import RuleList
from gpaplan.display import Shown, counted, under_way
from gpaplan.errors import LimitError, TooLargeError, UsageError
from gpaplan.limits import AnyLimits, started
from gpaplan.ppddl import Domain, Problem, write_domain
from gpaplan.proofs.conditions import Condition, parse_condition
from gpaplan.proofs.enumeration import Failure, smallest_failure
from gpaplan.proofs.examples import conditions_of, structure_of
from gpaplan.proofs.obligations import Bound, Claim, Measure, Obligation, Step, has_no_model, parse_measure, solver_for
from gpaplan.proofs.search import Prover, measures_of, met_states, size_in, small_universes, until_stopped
from gpaplan.proofs.universes import Vocabulary
from gpaplan.proofs.words import bound_in_words, class_in_words, condition_in_words, rank_in_words
from gpaplan.tasks.task import GroundAtom, GroundTask
from gpaplan.version import __version__

WORK = 2_000_000
"""What Z3 may do for one query, by its own count."""
SECOND_WORK = 20_000
"""What cvc5 may do for one query, by its own count."""
ENUMERATED = 10_000_000
"""The work for which small problems are looked at where there is no proof."""
CHOICES = {
    "any": "the goal is reached with probability one, whatever actions that the rules keep are taken",
    "random": "the goal is reached with probability one if actions that the rules keep are drawn at random",
}
"""What is claimed, in words."""


class NotProven(UsageError):  # noqa: N818
    """No proof was found; the message says what is open."""

    exit_code = 22


class Refuted(NotProven):
    """The list fails on a problem."""

    exit_code = 21

    def __init__(self, failure: Failure) -> None:
        super().__init__(f"the list fails on a problem like these: {failure.reason}")
        self.failure = failure


@dataclass(frozen=True, slots=True)
class Certificate(Shown):
    """A rule list reaches the goal with probability one on every problem of a class."""

    domain: Domain
    rules: RuleList
    conditions: tuple[Condition, ...]
    """The class; all that speak of what changes are kept by what the list keeps."""
    rank: tuple[Measure, ...]
    steps: tuple[Step, ...]
    """Of each rule."""
    uses: tuple[tuple[int, ...], ...]
    """Of each obligation: the conditions that it is proven from, counted from 0."""
    bound: Bound = ()
    """On the expected number of actions, if one is proven."""
    stopped: str = ""
    """By which limit the search for a larger class was ended; empty if every condition is needed."""
    version: str = __version__

    @property
    def choice(self) -> str:
        """``any`` or ``random``."""
        return "random" if any(step.choice for step in self.steps) else "any"

    def to_json(self) -> dict[str, Any]:
        """The certificate as plain data, as files of rules have it, also in words; what is counted begins with 1."""
        return {
            "choice": self.choice,
            "claim": CHOICES[self.choice],
            "class": class_in_words(self.conditions, self.domain),
            "falls": rank_in_words(self.rank, self.rules, self.domain),
            "costs": bound_in_words(self.bound, self.rules, self.domain),
            "domain": _hash(write_domain(self.domain)),
            "rules": _hash(str(self.rules)),
            "stopped": self.stopped,
            "version": self.version,
            "conditions": list(map(str, self.conditions)),
            "rank": list(map(str, self.rank)),
            "bound": [{"weight": str(weight), "measure": str(measure)} for weight, measure in self.bound],
            "steps": [
                {"rule": rule, "measure": measure + 1, "outcome": outcome + 1, "choice": list(map(str, choice))}
                for rule, (measure, outcome, choice) in enumerate(self.steps, 1)
            ],
            "proofs": [[each + 1 for each in uses] for uses in self.uses],
        }

    def obligations(self) -> list[tuple[Claim, Obligation, list[Condition]]]:
        """All that must be proven, each from some conditions."""
        self.rules.check(self.domain)
        claim = Claim(self.domain, self.rules)
        found = claim.obligations(self.rank, self.steps, self.bound, self.conditions)
        if len(self.steps) != len(self.rules) or len(self.uses) != len(found):
            raise UsageError("the certificate does not have a step for each rule, or not a proof of each obligation")
        wrong = (weight < 0 or measure.kind not in ("set", "literal", "decides") for weight, measure in self.bound)
        if self.bound and (self.choice == "random" or any(wrong)):
            raise UsageError("the certificate has a bound under random choice, or one that may be negative")
        return [(claim, each, [self.conditions[i] for i in uses]) for each, uses in zip(found, self.uses, strict=True)]

    def open_obligations(self, work: int = WORK) -> list[Obligation]:
        """The obligations that Z3 does not prove from what the certificate says; none if it is right."""
        return [each[1] for each in self.obligations() if not has_no_model(*each, work)]

    def smt_files(self) -> Iterator[tuple[str, str]]:
        """Each obligation as a name and a text in SMT-LIB, which must have no model."""
        for number, each in enumerate(self.obligations(), 1):
            name = f"{number:03d}-{each[1].kind}.smt2"
            yield name, f"; {each[1]}\n(set-logic ALL)\n{solver_for(*each).to_smt2()}"

    def second_opinion(self, work: int = SECOND_WORK) -> list[str]:
        """What cvc5 says of each obligation: ``unsat`` if it proves it too, ``unknown`` if it gives up."""
        import cvc5

        answers = []
        for _, text in self.smt_files():
            solver = cvc5.Solver()
            solver.setOption("rlimit-per", str(work))
            parser = cvc5.InputParser(solver)
            parser.setStringInput(cvc5.InputLanguage.SMT_LIB_2_6, text, "obligation")
            manager = parser.getSymbolManager()
            while not (command := parser.nextCommand()).isNull():
                answers += [answer] if (answer := command.invoke(solver, manager).strip()) else []
        return answers

    def open_conditions(self, problem: Problem) -> list[Condition]:
        """The conditions of the class that a problem does not fulfil; none if the claim holds of it."""
        structure, vocabulary = structure_of(self.domain, problem), Vocabulary(self.domain)
        sorts = {vocabulary.sort_of_object(*each) for each in structure.objects.items()}
        empty = [sort for sort in vocabulary.sorts if sort not in sorts]
        some = [parse_condition(f"(exists (?x - {sort}) (= ?x ?x))", self.domain) for sort in empty]
        return some + [each for each in self.conditions if not structure.satisfies(each)]

    def most_actions(self, problem: Problem) -> float | None:
        """The bound on the expected number of actions for a problem of the class, if there is one."""
        start = structure_of(self.domain, problem)
        parts = [(measure.kind == "decides", weight * size_in(measure, start)) for weight, measure in self.bound]
        decide = [value for is_one, value in parts if is_one]  # of these rules only one decides
        return float(sum(value for _, value in parts) - sum(decide) + max(decide, default=0)) if parts else None


def _hash(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()


def certificate_of(automaton: TransitionFilter | None, domain: Domain) -> Certificate | None:
    """The certificate of a rule list, None if it has none; `UsageError` if it is of another list or domain."""
    if not isinstance(automaton, RuleFilter) or (data := automaton.certificate) is None:
        return None
    if data.get("domain") != _hash(write_domain(domain)):
        raise UsageError(f"the certificate is of another domain than '{domain.name}', or of another version of it")
    try:
        found = Certificate(
            domain,
            automaton.lists[0],
            conditions=tuple(parse_condition(text, domain) for text in data["conditions"]),
            rank=tuple(map(parse_measure, data["rank"])),
            steps=tuple(
                Step(each["measure"] - 1, each["outcome"] - 1, tuple(map(parse_literal, each["choice"])))
                for each in data["steps"]
            ),
            bound=tuple((Fraction(each["weight"]), parse_measure(each["measure"])) for each in data["bound"]),
            uses=tuple(tuple(each - 1 for each in uses) for uses in data["proofs"]),
            stopped=str(data["stopped"]),
            version=str(data["version"]),
        )
    except (KeyError, TypeError, ValueError) as error:
        raise UsageError(
            f"the certificate is damaged, or of another version ({error!r}): run gpaplan certify again"
        ) from None
    if len(automaton.lists) > 1 or _hash(str(found.rules)) != data.get("rules") or found.choice != data.get("choice"):
        raise UsageError("the certificate is of another rule list: run gpaplan certify again")
    return found


class Standing(NamedTuple):
    """What the certificate of a rule list says of a problem."""

    choice: str
    """``any`` or ``random`` if the problem is of the class, else empty."""
    words: str
    """The claim; or what of the class the problem does not fulfil."""
    outside: tuple[str, ...] = ()
    """The conditions that it does not fulfil."""
    bound: float | None = None
    """On the expected number of actions, if the certificate has one."""


def standing(automaton: TransitionFilter | None, domain: Domain, problem: Problem) -> Standing | None:
    """Whether a certificate holds of a problem: its objects, its initial state and its goal are tested, nothing is
    searched. None if there is no certificate."""
    try:
        if (certificate := certificate_of(automaton, domain)) is None:
            return None
        outside = certificate.open_conditions(problem)
    except UsageError as error:
        return Standing("", f"not by certificate: {error}")
    if not outside:
        bound, words = certificate.most_actions(problem), f"proper by certificate: {CHOICES[certificate.choice]}"
        words += f", after at most {bound:.6g} actions on average" if bound is not None else ""
        return Standing(certificate.choice, words, bound=bound)
    more = f", and {counted(len(outside) - 1, 'condition')} more" if len(outside) > 1 else ""
    sentence = f"outside of the certificate's class, which asks: {condition_in_words(outside[0], domain)}{more}"
    return Standing("", sentence, tuple(map(str, outside)))


def certified_policy(automaton: TransitionFilter, task: GroundTask, seed: int = 0) -> RulePolicy | None:
    """The policy that acts by a rule list, if its certificate holds of a task; None if not. Nothing is searched."""
    found = standing(automaton, task.domain, task.problem)
    start = (GroundAtom(each.predicate, tuple(term.name for term in each.arguments)) for each in task.problem.init)
    if found is None or not found.choice or {*task.atom_indices(start)} != {*task.core.initial_atoms}:
        return None  # or the task begins elsewhere than the problem
    assert isinstance(automaton, RuleFilter)
    bound = found.bound if task.cost == "unit" else None
    return RulePolicy(task, automaton.lists[0], found.choice, seed=seed, bound=bound)


@under_way("proving")
def certify(
    rules: AnyRules | RuleFilter,
    domain: Domain,
    problems: Sequence[Problem],
    *,
    assume: Sequence[str] = (),
    work: int = WORK,
    questions: int | None = None,
    limits: AnyLimits = None,
) -> RuleFilter:
    """Prove that a list reaches the goal on a class that the problems are of; the list with its certificate.

    Under any choice if that is proven, else under random choice. What is assumed of the class is a condition that the
    proof may use, besides those that are found. ``work`` is what Z3 may do for one query, by its own count;
    after so many ``questions`` about small universes the proof ends as at a time limit. Raises `Refuted` with a problem
    like these on which the list fails under random choice, or `NotProven`. If a limit or an interrupt comes when all is
    proven, the class is as wide as it is by then; if it comes before, `LimitError` says what is proven.
    """
    automaton = rules if isinstance(rules, RuleFilter) else RuleFilter.of(domain, rule_list(rules))
    # what is proven speaks of all atoms, also of those that goals cannot depend on
    automaton = automaton.with_lists(automaton.uses, settings={**automaton.settings, "relevance": "off"})
    own, given = automaton.lists[0], [parse_condition(text, domain) for text in assume]
    if len(automaton.lists) > 1:
        raise UsageError("there are several rule lists: certify one of them")
    own.check(domain)
    for problem, condition in product(problems, given):
        if not structure_of(domain, problem).satisfies(condition):
            raise UsageError(f"problem '{problem.name}' does not fulfil what is assumed: {condition}")
    whole, left = started(limits), "it is open that there is a rank"
    stop = whole.part()
    if questions is not None:
        stop.strike_after(questions)
    found = conditions_of([state for each in problems for state in met_states(domain, each, automaton)], wider=True)
    candidates = [*given, *(each for each in found if each not in given)]
    measures, summands = measures_of(domain, own)
    prover = Prover(Claim(domain, own), candidates, small_universes(domain, problems), work, stop)
    try:
        with until_stopped(stop):
            if not prover.is_small(fits := Obligation("fits")):
                left = f"it is open that {fits}"
            elif prover.find_rank(measures, own):
                if (obligation := prover.prove()) is None:
                    bounded = prover.widened().bounded(summands, [structure_of(domain, each) for each in problems])
                    return automaton.certified(_certificate(bounded, own).to_json())
                left = f"it is open that {obligation}, with the rank {', then '.join(map(str, prover.rank))}"
    except TooLargeError as error:
        left = f"not proven: {error}"
    if stop.reason:
        rank = f" with the rank {', then '.join(map(str, prover.rank))}" if prover.steps else ""
        is_question = questions is not None and stop.reason == "time" and not whole.reason
        done = f"the proof, after {counted(len(prover.cores), 'obligation')}{rank},"
        raise LimitError(done, "questions" if is_question else stop.reason)
    failure, checked = smallest_failure(own, domain, problems, assume=given, work=ENUMERATED, limits=whole)
    if failure is not None:
        raise Refuted(failure)
    known = f"on {checked} the list does not fail" if checked else "gpaplan verify looks at all problems up to a size"
    raise NotProven(f"{left};  {known};  more PROBLEMs, of other sizes and states, may help")


def _certificate(prover: Prover, rules: RuleList) -> Certificate:
    needed = prover.needed
    obligations = prover.claim.obligations(prover.rank, prover.steps, prover.bound, needed)
    uses = tuple(tuple(needed.index(each) for each in prover.cores[obligation]) for obligation in obligations)
    rank, steps, stopped = tuple(prover.rank), tuple(prover.steps), prover.stop.reason
    return Certificate(prover.claim.domain, rules, tuple(needed), rank, steps, uses, prover.bound, stopped)

"""Certificates: what was proven of a rule list, for problems of every size, and how to check it again.

    certificate = certify(rules, domain, problems)
    certificate.write("delivery.certificate.json")
    certificate.open_obligations(domain)          # proves everything once more; none is left open
    certificate.open_conditions(domain, problem)  # that a problem does not fulfil: it is of the class if none

A certificate has the conditions that make the class, the rank, and of each rule the measure and the outcome by which
the rank falls. That is all that the obligations are made from (`gpaplan.proofs.obligations`), so a check trusts nothing
of how they were found.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from gpaplan.concepts.rules import RuleList
from gpaplan.errors import UsageError
from gpaplan.files import written_whole
from gpaplan.ppddl import Domain, Problem, write_domain
from gpaplan.proofs.conditions import Condition, parse_condition
from gpaplan.proofs.examples import structure_of
from gpaplan.proofs.obligations import Claim, Obligation, has_no_model, parse_measure, solver_for
from gpaplan.proofs.search import Prover, Samples, chosen_sizes, find_rank
from gpaplan.proofs.translator import Vocabulary
from gpaplan.version import __version__

__all__ = ["Certificate", "NotProven", "certify"]


WORK = 2_000_000
"""What Z3 may do for one query in one setting, by its own count."""
_TEXTS, _NUMBERS, _WORDS = ("rules", "conditions", "rank"), ("steps", "uses"), ("choice", "domain", "version")


class NotProven(UsageError):  # noqa: N818
    """No proof was found; the message says what is open."""

    exit_code = 22


@dataclass(frozen=True, slots=True)
class Certificate:
    """A rule list reaches the goal with probability one, whatever it keeps is taken, on every problem of a class."""

    domain: str
    """The hash of the domain's text."""
    rules: tuple[str, ...]
    conditions: tuple[str, ...]
    """The class; all that speak of what changes are kept by what the list keeps."""
    rank: tuple[str, ...]
    steps: tuple[tuple[int, int], ...]
    """Of each rule: the measure that falls, and with which outcome, counted from 0; -1: some measure, with some."""
    uses: tuple[tuple[int, ...], ...]
    """Of each obligation: the conditions that it is proven from, counted from 0."""
    choice: str = "any"
    version: str = __version__

    def to_json(self) -> dict[str, Any]:
        """The certificate as plain data."""
        return {name: getattr(self, name) for name in (*_TEXTS, *_NUMBERS, *_WORDS)}

    @classmethod
    def read(cls, file: Path | str) -> Certificate:
        """The certificate of a file."""
        try:
            data = json.loads(Path(file).read_text(encoding="utf-8"))
            texts: dict[str, Any] = {name: tuple(map(str, data[name])) for name in _TEXTS}
            numbers: dict[str, Any] = {name: tuple(tuple(map(int, each)) for each in data[name]) for name in _NUMBERS}
            words: dict[str, Any] = {name: str(data[name]) for name in _WORDS}
            return cls(**texts, **numbers, **words)
        except (OSError, ValueError, KeyError, TypeError) as error:
            raise UsageError(f"{file} is no certificate: {error}") from None

    def write(self, file: Path | str) -> None:
        """Write the certificate, readable JSON."""
        with written_whole(Path(file)) as output:
            output.write(json.dumps(self.to_json(), indent=1) + "\n")

    def obligations(self, domain: Domain) -> list[tuple[Claim, Obligation, list[Condition]]]:
        """All that must be proven, each from some conditions; `UsageError` if the domain is another one."""
        if self.domain != hash_of(domain):
            raise UsageError(f"the certificate is of another domain than '{domain.name}', or of another version of it")
        rules = RuleList.parse("\n".join(self.rules))
        rules.check(domain)
        claim = Claim(domain, rules, [parse_measure(text) for text in self.rank])
        conditions = [parse_condition(text, domain) for text in self.conditions]
        found = claim.obligations(self.steps) + [each for one in conditions for each in claim.keeping(one)]
        if len(self.steps) != len(rules) or len(self.uses) != len(found):
            raise UsageError("the certificate does not have a step for each rule, or not a proof of each obligation")
        return [(claim, each, [conditions[i] for i in uses]) for each, uses in zip(found, self.uses, strict=True)]

    def open_obligations(self, domain: Domain, work: int = WORK) -> list[Obligation]:
        """The obligations that Z3 does not prove from what the certificate says; none if it is right."""
        return [each[1] for each in self.obligations(domain) if not has_no_model(*each, work)]

    def smt_files(self, domain: Domain) -> Iterator[tuple[str, str]]:
        """Each obligation as a name and a text in SMT-LIB, which must have no model."""
        for number, each in enumerate(self.obligations(domain), 1):
            name = f"{number:03d}-{each[1].kind}.smt2"
            yield name, f"; {each[1]}\n(set-logic ALL)\n{solver_for(*each).to_smt2()}"

    def open_conditions(self, domain: Domain, problem: Problem) -> list[str]:
        """The conditions of the class that a problem does not fulfil; none if the claim holds of it."""
        structure = structure_of(domain, problem)
        vocabulary = Vocabulary(domain)
        sorts = {vocabulary.sort_of_object(*each) for each in structure.objects.items()}
        empty = [sort for sort in vocabulary.sorts if sort not in sorts]
        return [f"there is an object of type {sort}" for sort in empty] + [
            text for text in self.conditions if not structure.satisfies(parse_condition(text, domain))
        ]


def hash_of(domain: Domain) -> str:
    """Of what a domain says, comments and layout apart."""
    return hashlib.sha256(write_domain(domain).encode()).hexdigest()


def certify(rules: RuleList, domain: Domain, problems: Sequence[Problem], *, work: int = WORK) -> Certificate:
    """Prove that a list reaches the goal under any choice, on a class that the problems are of.

    ``work`` is what Z3 may do for one query, by its own count. Raises `NotProven`.
    """
    rules.check(domain)
    samples = Samples(domain, problems, rules)
    if samples.stuck is not None:
        raise NotProven(f"the list keeps no action in a state of problem '{samples.stuck.name}';  use gpaplan verify")
    rank = find_rank(samples)
    if rank is None:
        raise NotProven("no rank was found that falls with every step on the problems given")
    prover = Prover(Claim(domain, rules, rank), samples.candidates(), chosen_sizes(samples.counts), work)
    open_obligation = prover.prove()
    if open_obligation is not None:
        ranked = ", then ".join(map(str, rank))
        raise NotProven(f"with the rank {ranked}, it is open that {open_obligation}")
    prover = prover.widened()
    needed = prover.needed
    obligations = prover.claim.obligations(prover.steps)
    obligations += [each for condition in needed for each in prover.claim.keeping(condition)]
    return Certificate(
        domain=hash_of(domain),
        rules=tuple(map(str, rules.rules)),
        conditions=tuple(map(str, needed)),
        rank=tuple(map(str, rank)),
        steps=tuple(prover.steps),
        uses=tuple(tuple(needed.index(each) for each in prover.cores[obligation]) for obligation in obligations),
    )

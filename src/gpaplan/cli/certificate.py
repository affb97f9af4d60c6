"""``gpaplan certificate check``: a certificate, proven once more."""

from __future__ import annotations

import time
from importlib.util import find_spec
from pathlib import Path

import click

from gpaplan.cli import conventions, inputs, options
from gpaplan.cli.certify import certificate_rows, need_z3, work_option
from gpaplan.cli.options import argument, example, option
from gpaplan.errors import UsageError
from gpaplan.files import write_files
from gpaplan.ppddl import parse_problem
from gpaplan.proofs.certificates import NotProven, certificate_of, standing

_EXAMPLE = "gpaplan certificate check domain.ppddl certified.gpa.json gripper-9.ppddl"


@click.group(epilog=example(_EXAMPLE))
def command() -> None:
    """Check what is proven of a rule list."""


@options.command(_EXAMPLE, group=command)
def check(
    given: inputs.DomainAndRules = inputs.domain_and_rules,
    problem_files: tuple[Path, ...] = argument("[PROBLEM]...", nargs=-1),
    work: int = work_option,
    obligations: Path | None = option(
        "--obligations", conventions.DIRECTORY, "Write what is proven to this folder, as SMT-LIB files.", metavar="DIR"
    ),
) -> int:
    """Prove once more, with Z3, all that RULES are certified for.

    The obligations are made again from the certificate; nothing else of it is trusted. If cvc5 is installed it is asked
    the same: it may give up, but it must not contradict. The PROBLEMs are tested for the class.
    """
    started = time.process_time()
    need_z3()
    _, domain, rules_file, rules = given
    certificate = certificate_of(rules, domain)
    if certificate is None:
        raise UsageError(f"{rules_file} has no certificate to check;  gpaplan certify makes one")
    if obligations is not None:
        write_files(obligations, dict(certificate.smt_files()))
    if left := certificate.open_obligations(work):
        raise NotProven(f"{rules_file}: of {len(certificate.uses)} obligations {len(left)} are open: {left[0]}")
    answers = certificate.second_opinion() if find_spec("cvc5") else []
    if "sat" in answers:
        raise NotProven(f"{rules_file}: cvc5 contradicts obligation {answers.index('sat') + 1};  that is a bug of ours")
    found = {
        problem.name: standing(rules, domain, problem) for problem in (parse_problem(domain, f) for f in problem_files)
    }
    second = (
        f"Z3; {answers.count('unsat')} of them by cvc5, too, which contradicts none"
        if answers
        else "Z3; cvc5 is not there"
    )
    seconds, proven = time.process_time() - started, certificate.to_json()
    outside = {name: list(each.outside) for name, each in found.items() if each is not None}
    record = {"status": "ok", "certificate": proven, "outside": outside, "cvc5": answers, "seconds": seconds}
    rows = [*certificate_rows(proven), ("proven by", second)]
    rows += [(name, each.words) for name, each in found.items() if each is not None]
    rows.append(("time", f"{seconds:.1f} s of processor time"))
    return conventions.answer(record, f"{domain.name}: {rules.size_words}", rows)

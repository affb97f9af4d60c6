"""``gpaplan certify``: proofs for problems of every size."""

from __future__ import annotations

import time
from pathlib import Path
from typing import Any

import click

from gpaplan.cli import conventions, inputs, options
from gpaplan.cli.options import argument, option
from gpaplan.cli.verify import failure_rows, file_text
from gpaplan.display import counted
from gpaplan.errors import STOP_REASONS, UsageError
from gpaplan.files import write_text
from gpaplan.learning.shrinking import shrink
from gpaplan.limits import Limits
from gpaplan.ppddl import Domain, Problem, parse_problem
from gpaplan.proofs.certificates import WORK, Refuted, certify
from gpaplan.proofs.search import MOST_OBJECTS
from gpaplan.tasks.grounding import ground

work_option = option("--work", click.IntRange(1, 2**32 - 1), "What Z3 may do for one query, by its own count.", WORK)


def need_z3() -> None:
    """Raise `UsageError` if Z3 is not there."""
    try:
        import z3  # noqa: F401
    except ImportError:
        raise UsageError("proofs need Z3;  pip install 'gpaplan[proofs]'") from None


def certificate_rows(proven: dict[str, Any]) -> list[tuple[str, str]]:
    """What a certificate says."""
    return [
        ("proven", proven["claim"]),
        ("class", "\n".join(proven["class"])),
        ("rank", proven["falls"].replace(", then", ",\nthen")),
        *([("cost", proven["costs"].replace(", plus", ",\nplus"))] if proven["costs"] else []),
        ("by", counted(len(proven["proofs"]), "obligation")),
    ]


def small_ones(domain: Domain, problems: list[Problem]) -> list[Problem]:
    """The problems, and in place of those that are too large small ones that are made out of them."""
    large = [each for each in problems if len(each.objects) > MOST_OBJECTS]
    if not large:
        return problems
    made = shrink([ground(domain, each) for each in large])
    small = [each.problem for each in made if len(each.problem.objects) <= MOST_OBJECTS]
    return [*(each for each in problems if each not in large), *small] or problems


@options.command(
    r"printf 'drop: (is ?r @ball-in/2)\npick: (not (is ?r @ball-in/2))\nmove:' | "
    "gpaplan certify domain.ppddl - gripper-2.ppddl -o certified.gpa.json"
)
def command(
    given: inputs.DomainAndRules = inputs.domain_and_rules,
    problem_files: tuple[Path, ...] = argument("PROBLEM...", nargs=-1, required=True),
    assume: tuple[str, ...] = inputs.assume_option,
    work: int = work_option,
    questions: int | None = option(
        "--questions", options.COUNT, "Stop after so many questions to Z3, as at a time limit."
    ),
    output: Path | None = options.output_option("the rules with their certificate, for --gpa,", required=False),
    counterexample: Path | None = options.output_option(
        "a problem on which the list fails", "--counterexample", required=False
    ),
    limits: Limits = options.limits_options,
) -> int:
    """Prove that a rule list reaches the goal on every problem of a class, of any size.

    The class is found: it is as large as the proof allows, and the PROBLEMs, on which the list is tried, are of it; in
    place of those of many objects small ones are made ('gpaplan shrink' shows such problems). The goal is reached with
    probability one, whatever actions that the list keeps are taken; or, if that is not proven, if they are drawn at
    random. Without a proof, small problems are enumerated for one on which the list fails. If Ctrl-C or a limit comes
    after the proof, while the class is made larger, what is proven is kept. It needs Z3: pip install 'gpaplan[proofs]'.
    """
    began = time.process_time()
    need_z3()
    domain_file, domain, _, rules = given
    problems = small_ones(domain, [parse_problem(domain, file) for file in problem_files])
    title = f"{domain.name}: {rules.size_words}"
    try:
        rules = certify(rules, domain, problems, assume=assume, work=work, questions=questions, limits=limits)
    except Refuted as refuted:
        failure = refuted.failure
        if counterexample is not None:
            write_text(counterexample, file_text(failure))
        rows = [("refuted", str(refuted)), *failure_rows(failure, counterexample)]
        files = " ".join(map(str, (domain_file, *problem_files, counterexample or "counterexample.ppddl")))
        again = "" if counterexample else "the same with --counterexample counterexample.ppddl, then "
        better = f"{again}gpaplan learn {files} -o better.gpa.json"
        rows.append(("next", f"{better}; or --assume what rules such problems out"))
        record = {"status": "fails", **failure.to_json(), "seconds": time.process_time() - began}
        return conventions.answer(record, title, rows)
    if output is not None:
        rules.write(output)
    proven, seconds = dict(rules.certificate or {}), time.process_time() - began
    early = STOP_REASONS.get(proven["stopped"])
    is_question = questions is not None and limits.seconds is None and proven["stopped"] == "time"
    reason = f"{questions:,} questions" if is_question else early.name if early else ""
    rows = [
        *certificate_rows(proven),
        ("written to", str(output or "")),
        ("stopped by", f"{reason}: the class may be smaller than it could be" if early else ""),
        ("time", f"{seconds:.1f} s of processor time"),
    ]
    record = {"status": early.status if early else "ok", "certificate": proven, "seconds": seconds}
    return conventions.answer(record, title, rows)

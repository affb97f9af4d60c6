"""``gpaplan verify``: a rule list on all problems of a class up to a size."""

from __future__ import annotations

import time
from pathlib import Path

from gpaplan.cli import conventions, inputs, options
from gpaplan.cli.options import argument, option
from gpaplan.display import counted
from gpaplan.errors import STOP_REASONS, UsageError
from gpaplan.files import write_text
from gpaplan.limits import Limits
from gpaplan.ppddl import Domain, parse_problem, write_problem
from gpaplan.proofs.conditions import Condition, parse_condition
from gpaplan.proofs.enumeration import Choice, Failure, VerificationBySize, object_counts, verify_rules
from gpaplan.proofs.examples import common_conditions
from gpaplan.proofs.words import class_in_words


@options.command(
    r"printf 'drop: (is ?r @ball-in/2)\npick: (not (is ?r @ball-in/2))\nmove:' | "
    "gpaplan verify domain.ppddl - gripper-2.ppddl gripper-3.ppddl --up-to 4"
)
def command(
    given: inputs.DomainAndRules = inputs.domain_and_rules,
    problem_files: tuple[Path, ...] = argument("[PROBLEM]...", nargs=-1),
    sizes: tuple[str, ...] = option(
        "--up-to",
        str,
        "At most so many objects of each type, or of this type. May be repeated.",
        multiple=True,
        required=True,
        metavar="K|TYPE=K",
    ),
    assume: tuple[str, ...] = inputs.assume_option,
    choice: Choice = option(
        "--choice",
        ["any", "random"],
        "Whether the goal must be reached whatever kept actions are taken, or if they are drawn at random.",
        "any",
    ),
    output: Path | None = options.output_option("the smallest problem on which the list fails", required=False),
    limits: Limits = options.limits_options,
) -> int:
    """Check a rule list on all problems of a class, up to a size.

    The class is what the PROBLEMs have in common, and what is assumed; without problems, it is what is assumed alone.
    A type of which all PROBLEMs have equally many objects keeps that number, unless --up-to names the type. The answer
    is how many problems there are, or the smallest one on which the list fails, and why.
    """
    started = time.process_time()
    domain, (rules,) = given.domain, given.rules.lists
    problems = [parse_problem(domain, file) for file in problem_files]
    conditions = [parse_condition(text, domain) for text in assume]
    conditions += common_conditions(domain, problems) if problems else []
    least, most = object_counts(domain, problems, _sizes(sizes))
    result = verify_rules(rules, domain, conditions, most=most, least=least, choice=choice, limits=limits)
    verdict = result.any if choice == "any" else result.random
    if output is not None and verdict.first is not None:
        write_text(output, file_text(verdict.first))
    seconds = time.process_time() - started
    record = {"status": "fails" if verdict.failing else "ok", "choice": choice, **result.to_json()}
    record |= {"conditions": [str(each) for each in conditions], "seconds": seconds}
    rows = [*_rows(result, conditions, domain), ("time", f"{seconds:.1f} s of processor time")]
    if result.stopped:
        reason = STOP_REASONS[result.stopped].name if result.stopped in STOP_REASONS else "the size"
        rows.append(("stopped by", f"{reason}: it may fail on more problems"))
    if verdict.first is not None:
        rows += failure_rows(verdict.first, output)
        narrow = "narrow the class with --assume" if problems else "say which problems are meant by giving some"
        rows.append(("next", f"learn with this problem among the examples, or {narrow}"))
    return conventions.answer(record, f"{domain.name}: {counted(len(rules), 'rule')}", rows)


def _sizes(given: tuple[str, ...]) -> dict[str, int]:
    """The largest numbers of objects by type; that of ``""`` is of all others."""
    found: dict[str, int] = {}
    for text in ",".join(given).split(","):
        name, _, count = text.rpartition("=")
        if not count.isdigit() or int(count) < 1:
            raise UsageError(f"--up-to takes a number, or TYPE=NUMBER, not '{text}'")
        found[name.lower()] = int(count)
    return found


def _rows(result: VerificationBySize, conditions: list[Condition], domain: Domain) -> list[tuple[str, str]]:
    size = ", ".join(f"{name} {count}" for name, count in result.sizes[-1].items())
    goals = counted(result.goals, "goal")
    looked_at = f"{result.problems:,} problems of {goals}, up to {size}; {result.states:,} states"
    rows = [("class", "\n".join(class_in_words(conditions, domain)) or "all problems"), ("looked at", looked_at)]
    for name, verdict in (("any choice", result.any), ("random choice", result.random)):
        fails = verdict.first and f"fails on {verdict.failing:,} problems: {verdict.first.reason}"
        rows.append((name, fails or "the goal is reached with probability one on all of them"))
    return rows


def failure_rows(failure: Failure, output: Path | None) -> list[tuple[str, str]]:
    """The problem, and how the list fails there."""
    rows = [("the smallest", write_problem(failure.problem).strip() if output is None else f"written to {output}")]
    if failure.actions:
        rows.append(("it takes", " ".join(map(str, failure.actions))))
        rows.append(("to", " ".join(map(str, sorted(failure.last)))))
    return rows


def file_text(failure: Failure) -> str:
    """A file of the problem, with the reason in front."""
    way = "".join(f"\n;   {action}" for action in failure.actions)
    return f"; The rule list fails here: {failure.reason}.{way}\n{write_problem(failure.problem)}"

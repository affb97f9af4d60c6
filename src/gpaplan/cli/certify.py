"""``gpaplan certify``: proofs for problems of every size, and checks of them."""

from __future__ import annotations

import time
from pathlib import Path

import click

from gpaplan.cli import conventions, inputs, options
from gpaplan.cli.options import example, option
from gpaplan.display import counted
from gpaplan.errors import UsageError
from gpaplan.files import written_whole
from gpaplan.ppddl import parse_domain, parse_problem
from gpaplan.proofs.certificates import WORK, NotProven, certificate_of, certify, standing


@click.command(
    epilog=example(
        r"printf 'drop: (is ?r @ball-in/2)\npick: (not (is ?r @ball-in/2))\nmove:' | "
        "gpaplan certify - domain.ppddl gripper-2.ppddl"
    )
)
@click.argument("rules_file", metavar="RULES", type=conventions.INPUT)
@click.argument("domain_file", metavar="DOMAIN", type=conventions.INPUT)
@click.argument("problem_files", metavar="[PROBLEM]...", type=conventions.INPUT, nargs=-1)
@click.option(
    "--check", is_flag=True, help="Prove once more what RULES are certified for; PROBLEMs are tested for the class."
)
@option("--work", click.IntRange(1, 2**32 - 1), "What Z3 may do for one query, by its own count.", WORK)
@option("-o --output", conventions.OUTPUT, "Write the rules with their certificate to this file, for --gpa.")
@option("--obligations", conventions.DIRECTORY, "Write what is proven to this folder, as SMT-LIB files.", metavar="DIR")
@options.json_option
def command(
    rules_file: Path,
    domain_file: Path,
    problem_files: tuple[Path, ...],
    check: bool,
    work: int,
    output: Path | None,
    obligations: Path | None,
    as_json: bool,
) -> int:
    """Prove that a rule list reaches the goal on every problem of a class, of any size.

    The class is found: it is as large as the proof allows, and the PROBLEMs, on which the list is tried, are of it. The
    goal is reached with probability one, whatever actions that the list keeps are taken; or, if that is not proven, if
    they are drawn at random. It needs Z3: pip install 'gpaplan[proofs]'.
    """
    started = time.process_time()
    try:
        import z3  # noqa: F401
    except ImportError:
        raise UsageError("proofs need Z3;  pip install 'gpaplan[proofs]'") from None
    domain = parse_domain(domain_file)
    problems = [parse_problem(domain, file) for file in problem_files]
    rules = inputs.load_rules(rules_file, domain)
    if not check:
        if not problems:
            raise UsageError("give some PROBLEMs, small ones, on which the list can be tried")
        rules = certify(rules, domain, problems, work=work)
    certificate = certificate_of(rules)
    if certificate is None:
        raise UsageError(f"{rules_file} has no certificate to check")
    if check and (left := certificate.open_obligations(domain, work)):
        raise NotProven(f"{rules_file}: of {len(certificate.uses)} obligations {len(left)} are open: {left[0]}")
    if output is not None:
        rules.write(output)
    if obligations is not None:
        obligations.mkdir(parents=True, exist_ok=True)
        for name, text in certificate.smt_files(domain):
            with written_whole(obligations / name) as file:
                file.write(text)
    found = {each.name: standing(rules, domain, each) for each in problems} if check else {}
    seconds = time.process_time() - started
    proven = certificate.to_json(domain)
    outside = {name: list(each.outside) for name, each in found.items() if each is not None}
    record = {"status": "ok", "certificate": proven, "outside": outside, "seconds": seconds}
    rows = [
        ("proven", proven["claim"]),
        ("class", "\n".join(proven["class"])),
        ("rank", proven["falls"].replace(", then", ",\nthen")),
        ("by", counted(len(certificate.uses), "obligation")),
        *((name, each.words) for name, each in found.items() if each is not None),
        *([("written to", str(output))] if output is not None else []),
        ("time", f"{seconds:.1f} s of processor time"),
    ]
    conventions.answer(as_json, record, f"{domain.name}: {rules.size_words}", rows)
    return 0

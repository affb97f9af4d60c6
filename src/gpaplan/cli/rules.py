"""``gpaplan rules``: rules that people write."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from gpaplan.cli import conventions, inputs, options
from gpaplan.cli.inputs import cost_option
from gpaplan.cli.options import example
from gpaplan.display import counted

if TYPE_CHECKING:
    from gpaplan.limits import Limits
    from gpaplan.tasks.grounding import CostMode


@click.group(
    epilog=example(
        r"printf 'drop: (is ?r @ball-in/2)\npick: (not (is ?r @ball-in/2))\nmove:' | "
        "gpaplan rules check domain.ppddl - gripper-2.ppddl"
    )
)
def command() -> None:
    """Help people who write rules; 'gpaplan learn --rules' makes a file for --gpa out of them."""


@command.command("check", cls=options.Command)
@click.argument("domain_file", metavar="DOMAIN", type=conventions.INPUT)
@click.argument("rules_file", metavar="RULES", type=conventions.INPUT)
@click.argument("problem_files", metavar="[PROBLEM]...", type=conventions.INPUT, nargs=-1)
@cost_option
@options.limits_options
@options.json_option
def check(
    domain_file: Path, rules_file: Path, problem_files: tuple[Path, ...], cost: CostMode, limits: Limits, as_json: bool
) -> int:
    """Say what is wrong with rules, and what they do on problems.

    Of each problem it says whether the list always leads to the goal, and at what cost; or the shortest way on which it
    is stuck (no rule fits) or lost (the goal cannot be reached any more). Then it says which rules never decide.
    """
    from gpaplan.cli.verify import FAILS
    from gpaplan.learning.rules.checks import check_rules
    from gpaplan.ppddl import parse_domain

    domain, stop = parse_domain(domain_file), limits.start()
    rules = inputs.load_rules(rules_file, domain)
    tasks = [
        inputs.TaskFiles(domain_file, file, None).ground(cost, limits=stop, automaton=rules) for file in problem_files
    ]
    found = check_rules(rules, tasks, limits=stop)
    unused = [each.name for each in rules.named() if found and not any(each.name in one.uses for one in found)]
    fails = any(each.failures for each in found)
    record = {"status": "fails" if fails else "ok", "rules": len(rules), "problems": found, "unused": unused}
    rows = [(each.name, rules.words(each.rule)) for each in rules.named()]
    rows += [(each.problem, each.verdict) for each in found]
    rows += [(name, "never decides on these problems") for name in unused]
    conventions.answer(as_json, record, f"{domain.name}: {counted(len(rules), 'rule')}", rows)
    return FAILS if fails else 0

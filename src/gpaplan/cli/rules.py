"""``gpaplan rules``: rules that people write."""

from __future__ import annotations

from difflib import ndiff
from pathlib import Path

import click

from gpaplan.cli import conventions, inputs, options
from gpaplan.cli.inputs import cost_option
from gpaplan.cli.options import argument, example, option
from gpaplan.display import counted
from gpaplan.files import write_text
from gpaplan.learning.constants import RULE_SECONDS
from gpaplan.learning.rules.checks import check_rules
from gpaplan.learning.rules.learner import RuleEffort, learn_rules
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


@options.command(group=command)
def check(
    given: inputs.DomainAndRules = inputs.domain_and_rules,
    problem_files: tuple[Path, ...] = argument("[PROBLEM]...", nargs=-1),
    cost: CostMode = cost_option,
    limits: Limits = options.limits_options,
) -> int:
    """Say what is wrong with rules, and what they do on problems.

    Of each problem it says whether the list always leads to the goal, and at what cost; or the shortest way on which it
    is stuck (no rule fits) or lost (the goal cannot be reached any more). Then it says which rules never decide.
    """
    (domain_file, domain, _, rules), stop = given, limits.start()
    tasks = inputs.ground_all(domain_file, problem_files, cost, limits=stop, automaton=rules)
    found = check_rules(rules, tasks, limits=stop)
    unused = [each.name for each in rules.named() if found and not any(each.name in one.uses for one in found)]
    fails = any(each.failures for each in found)
    record = {"status": "fails" if fails else "ok", "rules": len(rules), "problems": found, "unused": unused}
    rows = [(each.name, rules.words(each.rule)) for each in rules.named()]
    rows += [(each.problem, each.verdict) for each in found]
    rows += [(name, "never decides on these problems") for name in unused]
    return conventions.answer(record, f"{domain.name}: {counted(len(rules), 'rule')}", rows)


@options.command(group=command)
def refine(
    given: inputs.DomainAndRules = inputs.domain_and_rules,
    problem_files: tuple[Path, ...] = argument("PROBLEM...", nargs=-1, required=True),
    output: Path = options.output_option("the rules, one a line,"),
    budget: float = option(
        "--budget", options.POSITIVE, "Work, as much as takes about so long.", RULE_SECONDS, metavar="SECONDS"
    ),
    cost: CostMode = cost_option,
    limits: Limits = options.limits_options,
) -> int:
    """Improve rules on problems, and show the difference.

    Rules are added, in any place, and moved where that helps. A rule that was given is removed only if the list is
    better without it. Small problems are solved in every state; on larger ones the list is tried by acting.
    """
    (domain_file, domain, _, rules), stop = given, limits.start()
    tasks = inputs.ground_all(domain_file, problem_files, cost, limits=stop, automaton=rules)
    (old,) = rules.lists
    found = learn_rules(domain, tasks, start=old, seconds=budget, effort=RuleEffort(afresh=False), limits=stop)
    new = found.rule_list
    write_text(output, f"{new}\n")
    marks = {" ": "kept", "+": "added", "-": "removed"}
    lines = ndiff([str(rule) for rule in old.rules], [str(rule) for rule in new.rules])
    rows = [(marks[line[0]], line[2:]) for line in lines if line[0] in marks]
    difference = {mark: [text for each, text in rows if each == mark] for mark in marks.values()}
    record = {"status": "ok", "rules": len(new), **difference, "learning": found.to_json(), "output": str(output)}
    title = f"{domain.name}: {counted(len(old), 'rule')}, refined on {counted(len(tasks), 'problem')}"
    return conventions.answer(record, title, [*rows, ("", found.note), ("written to", str(output))])

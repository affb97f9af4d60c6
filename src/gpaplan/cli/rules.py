"""``gpaplan rules``: rules that people write. And what was learned, on the command line: what was chosen, and what is
known of it."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click

from gpaplan.cli import conventions, inputs, options
from gpaplan.cli.inputs import cost_option
from gpaplan.cli.options import example
from gpaplan.display import counted
from gpaplan.learning.constants import ACTING_STATES

if TYPE_CHECKING:
    from gpaplan.automata.rules import RuleFilter
    from gpaplan.learning.comparison import Row
    from gpaplan.learning.loop import Choice, Learning
    from gpaplan.limits import Limits
    from gpaplan.tasks.grounding import CostMode
    from gpaplan.tasks.task import GroundTask


def from_file(file: Path, tasks: Sequence[GroundTask]) -> RuleFilter:
    """The rules in a file, a rule a line, with what they do on the problems."""
    from gpaplan.learning.rules.recording import recorded_rules

    domain = tasks[-1].domain
    return recorded_rules(domain, inputs.load_rules(file, domain).lists[0], tasks, note=f"written by hand: {file.name}")


def rule_rows(found: Learning) -> list[tuple[str, str]]:
    """Rules, a line each, and what is known of them if they were learned."""
    from gpaplan.automata.rules import RuleFilter

    assert isinstance(found.automaton, RuleFilter)
    rows = [(each.name, str(each.rule)) for each in found.automaton.named()]
    return rows if found.rules is None else [*rows, ("", found.rules.note)]


def choice_rows(choice: Choice) -> list[tuple[str, str]]:
    """How automata of roles and of rules do, and which was taken."""
    rows = [("held out", f"{choice.held_out}, to choose by")] if choice.held_out else []
    rows += [(name, score.words) for name, score in choice.scores.items()]
    if choice.refusal:
        rows.append(("concepts", f"none were learned: {choice.refusal}"))
    return [*rows, ("taken", choice.taken)] if choice.other is not None else rows


def outlook_rows(found: Learning) -> list[tuple[str, str]]:
    """On what it was tried, by size, what is not known of it, and what to do next."""
    rows = []
    if found.made:
        states = sorted(each.states for each in found.made)
        sizes = f"{states[0]:,} to {states[-1]:,} states, in {counted(found.rounds, 'round')}"
        rows.append(("made", f"{counted(len(states), 'small problem')} of {sizes}, to learn from"))
    tried = [] if found.choice is None else sorted(found.choice.score.rows, key=lambda row: row.objects)
    parts = tried[: len(tried) // 2], tried[len(tried) // 2 : -1], tried[-1:]
    rows += [("tried on", _tried(part)) for part in parts if part]
    if rows and tried:
        rows.append(("", f"(a decision looked at {ACTING_STATES} states there, so that the automaton decided)"))
    if found.checked:
        rows.append(("checked", f"the goal is reached with probability one {found.checked}, under random choice"))
    rows += [("not known", text) for text in found.unknown]
    return [*rows, ("next", found.next_step)]


def _tried(rows: Sequence[Row]) -> str:
    """How acting went on problems of about one size."""
    what = rows[0].problem if len(rows) == 1 else counted(len(rows), "problem")
    sizes = sorted({row.objects for row in rows})
    size = f"{sizes[0]} objects" if len(sizes) == 1 else f"{sizes[0]} to {sizes[-1]} objects"
    rate = sum(row.acted.goal_rate for row in rows) / len(rows)
    bare = sum(row.acted_without.goal_rate for row in rows) / len(rows)
    text = f"{what}, {size}: acting reaches the goal in {rate:.0%} of the trials ({bare:.0%} without it)"
    if any(row.best is None for row in rows):
        return text
    ratio = sum(row.ratio for row in rows) / len(rows)
    cost = f", cost {rows[0].acted.cost:.2f}," if len(rows) == 1 else ""
    return f"{text}{cost} at {ratio:.2f} times the least known cost"


# --- the command ---


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

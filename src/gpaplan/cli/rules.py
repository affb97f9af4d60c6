"""What was learned, on the command line: rules from a file, what was chosen, and what is known of it."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from gpaplan.display import counted
from gpaplan.errors import DataError
from gpaplan.learning.constants import ACTING_STATES

if TYPE_CHECKING:
    from gpaplan.automata.rules import RuleFilter
    from gpaplan.concepts.rules import RuleList
    from gpaplan.learning.comparison import Row
    from gpaplan.learning.loop import Choice, Learning
    from gpaplan.ppddl.syntax import Domain
    from gpaplan.tasks.task import GroundTask


def from_file(file: Path, tasks: Sequence[GroundTask]) -> RuleFilter:
    """The rules in a file, a rule a line, with what they do on the problems."""
    from gpaplan.learning.rules.recording import recorded_rules

    domain = tasks[-1].domain
    return recorded_rules(domain, read_rules(file, domain), tasks, note=f"written by hand: {file.name}")


def read_rules(file: Path, domain: Domain) -> RuleList:
    """The rules in a file, a rule a line; `DataError` says what is wrong and where."""
    from gpaplan.concepts.rules import RuleError, RuleList
    from gpaplan.data import read_text

    try:
        found = RuleList.parse(read_text(file, str(file), "rules"), domain)
    except RuleError as error:
        raise DataError(error.message, str(file), line=error.line, column=error.column) from None
    if not found.rules:
        raise DataError("there is no rule", str(file))
    return found


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

"""Rules on the command line: taking them from a file, and saying what was chosen."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from gpaplan.errors import DataError, UsageError

if TYPE_CHECKING:
    from gpaplan.automata.automaton import PolicyAutomaton
    from gpaplan.learning.loop import Choice, Learning
    from gpaplan.tasks.task import GroundTask


def from_file(file: Path, tasks: Sequence[GroundTask]) -> PolicyAutomaton:
    """The automaton of the rules in a file, a rule a line, with what they do on the problems."""
    from gpaplan.concepts.rules import RuleList
    from gpaplan.data import read_text
    from gpaplan.learning.rules.automaton import automaton_of_rules

    domain = tasks[-1].domain
    try:
        rules = RuleList.parse(read_text(file, str(file), "rules"))
        rules.check(domain)
        return automaton_of_rules(domain, rules, tasks, note=f"written by hand: {file.name}")
    except UsageError as error:
        raise DataError(str(error), str(file), "rules") from None


def rule_rows(found: Learning) -> list[tuple[str, str]]:
    """The rules of an automaton, a line each, and what is known of them if they were learned."""
    from gpaplan.automata.rules import Concepts

    abstraction = found.automaton.abstraction
    assert isinstance(abstraction, Concepts)
    rows = [(number, str(rule)) for number, rule in abstraction.numbered()]
    return rows if found.rules is None else [*rows, ("", found.rules.note)]


def choice_rows(choice: Choice) -> list[tuple[str, str]]:
    """How automata of roles and of rules do, and which was taken."""
    rows = [("held out", f"{choice.held_out}, to choose by")] if choice.held_out else []
    rows += [(name, score.words) for name, score in choice.scores.items()]
    if choice.refusal:
        rows.append(("concepts", f"none were learned: {choice.refusal}"))
    return [*rows, ("taken", choice.taken)] if choice.other is not None else rows

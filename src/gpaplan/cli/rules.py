"""Rules on the command line: learning them, taking them from a file, and choosing between them and other automata."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from gpaplan.cli import conventions

if TYPE_CHECKING:
    from gpaplan.automata.automaton import PolicyAutomaton
    from gpaplan.learning.choosing import Judgement
    from gpaplan.limits import AnyLimits
    from gpaplan.tasks.task import GroundTask


@dataclass
class LearnedRules:
    """An automaton of rules, what the answer says of it, and the lines for people."""

    automaton: PolicyAutomaton
    record: dict[str, Any] = field(default_factory=dict)
    rows: list[tuple[str, str]] = field(default_factory=list)


def learn_rules_from(
    tasks: Sequence[GroundTask],
    validation: Sequence[GroundTask],
    *,
    seconds: float,
    seed: int,
    dead_end_cost: float | None,
    limits: AnyLimits,
) -> LearnedRules:
    """Learn rules from small problems, with progress."""
    from gpaplan.automata.automaton import TrainingExample
    from gpaplan.learning.rules.automaton import automaton_of_rules
    from gpaplan.learning.rules.learner import learn_rules

    domain = tasks[-1].domain
    started = time.monotonic()
    found = learn_rules(
        domain,
        tasks,
        validation,
        seconds=seconds,
        seed=seed,
        dead_end_cost=dead_end_cost,
        progress=lambda text: conventions.show_progress(f"{time.monotonic() - started:.0f} s: {text}"),
        limits=limits,
    )
    conventions.clear_progress()
    names = {each.problem for each in found.training}
    automaton = automaton_of_rules(
        domain,
        found.rule_list,
        [task for task in tasks if task.problem.name in names],
        training=[TrainingExample(each.problem, each.states, each.cost) for each in found.training],
        note=found.note,
    )
    rows = rows_of_rules(automaton)
    rows += [("", each) for each in [found.note]]
    return LearnedRules(automaton, {"learning": found.to_json()}, rows)


def rules_from_file(file: Path, tasks: Sequence[GroundTask]) -> LearnedRules:
    """Take rules from a file, a rule a line; say how they do on the problems."""
    from gpaplan.concepts.rules import RuleList
    from gpaplan.data import read_text
    from gpaplan.errors import DataError, UsageError
    from gpaplan.learning.rules.automaton import automaton_of_rules

    domain = tasks[-1].domain
    try:
        rules = RuleList.parse(read_text(file, str(file), "rules"))
        rules.check(domain)
        automaton = automaton_of_rules(domain, rules, tasks, note=f"written by hand: {file.name}")
    except UsageError as error:
        raise DataError(str(error), str(file), "rules") from None
    return LearnedRules(automaton, {}, rows_of_rules(automaton))


def rows_of_rules(automaton: PolicyAutomaton) -> list[tuple[str, str]]:
    """The rules of an automaton, a line each."""
    from gpaplan.automata.rules import Concepts

    abstraction = automaton.abstraction
    assert isinstance(abstraction, Concepts)
    return [(number, str(rule)) for number, rule in abstraction.numbered()]


def judged(
    automaton: PolicyAutomaton,
    validation: Sequence[GroundTask],
    plain: dict[str, tuple[int | None, float | None]],
    dead_end_cost: float | None,
    limits: AnyLimits,
) -> Judgement:
    """How an automaton does on validation problems, with progress."""
    from gpaplan.learning.choosing import judge

    found = judge(
        automaton,
        validation,
        plain=plain,
        dead_end_cost=dead_end_cost,
        limits=limits,
        progress=conventions.show_progress,
    )
    conventions.clear_progress()
    return found

"""Rules on the command line: learning them, taking them from a file, and choosing between them and other automata."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from gpaplan.cli import progress_line

_SECONDS = 60.0
"""Of learning rules, at most."""
_TRIED = 3
"""Problems on which rules are compared with what was grown, if no others are given: the last ones."""

if TYPE_CHECKING:
    from gpaplan.automata.automaton import PolicyAutomaton
    from gpaplan.learning.choosing import Judgement
    from gpaplan.learning.growth import Growth
    from gpaplan.learning.instances import Instance
    from gpaplan.learning.solving import Solving
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
        progress=lambda text: progress_line.show_progress(f"{time.monotonic() - started:.0f} s: {text}"),
        limits=limits,
    )
    progress_line.clear_progress()
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
        progress=progress_line.show_progress,
    )
    progress_line.clear_progress()
    return found


@dataclass
class RulesOrRoles:
    """Rules that were learned next to an automaton of roles, how both do, and which is taken."""

    rules: LearnedRules
    roles: Judgement
    judgement: Judgement
    taken: bool

    @property
    def rows(self) -> list[tuple[str, str]]:
        """The same for people."""
        verdicts = [("canonical", self.roles.words), ("concepts", self.judgement.words)]
        return [
            *(self.rules.rows if self.taken else []),
            *verdicts,
            ("taken", "concepts" if self.taken else "canonical"),
        ]

    def to_json(self) -> dict[str, Any]:
        """The same as plain data."""
        return {
            **self.rules.record,
            "canonical": self.roles.to_json(),
            "concepts": self.judgement.to_json(),
            "taken": self.taken,
        }


def rules_after_growth(
    growth: Growth, checks: Sequence[Instance], solving: Solving, *, must: bool
) -> RulesOrRoles | None:
    """Rules in place of what was grown, where they do better; None where what was grown is good enough.

    It is if it kept at most a tenth of the states of the last large problem, and if it suffices on the problems that
    are given for validation, and keeps at most a tenth of the states of the large ones there too.
    """
    from gpaplan.errors import LimitError, UsageError
    from gpaplan.learning.choosing import MANY, SHARE, better

    large = [step for step in growth.steps if step.needed_nothing and (step.expanded_without or 0) >= MANY]
    prunes = not large or large[-1].expanded <= SHARE * (large[-1].expanded_without or 0)
    limits = solving.limits(states=False)
    plain: dict[str, tuple[int | None, float | None]] = {}
    cost = solving.settings.dead_end_cost
    tried = [each.task(limits=limits) for each in checks]
    roles = judged(growth.automaton, tried, plain, cost, limits)
    if not must and prunes and roles.suffices:
        return None
    budget = min(_SECONDS, limits.seconds or _SECONDS)
    tasks = [step.instance.task(limits=limits) for step in growth.steps if step.outcome != "unsolvable"]
    try:
        if not tried:
            tried = tasks[-_TRIED:]
            roles = judged(growth.automaton, tried, plain, cost, limits)
        rules = learn_rules_from(
            tasks, tried, seconds=budget, seed=solving.settings.seed, dead_end_cost=cost, limits=limits
        )
        judgement = judged(rules.automaton, tried, plain, cost, limits)
    except (LimitError, UsageError):
        if must:
            raise
        return None
    return RulesOrRoles(rules, roles, judgement, must or better(judgement, roles))

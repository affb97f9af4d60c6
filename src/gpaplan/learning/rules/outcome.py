"""What came of learning a rule list: the list, and what is known of it."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import Any

from gpaplan.concepts.rules import RuleList
from gpaplan.display import Shown, as_record, counted
from gpaplan.learning.rules.closure import Closure
from gpaplan.learning.rules.scoring import Trials

_NAMES = 4
"""So many problems are named, the last ones; the others are counted."""


def _named(problems: list[str]) -> str:
    more = len(problems) - _NAMES
    names = ", ".join(problems[-_NAMES:])
    return names if more <= 0 else f"{names} and {more} more"


@dataclass(frozen=True, slots=True)
class TrainingProblem:
    """How the list does on a problem that it was learned from, exactly."""

    problem: str
    """Its name."""
    states: int
    """That were learned from."""
    goal_probability: float
    """Of the list, from the start."""
    cost: float
    """If one of the actions kept is drawn in each state."""
    optimum: float
    """The least expected cost of any policy."""

    def to_json(self) -> dict[str, Any]:
        """The problem as plain data."""
        return as_record(self)


@dataclass(frozen=True, slots=True)
class RuleLearning(Shown):
    """A rule list, and what is known of it."""

    rule_list: RuleList
    """The rules, in order."""
    counts: tuple[int, ...]
    """For each rule, the number of training states about which it decides."""
    training: tuple[TrainingProblem, ...]
    """How it does on the problems that it was learned from."""
    validation: tuple[Trials, ...]
    """How the list acted on the validation problems."""
    closures: tuple[Closure, ...]
    """Whether it always leads to the goal, problem by problem."""
    tried: int
    """So many lists were compared."""
    rounds: int
    """So often states in which a list led nowhere were learned from."""
    seconds: float
    """That it took."""
    stopped_by: str = ""
    """``""`` if everything was tried that was to be tried, else ``budget``, ``time``, ``memory`` or ``interrupt``."""
    remarks: tuple[str, ...] = field(default=())
    """What was left out, and why."""

    @property
    def goal_rate(self) -> float:
        """The mean over the validation problems; 1 if there are none."""
        rates = [each.goal_rate for each in self.validation]
        return sum(rates) / len(rates) if rates else 1.0

    @property
    def note(self) -> str:
        """What was tried and what holds, in a few sentences."""
        closed = [each.problem for each in self.closures if each.closed]
        open_ones = [each.problem for each in self.closures if each.complete and not each.closed]
        sentences = [
            f"{counted(len(self.rule_list.rules), 'rule')}, the best of {counted(self.tried, 'list')}, learned from "
            f"{counted(sum(each.states for each in self.training), 'state')} of "
            f"{counted(len(self.training), 'problem')}."
        ]
        if self.validation:
            trials = sum(each.trials for each in self.validation)
            reached = sum(round(each.trials * each.goal_rate) for each in self.validation)
            names = _named([each.problem for each in self.validation])
            sentences.append(f"By the rules alone, the goal was reached in {reached} of {trials} trials on {names}.")
        if closed:
            sentences.append(f"It always leads to the goal on {_named(closed)} (all states were looked at).")
        if open_ones:
            sentences.append(f"It leads to states without a way to the goal on {_named(open_ones)}.")
        if self.stopped_by:
            reason = "the budget" if self.stopped_by == "budget" else self.stopped_by
            sentences.append(f"Learning was stopped ({reason}).")
        return " ".join((*sentences, *self.remarks))

    def to_json(self) -> dict[str, Any]:
        """Everything as plain data."""
        return {
            "rules": self.rule_list.to_json(),
            "counts": list(self.counts),
            "training": [each.to_json() for each in self.training],
            "validation": [
                {**each._asdict(), "mean_cost": None if math.isnan(each.mean_cost) else each.mean_cost}
                for each in self.validation
            ],
            "closures": [
                {"problem": each.problem, "states": each.states, "complete": each.complete, "closed": each.closed}
                for each in self.closures
            ],
            "tried": self.tried,
            "rounds": self.rounds,
            "seconds": self.seconds,
            "stopped_by": self.stopped_by,
            "note": self.note,
        }

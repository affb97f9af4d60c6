"""Learning from the very task that is to be solved or acted in.

    solution = gpaplan.solve(task)                       # has a teacher of its own
    actor = Actor(task, Teacher().before_acting(task))

A teacher makes small problems out of the task (`gpaplan.learning.shrinking`) and learns rules from them, within counted
work. What comes of that is not tried out first: a portfolio searches under it beside the whole task, and an actor
leaves it where it leads nowhere. With a cache, a folder, it is kept for other problems of the same domain.
"""

from __future__ import annotations

import hashlib
import os
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from gpaplan import _core
from gpaplan.display import counted
from gpaplan.errors import GpaplanError, LimitError, UsageError
from gpaplan.limits import SEARCH_UNITS, AnyLimits, started
from gpaplan.solving import run
from gpaplan.solving.settings import RunSettings
from gpaplan.tasks.grounding import AnyTask, given_task

if TYPE_CHECKING:
    from gpaplan.automata.filters import AnyFilter, TransitionFilter
    from gpaplan.learning.shrinking import SmallProblem
    from gpaplan.solving.heuristics import AnyHeuristic
    from gpaplan.solving.solution import Solution
    from gpaplan.solving.solvers import AnySolver
    from gpaplan.tasks.task import GroundTask

__all__ = ["Teacher", "solve"]

_BEFORE_ACTING = 50_000_000
"""Work of learning before the first decision, in units of searches: about 5 s."""


@dataclass
class Teacher:
    """Learns from tasks, and remembers what it has learned from the last one."""

    cache: str | os.PathLike[str] | None = None
    """A folder with what was learned from other problems of a domain, a file for each domain."""
    file: str | os.PathLike[str] | None = None
    """Where to write what was learned."""
    learned: TransitionFilter | None = None
    """None if nothing was learned, or needed."""
    made: list[SmallProblem] = field(default_factory=list)
    """The small problems that it was learned from."""

    def known(self, task: GroundTask) -> TransitionFilter | None:
        """What is in the cache for the domain of a task; a file that is broken counts as none, and is replaced."""
        from gpaplan.automata.filters import TransitionFilter

        file = self._cached(task)
        if file is not None and file.exists():
            try:
                self.learned = TransitionFilter.read(file)
                self.learned.on(task)
            except GpaplanError:
                self.learned = None
            self._write(self.file)
        return self.learned

    def learn(self, task: GroundTask, settings: RunSettings, work: int, stop: _core.Stop) -> TransitionFilter | None:
        """What can be learned from a task within so much work of searches; None if nothing can be."""
        from gpaplan.learning.constants import LESSONS, TAUGHT, WORK
        from gpaplan.learning.rules.recording import learn_rule_filter
        from gpaplan.learning.shrinking import Shrinker

        seed, dead_end_cost = settings.seed, settings.dead_end_cost
        try:
            shrinker = Shrinker([task], seed=seed, dead_end_cost=dead_end_cost, stop=stop)
            self.made = shrinker.make(LESSONS, most=TAUGHT, budget=WORK)
            if not self.made:
                return None
            self.learned, found = learn_rule_filter(
                [each.task for each in sorted(self.made, key=lambda each: each.states)],
                [task],
                seed=seed,
                dead_end_cost=dead_end_cost,
                seconds=work / SEARCH_UNITS / 1e6,
                limits=stop,
            )
        except (LimitError, UsageError):
            return None
        if found.stopped_by == "interrupt":
            stop.interrupt()
        cached = self._cached(task)
        if cached is not None:
            cached.parent.mkdir(parents=True, exist_ok=True)
        self._write(cached)
        self._write(self.file)
        return self.learned

    def before_acting(
        self, task: AnyTask, *, seed: int = 0, dead_end_cost: float | None = None, limits: AnyLimits = None
    ) -> TransitionFilter | None:
        """What to act by: None where looking ahead from the initial state goes as far as the goal."""
        from gpaplan.acting.actor import Actor

        task, stop = given_task(task), started(limits)
        if Actor(task, seed=seed, dead_end_cost=dead_end_cost, limits=stop).sees_the_goal:
            return None
        settings = RunSettings(seed=seed, dead_end_cost=dead_end_cost)
        return self.known(task) or self.learn(task, settings, _BEFORE_ACTING, stop)

    @property
    def words(self) -> str:
        """What was learned, from what."""
        if self.learned is None:
            return "nothing"
        source = f"{counted(len(self.made), 'small problem')} made out of this one" if self.made else "an earlier run"
        return f"{self.learned.size_words} from {source}"

    def _write(self, file: str | os.PathLike[str] | None) -> None:
        if file is not None and self.learned is not None:
            self.learned.write(file)

    def _cached(self, task: GroundTask) -> Path | None:
        """Where what is learned for a domain is kept: by the domain's text, and the kind of costs."""
        if self.cache is None:
            return None
        from gpaplan.ppddl.writer import write_domain

        text = f"{task.cost}\n{write_domain(task.domain)}"
        return Path(self.cache) / f"{task.domain.name}-{hashlib.sha256(text.encode()).hexdigest()[:16]}.gpa.json"


def solve(
    task: AnyTask,
    solver: AnySolver | None = None,
    *,
    heuristic: AnyHeuristic | None = None,
    automaton: AnyFilter | None = None,
    progress: run.Progress | None = None,
    teach: bool = True,
    **settings: Any,
) -> Solution:
    """Find a policy for a task.

    This is `gpaplan.solving.run.solve`, which says what all settings mean, with a teacher. Where the portfolio has no
    policy after a moment, one more search learns from the task and goes on under that; its policy counts like any
    other's. Without ``teach`` it does not.
    """
    how: dict[str, Any] = {"heuristic": heuristic, "automaton": automaton, "progress": progress, **settings}
    return run.solve(task, solver, teacher=Teacher() if teach else None, **how)

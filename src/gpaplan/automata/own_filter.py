"""A filter of your own: an object with a method ``keeps``, which prunes wherever an automaton does."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from gpaplan import _core
from gpaplan.automata.filters import MATCHES, ActionFilter, RelaxedMatch, TaskFilter, TransitionFilter
from gpaplan.ppddl.syntax import Domain, DomainVocabulary
from gpaplan.tasks.task import GroundTask


class OwnFilter(TransitionFilter):
    """What a test of your own keeps. It has one match, and no file."""

    noun = kind = "filter"
    has_file = False
    nothing_fits = "the filter keeps no action there"
    all_matches = MATCHES[:1]

    def __init__(self, domain: Domain, test: ActionFilter) -> None:
        super().__init__(domain.name, DomainVocabulary.of(domain))
        self.test = test

    def on(self, task: GroundTask) -> TaskFilter:
        """The test on the states of a task."""
        self.check_task(task)
        return _OwnTaskFilter(task, self.test)


class _OwnTaskFilter(TaskFilter):
    def __init__(self, task: GroundTask, test: ActionFilter) -> None:
        self.task, self._test = task, test

    def core(self, matches: Sequence[RelaxedMatch], *, lenient: bool = False) -> _core.TransitionFilter:  # noqa: ARG002
        """It asks the test about each action."""
        task, test = self.task, self._test

        def keeps(atoms: Sequence[int], action: int) -> bool:
            return bool(test.keeps(task, frozenset(task.atoms[index] for index in atoms), task.action(action)))

        return _core.FunctionFilter(task.core, keeps, lenient)

    def _seen(self, *_: Any) -> tuple[dict[str, Any], Callable[..., Any]]:
        seen = {"label": "any state", "known": True, "seen": "any state", "seen_known": True}
        return seen, lambda *_: ("pruned", "the filter does not keep it")

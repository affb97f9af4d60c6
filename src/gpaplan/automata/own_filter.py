"""A filter of your own: an object with a method ``keeps``, which prunes wherever an automaton does."""

from __future__ import annotations

from collections.abc import Sequence

from gpaplan import _core
from gpaplan.automata.explanation import Explanation, PrunedAction
from gpaplan.automata.filters import (
    MATCHES,
    ActionFilter,
    Match,
    RelaxedMatch,
    TaskFilter,
    TransitionFilter,
    given_match,
)
from gpaplan.ppddl.syntax import Domain, DomainVocabulary
from gpaplan.spaces.state_space import StateSpace
from gpaplan.tasks.task import GroundTask


class OwnFilter(TransitionFilter):
    """What a test of your own keeps. It has one match, and no file."""

    noun = kind = "filter"
    has_file = False
    nothing_fits = "the filter keeps no action there"

    def __init__(self, domain: Domain, test: ActionFilter) -> None:
        super().__init__(domain.name, DomainVocabulary.of(domain))
        self.test = test

    def matches(self, match: Match) -> tuple[RelaxedMatch, ...]:
        """As the test says, and in no other way."""
        given_match(match)
        return MATCHES[:1]

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

    def explain(self, space: StateSpace, state: int, matches: Sequence[RelaxedMatch]) -> Explanation:
        """What the test keeps."""
        match, last, kept, refused = self._judged(space, state, matches)
        actions = map(self.task.action, (action for action, _ in refused))
        pruned = tuple(PrunedAction(each, "pruned", "the filter does not keep it") for each in actions)
        label = "any state"
        return Explanation(label, True, match, last, label, True, tuple(map(self.task.action, kept)), pruned)

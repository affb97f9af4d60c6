"""The task that is left under an automaton, a rule list or a filter of your own, and whether a policy is one of it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from gpaplan import _core
from gpaplan.automata.filters import AnyFilter, Match, RelaxedMatch, TaskFilter, TransitionFilter, given_filter
from gpaplan.limits import AnyLimits, started
from gpaplan.policies.policy import Decisions, Policy
from gpaplan.spaces.settings import MAX_OUTCOMES, SpaceSettings
from gpaplan.spaces.state_space import StateSpace, named_errors
from gpaplan.spaces.symmetry import AnySymmetry, symmetry_of
from gpaplan.tasks.grounding import AnyTask, given_task
from gpaplan.tasks.task import GroundAction, GroundAtom


class ConstrainedStateSpace(StateSpace):
    """The state space of a task in which only those actions exist that an automaton, or another filter, keeps.

    The constraint is computed for the states that are expanded, and for no others. With ``match="coarse"`` a state in
    which no action would exist is compared again, more and more coarsely (`gpaplan.automata.filters`), and with a
    ``level`` above 0 all states are compared that coarsely from the start. If the constraint is ``lenient`` it says
    nothing in a state where it would leave no action even so: there, all of them exist.
    """

    def __init__(
        self,
        task: AnyTask,
        automaton: AnyFilter,
        settings: SpaceSettings | None = None,
        *,
        max_outcomes: int = MAX_OUTCOMES,
        symmetry: AnySymmetry = "off",
        match: Match = "strict",
        level: int = 0,
        lenient: bool = False,
        on_task: TaskFilter | None = None,
        limits: AnyLimits = None,
    ) -> None:
        """``on_task`` is the automaton on the task, if that is at hand from another space of the same thread."""
        settings = settings or SpaceSettings(symmetry=symmetry, max_outcomes=max_outcomes)
        self.task = task = given_task(task)
        self.automaton = automaton = given_filter(automaton, task.domain)
        stop = started(limits)
        self.symmetry = symmetry_of(task, settings.symmetry, stop)
        classes = None if self.symmetry is None else self.symmetry.core
        self.filter = automaton.on(task) if on_task is None else on_task
        self.matches = automaton.levels(match)[level]
        """How states are compared with the automaton, in the order in which it is tried."""
        with named_errors(task):
            self._filtered = _core.FilteredSpace(
                task.core,
                settings.max_outcomes,
                self.filter.core(self.matches, lenient=lenient),
                symmetry=classes,
                stop=stop,
            )
        self.core = self._filtered

    def match_of(self, state: int) -> RelaxedMatch | None:
        """How an expanded state was matched; None if it was not."""
        number = self._filtered.match_of(state)
        return self.matches[number] if number < len(self.matches) else None

    def vertex_of(self, state: int) -> int | None:
        """The first of the automaton's vertices that an expanded state was matched with, by its place; None if
        there is none."""
        match = self.match_of(state)
        return None if match is None else self.filter.vertex_of(self, state, match)

    def most_used(self, state: int, actions: list[int]) -> list[int]:
        """Those of these actions that training used most in states that look like this one."""
        match = self.match_of(state)
        return actions if match is None else self.filter.most_used(self, state, match, actions)

    def matched(self) -> dict[str, int]:
        """How many expanded states were matched by each relaxed match, by its name; ``none`` for those by none."""
        names = [*(relaxed.name for relaxed in self.matches), "none"]
        return {name: count for name, count in zip(names, self._filtered.match_counts(), strict=False) if count}


@dataclass(frozen=True, slots=True)
class Verdict:
    """Whether a policy is accepted, and in which state with which action it is not; truthy if accepted."""

    accepted: bool
    reason: str = ""
    """The first violation, in words."""
    state: frozenset[GroundAtom] | None = None
    action: GroundAction | None = None

    def __bool__(self) -> bool:
        return self.accepted


def accepts(automaton: TransitionFilter, policy: Policy | Decisions) -> Verdict:
    """Whether every action of a policy, from the initial state on, is kept, strictly."""
    actions: Mapping[int, int]
    if isinstance(policy, Policy):
        space = StateSpace(policy.task, symmetry=policy.symmetry)
        actions = dict(enumerate(policy.column(space)))
    else:
        space, actions = policy.space, policy.decisions
    task, strictly = space.task, automaton.matches("strict")
    on_task = automaton.on(task)
    core = on_task.core(strictly)
    queue = [space.initial]
    seen = set(queue)
    for state in queue:
        action = actions.get(state, _core.NO_ACTION)
        if action in (_core.NO_ACTION, _core.GIVE_UP) or space.is_goal(state):
            continue
        if (action, True, _core.NO_ACTION) not in core.judge(space.core, state)[1]:
            found, named = on_task.explain(space, state, strictly), task.action(action)
            pruned = next(each for each in found.pruned if each.action == named)
            reason = f"in {found.label} the action {named}: {pruned.reason}"
            return Verdict(False, reason, space.atoms(state), named)
        new = [successor for successor in space.core.successors(state, action) if successor not in seen]
        seen.update(new)
        queue += new
    return Verdict(True)

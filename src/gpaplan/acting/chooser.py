"""Choosing an action by index: what an `Actor` does, and why (gpaplan.acting.actor)."""

from __future__ import annotations

import math
import random
from typing import Literal, NamedTuple, TypeAlias

from gpaplan import _core
from gpaplan.acting.preference import Preference
from gpaplan.acting.view import Advice, Indices, View
from gpaplan.automata.automaton import PolicyAutomaton
from gpaplan.automata.constrained import ConstrainedStateSpace
from gpaplan.automata.matching import Match, Way
from gpaplan.automata.rules import Concepts, RuleReasons
from gpaplan.errors import LimitError, UsageError
from gpaplan.limits import AnyLimits, started
from gpaplan.policies.policy import Policy
from gpaplan.solving.heuristics import AnyHeuristic, make_heuristic
from gpaplan.solving.solvers import SSiPP
from gpaplan.spaces.settings import MAX_OUTCOMES, SpaceSettings
from gpaplan.spaces.state_space import StateSpace, named_errors
from gpaplan.spaces.symmetry import AnySymmetry, Symmetry, symmetry_of
from gpaplan.tasks.task import GroundTask

__all__ = ["Choice", "Chooser", "DecisionSource"]

DecisionSource: TypeAlias = Literal["goal", "policy", "automaton", "search", "give-up", "dead-end"]
"""Where a decision comes from; the last two, like the first, are no action."""

_PATIENCE = 3
"""So many times the value of a state may have grown between visits until the automaton is given up there."""
_DETOUR = 2.0
"""How many times as long as any other way the one under the automaton may seem."""
_ASTRAY = 10.0
"""How many times the least value so far may be spent under the automaton until a state with a smaller one is met."""
_DEAR = 1e6
"""What a dead end costs unless that is given, as a multiple of the first estimate."""
_DEAREST = 1e9
"""What it costs for pattern databases, which must know it before the first estimate: more than can matter."""
_RISKY = 1e-4
"""The share of that from which on a value speaks of the probability of a dead end, and no more of costs."""


class Choice(NamedTuple):
    """A decision by index."""

    action: int | None
    source: DecisionSource
    reason: str
    advice: Advice | None = None
    way: Way | None = None
    """In which the state was matched with the automaton."""
    risk: float = 0.0

    @property
    def value(self) -> float | None:
        """What is still to be paid, as far as it is known."""
        return None if self.advice is None or self.risk > 0 else self.advice.value


class Chooser:
    """Chooses actions, state by state; the parameters are those of `gpaplan.Actor`."""

    def __init__(
        self,
        task: GroundTask,
        automaton: PolicyAutomaton | None = None,
        policy: Policy | None = None,
        *,
        solver: SSiPP | None = None,
        heuristic: AnyHeuristic = "ff",
        match: Match = "coarse",
        symmetry: AnySymmetry = "auto",
        max_outcomes: int = MAX_OUTCOMES,
        dead_end_cost: float | None = None,
        seconds: float = 0.01,
        megabytes: float = 100,
        seed: int = 0,
        limits: AnyLimits = None,
    ) -> None:
        if solver is not None and not isinstance(solver, SSiPP):
            raise UsageError(f"an actor looks ahead by SSiPP(steps, max_states), not by {solver!r}")
        for name, value in (("seconds", seconds), ("megabytes", megabytes), ("dead-end cost", dead_end_cost)):
            if value is not None and not value > 0:
                raise UsageError(f"the {name} must be a positive number, not {value}")
        self.task = task
        self.automaton = automaton
        self.policy = None if policy is None else _own(policy.for_task(task))
        self.match: Match = match
        self.solver = solver or SSiPP(steps=10, max_states=1000)
        self.seconds = seconds
        self.megabytes = megabytes
        self.stop = started(limits)
        self._random = random.Random(seed)
        self._seed = seed
        self._settings = SpaceSettings(symmetry=symmetry_of(task, symmetry, self.stop), max_outcomes=max_outcomes)
        with named_errors(task):
            giving_up = _DEAREST if dead_end_cost is None else dead_end_cost
            self._heuristic = make_heuristic(heuristic, task, self.stop, dead_end_cost=giving_up)
        self._given_dead_end_cost = dead_end_cost
        with named_errors(task):
            self._dead_end_cost = self._far() if dead_end_cost is None else dead_end_cost
            self._start()
        if automaton is not None:
            self._preference = Preference(automaton)
        self._sentences: RuleReasons | None = None
        self.begin()

    def choose(self, state: Indices) -> Choice:
        """What to do in a state. Raises `LimitError` at a limit."""
        with named_errors(self.task):
            try:
                choice = self._choose(state)
            except _core.Stopped as error:
                raise LimitError("the decision", error.args[0]) from None
        advice = choice.advice
        if advice is None or self._given_dead_end_cost is not None or advice.value < _RISKY * self._dead_end_cost:
            return choice
        risk = min(1.0, advice.value / self._dead_end_cost)
        reason = f"{choice.reason}; a dead end is ahead with a probability of about {risk:.2g}"
        return choice._replace(risk=risk, reason=reason)

    def begin(self) -> None:
        """A new run begins: what was visited before says nothing about going in circles. Dead ends stay known."""
        for view in self._views():
            view.forget()
        self._least, self._spent, self._is_astray = math.inf, 0.0, False

    def _choose(self, state: Indices) -> Choice:
        if self._whole.space.is_goal(self._whole.find(state)[0]):
            self.begin()
            return Choice(None, "goal", "this is a goal state")
        if self.policy is not None:
            action = _by_policy(self.policy, state)
            if action == _core.GIVE_UP:
                return Choice(None, "give-up", "the policy gives up here")
            if action is not None:
                return Choice(action, "policy", "the policy is defined here")
        if sum(view.bytes for view in self._views()) > self.megabytes * 1e6:
            for view in self._views():
                view.shrink()
        if self._guided is not None and not self._is_astray:
            return self._under_automaton(state, self._guided) or self._in_whole_task(state)
        return self._in_whole_task(state)

    def _under_automaton(self, state: Indices, view: View) -> Choice | None:
        """The decision under the automaton; None where that does not help."""
        advice = view.advise(state, self.stop, self.seconds)
        if advice.value >= view.dead_end_cost or not advice.actions:
            return None
        if advice.growths > _PATIENCE:
            view.rule_out(advice.place)
            return None
        if self._is_detour(state, advice):
            return None
        way = self._constrained.way_of(advice.place)
        chosen = self._preferred(advice, way)
        self._go_on(advice, chosen)
        action = advice.in_state(chosen)
        look = _look(advice)
        if way is None:
            return Choice(action, "search", f"the automaton keeps nothing here; the best action by {look}", advice)
        how = "" if way.name == "strict" else f", matched {way.words}"
        reason = f"kept by the automaton{how}; the best such action by {look}"
        return Choice(action, "automaton", reason, advice, way)

    def _is_detour(self, state: Indices, advice: Advice) -> bool:
        """Whether the way under the automaton, far longer than it seemed from afar, is also far longer than others."""
        if advice.is_solved or advice.value <= _DETOUR * advice.first:
            return False
        other = self._whole.advise(state, self.stop, self.seconds)
        return advice.value > _DETOUR * other.value

    def _preferred(self, advice: Advice, way: Way | None) -> int:
        """Of the best actions by the look ahead, one that training used most."""
        actions = advice.best
        if len(actions) > 1 and way is not None:
            actions = self._preference.most_used(self._constrained, advice.place, actions, way)
        return self._random.choice(actions)

    def _go_on(self, advice: Advice, action: int) -> None:
        """Take note of what is spent under the automaton without coming nearer to the goal."""
        if advice.is_solved or advice.value < self._least:
            self._least, self._spent = advice.value, 0.0
        self._spent += advice.cost(action)
        self._is_astray = self._spent > _ASTRAY * self._least

    def _in_whole_task(self, state: Indices) -> Choice:
        view = self._whole
        advice = view.advise(state, self.stop, self.seconds)
        if advice.growths and advice.growths % _PATIENCE == 0 and view.mark_dead_ends():
            advice = view.advise(state, self.stop, self.seconds)
        if advice.value >= view.dead_end_cost:
            if view.search.is_hopeless(advice.place):
                return Choice(None, "dead-end", "no way leads from here to the goal")
            if self._given_dead_end_cost is not None:
                return Choice(None, "give-up", "to give up costs less than to go on", advice)
            self._dead_end_cost *= 1e3  # the goal is only far away, and what was found of it was cut short
            self._start()
            return self._in_whole_task(state)
        if not advice.actions:
            return Choice(None, "dead-end", "no action leads away from here")
        why = "" if self._guided is None else "; the automaton does not help here"
        action = advice.in_state(self._random.choice(advice.best))
        return Choice(action, "search", f"the best action by {_look(advice)}{why}", advice)

    def reason_of(self, choice: Choice, state: Indices) -> str:
        """Why, in words; if a rule keeps the action, also which and why, in a sentence about the state."""
        rules = None if self.automaton is None else self.automaton.abstraction
        if choice.way is None or choice.action is None or not isinstance(rules, Concepts):
            return choice.reason
        if self._sentences is None:
            self._sentences = rules.reasons(self.task)
        space = StateSpace(self.task)
        place = space.core.intern(list(state))
        label = self._constrained.table.action(space, place, choice.action)
        why = self._sentences.why(space, place, self.task.action(choice.action), label)
        return f"{why}; {choice.reason}"

    def vertex_of(self, choice: Choice) -> str | None:
        """The vertex of the automaton that the state was matched with, as its page names it: ``v3``."""
        if choice.way is None or choice.advice is None:
            return None
        place = self._preference.vertex(self._constrained, choice.advice.place, choice.way)
        return None if place is None else f"v{place}"

    # --- what it knows ---

    def _views(self) -> list[View]:
        return [self._whole] if self._guided is None else [self._guided, self._whole]

    def _start(self) -> None:
        """Begin with nothing known."""
        self._whole = self._view(StateSpace(self.task, self._settings, limits=self.stop))
        self._guided: View | None = None
        if self.automaton is not None:
            self._constrained = ConstrainedStateSpace(
                self.task, self.automaton, self._settings, match=self.match, lenient=True, limits=self.stop
            )
            self._guided = self._view(self._constrained)

    def _view(self, space: StateSpace) -> View:
        cost = self._dead_end_cost
        risky = cost if self._given_dead_end_cost is not None else _RISKY * cost
        return View(space, self._heuristic, cost, self._seed, self.solver, risky=risky)

    def _far(self) -> float:
        """A cost that is far beyond the first estimate."""
        space = StateSpace(self.task, limits=self.stop)
        first = _core.Search(
            space=space.core, heuristic=self._heuristic, epsilon=1e-5, dead_end_cost=math.inf, seed=0
        ).value(space.initial)
        return _DEAR * (first if 0 < first < math.inf else 1.0)


def _own(policy: Policy) -> Policy:
    """The policy with a symmetry of its own, since that of another thread's actor is at work there."""
    if policy.symmetry is None:
        return policy
    symmetry = Symmetry(policy.task, policy.symmetry.core)
    return Policy.from_indices(policy.task, dict(policy.decisions), policy.cost, policy.dead_end_cost, symmetry)


def _by_policy(policy: Policy, state: Indices) -> int | None:
    """The action of a policy by index; None where it is undefined."""
    if policy.symmetry is None:
        return policy.decisions.get(state)
    renaming = policy.symmetry.renaming(state)
    action = policy.decisions.get(renaming.representative)
    return action if action is None or action == _core.GIVE_UP else renaming.to_state(action)


def _look(advice: Advice) -> str:
    if not advice.looked_at:
        return "an earlier look ahead"
    return f"a look at {advice.looked_at:,} state{'' if advice.looked_at == 1 else 's'}"

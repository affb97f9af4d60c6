"""Acting: the next action for the state at hand, without a policy for all others.

    actor = Actor(task, automaton="tireworld.gpa.json")
    decision = actor.decide(["(car-at p1-1)", …])
    decision.action, decision.source, decision.reason

`solve` returns a policy for every state that can be reached. Where luck makes too many of them reachable there is no
such policy to be had, although the next good action may be obvious. An `Actor` decides one state at a time:

1.  by the policy, if there is one and it is defined in the state;
2.  by a short look ahead under the automaton. Where that keeps nothing, all actions are looked at;
3.  by a short look ahead in the whole task, where the automaton leads in circles, or into dead ends that can be
    avoided. An answer that was not finished within its work never overrules the automaton.

A state that can be solved within a moment is solved, by SSiPP, and so is then all that may follow. Else a look ahead
solves the task within a few steps of the state exactly, and takes what lies beyond for what its value says
(`gpaplan.acting.view`). Values start at the heuristic's, and those of the states that are visited are kept as long as
a run lasts: the actor learns as it acts.

Whatever the automaton says, an actor that can reach the goal from everywhere reaches it with probability one
(docs/decisions/0023-acting.md): a state whose value under the automaton keeps growing, visit by visit, is given up for
the automaton.

Dead ends come first: among actions, the one with the least probability of a dead end that is seen within the look ahead
is taken, then the cheapest. With ``dead_end_cost`` both are weighed by what a dead end costs.
"""

from __future__ import annotations

import math
import random
import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field, replace
from functools import partial
from typing import TYPE_CHECKING, Any, Literal, TypeAlias

from gpaplan import _core
from gpaplan.acting.view import ActingSettings, Advice, Indices, View
from gpaplan.automata.filters import AnyFilter, ConstrainedStateSpace, RelaxedMatch, given_filter
from gpaplan.display import Shown, as_record
from gpaplan.limits import AnyLimits, started
from gpaplan.policies.policy import AnyPolicy, Policy, given_policy
from gpaplan.settings import with_changes
from gpaplan.solving.heuristics import make_heuristic
from gpaplan.spaces.state_space import StateSpace, Symmetry, named_errors, symmetry_of
from gpaplan.tasks.grounding import AnyTask, given_task
from gpaplan.tasks.task import AnyAtom, GroundAction

if TYPE_CHECKING:
    from gpaplan.automata.rules import RulePolicy

DecisionSource: TypeAlias = Literal["goal", "policy", "automaton", "search", "give-up", "dead-end"]
"""Where a decision comes from; the last two, like the first, are no action."""

_PATIENCE = 3
"""So many times the value of a state may have grown between visits until the automaton is given up there."""
_LESS = 0.99
"""To count as less, a value must be below this share of another."""
_ASTRAY = 10.0
"""How many times the least value so far may be spent under the automaton until a state with a smaller one is met."""
_DEAR = 1e6
"""What a dead end costs unless that is given, as a multiple of the first estimate."""
_DEAREST = 1e9
"""What it costs for pattern databases, which must know it before the first estimate: more than can matter."""
_RISKY = 1e-4
"""The share of that from which on a value speaks of the probability of a dead end, and no more of costs."""

_DRAWN = 0.1
"""How often an action is drawn among those that a list keeps which is certified under random choice: that is what makes
the goal certain, however seldom."""


@dataclass(frozen=True, slots=True)
class Decision(Shown):
    """What to do in a state, and why."""

    action: GroundAction | None
    """None at a goal, where the policy gives up, and in a dead end."""
    source: DecisionSource
    """Where it comes from."""
    why: str | Callable[[], str] = field(repr=False, compare=False)
    """The reason, or what finds it out: to say which rule keeps an action takes longer than to decide."""
    value: float | None = None
    """What is still to be paid, as far as the actor knows; None if it did not look, and where it risks a dead end."""
    risk: float = 0.0
    """The probability of a dead end, as far as the actor sees."""
    looked_at: int = 0
    """How many states were looked at for it; 0 if what was known was enough."""
    seconds: float = 0.0
    """How long it took."""
    matched: str | None = None
    """The relaxed match of the state with the automaton, by name; None if there was none."""
    index: int | None = field(default=None, repr=False)
    """Of the action, in the task."""
    place: int | None = field(default=None, repr=False, compare=False)
    """Of the state that was matched, in the actor's space."""

    @property
    def reason(self) -> str:
        """Why, in words."""
        return self.why if isinstance(self.why, str) else self.why()

    def to_json(self) -> dict[str, Any]:
        """The decision as plain data; the action is text."""
        return as_record(self, "index", "place", "why", reason=self.reason)


class Actor:
    """Decides what to do, state by state. One actor is for one thread."""

    def __init__(
        self,
        task: AnyTask,
        automaton: AnyFilter | None = None,
        policy: AnyPolicy | None = None,
        *,
        limits: AnyLimits = None,
        **settings: Any,
    ) -> None:
        """The ``settings`` are those of `ActingSettings` and `SpaceSettings`, by name. ``limits`` hold for all
        decisions together; at a limit `LimitError` is raised."""
        self.settings = with_changes(ActingSettings(), **settings)
        self.task = task = given_task(task)
        self.automaton = None if automaton is None else given_filter(automaton, task.domain)
        self.policy = None if policy is None else _with_own_symmetry(given_policy(task, policy).for_task(task))
        self._stop = started(limits)
        self._random = random.Random(self.settings.seed)
        given = self.settings.dead_end_cost
        self.certified: RulePolicy | None = None
        """The rule list as a policy, if its certificate holds of the task: then all that is done is what it keeps."""
        if self.automaton is not None and self.automaton.certificate is not None and policy is None and given is None:
            from gpaplan.proofs.certificates import certified_policy

            self.certified = certified_policy(self.automaton, task, self.settings.seed)
        symmetry = symmetry_of(task, self.settings.space.symmetry, self._stop)
        self._space_settings = replace(self.settings.space, symmetry=symmetry)
        with named_errors(task):
            self._heuristic = make_heuristic(
                self.settings.heuristic, task, self._stop, dead_end_cost=_DEAREST if given is None else given
            )
            if given is None:
                space = StateSpace(task, limits=self._stop)
                first = _core.Search(space.core, self._heuristic).value(space.initial)
                given = _DEAR * (first if 0 < first < math.inf else 1.0)  # far beyond the first estimate
            self._dead_end_cost = given
            self._start()
        self._told: StateSpace | None = None
        """Where states are that reasons were asked for."""
        self.begin()

    def decide(self, atoms: Iterable[AnyAtom]) -> Decision:
        """What to do in the state where exactly these fluent atoms hold, given by name, as text or as a tuple."""
        begun = time.perf_counter()
        state = tuple(sorted(set(self.task.atom_indices(atoms))))
        found = self.choose(state)
        return replace(found, why=partial(self.reason_of, found, state), seconds=time.perf_counter() - begun)

    @property
    def sees_the_goal(self) -> bool:
        """Whether looking ahead from the initial state is enough: whether that is solved."""
        with named_errors(self.task):
            return self._whole.advise(tuple(self.task.core.initial_atoms)).is_solved

    def begin(self) -> None:
        """A new run begins: what was visited before says nothing about going in circles. Dead ends stay known."""
        for view in self._views:
            view.forget()
        self._least, self._spent, self._is_astray = math.inf, 0.0, False

    # --- the same by index ---

    def choose(self, state: tuple[int, ...]) -> Decision:
        """What to do in the state of these atoms, ascending, by index. The reason leaves out what a rule would say."""
        with named_errors(self.task, "the decision"):
            return self._choose(state)

    def reason_of(self, decision: Decision, state: tuple[int, ...]) -> str:
        """Why, in words; if a rule keeps the action, also which and why, in a sentence about the state."""
        if decision.matched is None or decision.index is None:
            return decision.reason
        if self._told is None or self._told.core.state_bytes > self.settings.megabytes * 1e6:
            self._told = StateSpace(self.task)
        space = self._told
        place = space.core.intern(list(state))
        why = self._constrained.filter.why(space, place, decision.index)
        return f"{why}; {decision.reason}" if why else decision.reason

    def vertex_of(self, decision: Decision) -> str | None:
        """The vertex of the automaton that the state was matched with, as its page names it: ``v3``."""
        vertex = None if decision.place is None else self._constrained.vertex_of(decision.place)
        return None if vertex is None else f"v{vertex}"

    # --- choosing ---

    def _choose(self, state: Indices) -> Decision:
        if self._whole.space.is_goal(self._whole.find(state)[0]):
            self.begin()
            return Decision(None, "goal", "this is a goal state")
        if self.policy is not None:
            action = self.policy.decision(state)
            if action == _core.GIVE_UP:
                return Decision(None, "give-up", "the policy gives up here")
            if action != _core.NO_ACTION:
                return Decision(self.task.action(action), "policy", "the policy is defined here", index=action)
        if sum(view.bytes for view in self._views) > self.settings.megabytes * 1e6:
            for view in self._views:
                view.shrink()
        if self.certified is not None and (found := self._by_certificate(state, self.certified)) is not None:
            return found
        found = None if self._guided is None or self._is_astray else self._under_automaton(state, self._guided)
        return found or self._in_whole_task(state)

    def _by_certificate(self, state: Indices, rules: RulePolicy) -> Decision | None:
        """An action that a certified list keeps: the best one by looking ahead, or one that is drawn."""
        assert self._guided is not None
        is_drawn = rules.choice == "random" and self._random.random() < _DRAWN
        found = None if is_drawn else self._under_automaton(state, self._guided)
        if found is not None and found.matched == "strict":
            return found
        if (action := rules.decision(state)) == _core.NO_ACTION:
            return None  # a state outside of the class
        reason = "drawn among the actions that the rule list keeps, which is certified"
        return Decision(self.task.action(action), "automaton", reason, matched="strict", index=action)

    def _under_automaton(self, state: Indices, view: View) -> Decision | None:
        """The decision under the automaton; None where that does not help."""
        advice = view.advise(state)
        if advice.value >= view.dead_end_cost or not advice.actions:
            return None
        if advice.growths > _PATIENCE:
            view.rule_out(advice.place)
            return None
        if self.certified is None and advice.value >= self._whole.risky:
            other = self._whole.advise(state)  # the whole task may have a way of less risk
            if other.is_finished and other.value < _LESS * advice.value:
                return None
        match = self._constrained.match_of(advice.place)
        chosen = self._random.choice(advice.best)
        self._note_spending(advice, chosen)
        if match is None:
            reason = f"the automaton keeps nothing here; the best action by {advice}"
            return self._decided("search", reason, advice, chosen)
        how = "" if match.name == "strict" else f", matched {match.words}"
        reason = f"kept by the automaton{how}; the best such action by {advice}"
        return self._decided("automaton", reason, advice, chosen, match)

    def _note_spending(self, advice: Advice, action: int) -> None:
        """Take note of what is spent under the automaton without coming nearer to the goal."""
        if advice.is_solved or advice.value < _LESS * self._least:
            self._least, self._spent = advice.value, 0.0
        self._spent += advice.cost(action)
        self._is_astray = self._spent > _ASTRAY * self._least

    def _in_whole_task(self, state: Indices) -> Decision:
        view = self._whole
        advice = view.advise(state)
        if advice.growths and advice.growths % _PATIENCE == 0 and view.mark_dead_ends():
            advice = view.advise(state)
        if advice.value >= view.dead_end_cost:
            if view.search.is_hopeless(advice.place):
                return Decision(None, "dead-end", "no way leads from here to the goal")
            if self.settings.dead_end_cost is not None:
                return self._decided("give-up", "to give up costs less than to go on", advice)
            self._dead_end_cost *= 1e3  # the goal is only far away, and what was found of it was cut short
            self._start()
            return self._in_whole_task(state)
        if not advice.actions:
            return Decision(None, "dead-end", "no action leads away from here")
        why = "" if self._guided is None else "; the automaton does not help here"
        return self._decided("search", f"the best action by {advice}{why}", advice, self._random.choice(advice.best))

    def _decided(
        self,
        source: DecisionSource,
        reason: str,
        advice: Advice,
        chosen: int | None = None,
        match: RelaxedMatch | None = None,
    ) -> Decision:
        """What an advice comes to, with the risk that it speaks of."""
        index = None if chosen is None else advice.in_state(chosen)
        value: float | None = advice.value
        risk = 0.0
        if self.settings.dead_end_cost is None and advice.value >= _RISKY * self._dead_end_cost:
            value, risk = None, min(1.0, advice.value / self._dead_end_cost)
            reason = f"{reason}; a dead end is ahead with a probability of about {risk:.2g}"
        return Decision(
            None if index is None else self.task.action(index),
            source,
            reason,
            value,
            risk,
            advice.looked_at,
            matched=None if match is None else match.name,
            index=index,
            place=None if match is None else advice.place,
        )

    # --- what it knows ---

    def _start(self) -> None:
        """Begin with nothing known."""
        self._whole = self._view(StateSpace(self.task, self._space_settings, limits=self._stop))
        self._guided: View | None = None
        if self.automaton is not None:
            self._constrained = ConstrainedStateSpace(
                self.task,
                self.automaton,
                self._space_settings,
                match=self.settings.match,
                lenient=True,
                limits=self._stop,
            )
            self._guided = self._view(self._constrained)
        self._views = [self._whole] if self._guided is None else [self._guided, self._whole]

    def _view(self, space: StateSpace) -> View:
        cost = self._dead_end_cost
        risky = cost if self.settings.dead_end_cost is not None else _RISKY * cost
        return View(space, self._heuristic, cost, risky, self.settings, self._stop)


def _with_own_symmetry(policy: Policy) -> Policy:
    """The policy with a symmetry of its own, since that of another thread's actor is at work there."""
    if policy.symmetry is None:
        return policy
    symmetry = Symmetry(policy.task, policy.symmetry.core)
    return Policy.from_indices(policy.task, dict(policy.decisions), policy.cost, policy.dead_end_cost, symmetry)

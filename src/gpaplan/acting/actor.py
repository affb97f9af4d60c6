"""Acting: the next action for the state at hand, without a policy for all others.

    actor = Actor(task, automaton=PolicyAutomaton.read("tireworld.gpa.json"))
    decision = actor.decide(["(car-at p1-1)", …])
    decision.action, decision.source, decision.reason

`solve` returns a policy for every state that can be reached. Where luck makes too many of them reachable there is no
such policy to be had, although the next good action may be obvious. An `Actor` decides one state at a time:

1.  by the policy, if there is one and it is defined in the state;
2.  by a short look ahead under the automaton. Where that keeps nothing, all actions are looked at;
3.  by a short look ahead in the whole task, where the automaton leads in circles, on a long detour, or into dead ends.

A state that can be solved within a moment is solved, by SSiPP, and so is then all that may follow. Else a look ahead
solves the task within a few steps of the state exactly, and takes what lies beyond for what its value says
(src/core/solvers/look_ahead.hpp). Values start at the heuristic's, and those of the states that are visited are kept as
long as a run lasts: the actor learns as it acts.

Whatever the automaton says, an actor that can reach the goal from everywhere reaches it with probability one
(docs/decisions/0023-acting.md). A state whose value under the automaton keeps growing, visit by visit, is given up for
the automaton; so if the actor stayed in some set of states forever, then in the end either the values under the
automaton would have settled there, or those of the whole task, and to follow settled values leads away from every set
without a goal.

Dead ends come first: among actions, the one with the least probability of a dead end that is seen within the look ahead
is taken, then the cheapest. With ``dead_end_cost`` both are weighed by what a dead end costs.
"""

from __future__ import annotations

import time
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from gpaplan.acting.chooser import Chooser, DecisionSource
from gpaplan.automata.automaton import AnyAutomaton, given_automaton
from gpaplan.automata.matching import Match
from gpaplan.limits import AnyLimits
from gpaplan.policies.policy import AnyPolicy, given_policy
from gpaplan.records import as_record
from gpaplan.solving.heuristics import AnyHeuristic
from gpaplan.solving.solvers import SSiPP
from gpaplan.spaces.settings import MAX_OUTCOMES
from gpaplan.spaces.symmetry import AnySymmetry
from gpaplan.tasks.grounding import AnyTask, given_task
from gpaplan.tasks.task import AnyAtom, GroundAction

__all__ = ["Actor", "Decision"]


@dataclass(frozen=True, slots=True)
class Decision:
    """What to do in a state, and why."""

    action: GroundAction | None
    """None at a goal, where the policy gives up, and in a dead end."""
    source: DecisionSource
    """Where it comes from."""
    reason: str
    """Why, in words."""
    value: float | None = None
    """What is still to be paid, as far as the actor knows; None if it did not look, and where it risks a dead end."""
    risk: float = 0.0
    """The probability of a dead end, as far as the actor sees."""
    looked_at: int = 0
    """How many states were looked at for it; 0 if what was known was enough."""
    seconds: float = 0.0
    """How long it took."""
    matched: str | None = None
    """The way in which the state was matched with the automaton, by name; None if in none."""

    def to_json(self) -> dict[str, Any]:
        """The decision as plain data; the action is text."""
        return as_record(self, action=None if self.action is None else str(self.action))


class Actor:
    """Decides what to do, state by state. One actor is for one thread."""

    def __init__(
        self,
        task: AnyTask,
        automaton: AnyAutomaton | None = None,
        policy: AnyPolicy | None = None,
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
        """``solver`` says how far to look ahead: ``SSiPP(steps, max_states)``. A decision looks ahead for at most
        ``seconds`` under the automaton, and as long again in the whole task if it comes to that; to get the same
        decisions on every machine, give infinity, and bound the states. Beyond ``megabytes`` of states and values only
        the values of the states visited in this run are kept. ``limits`` hold for all decisions together; at a limit
        `LimitError` is raised.
        """
        self.task = task = given_task(task)
        automaton = None if automaton is None else given_automaton(automaton)
        policy = None if policy is None else given_policy(task, policy)
        self._chooser = Chooser(
            task,
            automaton,
            policy,
            solver=solver,
            heuristic=heuristic,
            match=match,
            symmetry=symmetry,
            max_outcomes=max_outcomes,
            dead_end_cost=dead_end_cost,
            seconds=seconds,
            megabytes=megabytes,
            seed=seed,
            limits=limits,
        )

    def decide(self, atoms: Iterable[AnyAtom]) -> Decision:
        """What to do in the state where exactly these fluent atoms hold, given by name, as text or as a tuple."""
        begun = time.perf_counter()
        state = tuple(sorted(set(self.task.atom_indices(atoms))))
        choice = self._chooser.choose(state)
        return Decision(
            None if choice.action is None else self.task.action(choice.action),
            choice.source,
            self._chooser.reason_of(choice, state),
            value=choice.value,
            risk=choice.risk,
            looked_at=0 if choice.advice is None else choice.advice.looked_at,
            matched=None if choice.way is None else choice.way.name,
            seconds=time.perf_counter() - begun,
        )

    def begin(self) -> None:
        """A new run begins: what was visited before says nothing about going in circles. Dead ends stay known."""
        self._chooser.begin()

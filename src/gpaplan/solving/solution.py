"""What is known of a task that was solved."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any, NoReturn

from gpaplan import _core
from gpaplan.automata.filters import Match
from gpaplan.display import Shown, as_record, html_table
from gpaplan.errors import UsageError
from gpaplan.policies.policy import Policy
from gpaplan.solving.reasons import Reason
from gpaplan.solving.running import gives_up_only_in_dead_ends
from gpaplan.spaces.state_space import StateSpace, Symmetry, describe
from gpaplan.statuses import Guarantee, Status

if TYPE_CHECKING:
    from gpaplan.automata.rules import RulePolicy


@dataclass(frozen=True, slots=True)
class Matching(Shown):
    """How an automaton was used (`gpaplan.automata.filters`)."""

    match: Match
    """``strict`` or ``coarse``, as asked for."""
    level: int
    """The abstraction level from which on all states were compared; 0 unless that did not suffice."""
    states: dict[str, int]
    """How many expanded states were matched by each relaxed match, by its name; ``none`` for those by none."""
    overtaken: bool
    """Whether the whole task was solved before it was known if the automaton suffices."""


_LIVE = ("space", "search", "decisions")


@dataclass(frozen=True)
class Solution:
    """The result of `solve`, and what it was made with: solver, heuristic, epsilon, precision, dead_end_cost, seed and
    version.

    Expected costs are infinite where the goal is not reached with probability one.
    """

    status: Status
    """``solved``, ``no-proper-policy``, ``time-limit``, ``memory-limit``, ``state-limit`` or ``interrupted``."""
    value: float
    """The exact expected cost of the policy from the initial state; no number (NaN) where the policy is a rule list by
    certificate, whose cost is not known."""
    estimate: float
    """The solver's value of the initial state."""
    guarantee: Guarantee
    """``optimal`` if the cost is proven to exceed the least possible one by at most a share of ``precision``,
    ``hierarchically-optimal`` if it is the least possible one within an automaton, else ``none``."""
    lower_bound: float
    """No policy of the whole task costs less."""
    bound_by: str
    """Where the lower bound comes from, in words."""
    gap: float | None
    """value - lower_bound, None where the value is infinite or not known."""
    residual: float | None
    """The largest Bellman residual on the states of the policy."""
    closed: bool
    """Whether the policy is defined wherever it leads."""
    proper: bool
    """Whether the policy reaches the goal with probability one."""
    goal_probability: float | None
    """That of the policy, exact; of one that is not closed, before it leads to a state where it is undefined. None if a
    limit came before it was known."""
    policy_by: str
    """Which search found the policy, in words: the one that was asked for, or one that was to prove how good it is."""
    solver: str
    heuristic: str | None
    heuristic_choice: str | None
    """What the heuristic ``best`` has picked, and why, in words; None for any other."""
    epsilon: float
    precision: float
    dead_end_cost: float | None
    expanded: int
    """States whose transitions were made."""
    generated: int
    """States that were met."""
    policy_states: int | None
    """States that the policy reaches; None by certificate, where these are not listed."""
    seconds: dict[str, float]
    """``search``, ``verify`` and ``total``; ``first``, until a portfolio had its first policy; ``constrained`` too if
    the search under an automaton gave no policy, ``whole`` if it did and the whole task was searched beside it,
    ``prove`` if a proof was tried, and ``symmetry``, the time to look for it, unless it is off."""
    fallback: bool | None
    """Whether the policy was found without the automaton; None if there was none."""
    matching: Matching | None
    """How the automaton was used; None if there was none."""
    reason: Reason | None
    """Why there is no proper policy, where the status says so."""
    symmetry_mode: str
    """``on``, ``off`` or ``auto``, as asked for; `symmetry` says what came of it."""
    seed: int
    version: str
    space: StateSpace = field(repr=False, compare=False)
    """The states that were met."""
    search: _core.Search = field(repr=False, compare=False)
    """The values, for those who go on with them. A solution that was pickled or copied has none."""
    decisions: dict[int, int] = field(repr=False, compare=False)
    """The policy by indices: an action, or ``_core.GIVE_UP``, for each state that it reaches."""
    certified: RulePolicy | None = field(default=None, repr=False, compare=False)
    """The policy that acts by the automaton's rule list, if its certificate holds of the problem."""

    @property
    def certificate(self) -> str | None:
        """``any`` or ``random`` if the automaton is a rule list with a certificate that holds of the problem: what is
        proven of it (docs/proofs.md). The policy is the list itself unless a cheaper or a closed one was found."""
        return None if self.certified is None else self.certified.choice

    @property
    def upper_bound(self) -> float | None:
        """By the certificate: following the rule list costs no more on average, whatever kept actions are taken."""
        return None if self.certified is None else self.certified.bound

    @property
    def symmetry(self) -> Symmetry | None:
        """The interchangeable objects up to which states were met; None if they were met as they are."""
        return self.space.symmetry

    @property
    def cost_mode(self) -> str:
        """What actions cost: ``unit``, 1 each, or ``metric``, what the problem's metric says."""
        return self.space.task.cost

    @cached_property
    def policy(self) -> Policy:
        """The policy by names. Made when it is first asked for. With symmetry, it is kept on representatives."""
        if self.policy_states is None and self.certified is not None:
            return self.certified
        by_atoms = {tuple(self.space.core.atoms(state)): action for state, action in self.decisions.items()}
        return Policy.from_indices(
            self.space.task, by_atoms, self.space.task.cost, self.dead_end_cost, self.space.symmetry
        )

    @cached_property
    def solves(self) -> bool:
        """Whether the policy reaches the goal with probability one or, with a dead-end cost, ends for sure and gives up
        only in states from which the goal is known to be out of reach."""
        if self.proper or self.dead_end_cost is None or math.isinf(self.value):
            return self.proper
        return gives_up_only_in_dead_ends(self.space, self.decisions)

    def __repr__(self) -> str:
        cost = self.cost_in_words("expected cost {:.6g}") if self.closed else "no closed policy"
        return f"Solution({self.space.task.problem.name!r}: {self.status}, {cost}, guarantee {self.guarantee})"

    def cost_in_words(self, number: str) -> str:
        """The cost, as a format says; or that it is not known."""
        if not math.isnan(self.value):
            return number.format(self.value)
        known = "not known" if self.upper_bound is None else f"at most {self.upper_bound:.6g}"
        return f"cost {known}, proper by certificate"

    def _repr_html_(self) -> str:
        up_to = " up to symmetry" if self.symmetry else ""
        rows = [
            ("status", str(self.status)),
            *([] if self.reason is None else [("reason", str(self.reason))]),
            ("expected cost", self.cost_in_words("{}") if self.closed else "unknown: the policy is not closed"),
            ("goal probability", "unknown" if self.goal_probability is None else self.goal_probability),
            ("guarantee", str(self.guarantee)),
            ("lower bound", f"{self.lower_bound:.6g}, from {self.bound_by}"),
            ("costs", self.cost_mode),
            ("solver", self.solver + (f", heuristic {self.heuristic}" if self.heuristic else "")),
            ("states", f"{self.expanded:,} expanded, {self.policy_states or 0:,} in the policy{up_to}"),
            ("seconds", f"{self.seconds['total']:.3g}"),
        ]
        return html_table(f"solution of {self.space.task.problem.name}", rows)

    def to_json(self) -> dict[str, Any]:
        """What ``gpaplan solve --json`` prints of it; numbers that are not finite are None."""
        symmetry = describe(self.symmetry_mode, self.symmetry)
        proven = {"certificate": self.certificate, "upper_bound": self.upper_bound}
        others = {"cost_mode": self.cost_mode, "symmetry": symmetry}
        return as_record(self, *_LIVE, "certified", "symmetry_mode", **others, **proven)

    # --- pickles and copies: all but the live search. The space is made anew, without an automaton's constraint, and
    # --- has the states of the policy in it.

    def __getstate__(self) -> dict[str, Any]:
        return {k: v for k, v in self.__dict__.items() if k not in _LIVE} | {"policy": self.policy}

    def __setstate__(self, state: dict[str, Any]) -> None:
        policy: Policy = state["policy"]
        space = StateSpace(policy.task, symmetry=policy.symmetry)
        listed = [] if state["policy_states"] is None else policy.column(space)
        decisions = {s: a for s, a in enumerate(listed) if a != _core.NO_ACTION}
        self.__dict__.update(state, space=space, decisions=decisions)

    if not TYPE_CHECKING:

        def __getattr__(self, name: str) -> NoReturn:
            if name == "search":
                raise UsageError(
                    "a solution that was pickled or copied has no search any more; "
                    "take its policy (solution.policy), or solve the task again"
                )
            raise AttributeError(f"'Solution' object has no attribute '{name}'", name=name, obj=self)

"""Solving a task, and what is known of the result.

`solve` runs a solver, then checks its greedy policy with code that shares nothing with the solvers: is it closed, is it
proper, what does it cost exactly. A `Solution` says what was found and what of it is proven.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any, Literal, NoReturn, TypeAlias

from gpaplan import _core
from gpaplan.errors import STOP_REASONS, UsageError
from gpaplan.limits import Limits
from gpaplan.policies.policy import Policy
from gpaplan.solving.heuristics import Heuristic, make_heuristic
from gpaplan.solving.solvers import LRTDP, Solver, ValueIteration
from gpaplan.spaces.state_space import MAX_OUTCOMES, StateSpace, named_errors
from gpaplan.spaces.symmetry import AnySymmetry, Symmetry, describe, mode_of, symmetry_of
from gpaplan.tasks.task import GroundTask

if TYPE_CHECKING:
    from gpaplan.automata.automaton import PolicyAutomaton

__all__ = ["Fallback", "Solution", "solve"]

Fallback: TypeAlias = Literal["full", "local", "none"]
"""What is solved where an automaton does not suffice; see `solve`."""

_CHECK_SHARE = 0.03
"""The part of a time limit that may be spent after it on saying how good the policy so far is."""


@dataclass(frozen=True)
class Solution:
    """The result of `solve`, and what it was made with: solver, heuristic, epsilon, dead_end_cost, seed and version.

    Expected costs are infinite where the goal is not reached with probability one.
    """

    status: str
    """``solved``, ``no-proper-policy``, ``time-limit``, ``memory-limit``, ``state-limit`` or ``interrupted``."""
    value: float
    """The exact expected cost of the policy from the initial state."""
    estimate: float
    """The solver's value of the initial state."""
    guarantee: str
    """``optimal`` if that is proven, ``hierarchically-optimal`` if it is within an automaton, else ``none``."""
    gap: float | None
    """With an admissible heuristic the estimate is a lower bound of the optimal cost, and this is value - estimate."""
    residual: float | None
    """The largest Bellman residual on the states of the policy."""
    closed: bool
    """Whether the policy is defined wherever it leads."""
    proper: bool
    """Whether the policy reaches the goal with probability one."""
    goal_probability: float | None
    """That of the policy, exact; None if a limit came before it was known."""
    simulated_goal_rate: float | None
    """For a policy that is not closed, from 100 trials; None where the exact probability is known."""
    solver: str
    heuristic: str | None
    epsilon: float
    dead_end_cost: float | None
    expanded: int
    """States whose transitions were made."""
    generated: int
    """States that were met."""
    policy_states: int
    """States that the policy reaches."""
    seconds: dict[str, float]
    """``search``, ``verify`` and ``total``; ``constrained`` too if the search under an automaton did not suffice, and
    ``symmetry``, the time to look for it, unless it is off."""
    fallback: bool | None
    """Whether an automaton did not suffice; None if there was none."""
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

    @property
    def symmetry(self) -> Symmetry | None:
        """The interchangeable objects up to which states were met; None if they were met as they are."""
        return self.space.symmetry

    @cached_property
    def policy(self) -> Policy:
        """The policy by names. Made when it is first asked for. With symmetry, it is kept on representatives."""
        by_atoms = {tuple(self.space.core.atoms(state)): action for state, action in self.decisions.items()}
        return Policy.from_indices(
            self.space.task, by_atoms, self.space.task.cost, self.dead_end_cost, self.space.symmetry
        )

    def to_json(self) -> dict[str, Any]:
        """What ``gpaplan solve --json`` prints of it; numbers that are not finite are None."""
        names = [
            "status",
            "value",
            "estimate",
            "guarantee",
            "gap",
            "residual",
            "closed",
            "proper",
            "goal_probability",
            "simulated_goal_rate",
            "solver",
            "heuristic",
            "epsilon",
            "dead_end_cost",
            "expanded",
            "generated",
            "policy_states",
            "fallback",
            "seconds",
            "seed",
            "version",
        ]
        record = {name: getattr(self, name) for name in names}
        record["symmetry"] = describe(self.symmetry_mode, self.symmetry)
        return {k: None if isinstance(v, float) and not math.isfinite(v) else v for k, v in record.items()}

    # --- pickles and copies: all but the live search. The space is made anew, without an automaton's constraint, and
    # --- has the states of the policy in it.

    def __getstate__(self) -> dict[str, Any]:
        live = ("space", "search", "decisions")
        return {k: v for k, v in self.__dict__.items() if k not in live} | {"policy": self.policy}

    def __setstate__(self, state: dict[str, Any]) -> None:
        policy: Policy = state["policy"]
        space = StateSpace(policy.task, symmetry=policy.symmetry)
        decisions = {s: a for s, a in enumerate(policy.column(space)) if a != _core.NO_ACTION}
        self.__dict__.update(state, space=space, decisions=decisions)

    if not TYPE_CHECKING:

        def __getattr__(self, name: str) -> NoReturn:
            if name == "search":
                raise UsageError(
                    "a solution that was pickled or copied has no search any more; "
                    "take its policy (solution.policy), or solve the task again"
                )
            raise AttributeError(f"'Solution' object has no attribute '{name}'", name=name, obj=self)


def solve(
    task: GroundTask,
    solver: Solver | None = None,
    *,
    heuristic: str | Heuristic = "ff",
    automaton: PolicyAutomaton | None = None,
    fallback: Fallback = "full",
    dead_end_cost: float | None = None,
    limits: Limits | None = None,
    seed: int = 0,
    max_outcomes: int = MAX_OUTCOMES,
    symmetry: AnySymmetry = "off",
    progress: Callable[[_core.Search, StateSpace], None] | None = None,
) -> Solution:
    """Find a policy for a task.

    Without ``dead_end_cost`` a solution is a policy that reaches the goal with probability one and, if the heuristic is
    admissible, at the least expected cost. If there is none the status is ``no-proper-policy``, and the policy is one
    that reaches the goal with the largest probability there is. With ``dead_end_cost`` one may give up in every state
    for that much, and the policy says where it does.

    With an ``automaton`` the task is solved under its constraint first. If that has a proper policy it is returned; if
    not, the task is solved without the constraint, starting from the values found with it, and `Solution.fallback` is
    True. With ``fallback="none"`` the latter is left out: the status is then ``no-proper-policy``. With
    ``fallback="local"`` the constraint is at first lifted only in states where it leaves no action, which takes far
    fewer states if the automaton lacks little; only if that does not suffice either is the whole task searched.

    With ``symmetry`` ``"on"`` or ``"auto"`` states are met up to renaming of interchangeable objects. That changes no
    value and makes the space smaller, often exponentially (`gpaplan.spaces.symmetry`). The policy is then kept on
    representatives, and gives the action of any other state by renaming.

    At a limit, or at Ctrl-C, the policy is the best so far, and what is known of it is said. ``progress`` is called now
    and then with the search under way.
    """
    if dead_end_cost is not None and not (0 < dead_end_cost < math.inf):
        raise UsageError(f"the dead-end cost must be a positive number, not {dead_end_cost}")
    if fallback not in ("full", "local", "none"):
        raise UsageError(f"the fallback is 'full', 'local' or 'none', not '{fallback}'")
    run = _Run(task, solver or LRTDP(), heuristic, dead_end_cost, limits or Limits(), seed, max_outcomes, symmetry)
    return run.run(automaton, progress, fallback=fallback)


class _Run:
    """One call of `solve`."""

    def __init__(
        self,
        task: GroundTask,
        solver: Solver,
        heuristic: str | Heuristic,
        dead_end_cost: float | None,
        limits: Limits,
        seed: int,
        max_outcomes: int,
        symmetry: AnySymmetry,
    ) -> None:
        self.task = task
        self.symmetry_mode = mode_of(symmetry)
        self.wanted_symmetry = symmetry
        self.solver = solver
        self.heuristic_name: str | None = heuristic if isinstance(heuristic, str) else _name_of(heuristic)
        self.dead_end_cost = dead_end_cost
        self.limits = limits
        self.seed = seed
        self.max_outcomes = max_outcomes
        self.penalty = math.inf if dead_end_cost is None else dead_end_cost
        if isinstance(solver, ValueIteration):  # it uses none
            heuristic, self.heuristic_name = "blind", None
        self.heuristic = make_heuristic(heuristic, task)
        self.fallback: bool | None = None
        self.lenient = False  # under a lenient constraint values say nothing about the whole task
        self.seconds: dict[str, float] = {}

    def _search_in(self, space: StateSpace, heuristic: _core.Heuristic) -> None:
        """Start a new search."""
        self.space = space
        self.heuristic = heuristic
        self.search = _core.Search(
            space=space.core,
            heuristic=heuristic,
            epsilon=self.solver.epsilon,
            dead_end_cost=self.penalty,
            seed=self.seed,
        )

    def run(
        self,
        automaton: PolicyAutomaton | None,
        progress: Callable[[_core.Search, StateSpace], None] | None,
        *,
        fallback: Fallback,
    ) -> Solution:
        started = time.perf_counter()
        stop = self.limits.start(None if progress is None else lambda: progress(self.search, self.space))
        self.symmetry = symmetry_of(self.task, self.wanted_symmetry)
        if self.symmetry_mode != "off":
            self.seconds["symmetry"] = time.perf_counter() - started
        with named_errors(self.task):
            if automaton is None:
                self._search_in(
                    StateSpace(self.task, max_outcomes=self.max_outcomes, symmetry=self.symmetry), self.heuristic
                )
                solution = self._attempt(stop, started)
            else:
                solution = self._constrained(automaton, stop, started, fallback=fallback)
        return solution

    def _constrained(
        self, automaton: PolicyAutomaton, stop: _core.Stop, started: float, *, fallback: Fallback
    ) -> Solution:
        """Algorithm 1 of the paper: the constrained task, and the full one if that has no proper policy."""
        from gpaplan.automata.constrained import ConstrainedStateSpace

        below = self.heuristic
        self.fallback = False
        self._search_in(
            ConstrainedStateSpace(self.task, automaton, max_outcomes=self.max_outcomes, symmetry=self.symmetry), below
        )
        solution = self._attempt(stop, started, constrained=True)
        if stop.reason or solution.proper or fallback == "none":
            return solution
        self.fallback = True
        self.seconds["constrained"] = time.perf_counter() - started
        earlier = self.search
        if fallback == "local":
            lenient = ConstrainedStateSpace(
                self.task, automaton, max_outcomes=self.max_outcomes, symmetry=self.symmetry, lenient=True
            )
            self.lenient = True
            self._search_in(lenient, _core.bootstrap(earlier, below))
            solution = self._attempt(stop, started, constrained=True)
            if stop.reason or solution.proper:
                return solution
            self.lenient = False
        self._search_in(
            StateSpace(self.task, max_outcomes=self.max_outcomes, symmetry=self.symmetry),
            _core.bootstrap(earlier, below),
        )
        return self._attempt(stop, started)

    def _attempt(self, stop: _core.Stop, started: float, *, constrained: bool = False) -> Solution:
        """Run the solver on the search at hand and say what came of it."""
        begun = time.perf_counter()
        reason = self.solver.run(self.search, stop)
        searched = time.perf_counter()
        self.seconds["search"] = searched - begun
        status = STOP_REASONS[reason].status if reason else "solved"
        report, residual = None, None
        best: list[int] | None = None
        if not reason and self.search.estimate() == math.inf:
            status = "no-proper-policy"
            if not constrained:
                best, report = self._most_probable(stop)
        elif not reason:
            status, report, residual = self._verified(stop)
        else:
            report, residual = self._checked_late(reason)
        stopped = status not in ("solved", "no-proper-policy")
        rate = self._simulated() if stopped and (report is None or not report.closed) else None
        reached = [] if report is None else report.reachable
        actions = self.search.actions(reached) if best is None else [best[state] for state in reached]
        decisions = {state: action for state, action in zip(reached, actions, strict=True) if action != _core.NO_ACTION}
        self.seconds["verify"] = time.perf_counter() - searched
        self.seconds["total"] = time.perf_counter() - started
        return self._solution(status, decisions, report, residual, rate)

    def _verified(self, stop: _core.Stop) -> tuple[str, _core.PolicyReport | None, float | None]:
        """Check the policy; if the solver stopped too early, go on until it holds or a limit comes."""
        try:
            report, residual = self.search.verify(stop)
            while not report.closed or (math.isinf(report.cost) and not report.proper):
                reason = self.search.close_policy(stop)
                if reason:
                    return STOP_REASONS[reason].status, report, residual
                report, residual = self.search.verify(stop)
        except _core.Stopped as error:
            return STOP_REASONS[error.args[0]].status, *self._checked_late(error.args[0])
        return "solved", report, residual

    def _checked_late(self, reason: str) -> tuple[_core.PolicyReport | None, float | None]:
        """What can be said of the policy in the little time after a limit, and in less after an interrupt."""
        share = 0.1 if reason == "interrupt" else max(0.05, _CHECK_SHARE * (self.limits.seconds or 60))
        try:
            return self.search.verify(Limits(share).start())
        except _core.Stopped:
            return None, None

    def _most_probable(self, stop: _core.Stop) -> tuple[list[int] | None, _core.PolicyReport | None]:
        """No policy is proper: one that reaches the goal as probably as possible."""
        try:
            best = _core.maximise_goal_probability(self.space.core, stop)
            return best, _core.evaluate_policy(self.space.core, best, self.penalty, stop)
        except _core.Stopped:
            return None, None

    def _simulated(self) -> float:
        return self.search.goal_rate(trials=100, horizon=1000, seed=self.seed, stop=Limits(0.05).start())

    def _solution(
        self,
        status: str,
        decisions: dict[int, int],
        report: _core.PolicyReport | None,
        residual: float | None,
        rate: float | None,
    ) -> Solution:
        from gpaplan.version import __version__

        value = math.inf if report is None else report.cost
        estimate = self.search.estimate()
        bound = not self.lenient and (isinstance(self.solver, ValueIteration) or self.heuristic.admissible)
        gap = max(0.0, value - estimate) if bound and math.isfinite(value) else None
        proven = status == "solved" and gap is not None and gap <= self._tolerance(value)
        return Solution(
            status=status,
            value=value,
            estimate=estimate,
            guarantee=("hierarchically-optimal" if self.fallback is False else "optimal") if proven else "none",
            gap=gap,
            residual=residual,
            closed=report is not None and report.closed,
            proper=report is not None and report.proper,
            goal_probability=report.goal_probability if report is not None and report.closed else None,
            simulated_goal_rate=rate,
            solver=self.solver.name,
            heuristic=self.heuristic_name,
            epsilon=self.solver.epsilon,
            dead_end_cost=self.dead_end_cost,
            expanded=self.space.core.expanded_count,
            generated=len(self.space),
            policy_states=0 if report is None else report.states,
            seconds=dict(self.seconds),
            fallback=self.fallback,
            symmetry_mode=self.symmetry_mode,
            seed=self.seed,
            version=__version__,
            space=self.space,
            search=self.search,
            decisions=decisions,
        )

    def _tolerance(self, value: float) -> float:
        """Epsilon in each expected step; an action costs at least the cheapest one."""
        cheapest = self.task.core.cheapest_action()
        return self.solver.epsilon * (1 + value / cheapest) + 1e-12 * value


def _name_of(function: object) -> str:
    return getattr(function, "__name__", type(function).__name__)

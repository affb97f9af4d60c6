"""The workbench: questions about a problem, and their answers as plain data. ``gpaplan serve`` shows it in a browser.

    bench = Workbench([task])
    bench.answer({"ask": "look", "state": ["(on a b)", …]})

    begin       what there is: names, the initial state, what can be changed of it, the rules
    look        a state: its picture, what is done there and why, what each action costs, what is odd about the state
    outcomes    what may come of an action in a state
    solve       begin to solve the problem; progress says how far that is, stop ends it with what was found
    trials      a few trials from a state, step by step
    rules       what a rule list does on all problems; from then on it is what is acted by
    world       another problem: with a state to begin with, and with other facts that never change

What is wrong with a question is its answer's ``error``.
"""

from __future__ import annotations

import math
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import nullcontext
from dataclasses import dataclass, field, replace
from itertools import product
from typing import Any

from gpaplan.acting.actor import Actor
from gpaplan.acting.session import Session
from gpaplan.acting.trials import simulate_acting
from gpaplan.automata.filters import TransitionFilter
from gpaplan.automata.rules import RuleFilter
from gpaplan.concepts.rules import RuleList
from gpaplan.display import plain
from gpaplan.errors import GpaplanError, UsageError
from gpaplan.learning.rules.checks import check_rules
from gpaplan.limits import Limits
from gpaplan.pictures.drawing import draw_in
from gpaplan.pictures.scene import Look, Scene
from gpaplan.policies.explanation import outcome_words
from gpaplan.policies.policy import Policy
from gpaplan.ppddl.check import TypeHierarchy
from gpaplan.solving.completion import Completion
from gpaplan.solving.run import SoFar, solve
from gpaplan.solving.solution import Solution
from gpaplan.spaces.state_space import MAX_OUTCOMES, StateSpace
from gpaplan.tasks.goal import changed_predicates
from gpaplan.tasks.grounding import CostMode, ground
from gpaplan.tasks.task import GroundAtom, GroundTask, parse_atom
from gpaplan.tasks.variables import StateVariable, find_variables, takes_a_moment
from gpaplan.traces.trace import ENDS
from gpaplan.traces.trials import record_trials

__all__ = ["Workbench"]

_STATES = 10_000
"""States that are expanded for a look, where nothing is known yet; as for ``gpaplan explain``."""
_UNKNOWN = "What is best here is not known yet: 'Solve' looks for a policy."
_TRIALS = 5
_FIXED = 2_000
"""So many atoms of a predicate that never changes can be clicked."""


@dataclass
class Workbench:
    """A problem, and others that rules are checked on; what was found so far. Questions may come from any thread."""

    tasks: Sequence[GroundTask]
    """The problem, and the others, all of one domain."""
    automaton: TransitionFilter | None = None
    """What is acted by."""
    look: Look = field(default_factory=dict)
    limits: Limits = field(default_factory=Limits)
    """Of each answer."""
    cost: CostMode = "auto"

    def __post_init__(self) -> None:
        self._lock = threading.Lock()
        self._run: _Run | None = None
        self._take_up(self.tasks)

    def _take_up(self, tasks: Sequence[GroundTask]) -> None:
        self.tasks, self.task = tasks, tasks[0]
        self.policy = Policy(self.task, {})
        self._space, self._scene = StateSpace(self.task), Scene(self.task, self.look)
        if takes_a_moment(self.task):
            self._variables = find_variables(self.task, limits=self.limits)
        else:
            self._variables = tuple(StateVariable(str(atom), (atom,), True) for atom in self.task.atoms)

    def answer(self, question: Any) -> dict[str, Any]:
        """The answer to a question."""
        answers: dict[str, Callable[..., dict[str, Any]]] = {
            "begin": self._begin,
            "look": self._look,
            "outcomes": self._outcomes,
            "solve": self._solve,
            "progress": self._progress,
            "stop": self.stop,
            "trials": self._trials,
            "rules": self._rules,
            "world": self._world,
        }
        try:
            asked = dict(question)
            if asked["ask"] == "world":
                self.stop()
            answer = answers[asked.pop("ask")]
            is_short = answer in (self._progress, self.stop)  # which come while another answer is under way
            with nullcontext() if is_short else self._lock:
                record: dict[str, Any] = plain(answer(**asked))
                return record
        except GpaplanError as error:
            return {"error": str(error)}
        except (KeyError, TypeError, ValueError, AttributeError):
            return {"error": f"a question is an object with 'ask', one of {', '.join(answers)}, and what that needs"}

    # --- states ---

    def _begin(self) -> dict[str, Any]:
        rules = self.automaton.lists[0] if isinstance(self.automaton, RuleFilter) else ""
        return {
            "domain": self.task.domain.name,
            "problems": [each.problem.name for each in self.tasks],
            "initial": sorted(map(str, self.task.initial_state)),
            "picture": str(draw_in(self._scene, self.task.initial_state)),
            "variables": [each.to_json() for each in self._variables],
            "static": sorted(map(str, self.task.static_atoms)),
            "fixed": [[str(atom) for atom in row] for row in self._fixed()],
            "rules": str(rules),
            "schemas": [each.name for each in self.task.domain.schemas],
        }

    def _fixed(self) -> Iterator[list[GroundAtom]]:
        """What could hold and never changes, in rows; of predicates of many objects, what does hold."""
        task, changing = self.task, changed_predicates(self.task.domain)
        fits, objects = TypeHierarchy(task.domain.types).fits, [*task.domain.constants, *task.problem.objects]
        for name, parameters in ((each.name, each.parameters) for each in task.domain.predicates):
            kinds = [[one.name for one in objects if fits(one.types, each.types)] for each in parameters]
            if name not in changing and math.prod(map(len, kinds)) <= _FIXED:
                for first in product(*kinds[:1]):
                    yield [GroundAtom(name, (*first, *rest)) for rest in product(*kinds[1:])]
            elif name not in changing:
                yield [atom for atom in task.static_atoms if atom.predicate == name]

    def _world(self, state: Sequence[str], static: Sequence[str]) -> dict[str, Any]:
        task = self.task
        problem = replace(task.problem, init=tuple(map(parse_atom, (*state, *static))))
        changed = ground(task.domain, problem, cost=self.cost, relevance=task.relevance, limits=self.limits)
        self._take_up([changed, *self.tasks[1:]])
        return self._begin()

    def _names(self, state: int) -> list[str]:
        return sorted(map(str, self._space.atoms(state)))

    def _look(self, state: Sequence[str]) -> dict[str, Any]:
        place = self._space.state(state)
        atoms = self._space.atoms(place)
        completion = Completion(self.policy, None, MAX_OUTCOMES, _STATES, self.limits.start())
        found = completion.explain(self._space, place)
        self.policy = completion.policy
        advice = None if self.automaton is None else self.automaton.explain(self.task, atoms)
        kept = {} if advice is None else dict.fromkeys(map(str, advice.kept), "kept")
        if advice is not None and advice.reasons:
            kept |= {str(each): why for each, why in zip(advice.kept, advice.reasons, strict=True)}
        pruned = {} if advice is None else {str(each.action): f"pruned: {each.reason}" for each in advice.pruned}
        stop = self.limits.start()
        session = Session(Actor(self.task, self.automaton, self.policy, limits=stop), limits=stop)
        acted = session.answer({"state": list(state)})
        is_unknown = found.decision == "uncovered" and not math.isinf(found.cost)
        return {
            "state": self._names(place),
            "picture": str(draw_in(self._scene, atoms)),
            "summary": _UNKNOWN if is_unknown else found.summary,
            "acted": acted if is_unknown else None,
            "warning": acted.get("warning", ""),
            "actions": [
                {"action": str(each.action), "cost": each.show_cost(), "verdict": each.verdict, "taken": each.taken}
                | {"rule": (kept | pruned).get(str(each.action), "")}
                for each in found.actions
            ],
        }

    def _outcomes(self, state: Sequence[str], action: str) -> dict[str, Any]:
        place = self._space.state(state)
        for each in self._space.transitions(place):
            if str(each.action) == action:
                ahead = [(outcome.probability, outcome.state) for outcome in each.outcomes]
                found = outcome_words(self._space, place, ahead, self._variables)
                return {"outcomes": [{"words": str(one), "state": self._names(one.successor)} for one in found]}
        raise UsageError(f"{action} is not applicable in this state")

    # --- solving ---

    def _solve(self) -> dict[str, Any]:
        if self._run is None or not self._run.is_alive():
            self._run = _Run(self)
            self._run.start()
        return self._run.record

    def _progress(self) -> dict[str, Any]:
        return {} if self._run is None else self._run.record

    def stop(self) -> dict[str, Any]:
        """End the solving, and wait for that."""
        if self._run is not None:
            self._run.is_to_stop = True
            self._run.join()
        return self._progress()

    def take(self, solution: Solution) -> None:
        """Follow a solution's policy, if it says what to do wherever it leads."""
        with self._lock:
            if solution.closed:
                self.policy = solution.policy

    # --- trials and rules ---

    def _trials(self, state: Sequence[str], seed: int = 0) -> dict[str, Any]:
        """Of the policy, if it covers the state; else of an actor."""
        task = self.task.with_initial_state(state)
        if self._space.atoms(self._space.state(state)) in self.policy:
            trace = record_trials(task, self.policy, trials=_TRIALS, seed=seed, limits=self.limits)
        else:
            acted = simulate_acting(
                task, self.automaton, trials=_TRIALS, kept=_TRIALS, seed=seed, limits=self.limits
            ).trace
            assert acted is not None
            trace = acted
        return {"trials": [{**each, "end": ENDS[each["end"]]} for each in trace.to_json()["trials"]]}

    def _rules(self, text: str) -> dict[str, Any]:
        rules = RuleFilter.of(self.task.domain, RuleList.parse(text, self.task.domain))
        found = check_rules(rules, self.tasks, limits=self.limits)
        self.automaton = rules
        uses = {each.name: sum(one.uses.get(each.name, 0) for one in found) for each in rules.named()}
        return {
            "rules": [{"words": rules.words(each.rule), "states": uses[each.name]} for each in rules.named()],
            "problems": [
                {"problem": each.problem, "verdict": each.verdict, "fails": bool(each.failures)} for each in found
            ],
        }


class _Run(threading.Thread):
    """Solving, which goes on until the policy is proven optimal, or somebody ends it."""

    def __init__(self, bench: Workbench) -> None:
        super().__init__(daemon=True)
        self.bench = bench
        self.is_to_stop = False
        self.record: dict[str, Any] = {"text": "solving …", "is_over": False}

    def run(self) -> None:
        """Solve, and give the policy to the workbench."""
        bench = self.bench
        try:
            found = solve(bench.task, automaton=bench.automaton, prove=True, progress=self._note, limits=bench.limits)
        except GpaplanError as error:
            self.record = {"error": str(error), "is_over": True}
            return
        bench.take(found)
        known = {"value": found.value, "lower_bound": found.lower_bound, "gap": found.gap, "expanded": found.expanded}
        end = f"{found.status}; guarantee {found.guarantee}" if found.reason is None else str(found.reason)
        self.record = {**known, "text": end, "is_over": True}

    def _note(self, so_far: SoFar) -> None:
        if self.is_to_stop:
            raise KeyboardInterrupt  # which the search takes for one: what was found so far is the answer
        value, bound = so_far.value, so_far.lower_bound
        known = {"value": value, "lower_bound": bound, "gap": value - bound}
        self.record = {**known, "expanded": so_far.space.core.expanded_count, "text": "solving …", "is_over": False}

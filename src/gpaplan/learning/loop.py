"""Learning from problems: the loop of making problems, learning from them, and validating what was learned.

1.  *Problems.* Those given that can be solved within a fixed amount of work are learned from. Out of one that is too
    large, smaller ones are made (`gpaplan.learning.shrinking`), and larger ones to be held out.
2.  *Roles.* Canonical abstraction, which sees the roles of objects, comes first. It stays if it prunes and carries: on
    problems that were not learned from, a search under it finds a policy and keeps few states, and acting with it
    reaches the goal at a low cost and leaves few decisions to search.
3.  *Rules.* Where it does not, rules over concepts are learned as well, and the better one is taken.
4.  *Again.* As long as what was learned fails somewhere, problems on which it fails and others of growing size are
    learned from, and fresh ones are held out.

If problems are given for validation, they are what is held out; if not, and none is too large, it is the largest.
All of it is counted in work, so that the same problems and seed give the same automaton; a time limit is only a limit.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Literal, TypeAlias

from gpaplan.automata.automaton import PolicyAutomaton, given_automaton
from gpaplan.automata.canonical import AnyAbstraction
from gpaplan.automata.filters import TransitionFilter
from gpaplan.automata.rules import RuleFilter
from gpaplan.errors import LimitError, UsageError
from gpaplan.learning.constants import (
    FEW_TRIALS,
    HELD_OUT,
    LARGE,
    LESSONS,
    MANY,
    ROUNDS,
    RULE_SECONDS,
    SHARE,
    SMALL,
    STATES,
    TAUGHT,
    TRIALS,
    WORK,
)
from gpaplan.learning.edges import Ties, automaton_of
from gpaplan.learning.growth import Growth, grow
from gpaplan.learning.instances import Instance, instance_of_task
from gpaplan.learning.rules.outcome import RuleLearning
from gpaplan.learning.rules.recording import learn_rule_filter
from gpaplan.learning.shrinking import Shrinker, SmallProblem
from gpaplan.learning.solving import GROWING, TRAINING, Budget, Solving, solve_to_optimality
from gpaplan.learning.validation import Acted, Row, ValidationScore, act_on, kept_of, validate
from gpaplan.limits import Limits, started
from gpaplan.solving.settings import RunSettings
from gpaplan.solving.solution import Solution
from gpaplan.spaces.state_space import StateSpace
from gpaplan.tasks.grounding import check_same_costs
from gpaplan.tasks.task import GroundTask

__all__ = ["Choice", "Learning", "Progress", "learn_problems", "rules_after_growth"]

Progress: TypeAlias = Callable[[str], None]
"""What is called with a line of text now and then."""


@dataclass(frozen=True, slots=True)
class Choice:
    """What was taken, roles or rules, by which validation score, and how the other did on the same problems."""

    score: ValidationScore
    """Of what was taken."""
    taken: Literal["canonical", "concepts"] = "canonical"
    other: ValidationScore | None = None
    """Of what was not taken; None if it was not learned."""
    held_out: str = ""
    """The given problem that was held out to choose by, if one was."""
    refusal: str = ""
    """Why no rules were learned, if they could not be."""

    @property
    def scores(self) -> dict[str, ValidationScore]:
        """By what the automaton sees: ``canonical``, ``concepts``."""
        names = ("canonical", "concepts")
        both = {self.taken: self.score, next(name for name in names if name != self.taken): self.other}
        return {name: score for name in names if (score := both[name]) is not None}

    def to_json(self) -> dict[str, Any]:
        """How each of them does, as plain data."""
        return {name: score.to_json() for name, score in self.scores.items()}


@dataclass(frozen=True, slots=True)
class Learning:
    """An automaton that was learned from problems, and how it was chosen."""

    automaton: TransitionFilter
    solutions: tuple[Solution, ...] = ()
    """Of the given problems, where roles were learned from them."""
    rules: RuleLearning | None = None
    """The rules that were learned, taken or not."""
    choice: Choice | None = None
    """None if there was nothing to choose by."""
    solving_seconds: float = 0.0
    made: tuple[SmallProblem, ...] = ()
    """The problems to learn from that were made out of larger ones."""
    rounds: int = 0
    """So often problems were made."""
    unseen: tuple[str, ...] = ()
    """Schemas that have actions in the large problems, and none in those that were learned from."""

    @property
    def unknown(self) -> list[str]:
        """What is not known of it, in a few words each."""
        found = [f"what to do with {', '.join(self.unseen)}: no problem that was learned from has it"] * bool(
            self.unseen
        )
        if self.choice is None:
            return [*found, "whether it carries to larger problems: there was nothing to try it on"]
        rows = self.choice.score.rows
        failing = [f"{row.problem} ({row.failure})" for row in rows if row.failure]
        if failing:
            more = f" and {len(failing) - 3} more" if len(failing) > 3 else ""
            found.append(f"what to do everywhere on {', '.join(failing[:3])}{more}")
        return [*found, f"what becomes of it beyond {max(row.objects for row in rows)} objects"]

    @property
    def next_step(self) -> str:
        """What to do next, in a line."""
        if self.choice is None:
            return "give a larger problem too: what was learned is then tried on it (or --validate LARGER)"
        score = self.choice.score
        worst = max(score.rows, key=lambda row: (1 - row.acted.goal_rate, row.ratio))
        if not score.is_worth_having:
            return f"do not act with it, acting without it does better; give small problems like {worst.problem}"
        if not score.carries:
            return f"give more small problems like {worst.problem}, or more time for rules (--budget)"
        return "use it on larger problems: 'gpaplan solve --gpa FILE', or 'gpaplan simulate --gpa FILE' to act"


@dataclass
class _Comparison:
    """How automata are compared: on problems that are searched and acted on, and on larger ones, only acted on."""

    searched: Sequence[GroundTask]
    acted: Sequence[GroundTask]
    settings: RunSettings
    seconds: float
    progress: Progress
    plain: dict[str, Solution] = field(default_factory=dict)
    """The searches without an automaton, which are made once."""
    without: dict[str, Acted] = field(default_factory=dict)
    """Acting without one."""
    best: dict[str, float] = field(default_factory=dict)
    """The least cost of each problem that anybody came to."""

    @property
    def tasks(self) -> list[GroundTask]:
        """All problems that are held out."""
        return [*self.searched, *self.acted]

    def score(self, automaton: TransitionFilter, learned_from: Sequence[GroundTask] = ()) -> ValidationScore:
        """How an automaton does on the problems that are held out, compared as coarsely as it takes."""
        whole = self._limits
        settings = RunSettings(solver="lrtdp", dead_end_cost=self.settings.dead_end_cost)
        solving = Solving(Budget(STATES, whole.seconds, whole.megabytes), settings, cache=self.plain)
        rows = []
        for number, task in enumerate(self.tasks):
            name = task.problem.name
            self.progress(f"trying what was learned on {name}")
            searches = []
            if number < len(self.searched):
                searches = validate([instance_of_task(task)], automaton, solving=solving, explain=False)
                if solving.stopped_by:
                    raise LimitError("learning", solving.stopped_by)
            if name not in self.without:
                self.without[name] = self._act(task, None)
            acted = self._act(task, automaton)
            for each in searches:
                self._note(name, each.cost_without, exact=each.optimum is not None)
                self._note(name, each.cost)
            for trials in (acted, self.without[name]):
                self._note(name, trials.cost if trials.goal_rate == 1 else None)
            search = searches[0] if searches else None
            rows.append(Row(name, len(task.objects), search, acted, self.without[name], None))
        walked = [kept_of(task, automaton, limits=self.settings.limits) for task in (*learned_from, *self.searched)]
        return self.updated(ValidationScore(tuple(rows), tuple(each for each in walked if each is not None)))

    def updated(self, score: ValidationScore) -> ValidationScore:
        """A score next to the best that is known by now."""
        return replace(score, rows=tuple(replace(row, best=self.best.get(row.problem)) for row in score.rows))

    def _note(self, name: str, cost: float | None, *, exact: bool = False) -> None:
        """Take note of what a problem may cost. Means of few trials are not below an optimum, but for luck."""
        if cost is not None and name not in self.plain:
            self.best[name] = min(cost, self.best.get(name, cost))
        elif cost is not None and (exact or name not in self.best):
            self.best[name] = cost

    @property
    def _limits(self) -> Limits:
        return self.settings.limits if isinstance(self.settings.limits, Limits) else Limits()

    def _act(self, task: GroundTask, automaton: TransitionFilter | None) -> Acted:
        cost, seed = self.settings.dead_end_cost, self.settings.seed
        trials = FEW_TRIALS if task in self.acted else TRIALS
        return act_on(task, automaton, trials=trials, dead_end_cost=cost, seed=seed, limits=self._limits)

    def rules(self, tasks: Sequence[GroundTask]) -> tuple[RuleFilter, RuleLearning]:
        """Rules that are learned from problems, and chosen by how they act on those that are held out."""
        return learn_rule_filter(
            tasks,
            self.searched,
            seconds=self.seconds,
            seed=self.settings.seed,
            dead_end_cost=self.settings.dead_end_cost,
            progress=self.progress,
            limits=self.settings.limits,
        )

    def choose(self, roles: Learning, tasks: Sequence[GroundTask], *, may_change: bool) -> Learning:
        """Roles; or rules from these problems, if that may be, roles do not suffice, and rules do better."""
        choice = Choice(self.score(roles.automaton, tasks))
        if choice.score.suffices or not may_change:
            return replace(roles, choice=choice)
        try:
            automaton, rules = self.rules(tasks)
        except (LimitError, UsageError) as error:
            return replace(roles, choice=replace(choice, refusal=str(error)))
        score = self.score(automaton, tasks)
        old = self.updated(choice.score)
        if not score.beats(old):
            return replace(roles, rules=rules, choice=Choice(old, other=score))
        return replace(roles, automaton=automaton, rules=rules, choice=Choice(score, "concepts", old))


def learn_problems(
    tasks: Sequence[GroundTask],
    validation: Sequence[GroundTask] = (),
    *,
    abstraction: AnyAbstraction | None = "auto",
    ties: Ties = "harmonize",
    automaton: TransitionFilter | None = None,
    settings: RunSettings = TRAINING,
    seconds: float = RULE_SECONDS,
    jobs: int = 1,
    progress: Progress = lambda _: None,
) -> Learning:
    """Learn from problems as `gpaplan.learn` does; what comes with the automaton says how it was chosen.

    So many problems are solved at a time (``jobs``). ``progress`` is called with a line of text now and then.
    """
    check_same_costs((task.problem.name, task.cost) for task in (*tasks, *validation))
    if automaton is not None and abstraction == "auto":
        abstraction = "concepts" if automaton.kind == "concepts" else None
    loop = _Loop(abstraction, ties, automaton, settings, seconds, jobs, progress)
    small = [task for task in tasks if loop.is_small(task)]
    large = [task for task in tasks if task not in small]
    if small:
        return loop.learn_from(small, large, validation)
    return loop.teach_itself(large, validation)


@dataclass
class _Loop:
    """What is asked for, and the steps of learning."""

    abstraction: AnyAbstraction | None
    ties: Ties
    automaton: TransitionFilter | None
    settings: RunSettings
    seconds: float
    jobs: int
    progress: Progress

    def is_small(self, task: GroundTask) -> bool:
        """Whether a problem can be learned from as it is: whether it has few states, with all their names."""
        space = StateSpace(task, replace(self.settings.space, symmetry="off"), limits=self.settings.limits)
        found = space.explore(max_states=LARGE, limits=self.settings.limits)
        return found.complete or found.stopped_by != "states"  # at a limit, whoever solves it will say so

    # --- problems that are given ---

    def learn_from(
        self, tasks: Sequence[GroundTask], large: Sequence[GroundTask], validation: Sequence[GroundTask]
    ) -> Learning:
        """Learn from given problems; those that are too large, and those for validation, are held out."""
        if self.abstraction == "concepts":
            learned, rules = self._comparison([*validation, *large]).rules(tasks)
            return Learning(learned if self.automaton is None else self.automaton.merge(learned), rules=rules)
        may_change = self.abstraction == "auto"
        began = time.perf_counter()
        solutions: list[Solution] = []
        for solution in solve_to_optimality(tasks, self.settings, jobs=min(self.jobs, len(tasks))):
            solutions.append(solution)
            self.progress(f"{len(solutions)} of {len(tasks)} problems solved")
        roles = Learning(self._roles(solutions), tuple(solutions), solving_seconds=time.perf_counter() - began)
        if validation or large:
            return self._comparison([*validation, *large]).choose(roles, tasks, may_change=may_change)
        if not may_change:
            return roles
        held_out = max(solutions, key=lambda each: (len(each.space.task.objects), each.expanded))
        others = [each for each in solutions if _size(each) < _size(held_out)]
        task = held_out.space.task
        if len(others) > 1:
            rest = replace(roles, automaton=self._roles(others))
            found = self._comparison([task]).choose(rest, [each.space.task for each in others], may_change=True)
        elif StateSpace(task).explore(max_states=TAUGHT).complete:
            return roles
        else:
            found = replace(self.teach_itself([task], ()), solutions=roles.solutions)
        assert found.choice is not None
        choice = replace(found.choice, held_out=task.problem.name)
        whole = roles if choice.taken == "canonical" else found
        return replace(found, automaton=whole.automaton, choice=choice)

    def _roles(self, solutions: Sequence[Solution]) -> PolicyAutomaton:
        abstraction = None if self.abstraction == "auto" else self.abstraction
        domain = solutions[-1].space.task.domain
        old = None if self.automaton is None else given_automaton(self.automaton)
        return automaton_of(domain, solutions, abstraction=abstraction, ties=self.ties, automaton=old)

    def _comparison(self, tasks: Sequence[GroundTask]) -> _Comparison:
        searched = [task for task in tasks if self.is_small(task)]
        acted = [task for task in tasks if task not in searched]
        return _Comparison(searched, acted, self.settings, self.seconds, self.progress)

    # --- problems that are made ---

    def teach_itself(self, large: Sequence[GroundTask], validation: Sequence[GroundTask]) -> Learning:
        """Make small problems out of large ones, learn from them, and make more where that fails."""
        stop = started(self.settings.limits)
        dead_end_cost, seed = self.settings.dead_end_cost, self.settings.seed
        shrinker = Shrinker(large, seed=seed, dead_end_cost=dead_end_cost, stop=stop)
        self.progress(f"making small problems out of {large[0].problem.name}")
        lessons = shrinker.make(LESSONS, most=TAUGHT, budget=WORK)
        if not lessons:
            raise UsageError(
                f"problem '{large[0].problem.name}' is too large to be learned from, and no small problem that can be "
                "solved was found in it: give small problems of the domain, or --dead-end-cost D if dead ends cannot "
                "be avoided"
            )
        best: Learning | None = None
        given = self._comparison(validation)
        for number in range(1, ROUNDS + 1):
            try:
                held_out = shrinker.make(HELD_OUT, least=TAUGHT // 2, most=SMALL, budget=WORK, scale=1.0 + number / 2)
                larger = shrinker.make(HELD_OUT // 2, most=SMALL, budget=WORK, scale=1.0 + number, beyond=True)
                fresh = replace(
                    given,
                    searched=[*given.searched, *(each.task for each in held_out)],
                    acted=[*given.acted, *(each.task for each in larger), *large],
                    seconds=self.seconds / ROUNDS,
                )
                found = self._learn_round(lessons, fresh, best)
            except LimitError:
                if best is None:
                    raise
                break
            unseen = _unseen(large, [each.task for each in lessons])
            best = replace(found, made=tuple(lessons), rounds=number, unseen=unseen)
            assert best.choice is not None
            failing = {row.problem for row in best.choice.score.rows if row.failure}
            if not failing and not unseen:
                break
            lessons += [each for each in held_out if each.problem.name in failing]
            lessons += shrinker.make(LESSONS // 2, most=TAUGHT, budget=WORK, scale=1.0 + number / 2)
        assert best is not None
        return best

    def _learn_round(self, lessons: Sequence[SmallProblem], fresh: _Comparison, before: Learning | None) -> Learning:
        """Learn from these problems, and take what does best on fresh ones: that, or what was learned before."""
        ordered = sorted(lessons, key=lambda each: each.states)
        tasks = [each.task for each in ordered]
        if self.abstraction == "concepts":
            automaton, rules = fresh.rules(tasks)
            found = Learning(automaton, rules=rules, choice=Choice(fresh.score(automaton, tasks), "concepts"))
        else:
            roles = Learning(self._grown(tasks))
            found = fresh.choose(roles, tasks, may_change=self.abstraction == "auto")
        if before is None or before.choice is None or found.choice is None:
            return found
        old, new = fresh.score(before.automaton, tasks), fresh.updated(found.choice.score)
        if new.beats(old):
            return found
        return replace(before, choice=replace(before.choice, score=old, other=None))

    def _grown(self, tasks: Sequence[GroundTask]) -> PolicyAutomaton:
        """Roles, of those problems that need it."""
        limits = self.settings.limits if isinstance(self.settings.limits, Limits) else Limits()
        settings = replace(GROWING, dead_end_cost=self.settings.dead_end_cost, seed=self.settings.seed)
        solving = Solving(Budget(STATES, limits.seconds, limits.megabytes), settings)
        growth = grow(
            tasks,
            automaton=self.automaton,
            abstraction=None if self.abstraction == "auto" else self.abstraction,
            ties=self.ties,
            patience=len(tasks) + 1,
            solving=solving,
            explain=False,
        )
        if solving.stopped_by:
            raise LimitError("learning", solving.stopped_by)
        return growth.automaton


def _size(solution: Solution) -> int:
    return len(solution.space.task.objects)


def _unseen(large: Sequence[GroundTask], tasks: Sequence[GroundTask]) -> tuple[str, ...]:
    """The schemas that have actions in large problems, and none in the others."""
    seen = {schema for task in tasks for schema, count in task.actions_by_schema().items() if count}
    wanted = {schema: None for task in large for schema, count in task.actions_by_schema().items() if count}
    return tuple(schema for schema in wanted if schema not in seen)


def rules_after_growth(
    growth: Growth, checks: Sequence[Instance], solving: Solving, *, must: bool, progress: Progress = lambda _: None
) -> Learning | None:
    """Rules next to what was grown, and the better of both; None where what was grown is good enough.

    It is if it kept at most a tenth of the states of the last large problem, and if it suffices on the ``checks``, the
    problems that are given for validation. If they ``must`` be, rules are learned and taken anyway.
    """
    limits = solving.limits(states=False)
    settings = replace(solving.settings, limits=limits)
    seconds = min(RULE_SECONDS, limits.seconds or RULE_SECONDS)
    loop = _Loop("auto", "harmonize", None, settings, seconds, 1, progress)
    comparison = loop._comparison([each.task(limits=limits) for each in checks])
    if not must and _prunes(growth) and (not checks or comparison.score(growth.automaton).suffices):
        return None
    tasks = [step.instance.task(limits=limits) for step in growth.steps if step.outcome != "unsolvable"]
    if not checks:
        comparison = loop._comparison(tasks[-HELD_OUT // 2 :])
    roles = Learning(growth.automaton)
    if not must:
        found = comparison.choose(roles, tasks, may_change=True)
        return None if found.rules is None else found
    automaton, rules = comparison.rules(tasks)
    score = comparison.score(automaton)
    return Learning(automaton, rules=rules, choice=Choice(score, "concepts", comparison.score(growth.automaton)))


def _prunes(growth: Growth) -> bool:
    """Whether at most a tenth of the states of the last large problem were kept."""
    large = [step for step in growth.steps if step.needed_nothing and (step.expanded_without or 0) >= MANY]
    return not large or large[-1].expanded <= SHARE * (large[-1].expanded_without or 0)

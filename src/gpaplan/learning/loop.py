"""Learning from problems: the loop of making problems, learning from them, and validating what was learned.

    learn(domain, [solve(task, heuristic="lmcut"), …])            # what the solutions do
    learn(domain, ["gripper-2.ppddl", "gripper-3.ppddl"])         # what `gpaplan learn` does

1.  *Problems.* Those given that can be solved within a fixed amount of work are learned from. Out of one that is too
    large, smaller ones are made (`gpaplan.learning.shrinking`), and larger ones to be held out.
2.  *Roles.* Canonical abstraction, which sees the roles of objects, comes first. It stays if it decides and carries: on
    small problems little is lost by drawing among the actions that it keeps and, on problems that were not learned
    from, a search under it finds a policy, and acting with it reaches the goal at a low cost and leaves few decisions
    to search.
3.  *Rules.* Where it does not, rules over concepts are learned as well, and the better one is taken.
4.  *Again.* As long as what was learned does not suffice, problems on which it fails are learned from, and fresh ones
    of growing size are held out. It fails on a small problem where drawing among what it keeps is dear or may miss the
    goal; others that are drawn are dropped. Rules are also checked on all problems with few objects, as far as the work
    goes (`gpaplan.proofs.enumeration`).

If problems are given for validation, they are what is held out. If not, and none is too large, it is the largest, and
larger ones that are joined of several of those given (`gpaplan.learning.joining`). All of it is counted in work, so
that the same problems and seed give the same automaton; a time limit is only a limit.
"""

from __future__ import annotations

import math
import time
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from os import PathLike
from typing import Any, Literal, TypeAlias, TypedDict, Unpack, overload

from gpaplan.automata.automaton import PolicyAutomaton, given_automaton
from gpaplan.automata.canonical import AnyAbstraction
from gpaplan.automata.filters import AnyFilter, TransitionFilter, given_filter
from gpaplan.automata.rules import RuleFilter
from gpaplan.concepts.rules import RuleList
from gpaplan.display import note, under_way
from gpaplan.errors import GpaplanError, LimitError, UsageError, misplaced
from gpaplan.learning.constants import (
    DEARER,
    ENUMERATED,
    HELD_OUT,
    LARGE,
    LESSONS,
    ROUNDS,
    RULE_SECONDS,
    SMALL,
    STATES,
    TAUGHT,
    WORK,
)
from gpaplan.learning.edges import Ties, automaton_of
from gpaplan.learning.growth import grow
from gpaplan.learning.instances import Instance
from gpaplan.learning.joining import join
from gpaplan.learning.rules.outcome import RuleLearning
from gpaplan.learning.rules.recording import learn_rule_filter
from gpaplan.learning.shrinking import Shrinker, SmallProblem
from gpaplan.learning.solving import (
    GROWING,
    TRAINING,
    Solving,
    has_proper_policy,
    optimal_cost,
    plain_limits,
    solve_to_optimality,
)
from gpaplan.learning.validation import HeldOutProblems, ValidationScore
from gpaplan.limits import AnyLimits, Limits, started
from gpaplan.policies.policy import Policy
from gpaplan.ppddl import Domain, Problem, Source
from gpaplan.solving.run import solve
from gpaplan.solving.settings import RunSettings
from gpaplan.solving.solution import Solution
from gpaplan.spaces.state_space import StateSpace
from gpaplan.statuses import Status
from gpaplan.tasks.grounding import AnyDomain, check_same_costs, given_domain, ground, load
from gpaplan.tasks.task import GroundTask

AnyProblem: TypeAlias = GroundTask | Instance | Problem | Source
"""A problem of a domain: ground, to be grounded, parsed, or a file."""

__all__ = ["AnyProblem", "Choice", "Learning", "Loop", "learn", "learn_problems"]


@dataclass(frozen=True, slots=True)
class Choice:
    """What was taken, roles or rules, by which validation score, and how the other did on the same problems."""

    score: ValidationScore
    """Of what was taken."""
    taken: Literal["canonical", "concepts"] = "canonical"
    other: ValidationScore | None = None
    """Of what was not taken; None if it was not learned."""
    held_out: str = ""
    """The given problem that was held out to choose by, if one was, …"""
    joined: int = 0
    """… and how many larger ones, joined of those given."""
    refusal: str = ""
    """Why no rules were learned, if they could not be."""

    @property
    def is_settled(self) -> bool:
        """Whether nothing else is looked for: what was taken suffices, and by rules not even drawing is dear."""
        return self.score.suffices and (self.taken == "canonical" or self.score.drawn <= DEARER)

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
    """The problems that were made out of larger ones, and learned from."""
    dropped: int = 0
    """How many more were made, and not learned from: what was known by then was good enough for them, or they are too
    large to learn rules from."""
    left_out: tuple[str, ...] = ()
    """The given problems that no policy solves with probability one."""
    rounds: int = 0
    """So often problems were made."""
    unseen: tuple[str, ...] = ()
    """Schemas that have actions in the large problems, and none in those that were learned from."""
    checked: str = ""
    """On what it was checked that rules reach the goal with probability one, in words."""
    fails_on_small: bool = False
    """Whether there is a problem of few objects that has a proper policy, and on which the rules fail."""

    @property
    def is_worth_having(self) -> bool:
        """Whether acting with it is not known to be worse than acting without."""
        return self.choice is None or self.choice.score.is_worth_having

    @property
    def unknown(self) -> list[str]:
        """What is not known of it, in a few words each."""
        found = [f"what to do with {', '.join(self.unseen)}: no problem that was learned from has it"] * bool(
            self.unseen
        )
        if self.fails_on_small:
            found.append("what to do on some problems of few objects ('gpaplan verify' shows the smallest)")
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
        score, ask = self.choice.score, "give small problems of your own ('gpaplan shrink' shows what is made)"
        if self.choice.held_out:
            ask = "give more problems of your own, larger ones too"
        if not score.is_worth_having:
            return f"act and solve without it, that does better, or {ask}; --abstraction {self.choice.taken} keeps it"
        if not score.carries:
            return f"use it with care; {ask}, or more time for rules (--budget)"
        if not score.decides and score.goal_rate <= score.goal_rate_without:
            return f"it leaves open what to do, so solving and acting without it do as well; {ask}"
        return "use it on larger problems: 'gpaplan solve --gpa FILE', or 'gpaplan simulate --gpa FILE' to act"


class _Settings(TypedDict, total=False):
    """The settings of `learn`."""

    abstraction: AnyAbstraction | None
    validate: Iterable[AnyProblem]
    ties: Ties
    automaton: AnyFilter | None
    settings: RunSettings
    seconds: float
    limits: AnyLimits


@overload
def learn(
    domain: AnyDomain, examples: Iterable[Solution | Policy] | Solution | Policy, **how: Unpack[_Settings]
) -> PolicyAutomaton: ...
@overload
def learn(
    domain: AnyDomain, examples: Iterable[AnyProblem] | AnyProblem, **how: Unpack[_Settings]
) -> TransitionFilter: ...
def learn(
    domain: AnyDomain,
    examples: Iterable[Solution | Policy | AnyProblem] | Solution | Policy | AnyProblem,
    *,
    abstraction: AnyAbstraction | None = "auto",
    validate: Iterable[AnyProblem] = (),
    ties: Ties = "harmonize",
    automaton: AnyFilter | None = None,
    settings: RunSettings = TRAINING,
    seconds: float = RULE_SECONDS,
    limits: AnyLimits = None,
) -> TransitionFilter:
    """The automaton of the examples, or rules, added to ``automaton`` if one is given.

    Examples are solutions and policies, or problems, which are solved by the ``settings`` first. ``ties`` says which of
    several optimal actions an example takes: ``first`` the one with the lowest index, ``harmonize`` one that is in the
    automaton already, if there is one, ``all`` all of them. It applies to solutions that are proven optimal; any other
    solution, and every `Policy`, is taken as it is. Where an example gives up it teaches nothing.

    The ``abstraction`` is an object, ``"canonical"`` (the roles of objects), ``"concepts"`` (rules over derived
    features, for which there are so many ``seconds``), or ``"auto"``: roles, unless they do not suffice on the problems
    to ``validate`` with, or prune too little there, and rules do better. Without such problems the largest example is
    held out for that. From solutions and policies only roles are learned. Limits are those of each problem, or of all
    of it if their clock runs already.
    """
    ready: list[Solution | Policy] = []
    problems: list[AnyProblem] = []
    if isinstance(examples, Solution | Policy | GroundTask | Instance | Problem | str | PathLike):
        examples = [examples]
    if not isinstance(examples, Iterable):
        raise misplaced(examples, "list of examples", "pass solutions, policies or problems of the domain")
    for each in examples:
        if isinstance(each, Solution | Policy):
            ready.append(each)
        else:
            problems.append(each)
    checks = list(validate)
    domain = given_domain(domain)
    before = None if automaton is None else given_filter(automaton)
    if ready and problems:
        raise UsageError("the examples are solutions and problems: solve the problems first, or give only problems")
    if ready and (abstraction == "concepts" or checks):
        raise UsageError("rules are learned from problems, and chosen by others: give problems, and not solutions")
    if ready:
        roles = None if abstraction == "auto" else abstraction
        old = None if before is None else given_automaton(before)
        return automaton_of(domain, ready, abstraction=roles, ties=ties, automaton=old, limits=limits)
    if not problems:
        raise UsageError("there is nothing to learn from: give solutions, policies or problems of the domain")
    return learn_problems(
        [_grounded(domain, each, limits) for each in problems],
        [_grounded(domain, each, limits) for each in checks],
        abstraction=abstraction,
        ties=ties,
        automaton=before,
        settings=replace(settings, limits=limits),
        seconds=seconds,
    ).automaton


def _grounded(domain: Domain, problem: AnyProblem, limits: AnyLimits) -> GroundTask:
    if isinstance(problem, Instance):
        return problem.task(limits=limits)
    if isinstance(problem, Problem):
        return ground(domain, problem, limits=limits)
    return problem if isinstance(problem, GroundTask) else load(domain, problem, limits=limits)


@under_way("learning")
def learn_problems(tasks: Sequence[GroundTask], validation: Sequence[GroundTask] = (), **how: Any) -> Learning:
    """Learn from problems as `gpaplan.learn` does; what comes with the automaton says how it was chosen. The settings
    are the fields of `Loop`."""
    return Loop(**how).learn(tasks, validation)


@dataclass(kw_only=True)
class Loop:
    """What is asked for, and the steps of learning."""

    abstraction: AnyAbstraction | None = "auto"
    ties: Ties = "harmonize"
    automaton: TransitionFilter | None = None
    """What is added to, if anything."""
    settings: RunSettings = TRAINING
    seconds: float = RULE_SECONDS
    """Work for rules, as much as takes about so long."""
    jobs: int = 1
    """Given problems that are solved at a time."""
    start: RuleList | None = None
    """The rules to begin with, if any are given. No round begins with those of the round before: on three families that
    take three rounds the same lists came of it, for up to a tenth more work (decision 0045)."""

    interrupts: list[LimitError] = field(default_factory=list, repr=False)
    """What has ended work that goes on with less: then nothing new is begun."""

    def learn(self, tasks: Sequence[GroundTask], validation: Sequence[GroundTask]) -> Learning:
        """Learn from those problems that are small enough or, if none is, from such as are made out of them. Those that
        have no proper policy are left out as long as there are others."""
        check_same_costs((task.problem.name, task.cost) for task in (*tasks, *validation))
        if self.automaton is not None and self.abstraction == "auto":
            self.abstraction = "concepts" if self.automaton.kind == "concepts" else None
        small = [task for task in tasks if self._is_small(task)]
        large = [task for task in tasks if task not in small]
        hopeless = [task for task in small if len(tasks) > 1 and not has_proper_policy(task, self.settings)]
        if len(hopeless) < len(tasks):
            small = [task for task in small if task not in hopeless]
        if not small:
            found = self._teach_itself(large, validation)
        else:
            larger = large or self._joined(small, validation)
            found = self._learn_from(small, [*validation, *large], larger)
            is_settled = found.choice is None or found.choice.is_settled
            if larger and not is_settled and not self.interrupts:
                found = self._taught_by(larger, validation, small, found)
        return replace(found, left_out=tuple(task.problem.name for task in hopeless))

    def _is_small(self, task: GroundTask) -> bool:
        """Whether a problem can be learned from as it is: whether it has few states, with all their names."""
        space = StateSpace(task, replace(self.settings.space, symmetry="off"), limits=self.settings.limits)
        found = space.explore(max_states=LARGE, limits=self.settings.limits)
        return found.complete or found.stopped_by != "states"  # at a limit, whoever solves it will say so

    def _comparison(self, tasks: Sequence[GroundTask]) -> HeldOutProblems:
        """Problems that are held out; those that are small are searched too."""
        searched = [task for task in tasks if self._is_small(task)]
        return HeldOutProblems(searched, [task for task in tasks if task not in searched], self.settings)

    @property
    def _roles_abstraction(self) -> AnyAbstraction | None:
        return None if self.abstraction == "auto" else self.abstraction

    # --- roles or rules ---

    def _choose(self, roles: Learning, tasks: Sequence[GroundTask], held_out: HeldOutProblems) -> Learning:
        """Roles; or rules from these problems, if roles do not suffice and rules do better. Rules are never learned if
        something else than ``auto`` was asked for."""
        old = held_out.score(roles.automaton, tasks)
        if old.suffices or self.abstraction != "auto":
            return replace(roles, choice=Choice(old))
        try:
            rules = self._rules(tasks, held_out)
        except (LimitError, UsageError) as error:
            self._note(error)
            return replace(roles, choice=Choice(old, refusal=str(error)))
        score = held_out.score(rules.automaton, tasks)
        old = held_out.updated(old)
        if not score.beats(old):
            return replace(roles, rules=rules.rules, choice=Choice(old, other=score))
        return replace(roles, automaton=rules.automaton, rules=rules.rules, choice=Choice(score, "concepts", old))

    def _rules(self, tasks: Sequence[GroundTask], held_out: HeldOutProblems) -> Learning:
        """Rules that are learned from problems, and chosen by how they act on those that are held out."""
        learned, rules = learn_rule_filter(
            tasks,
            [*held_out.searched, *held_out.acted],
            start=self.start,
            seconds=self.seconds,
            seed=self.settings.seed,
            dead_end_cost=self.settings.dead_end_cost,
            limits=self.settings.limits,
        )
        if rules.stopped_by == "interrupt":
            self._note(LimitError("learning rules", rules.stopped_by))
        return Learning(learned, rules=rules)

    def _note(self, error: GpaplanError) -> None:
        """An error after which learning goes on with what it has."""
        if isinstance(error, LimitError) and error.reason.status == Status.INTERRUPTED:
            self.interrupts.append(error)

    # --- problems that are given ---

    def _joined(self, small: Sequence[GroundTask], validation: Sequence[GroundTask]) -> list[GroundTask]:
        """Larger problems, made of small ones that are given, where nothing larger is given to validate with."""
        if validation or self.abstraction != "auto" or len(small) < 3:
            return []

        def is_solved(task: GroundTask) -> bool:
            try:
                return HeldOutProblems([], [task], self.settings).act(task, None).goal_rate == 1
            except LimitError:
                raise
            except GpaplanError:  # too many outcomes
                return False

        return join(small, is_solved, seed=self.settings.seed, stop=started(self.settings.limits))

    def _learn_from(
        self, tasks: Sequence[GroundTask], held_out: Sequence[GroundTask], larger: Sequence[GroundTask]
    ) -> Learning:
        """Learn from given problems; those that are too large, and those for validation, are held out. Without such it
        is the largest, beside larger ones that were made."""
        if self.abstraction == "concepts":
            found = self._rules(tasks, self._comparison(held_out))
            return found if self.automaton is None else replace(found, automaton=self.automaton.merge(found.automaton))
        began = time.perf_counter()
        solutions: list[Solution] = []
        for solution in solve_to_optimality(tasks, self.settings, jobs=min(self.jobs, len(tasks))):
            solutions.append(solution)
            note(f"{len(solutions)} of {len(tasks)} problems solved")
        roles = Learning(self._roles(solutions), tuple(solutions), solving_seconds=time.perf_counter() - began)
        if held_out:
            return self._choose(roles, tasks, self._comparison(held_out))
        if self.abstraction != "auto":
            return roles
        largest = max(solutions, key=lambda each: (len(each.space.task.objects), each.expanded)).space.task
        others = [each for each in solutions if len(each.space.task.objects) < len(largest.objects)]
        if len(others) > 1:
            part, fresh = replace(self, seconds=self.seconds / 2), self._comparison([largest, *larger])
            rest = replace(roles, automaton=self._roles(others))
            found = part._choose(rest, [each.space.task for each in others], fresh)
            is_open = found.automaton.kind == "concepts" and not self.interrupts
            if is_open and StateSpace(largest).explore(max_states=SMALL).complete:
                found = part._learned_from_all(found, tasks, larger, fresh)
        elif StateSpace(largest).explore(max_states=TAUGHT).complete:
            return roles
        else:
            found = replace(self._teach_itself([largest], ()), solutions=roles.solutions)
        assert found.choice is not None
        choice = replace(found.choice, held_out=largest.problem.name, joined=len(larger))
        whole = roles if choice.taken == "canonical" else found
        return replace(found, automaton=whole.automaton, choice=choice)

    def _learned_from_all(
        self, found: Learning, tasks: Sequence[GroundTask], larger: Sequence[GroundTask], fresh: HeldOutProblems
    ) -> Learning:
        """Rules learned again, with the problem that was held out: it is the largest, and may have what no other has
        (decision 0045)."""
        try:
            rules = self._rules(tasks, self._comparison(larger))
        except (LimitError, UsageError) as error:
            self._note(error)
            return found
        assert found.choice is not None
        score = fresh.score(rules.automaton, tasks)
        if fresh.updated(found.choice.score).beats(score):
            return found
        choice = replace(found.choice, score=score)
        return replace(found, automaton=rules.automaton, rules=rules.rules, choice=choice)

    def _roles(self, solutions: Sequence[Solution]) -> PolicyAutomaton:
        old = None if self.automaton is None else given_automaton(self.automaton)
        domain, abstraction = solutions[-1].space.task.domain, self._roles_abstraction
        return automaton_of(domain, solutions, abstraction=abstraction, ties=self.ties, automaton=old)

    # --- problems that are made ---

    def _taught_by(
        self,
        large: Sequence[GroundTask],
        validation: Sequence[GroundTask],
        small: Sequence[GroundTask],
        found: Learning,
    ) -> Learning:
        """What the given problems teach together with small ones made out of larger ones, if that does better than the
        given ones alone: these may be too few, or lack what large ones have."""
        assert found.choice is not None
        try:
            taught, given = self._teach_itself(large, validation, small), self._comparison([*validation, *large])
            if self.interrupts:
                return found
            scores = [given.score(each.automaton, small) for each in (taught, found)]
        except (LimitError, UsageError):
            return found
        if not given.updated(scores[0]).beats(given.updated(scores[1])):
            return found
        assert taught.choice is not None
        choice = replace(taught.choice, held_out=found.choice.held_out, joined=found.choice.joined)
        return replace(taught, choice=choice)

    def _teach_itself(
        self, large: Sequence[GroundTask], validation: Sequence[GroundTask], small: Sequence[GroundTask] = ()
    ) -> Learning:
        """Make small problems out of large ones, learn from them and from small ones that are given, and make more
        where that fails."""
        settings = self.settings
        stop = started(settings.limits)
        shrinker = Shrinker(large, seed=settings.seed, dead_end_cost=settings.dead_end_cost, stop=stop)
        note(f"making small problems out of {large[0].problem.name}")
        lessons = shrinker.make(LESSONS, most=TAUGHT, budget=WORK)
        if not lessons:
            raise UsageError(
                f"problem '{large[0].problem.name}' is too large to be learned from, and no small problem that can be "
                "solved was found in it: give small problems of the domain, or --dead-end-cost D if dead ends cannot "
                "be avoided"
            )
        best: Learning | None = None
        lessons += [self._lesson(task, "", "given") for task in small]
        given, dropped = self._comparison(validation), 0
        for number in range(1, ROUNDS + 1):
            try:
                held_out, fresh = self._fresh(shrinker, given, large, number)
                best = self._learn_round(lessons, fresh, best)
                tasks = [each.task for each in lessons]
                smallest, checked = (None, "") if self.interrupts else self._failure_like(best.automaton, tasks)
                best = replace(best, rounds=number, unseen=_unseen(large, tasks), checked=checked)
                best = replace(best, made=tuple(lessons), dropped=dropped, fails_on_small=smallest is not None)
                assert best.choice is not None
                score = best.choice.score
                is_good = best.choice.is_settled and not best.unseen and (smallest is None or number > 1)
                if is_good or number == ROUNDS or self.interrupts:
                    break  # a problem of few objects alone is reason for one more round
                failing = {row.problem for row in score.rows if row.failure}
                if smallest is not None:
                    lessons.append(self._lesson(smallest, large[0].problem.name, "enumerate"))
                    given = replace(given, searched=[*given.searched, smallest])
                before, is_needed = shrinker.made, partial(_is_needed, best, fresh)
                more = shrinker.make(LESSONS // 2, most=TAUGHT, budget=WORK, scale=1.0 + number / 2, wanted=is_needed)
                dropped += shrinker.made - before - len(more)
                lessons += [each for each in held_out if each.problem.name in failing] + more
            except LimitError as error:
                self._note(error)
                if best is None:
                    raise
                break
        assert best is not None
        used = {each.problem for each in best.automaton.training}
        all_made = [each for each in best.made if each.way != "given"]
        made = tuple(each for each in all_made if each.problem.name in used)
        return replace(best, made=made, dropped=best.dropped + len(all_made) - len(made))

    def _lesson(self, task: GroundTask, source: str, way: str) -> SmallProblem:
        """A problem that is small enough to be learned from as it is."""
        stop, worst = started(self.settings.limits), self.settings.dead_end_cost
        space = StateSpace(task, limits=stop)
        space.explore(limits=stop)
        return SmallProblem(
            task, len(space), optimal_cost(space, math.inf if worst is None else worst, stop), source, way
        )

    def _fresh(
        self, shrinker: Shrinker, given: HeldOutProblems, large: Sequence[GroundTask], number: int
    ) -> tuple[list[SmallProblem], HeldOutProblems]:
        """Problems to be held out, larger in each round: new ones and, with these, given and the large ones."""
        held_out = shrinker.make(HELD_OUT, least=TAUGHT // 2, most=SMALL, budget=WORK, scale=1.0 + number / 2)
        larger = shrinker.make(HELD_OUT // 2, most=SMALL, budget=WORK, scale=1.0 + number, beyond=True)
        return held_out, replace(
            given,
            searched=[*given.searched, *(each.task for each in held_out)],
            acted=[*given.acted, *(each.task for each in larger), *large],
        )

    def _failure_like(self, rules: TransitionFilter, tasks: Sequence[GroundTask]) -> tuple[GroundTask | None, str]:
        """A problem with few objects that has a policy, and on which the rules fail; or on what they do not."""
        if not isinstance(rules, RuleFilter) or len(rules.lists) != 1:
            return None, ""
        note("looking at all problems with few objects")
        try:
            return smallest_failure(rules.lists[0], tasks, work=ENUMERATED, limits=self.settings.limits)
        except LimitError as error:
            self._note(error)
            return None, ""

    def _learn_round(
        self, lessons: Sequence[SmallProblem], fresh: HeldOutProblems, before: Learning | None
    ) -> Learning:
        """Learn from these problems, and take what does best on fresh ones: that, or what was learned before."""
        tasks = [each.task for each in sorted(lessons, key=lambda each: each.states)]
        part = replace(self, seconds=self.seconds / ROUNDS)
        if self.abstraction == "concepts":
            found = part._rules(tasks, fresh)
            found = replace(found, choice=Choice(fresh.score(found.automaton, tasks), "concepts"))
        else:
            found = part._choose(Learning(self._grown(tasks)), tasks, fresh)
        if before is None or before.choice is None or found.choice is None:
            return found
        old = fresh.score(before.automaton, tasks)
        if fresh.updated(found.choice.score).beats(old):
            return found
        return replace(before, choice=replace(before.choice, score=old, other=None))

    def _grown(self, tasks: Sequence[GroundTask]) -> PolicyAutomaton:
        """Roles, of those problems that need it."""
        solving = self._solving()
        growth = grow(
            tasks,
            automaton=self.automaton,
            abstraction=self._roles_abstraction,
            ties=self.ties,
            patience=len(tasks) + 1,
            solving=solving,
            explain=False,
        )
        if solving.stopped_by:
            raise LimitError("learning", solving.stopped_by)
        return growth.automaton

    def _solving(self) -> Solving:
        """How problems that were made are solved."""
        settings = replace(GROWING, dead_end_cost=self.settings.dead_end_cost, seed=self.settings.seed)
        return Solving(replace(plain_limits(self.settings), states=STATES), settings)


def _is_needed(best: Learning, fresh: HeldOutProblems, lesson: SmallProblem) -> bool:
    """Whether there is something to learn from a problem: drawing among what is known to do there is dear or may miss
    the goal, or it has what no problem before had."""
    if any(count and schema in best.unseen for schema, count in lesson.task.actions_by_schema().items()):
        return True
    walked = fresh.walk(lesson.task, best.automaton)
    return walked is None or walked.drawn is None or walked.drawn > DEARER


def smallest_failure(
    rules: RuleList, tasks: Sequence[GroundTask], *, work: int, limits: AnyLimits = None
) -> tuple[GroundTask | None, str]:
    """A smallest problem like these that has a proper policy and on which a rule list fails under random choice, as far
    as the counted work goes; or on what the list does not fail, in words, empty if that is not known."""
    from gpaplan.proofs import enumeration

    first, problems = tasks[0], [task.problem for task in tasks]
    number = sum("-counterexample-" in each.name for each in problems) + 1

    def like_the_first(problem: Problem) -> GroundTask:
        named = replace(problem, name=f"{first.problem.name}-counterexample-{number}")
        return ground(first.domain, named, cost=first.cost, relevance=first.relevance)  # type: ignore[arg-type]

    def has_policy(problem: Problem) -> bool:
        return solve(like_the_first(problem), "vi", limits=Limits(states=SMALL)).proper

    found, words = enumeration.smallest_failure(
        rules, first.domain, problems, work=work, limits=limits, accept=has_policy
    )
    return None if found is None else like_the_first(found.problem), words


def _unseen(large: Sequence[GroundTask], tasks: Sequence[GroundTask]) -> tuple[str, ...]:
    """The schemas that have actions in large problems, and none in the others."""
    seen = {schema for task in tasks for schema, count in task.actions_by_schema().items() if count}
    wanted = {schema: None for task in large for schema, count in task.actions_by_schema().items() if count}
    return tuple(schema for schema in wanted if schema not in seen)

"""Learning a rule list from problems: the whole.

    learning = learn_rules(domain, [ground(domain, small), …], [ground(domain, larger), …])
    print(learning.rule_list)
    print(learning.note)

Problems that are small enough are solved in every state, and rules are learned from them; on the others, and on
validation problems, lists are tried by acting. What a list may do wrong in rare cases is looked for by exhausting what
it leaves of the problems, and such states are learned from in the next round. Work is counted, so that the same
problems and the same seed give the same list; when it is spent, the best list so far is the result.
"""

from __future__ import annotations

import random
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace

from gpaplan import _core, interrupts
from gpaplan.concepts.expressions import Literal
from gpaplan.concepts.pool import Pool
from gpaplan.concepts.rules import RuleList
from gpaplan.display import counted, note, under_way
from gpaplan.errors import LimitError, UsageError
from gpaplan.learning.constants import MOST_STATES, RULE_SECONDS
from gpaplan.learning.rules.closure import Closure, check_closure, examples_of_trajectories, sample_states
from gpaplan.learning.rules.constants import CLOSURE_WORK, CONCEPT_ROWS, CONCEPT_WORK, SAME, SLACK, STATE_WORK
from gpaplan.learning.rules.examples import Example, Examples, another_goal, solve_example
from gpaplan.learning.rules.lists import failing_states
from gpaplan.learning.rules.outcome import RuleLearning, TrainingProblem
from gpaplan.learning.rules.portfolio import SIMPLE_WAYS, WAYS, Candidate, Portfolio
from gpaplan.learning.rules.scoring import Scorer
from gpaplan.learning.rules.table import RowTable
from gpaplan.limits import AnyLimits, WorkBudget, started
from gpaplan.ppddl.syntax import DomainVocabulary
from gpaplan.tasks.grounding import AnyDomain, AnyTask, given_domain, given_task
from gpaplan.tasks.task import GroundTask

__all__ = ["RuleEffort", "RuleLearning", "learn_rules"]

_GOALS = 4
"""So often a problem is learned from with other goals, where simple literals do not do. With them, with samples of
larger problems and with complex literals from few states (bench/rule_panel.py, the list alone): elevators 1.00 at 1.62
in place of 0.99 at 6.25, rover 1.00 in place of 0.86, zenotravel 1.00 at 1.80 in place of 1.76."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RuleEffort:
    """How much is tried, counted in work, so that it is the same on every machine."""

    max_states: int = 3000
    """A problem of more states is tried by acting; …"""
    max_training_states: int = 6000
    """… so are the largest if they have more states than this together."""
    sampled: int = 20_000
    """Of a problem of more than `max_states`, but of no more than so many, some states are learned from."""
    telling: int = 300
    """Rules are found on so many states at first; on …"""
    more: int = 1200
    """… so many if simple literals do not do; …"""
    failures: int = 60
    """… on so many more, where the best list so far fails, in each round."""
    complexity: int = 7
    """Of the most complex concepts that are generated."""
    broad: int = 4
    """Beyond this complexity only paths are (`gpaplan.concepts.pool`)."""
    concepts: int = 12000
    """That are generated at most."""
    columns: int = 20000
    """Literals for each schema at most."""
    trials: int = 20
    """Of each list on each validation problem."""
    closure_states: int = MOST_STATES
    """A list is checked on problems of which it leaves at most so many states."""
    rounds: int = 10
    """Of learning again from states in which the list leads nowhere."""
    states_of_round: int = 40
    """That are given back as training, for each problem; …"""
    local_states: int = 5000
    """… their values are found by searches of so many states at most."""
    afresh: bool = True
    """Whether lists are learned from nothing too. If not, the start is improved, and its rules go only where they
    harm."""


@under_way("learning rules")
def learn_rules(
    domain: AnyDomain,
    training: Sequence[AnyTask],
    validation: Sequence[AnyTask] = (),
    *,
    seconds: float = RULE_SECONDS,
    seed: int = 0,
    start: RuleList | None = None,
    dead_end_cost: float | None = None,
    effort: RuleEffort | None = None,
    progress: Callable[[str], None] = note,
    limits: AnyLimits = None,
) -> RuleLearning:
    """Learn a rule list from small problems, and try it on larger ones; another one may be the ``start``.

    Training problems of too many states are used for validation as well; if there is no validation problem at all, the
    largest one of training is one. After as much work as takes about so many ``seconds``, at a limit or at Ctrl-C the
    best list so far is the result; if there is none yet, `LimitError` is raised. `UsageError` says why nothing can be
    learned. ``progress`` is called with a line of text now and then.
    """
    domain = given_domain(domain)
    small, large = [given_task(each) for each in training], [given_task(each) for each in validation]
    for task in (*small, *large):
        differences = DomainVocabulary.of(domain).differences(DomainVocabulary.of(task.domain))
        if differences:
            where = f"problem '{task.problem.name}' has a domain with other names"
            raise UsageError("\n".join((f"{where}; rules are learned from problems of one domain", *differences)))
    budget = WorkBudget(seconds)
    learner = _Learner(effort or RuleEffort(), seed, dead_end_cost, started(limits), budget, progress, start)
    try:
        learner.run(small, large)
    except (_core.Stopped, LimitError):
        pass
    except KeyboardInterrupt:
        interrupts.taken()
        learner.interrupted = True
    return learner.result()


@dataclass
class _Learner:
    """The state of learning: what is known when it is stopped."""

    effort: RuleEffort
    seed: int
    dead_end_cost: float | None
    stop: _core.Stop
    budget: WorkBudget
    report: Callable[[str], None]
    start: RuleList | None = None
    interrupted: bool = False
    remarks: list[str] = field(default_factory=list)
    whole: list[Example] = field(default_factory=list)
    partial: list[Example] = field(default_factory=list)
    telling: dict[tuple[int, int], None] = field(default_factory=dict)
    scorer: Scorer | None = None
    best: Candidate | None = None
    closures: tuple[Closure, ...] = ()
    is_hard: bool = False
    tried: int = 0
    rounds: int = 0
    began: float = field(default_factory=time.monotonic)

    # --- the course of it ---

    def run(self, training: Sequence[GroundTask], validation: Sequence[GroundTask]) -> None:
        """All of it."""
        tasks = self._solve(training, list(validation))
        self.scorer = Scorer(tasks, trials=self.effort.trials, seed=self.seed, stop=self.stop, budget=self.budget)
        if len(self.scorer.tasks) < len(tasks):
            names = ", ".join(task.problem.name for task in tasks if task not in self.scorer.tasks)
            self.remarks.append(f"Too large to be tried within the budget: {names}.")
        self.telling = self._first_states(self.effort.telling)
        self.is_hard = not self.effort.afresh
        self._round()
        while self.rounds < self.effort.rounds and self._learn_from_failures():
            self.rounds += 1
            self._round()
        self.report("done")

    def _solve(self, training: Sequence[GroundTask], validation: list[GroundTask]) -> list[GroundTask]:
        """Solve the small problems; the others are for validation. Returns the problems for that."""
        budget = self.effort.max_training_states
        large: list[GroundTask] = []
        solved: list[Example] = []
        for task in training:
            example = solve_example(
                task, max_states=self.effort.sampled, dead_end_cost=self.dead_end_cost, stop=self.stop
            )
            self.budget.spend(STATE_WORK * (self.effort.max_states if example is None else len(example.choices)))
            if example is None:
                large.append(task)
            elif example.choices:
                solved.append(example)
                self.report(f"solved {task.problem.name}: {counted(len(example.choices), 'state')}")
            else:
                self.remarks.append(f"There is nothing to do in {task.problem.name}.")
        solved.sort(key=lambda example: len(example.choices))
        for example in solved:
            if len(example.choices) <= min(budget, self.effort.max_states):
                budget -= len(example.choices)
                self.whole.append(example)
            else:
                large.append(example.task)
                self.partial.append(example.only(self._some_states(example, self.effort.telling)))
        if not self.whole:
            raise UsageError(self._refusal(training, large))
        if large:
            names = ", ".join(task.problem.name for task in large)
            self.remarks.append(f"Too large to learn from as a whole, and tried: {names}.")
        if not validation and not large:
            large.append(self.whole[-1].task)
            if len({len(example.task.objects) for example in self.whole}) == 1:
                self.remarks.append(
                    "All problems are of one size, so that what depends on size cannot be told from what does not: "
                    "problems of other sizes to learn from, and a larger one to validate with, would help."
                )
        return [*validation, *large]

    def _refusal(self, training: Sequence[GroundTask], large: Sequence[GroundTask]) -> str:
        if not training:
            return "there is no problem to learn rules from"
        if large:
            return (
                f"all training problems have more than {self.effort.max_states:,} states; rules are learned from small "
                "ones, which are solved in every state: add smaller ones"
            )
        return "in all training problems the goal holds from the beginning; add some in which there is something to do"

    def _round(self) -> None:
        """Learn lists on the telling states: of simple literals, until these do not do; then of any, on more states."""
        assert self.scorer is not None
        portfolio = Portfolio(self.whole, self.scorer, self.stop, self.budget, self.report)
        try:
            if self.start is not None:
                portfolio.consider(self.start)
            table = self._deepened(portfolio) if self.is_hard else self._table(portfolio, self._telling())
            if self.start is not None:
                give = table.encode if self.effort.afresh else table.give
                portfolio.improve(table, give(self.start), WAYS[-1])
            for settings in (WAYS if self.is_hard else SIMPLE_WAYS) if self.effort.afresh else ():
                portfolio.learn(table, settings)
            assert portfolio.best is not None
            if not self.is_hard and not portfolio.best.is_good:
                self.is_hard, self.start = True, portfolio.best.rules
                self.telling |= self._first_states(self.effort.more)
                self.partial += list(self._other_goals())
                return self._round()
            self._choose(portfolio)
        finally:
            self.tried += len(portfolio.values)
            if self.best is None:
                self.best = portfolio.best

    def _other_goals(self) -> Iterator[Example]:
        """Some states of the problems with other goals: what holds of the goals that were given may hold by chance."""
        chance = random.Random(self.seed)
        examples = [each for each in (*self.whole, *self.partial) if len(each.space) <= 2 * self.effort.max_states]
        share = self.effort.more // (_GOALS * len(examples))
        for example in examples:
            for _ in range(_GOALS):
                task = another_goal(example, chance)
                if task is None:
                    continue
                try:
                    found = solve_example(
                        task, max_states=self.effort.sampled, dead_end_cost=self.dead_end_cost, stop=self.stop
                    )
                except UsageError:  # no policy reaches them for sure
                    continue
                if found is not None and found.choices:
                    self.budget.spend(STATE_WORK * len(found.choices))
                    yield found.only(self._some_states(found, share))

    def _first_states(self, left: int) -> dict[tuple[int, int], None]:
        """So many, as many of each problem."""
        found: dict[tuple[int, int], None] = {}
        for number, example in enumerate(self.whole):  # by ascending size
            chosen = self._some_states(example, left // (len(self.whole) - number))
            left -= len(chosen)
            found |= {(number, state): None for state in chosen}
        return found

    def _some_states(self, example: Example, share: int) -> list[int]:
        """So many: half of them such that optimal actions lead to, the others any."""
        chance = random.Random(self.seed + self.rounds)
        states = list(example.choices)
        good = example.reachable(most_regret=SAME)
        first = [state for state in states if state in good]
        some = dict.fromkeys(chance.sample(first, min(len(first), share // 2)))
        some |= dict.fromkeys(chance.sample(states, min(len(states), share)))
        return list(some)[:share]

    def _telling(self) -> list[Example]:
        """What is learned from of each example."""
        states: list[list[int]] = [[] for _ in self.whole]
        for number, state in sorted(self.telling):
            states[number].append(state)
        return [*(each.only(some) for each, some in zip(self.whole, states, strict=True)), *self.partial]

    def _deepened(self, portfolio: Portfolio) -> RowTable:
        """Simple literals on all telling states, and complex ones that serve a list on few: on those where the best
        list fails, and on some others."""
        assert portfolio.best is not None
        examples = self._telling()
        failing = failing_states(portfolio.best.value, self.effort.failures)
        chance, few = random.Random(self.seed + self.rounds), []
        for number, example in enumerate(examples):
            states = list(example.choices)
            some = chance.sample(states, min(len(states), 2 * self.effort.telling // len(examples)))
            few.append(example.only(state for state in states if state in some or (number, state) in failing))
        table = self._table(portfolio, few, self.effort.complexity)
        literals: dict[Literal, None] = {}
        for settings in WAYS:
            search = portfolio.search(table, replace(settings, rebuilds=settings.rebuilds // 4))
            found = search.learn(table.encode(portfolio.best.rules))
            literals |= {literal: None for rule in table.spell_out(found).rules for literal in rule.literals}
        return self._table(portfolio, examples, seeds=literals)

    def _table(
        self, portfolio: Portfolio, some: Sequence[Example], complexity: int = 0, seeds: Iterable[Literal] = ()
    ) -> RowTable:
        """Literals on states of examples: of all simple concepts, of paths up to a complexity, those of the best list,
        and others."""
        examples, best = Examples(some), portfolio.best
        pool = Pool(
            [(example.task, example.space) for example in examples.examples],
            examples.rows,
            max_complexity=max(complexity, self.effort.broad),
            broad=self.effort.broad,
            max_concepts=self.effort.concepts,
            max_columns=self.effort.columns,
            max_distance_complexity=max(complexity, self.effort.broad),
            seeds=[*seeds, *(literal for rule in (best.rules.rules if best else ()) for literal in rule.literals)],
            stop=self.stop,
        )
        if pool.stopped:
            raise _core.Stopped(self.stop.reason)
        self.budget.spend(CONCEPT_WORK * len(pool.concepts) * (CONCEPT_ROWS + len(examples.rows)))
        sizes = ", ".join(f"{schema} {len(columns.literals)}" for schema, columns in pool.schemas.items())
        self.report(f"{len(examples.states)} states, {len(pool.concepts)} concepts; literals: {sizes}")
        return RowTable(examples, pool)

    def _choose(self, portfolio: Portfolio) -> None:
        """The simplest of those that are closed on the most problems and cost little more than the best."""
        candidates = list(portfolio.known.values())
        best = min(candidates, key=lambda candidate: candidate.rank)
        near = [each for each in candidates if each.rank[0] <= best.rank[0] and each.rank[1] <= SLACK * best.rank[1]]
        ranked = sorted(near, key=lambda candidate: (candidate.rules.complexity, candidate.rank))[:4]
        checked = [(candidate, self._closures(candidate)) for candidate in ranked]
        fewest = min(_open(closures) for _, closures in checked)
        chosen, closures = next(each for each in checked if _open(each[1]) == fewest)
        self._keep(chosen, closures)

    def _keep(self, candidate: Candidate, closures: tuple[Closure, ...]) -> None:
        """Keep the candidate."""
        self.best, self.start, self.closures = candidate, candidate.rules, closures
        self.report(f"kept {counted(len(candidate.rules), 'rule')}, open on {_open(closures)} of {len(closures)}")

    @property
    def _tasks(self) -> list[GroundTask]:
        """All problems: those that are learned from, and the others."""
        assert self.scorer is not None
        return list({id(task): task for task in (*(each.task for each in self.whole), *self.scorer.tasks)}.values())

    def _closures(self, candidate: Candidate) -> tuple[Closure, ...]:
        """Of all problems."""
        closures = []
        for task in self._tasks:
            closure = check_closure(
                task,
                candidate.rules,
                max_states=self.effort.closure_states,
                stop=self.stop,
                trajectories=self.effort.states_of_round,
            )
            self.budget.spend(CLOSURE_WORK * (closure.states or self.effort.closure_states))
            closures.append(closure)
        return tuple(closures)

    def _learn_from_failures(self) -> bool:
        """Learn from states in which the list leads nowhere, or where it acts badly; whether there are any."""
        assert self.best is not None
        if self.best.is_good and _open(self.closures) == 0:
            return False
        failing = failing_states(self.best.value, self.effort.failures)
        is_new = not self.telling.keys() >= failing.keys()
        self.telling |= dict.fromkeys(sorted(failing))
        if not is_new and not self.best.is_perfect:
            self.telling |= self._first_states(self.effort.telling)
            is_new = True
        known = {id(example.task) for example in self.whole}
        before = len(self.partial)
        rates = {trials.problem: trials.goal_rate for trials in self.best.score.trials}
        for task, closure in zip(self._tasks, self.closures, strict=True):
            if id(task) in known:
                continue
            trajectories = closure.trajectories
            if not trajectories and rates[task.problem.name] < 1:
                trajectories = sample_states(
                    task,
                    self.best.rules,
                    steps=5 * self.effort.states_of_round,
                    most=self.effort.states_of_round,
                    seed=self.seed + self.rounds,
                    stop=self.stop,
                )
            partial = examples_of_trajectories(
                task,
                trajectories,
                max_states=self.effort.local_states,
                dead_end_cost=self.dead_end_cost,
                budget=self.budget,
                stop=self.stop,
            )
            self.partial += [] if partial is None else [partial]
        self.report(f"learning again: {len(self.telling)} states, {len(self.partial)} examples of states that fail")
        return is_new or len(self.partial) > before

    # --- what came of it ---

    def result(self) -> RuleLearning:
        """What is known so far. Raises `LimitError` if that is nothing."""
        reason = "interrupt" if self.interrupted else self.stop.reason or ("budget" if self.budget.is_spent else "")
        if self.best is None:
            raise LimitError("learning rules", reason)
        values = self.best.value.by_example()
        counts = [0] * len(self.best.rules)
        for _, found in values:
            for rule in found.deciding.values():
                if rule < len(counts):
                    counts[rule] += 1
        return RuleLearning(
            rule_list=self.best.rules,
            counts=tuple(counts),
            training=tuple(
                TrainingProblem(
                    example.task.problem.name,
                    len(example.choices),
                    found.goals[example.space.initial],
                    found.costs[example.space.initial],
                    example.values[example.space.initial],
                )
                for example, found in values
            ),
            validation=self.best.score.trials,
            closures=tuple(replace(closure, trajectories=()) for closure in self.closures),
            tried=self.tried,
            rounds=self.rounds,
            seconds=time.monotonic() - self.began,
            stopped_by=reason,
            remarks=tuple(self.remarks),
        )


def _open(closures: Sequence[Closure]) -> int:
    """On how many problems a list leads nowhere somewhere."""
    return sum(closure.lost > 0 for closure in closures)

"""Automata that tests show: learned ones, random ones, a hostile one, an empty one, and large ones."""

from __future__ import annotations

import random
from functools import cache

from gpaplan import StateSpace, ground, solve
from gpaplan.automata.automaton import Edge, PolicyAutomaton
from gpaplan.automata.canonical import AbstractAction, AbstractState, CanonicalAbstraction, Role
from gpaplan.automata.filters import TrainingExample
from gpaplan.benchmarks import generate
from gpaplan.learning.edges import edges_of_choices
from gpaplan.learning.loop import learn
from gpaplan.ppddl.syntax import DomainVocabulary
from gpaplan.solving.solvers import LAOStar
from gpaplan.tasks.task import GroundTask

HOSTILE = "</script><script>window.hacked = 1</script><img src=x onerror='window.hacked = 2'>\"&amp;{{script}}\\"


@cache
def learned(name: str, *sizes: int) -> PolicyAutomaton:
    """What is learned from problems of a benchmark domain with one parameter."""
    tasks = [ground(each.domain, each.problem) for each in (generate(name, size) for size in sizes)]
    solutions = [solve(task, LAOStar(epsilon=1e-8), heuristic="lmcut") for task in tasks]
    return learn(tasks[0].domain, solutions)


def of_all_actions(task: GroundTask) -> PolicyAutomaton:
    """Every action, in every state that can be reached."""
    space = StateSpace(task)
    assert space.explore().complete
    states = [state for state in range(len(space)) if not space.is_goal(state)]
    choices = [(state, action) for state in states for action, _, _ in space.core.transitions(state)]
    empty = PolicyAutomaton.empty(task.domain)
    return empty.with_edges(edges_of_choices(empty.abstraction, space, choices)[0])


def state(number: int) -> AbstractState:
    """An abstract state that differs from all others."""
    role = Role((f"level-{number}", "thing"))
    return AbstractState(((role, "many"),), (f"flag-{number % 7}",), (("above", (role, role), "some"),))


def grown(count: int) -> PolicyAutomaton:
    """A fixed automaton of ``count`` vertices: actions forward to two of them, and some back."""
    edges = []
    for number in range(count // 2):
        targets = [2 * number + 1, 2 * number + 2, *([number // 3] if number % 4 == 0 else [])]
        roles = (Role((f"level-{number}", "thing")),)
        found = tuple(state(each) for each in targets if each < count)
        edges.append(Edge(state(number), AbstractAction(f"climb-{number % 5}", roles), found, {"tower": 1}))
    return PolicyAutomaton("tower", _vocabulary("above"), CanonicalAbstraction(), edges)


def random_automaton(space: StateSpace, goals: bool, share: float, seed: int) -> PolicyAutomaton:
    """The automaton of a random part of all transitions."""
    choose = random.Random(seed)
    task = space.task
    table = CanonicalAbstraction(goals=goals).table(task)
    edges = []
    for state in range(len(space)):
        for action, _, outcomes in [] if space.is_goal(state) else space.core.transitions(state):
            if choose.random() < share:
                targets = [table.state(space, s) for _, s in outcomes if choose.random() < 0.5 + share / 2]
                label = table.action(space, state, action)
                edges += [Edge(table.state(space, state), label, tuple(targets))] if targets else []
    return PolicyAutomaton(task.domain.name, DomainVocabulary.of(task.domain), CanonicalAbstraction(goals=goals), edges)


def empty() -> PolicyAutomaton:
    return PolicyAutomaton("nothing", _vocabulary("above"), CanonicalAbstraction())


def hostile() -> PolicyAutomaton:
    """Every name is markup that would run a script if it were read as markup."""
    role = Role((HOSTILE,))
    before = AbstractState(((role, "one"),), (HOSTILE,), ((HOSTILE, (role, role), "all"),))
    after = AbstractState(((role, "many"),), (), ())
    return PolicyAutomaton(
        HOSTILE,
        _vocabulary(HOSTILE),
        CanonicalAbstraction(),
        [Edge(before, AbstractAction(HOSTILE, (role,)), (before, after), {HOSTILE: 3})],
        training=[TrainingExample(HOSTILE, 2, 1.5)],
        covers={before: [f"{HOSTILE}: ({HOSTILE} a)"], after: []},
        settings={HOSTILE: HOSTILE},
    )


def _vocabulary(relation: str) -> DomainVocabulary:
    return DomainVocabulary((), (), ((relation, 2),), ())

"""Matching: what relaxed matches keep, and what a fallback costs.

    python bench/matching.py                    everything
    python bench/matching.py --part ways        the paper's training problems: strictly, and as coarsely as it takes
    python bench/matching.py --part sources     the same in the vocabularies of the sources: what strict matching saves
    python bench/matching.py --part counts      what automata that count no objects are like, and where they suffice
    python bench/matching.py --part gripper     Gripper up to symmetry, without and with an automaton
    python bench/matching.py --part fallback    automata that suffice, lack an edge, are empty, keep everything
    python bench/matching.py --part lenient     automata that do not suffice: the whole task, or a lenient constraint

The solver is LRTDP with FF. Symmetry is off, as in the paper, but in the parts about it and about counts. Times are
seconds of processor time, each the least of three runs. The tables are Markdown.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from functools import partial
from typing import Any

import gpaplan
from gpaplan import GroundTask, PolicyAutomaton, Solution, StateSpace, ground, learn, parse_problem
from gpaplan.automata.automaton import Edge
from gpaplan.automata.canonical import CanonicalAbstraction
from gpaplan.benchmarks import FAMILIES, generate
from gpaplan.experiments.suite_file import load_suite
from gpaplan.learning.solving import solve_to_optimality
from measuring import Theta, fastest, generated, label, print_head, print_row, trained

solve = partial(gpaplan.solve, solver="lrtdp")
TRAINING: dict[str, list[Theta]] = {
    "rover": [(1, 3, s, 2) for s in range(1, 6)],
    "schedule": [(1, p) for p in (2, 3, 4)],
    "keva": [(2 * h, h) for h in range(1, 7)],
    "delicate-can": [(c,) for c in range(2, 7)],
}
TESTS: dict[str, list[Theta]] = {
    "rover": [(1, 3, 8, 2), (1, 4, 10, 2)],
    "schedule": [(1, p) for p in range(5, 11)],
    "keva": [(29, h) for h in range(2, 15, 2)],
    "delicate-can": [(7,), (10,)],
}


def measured(task: GroundTask, **settings: Any) -> tuple[float, Solution]:
    """The processor time that a solution takes, and the solution."""
    return fastest(lambda: solve(task, symmetry="off", **settings), times=3)


def show_ways() -> None:
    print_head("<problem", "plain", "strict", "coarse", "<matched", "cost")
    for name, thetas in TESTS.items():
        automaton = trained(name, TRAINING[name])
        for theta in thetas:
            task = generated(name, theta)
            plain = solve(task, symmetry="off")
            strict = solve(task, automaton=automaton, match="strict", fallback="full", symmetry="off")
            coarse = solve(task, automaton=automaton, match="coarse", fallback="full", symmetry="off")
            assert coarse.matching is not None
            matched = ", ".join(f"{way} {count:,}" for way, count in coarse.matching.states.items())
            print_row(
                label(name, theta),
                f"{plain.expanded:,}",
                f"{strict.expanded:,}" + (" (fallback)" if strict.fallback else ""),
                f"{coarse.expanded:,}" + (" (fallback)" if coarse.fallback else ""),
                matched,
                f"{coarse.value:.4f}",
            )


SOURCES: dict[str, tuple[list[Theta], list[Theta]]] = {
    "schedule-ippc": ([(1, p) for p in (2, 3, 4)], [(1, 5), (1, 7), (1, 8), (1, 9)]),
    "keva-shah": ([(2 * h, h) for h in range(1, 7)], [(29, 4), (29, 6), (29, 8), (29, 10)]),
    "delicate-can-shah": ([(c,) for c in range(2, 7)], [(8,), (9,), (10,)]),
}
"""Training and test problems."""


def show_sources() -> None:
    print_head("<problem", "states (met), without", "with", "s without", "with", "ratio", "fallback", "cost", "optimal")
    for name, (training, tests) in SOURCES.items():
        automaton = trained(name, training)
        for theta in tests:
            task = generated(name, theta)
            before, without = fastest(partial(solve, task, symmetry="off"), times=1)
            strict = partial(solve, task, automaton=automaton, match="strict", fallback="full", symmetry="off")
            after, found = fastest(strict, times=1)
            print_row(
                label(name, theta),
                f"{without.expanded:,} ({without.generated:,})",
                f"{found.expanded:,} ({found.generated:,})",
                f"{before:.2f}",
                f"{after:.2f}",
                f"{before / after:.1f}",
                "yes" if found.fallback else "no",
                f"{found.value:.4f}",
                f"{FAMILIES[name].optimal_cost(*theta):.4f}",
            )


def show_counts() -> None:
    """All problems of the paper, in both encodings, as they are solved by default but for matching, which is strict.

    The cans are counted with what the goal cannot depend on too: there it matters.
    """
    print_head(
        *("<family", "vertices, one-many", "presence", "edges, one-many", "presence"),
        *("suffices, one-many", "presence", "states, one-many", "presence"),
    )
    problems = paper_problems()
    cases = [*((name, True) for name in problems), ("delicate-can-shah", False), ("delicate-can", False)]
    for name, relevance in cases:
        training, tests = problems[name]
        tasks = [ground(generate(name, *theta), relevance=relevance) for theta in training]
        solutions = list(solve_to_optimality(tasks))
        found: list[tuple[PolicyAutomaton, dict[Theta, Solution]]] = []
        for counts in ("one-many", "presence"):
            automaton = learn(tasks[0].domain, solutions, abstraction=CanonicalAbstraction(counts=counts))
            strict = partial(solve, automaton=automaton, match="strict", fallback="none")
            tried = {theta: ground(generate(name, *theta), relevance=relevance) for theta in tests}
            found.append((automaton, {theta: strict(task) for theta, task in tried.items()}))
        both = [theta for theta in tests if all(solved[theta].solves for _, solved in found)]
        print_row(
            name + ("" if relevance else ", relevance off"),
            *(len(automaton.vertices) for automaton, _ in found),
            *(len(automaton.edges) for automaton, _ in found),
            *(sufficiency(name, solved) for _, solved in found),
            *(f"{sum(solved[theta].expanded for theta in both):,}" if both else "" for _, solved in found),
        )


def paper_problems() -> dict[str, tuple[list[Theta], list[Theta]]]:
    """Training and test problems of each family, without those that have other names and no more."""
    found = {}
    for suite in ("paper", "paper-first-encodings"):
        for domain in load_suite(suite).domains:
            both = [
                {tuple(map(int, each.theta.split())): None for each in part} for part in (domain.training, domain.test)
            ]
            found[domain.name] = (list(both[0]), list(both[1]))
    return found


def sufficiency(name: str, solved: dict[Theta, Solution]) -> str:
    """On how many problems an automaton sufficed, and on how many at the optimal cost, if these are fewer."""
    found = [(each.value, FAMILIES[name].optimal_cost(*theta)) for theta, each in solved.items() if each.solves]
    optimal = sum(optimum is not None and abs(value - optimum) < 1e-4 for value, optimum in found)
    fewer = f", {optimal} at the optimum" if optimal < len(found) else ""
    return f"{len(found)} of {len(solved)}{fewer}"


def show_gripper() -> None:
    automaton = trained("gripper", [(b,) for b in range(1, 6)])
    print_head("<problem", "states without", "with", "ms without", "with", "ratio", "cost", "optimal")
    for balls in (12, 50, 100, 200, 500, 1000):
        task = generated("gripper", (balls,))
        before, without = fastest(partial(solve, task), times=3)
        after, found = fastest(partial(solve, task, automaton=automaton), times=3)
        print_row(
            label("gripper", (balls,)),
            f"{without.expanded:,}",
            f"{found.expanded:,}",
            f"{1e3 * before:.1f}",
            f"{1e3 * after:.1f}",
            f"{before / after:.2f}",
            f"{found.value:.4f}",
            f"{FAMILIES['gripper'].optimal_cost(balls):.4f}",
        )


MORE_TRAINING: dict[str, list[Theta]] = {
    "gripper": [(b,) for b in range(1, 6)],
    "schedule-ippc": [(1, p) for p in (2, 3, 4)],
    "keva-shah": [(2 * h, h) for h in range(1, 6)],
}
FALLBACK = (
    ("rover", (1, 4, 10, 2)),
    ("schedule", (1, 9)),
    ("delicate-can", (9,)),
    ("gripper", (9,)),
    ("schedule-ippc", (1, 6)),
    ("keva-shah", (29, 3)),
)


def automata(name: str, task: GroundTask) -> Iterator[tuple[str, PolicyAutomaton]]:
    """Good ones and bad ones."""
    training = (TRAINING | MORE_TRAINING)[name]
    good = trained(name, training)
    yield "learned", good
    for share in (0, 1 / 4, 1 / 2, 3 / 4):
        missing = int(share * len(good.edges))
        yield f"lacks edge {missing}", good.with_edges([*good.edges[:missing], *good.edges[missing + 1 :]])
    yield "empty", good.with_edges([])
    if name in OTHER_GOALS:
        yield "for other goals", for_other_goals(name)
    if name != "keva-shah":  # its states are too many
        yield "keeps everything", everything(task, good)


OTHER_GOALS = {
    "rover": ("(delivered sample0)", "(imaged objective0)"),
    "keva-shah": ("(oriented plank3 sideways)", "(oriented plank3 horizontal)"),
}
"""An atom of the goal of the second training problem, and what is asked for in its place."""


def for_other_goals(name: str) -> PolicyAutomaton:
    made = generate(name, *(TRAINING | MORE_TRAINING)[name][1])
    before, after = made.problem_text.split("(:goal")
    other = parse_problem(made.domain, f"{before}(:goal{after.replace(*OTHER_GOALS[name])}")
    return learn(made.domain, [solve(ground(made.domain, other, relevance=False), solver="lao", heuristic="lmcut")])


def everything(task: GroundTask, like: PolicyAutomaton) -> PolicyAutomaton:
    """The automaton of all transitions of a task."""
    space = StateSpace(task)
    space.explore()
    table = CanonicalAbstraction().table(task)
    edges: dict[tuple[int, int], set[int]] = {}
    for state in range(len(space)):
        for action, _, outcomes in space.core.transitions(state):
            key = table.core.state(space.core, state), table.core.action(space.core, state, action)
            edges.setdefault(key, set()).update(table.core.state(space.core, to) for _, to in outcomes)
    return like.with_edges(
        Edge(table.state_label(source), table.action_label(action), tuple(map(table.state_label, targets)))
        for (source, action), targets in edges.items()
    )


def show_fallback() -> None:
    """A single run each: the least of several would hide what a search costs that goes astray."""
    print_head("<problem", "<automaton", "<matching", "turns / better of both", "full / better of both", "<solved by")
    worst = 0.0
    for name, theta in FALLBACK:
        task = generated(name, theta)
        once = partial(fastest, times=1)
        plain, _ = measured(task)
        for kind, automaton in automata(name, task):
            for match in ("strict", "coarse"):
                tried = partial(solve, task, symmetry="off", automaton=automaton, match=match)
                constrained, held = once(partial(tried, fallback="none"))
                better = min(plain, constrained) if held.solves else plain
                turns, found = once(tried)
                full = "" if name == "keva-shah" else f"{once(partial(tried, fallback='full'))[0] / better:.2f}"
                worst = max(worst, turns / better)
                by = "the whole task" if found.fallback else "the automaton"
                print_row(label(name, theta), kind, match, f"{turns / better:.2f}", full, by)
    print(f"\nTurns take at most {worst:.2f} times the better of both.")


def show_lenient() -> None:
    print_head("<problem", "<automaton", "<matching", "states, whole task", "lenient", "cost, whole task", "lenient")
    for name, theta in (("rover", (1, 4, 9, 2)), ("schedule", (1, 8)), ("delicate-can", (9,))):
        task = generated(name, theta)
        every = trained(name, TRAINING[name])
        kinds = {f"of {label(name, TRAINING[name][0])}": trained(name, TRAINING[name][:1])}
        kinds["of two problems"] = trained(name, TRAINING[name][:2])
        kinds[f"of {len(TRAINING[name])}, lacks an edge"] = every.with_edges(every.edges[1:])
        for kind, automaton in kinds.items():
            for match in ("strict", "coarse"):
                tried = partial(solve, task, automaton=automaton, match=match, symmetry="off")
                if tried(fallback="none").solves:
                    continue
                found = [tried(fallback="full"), tried(fallback="local")]
                states, costs = [f"{each.expanded:,}" for each in found], [f"{each.value:.4f}" for each in found]
                print_row(label(name, theta), kind, match, *states, *costs)


PARTS = {
    "ways": show_ways,
    "sources": show_sources,
    "counts": show_counts,
    "gripper": show_gripper,
    "fallback": show_fallback,
    "lenient": show_lenient,
}

if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--part", choices=PARTS, action="append")
    for part in parser.parse_args().part or PARTS:
        PARTS[part]()
        print()

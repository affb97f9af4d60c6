"""Which constants of learning matter: what changes if one is half as large, or twice.

    python bench/learning_constants.py [FAMILY...] [--part judging|making|drawing]

*Judging*: each family's large problem is learned from as in `self_taught.py`, and whatever is asked of a score (does it
suffice, is it worth having, what fails, which of two is better) is asked again with each constant halved and doubled. A
row says how many of the answers differ. *Making*: small problems are made with each constant halved and doubled; a row
says how many there are to learn from and to hold out, on how many objects at most. What differs nowhere can go.
*Drawing*: roles and rules are learned from a few small problems without the largest, and a row says what drawing one of
the actions that they keep costs on each, next to the optimum: what `TWICE` is about.
"""

from __future__ import annotations

import argparse
import math
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from types import ModuleType
from typing import Any

import literature_domains
from gpaplan import GroundTask, Limits, load
from gpaplan.benchmarks import generate
from gpaplan.learning import drafts, loop, shrinking, validation
from gpaplan.learning.loop import learn_problems
from gpaplan.learning.solving import TRAINING
from gpaplan.learning.validation import HeldOutProblems
from measuring import print_head, print_row
from self_taught import benchmark_family

FAMILIES = ("gripper", "schedule-ippc", "cosanostra", "maintenance", "delivery", "library", "stage")
JUDGING = ("TWICE", "HALF", "DEARER", "LESS_OFTEN", "SEARCHED")
DRAWN: dict[str, list[tuple[int, ...]]] = {
    "gripper": [(1,), (2,), (3,), (4,)],
    "maintenance": [(1, 3, 1, 0), (2, 4, 2, 1), (1, 5, 2, 3), (4, 5, 2, 4), (3, 6, 2, 2)],
    "rectangle-tireworld": [(3, 0, 0, 0), (3, 1, 1, 1), (4, 1, 2, 2), (4, 1, 1, 3), (5, 1, 3, 4)],
    "schedule-ippc": [(1, 2), (1, 3), (1, 4), (1, 5)],
    "delicate-can": [(2,), (3,), (4,), (5,)],
}
MAKING = {
    "LESSONS": loop,
    "HELD_OUT": loop,
    "TAUGHT": loop,
    "SMALL": loop,
    "WORK": loop,
    "_TRY": shrinking,
    "_WALKS": drafts,
    "_LONGEST_WALK": drafts,
}


@contextmanager
def changed(module: ModuleType, name: str, factor: float) -> Iterator[None]:
    """A constant, multiplied; whole numbers stay whole."""
    before = getattr(module, name)
    setattr(module, name, type(before)(before * factor))
    try:
        yield
    finally:
        setattr(module, name, before)


def judge(families: list[str]) -> None:
    """Print for each constant how many answers differ, of how many."""
    answers: Counter[str] = Counter()
    differing: Counter[tuple[str, float, str]] = Counter()
    is_asking = [False]

    def watched(question: str, ask: Callable[..., Any]) -> Callable[..., Any]:
        def answer(*given: Any) -> Any:
            found = ask(*given)
            if not is_asking[0]:
                is_asking[0] = True
                answers[question] += 1
                for name in JUDGING:
                    for factor in (0.5, 2.0):
                        with changed(validation, name, factor):
                            differing[name, factor, question] += ask(*given) != found
                is_asking[0] = False
            return found

        return answer

    for kind, questions in (
        (validation.ValidationScore, ("suffices", "is_worth_having", "beats")),
        (validation.ProblemScore, ("failure",)),
    ):
        for question in questions:
            member = vars(kind)[question]
            is_property = isinstance(member, property)
            ask = watched(question, member.fget if is_property else member)
            setattr(kind, question, property(ask) if is_property else ask)
    for name in families:
        (domain, problem), *_ = benchmark_family(name).files
        found = learn_problems([load(domain, problem)], settings=replace(TRAINING, limits=Limits(seconds=600)))
        _ = found.is_worth_having, found.unknown
        print(f"{name}: {found.automaton.size_words}", flush=True)
    print(", ".join(f"{question} {count}" for question, count in answers.items()))
    for name in JUDGING:
        row = {f: {q: differing[name, f, q] for q in answers if differing[name, f, q]} for f in (0.5, 2.0)}
        print(f"{name}  half: {row[0.5] or 'nothing'}  twice: {row[2.0] or 'nothing'}")


def made(name: str) -> str:
    """How many problems are made out of a family's, to learn from and to hold out, and the most objects."""
    (domain, problem), *_ = benchmark_family(name).files
    shrinker = shrinking.Shrinker([load(domain, problem)], stop=Limits().start())
    now = vars(loop)
    lessons = shrinker.make(now["LESSONS"], most=now["TAUGHT"], budget=now["WORK"])
    sizes = {"least": now["TAUGHT"] // 2, "most": now["SMALL"], "scale": 1.5}
    held_out = shrinker.make(now["HELD_OUT"], budget=now["WORK"], **sizes)
    most = [max((len(each.task.objects) for each in part), default=0) for part in (lessons, held_out)]
    return f"{len(lessons)}+{len(held_out)} ({most[0]}, {most[1]}; {shrinker.spent:,})"


def make(families: list[str]) -> None:
    """Print for each constant what is made."""
    print("as it is  ", "  ".join(f"{name} {made(name)}" for name in families), flush=True)
    for name, module in MAKING.items():
        for factor in (0.5, 2.0):
            with changed(module, name, factor):
                print(f"{name} x {factor}  ", "  ".join(made(family) for family in families), flush=True)


def small_problems(name: str) -> list[GroundTask]:
    """A few small problems of a domain of the literature, or of a family."""
    if name in literature_domains.DOMAINS:
        entry = literature_domains.DOMAINS[name]
        return [load(*literature_domains.problem(name, f"small{i}", entry)) for i in range(1, 6)]
    made = [generate(name, *theta) for theta in DRAWN[name]]
    return [load(each.domain, each.problem_text) for each in made]


def draw(names: list[str]) -> None:
    """Print what drawing costs under roles, and under rules."""
    print_head("<domain", "<roles", "<rules")
    for name in names:
        tasks = small_problems(name)
        *others, _ = sorted(tasks, key=lambda task: (len(task.objects), task.core.action_count))
        shown = []
        for kind in ("canonical", "concepts"):
            automaton = learn_problems(others, abstraction=kind).automaton
            walked = [HeldOutProblems([], [], TRAINING).walk(task, automaton) for task in tasks]
            costs = [each.drawn for each in walked if each is not None and each.drawn is not None]
            shown.append(", ".join("misses" if math.isinf(cost) else f"{cost:.1f}" for cost in costs))
        print_row(name, *shown)


def main() -> None:
    """All parts, or one."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("families", nargs="*")
    parser.add_argument("--part", choices=("judging", "making", "drawing"))
    asked = parser.parse_args()
    if asked.part in (None, "making"):
        make(asked.families or list(FAMILIES))
    if asked.part in (None, "judging"):
        judge(asked.families or list(FAMILIES))
    if asked.part in (None, "drawing"):
        draw(asked.families or ["transport", "satellite", "acrobatics", "visit-all", *DRAWN])


if __name__ == "__main__":
    main()

"""gpaplan next to scikit-decide, on tasks that both take: the same algorithm, the same heuristic, the same files.

    make test-elsewhere                                   # makes the environment that has both
    .venv-elsewhere/bin/python bench/scikit_decide.py
    .venv-elsewhere/bin/python bench/scikit_decide.py --storm

For each task, algorithm and heuristic it prints the expected cost that each of the two gives, the seconds of the
processor for reading the files and solving, each in a process of its own without its imports, and their ratio. Both
stop at a residual of 1e-6. gpaplan runs without symmetry and relevance here, which scikit-decide does not have; the
last columns are gpaplan with symmetry, as by default, and LM-cut, so that the answer is proven optimal. Costs are
those of the tasks' closed forms where there is one. A cell is empty where the limit of processor time came first, or
the process failed.

With ``--storm`` each task is a row: Storm on the model that gpaplan exports without symmetry (its reading and checking,
by optimistic value iteration to 1e-6), scikit-decide's solvers of SSPs with h-max, and ``solve --prove``. A cell has
the expected cost that a solver gives, and seconds.

The domain of scikit-decide is the faster of its two, ``PPDDLDomain``; ``--domain plado`` takes the other one.
"""

from __future__ import annotations

import json
import math
import resource
import tempfile
import time
from functools import partial
from importlib import import_module
from pathlib import Path
from typing import Any

from gpaplan import load, solve
from gpaplan.benchmarks import FAMILIES, generate
from measuring import apart, label, options, print_head, print_row

CASES: list[tuple[str, tuple[int, ...]]] = [
    ("gripper", (3,)),
    ("gripper", (5,)),
    ("gripper", (7,)),
    ("schedule", (1, 3)),
    ("schedule", (1, 5)),
    ("rover", (1, 3, 2, 1)),
    ("blocksworld", (4,)),
    ("triangle-tireworld", (2,)),
    ("cosanostra", (4,)),
    ("triangle-tireworld", (3,)),
]
ALGORITHMS = ("lrtdp", "ilao")
THEIRS = {"ilao": "ILAOstar", "lrtdp": "LRTDP", "ssipp": "SSiPP", "fret": "FRET", "idual": "IDual"}
"""The class of each of scikit-decide's solvers; the module of the first one has another name."""
ESTIMATES = ("blind", "hmax")
EPSILON = 1e-6


def measure_gpaplan(algorithm: str, heuristic: Any, domain: str, problem: str) -> dict[str, Any]:
    """The same algorithm and heuristic, without what scikit-decide does not have."""
    from gpaplan.solving.solvers import SOLVERS

    started = time.process_time()
    task = load(domain, problem, relevance=False)
    solution = solve(task, SOLVERS[algorithm](epsilon=EPSILON), heuristic=heuristic, symmetry="off")
    return {"seconds": time.process_time() - started, "cost": solution.value, "status": solution.status}


def measure_default(domain: str, problem: str) -> dict[str, Any]:
    """As a user has it, with an answer that is proven."""
    started = time.process_time()
    solution = solve(load(domain, problem), heuristic="lmcut")
    return {"seconds": time.process_time() - started, "cost": solution.value, "status": solution.status}


def measure_storm(domain: str, problem: str) -> dict[str, Any]:
    """Storm's part: reading the explicit model, and checking it."""
    import stormpy

    from gpaplan import StateSpace
    from gpaplan.spaces.export import explored, write_drn

    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "model.drn"
        path.write_text("".join(write_drn(explored(StateSpace(load(domain, problem))))), encoding="utf-8")
        started = time.process_time()
        model = stormpy.build_model_from_drn(str(path))
        environment = stormpy.Environment()
        minmax = environment.solver().min_max()
        minmax.method = stormpy.environments.MinMaxMethod.OPTIMISTIC_VALUE_ITERATION
        minmax.precision = stormpy.Rational("1/1000000")
        (asked,) = stormpy.parse_properties('Rmin=? [F "goal"]')
        cost = stormpy.model_checking(model, asked, environment=environment).get_value(model.initial_states[0])
        seconds = time.process_time() - started
    return {"seconds": seconds, "cost": float(cost), "states": model.nr_states}


def measure_proven(domain: str, problem: str) -> dict[str, Any]:
    """``solve --prove``, in one thread."""
    started = time.process_time()
    solution = solve(load(domain, problem), prove=True, threads=1)
    assert solution.guarantee == "optimal"
    return {"seconds": time.process_time() - started, "cost": solution.value}


def measure_scikit_decide(kind: str, algorithm: str, heuristic: Any, domain: str, problem: str) -> dict[str, Any]:
    from skdecide import Value
    from skdecide.hub.domain.pddl import HMax, PPDDLDomain
    from skdecide.hub.domain.plado import PladoPPddlDomain

    module = import_module(f"skdecide.hub.solver.{'ilaostar' if algorithm == 'ilao' else algorithm}")
    started = time.process_time()
    task = (PladoPPddlDomain if kind == "plado" else PPDDLDomain)(domain, problem)
    arguments: dict[str, Any] = {} if algorithm == "idual" else {"epsilon": EPSILON}
    if heuristic == "hmax":
        estimate = HMax(task.task)
        arguments["heuristic"] = lambda _, state: Value(cost=_cost(estimate(state.to_cpp())))
    solver = getattr(module, THEIRS[algorithm])(lambda: task, **arguments)
    solver.solve()
    seconds = time.process_time() - started
    return {"seconds": seconds, "cost": solver.get_utility(task.reset()).cost}


def _cost(estimate: Any) -> float:
    return float(getattr(estimate, "cost", estimate))


def measured(*arguments: str) -> dict[str, Any]:
    tool, *rest = arguments
    ours: dict[str, Any] = {
        "gpaplan": measure_gpaplan,
        "default": measure_default,
        "storm": measure_storm,
        "proven": measure_proven,
    }
    measure = ours.get(tool) or partial(measure_scikit_decide, tool)
    return dict(measure(*rest))


def shown(record: dict[str, Any] | None) -> tuple[str, str]:
    if record is None:
        return "", ""
    cost = record["cost"]
    return ("infinite" if cost is None or math.isinf(cost) else f"{cost:.5g}"), f"{record['seconds']:.3f}"


def compare(cases: list[tuple[str, tuple[int, ...]]], domain: str, seconds: int, with_storm: bool) -> None:
    def limit() -> None:
        resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds))

    if with_storm:
        print_head("<task", "states", "Storm", *(f"scikit-decide, {each}" for each in THEIRS.values()), "gpaplan")
    else:
        print_head(
            *("<task", "<algorithm", "<heuristic", "known cost", "scikit-decide cost", "s", "gpaplan cost", "s"),
            *("times faster", "with symmetry and LM-cut: cost", "s"),
        )
    with tempfile.TemporaryDirectory() as folder:
        for name, theta in cases:
            generate(name, *theta).write(folder)
            files = [
                str(Path(folder) / "domain.ppddl"),
                str(Path(folder) / f"{'-'.join(map(str, (name, *theta)))}.ppddl"),
            ]
            if with_storm:
                storm, proven = (apart(tool, *files, prepare=limit) for tool in ("storm", "proven"))
                others = [apart(domain, each, "hmax", *files, prepare=limit) for each in THEIRS]
                states = "" if storm is None else f"{storm['states']:,}"
                cells = (": ".join(shown(each)).strip(": ") for each in (storm, *others, proven))
                print_row(label(name, theta), states, *cells)
                continue
            default = apart("default", *files, prepare=limit)
            optimum = FAMILIES[name].optimal_cost(*theta)
            known = "" if optimum is None else f"{optimum:.5g}"
            for algorithm in ALGORITHMS:
                for heuristic in ESTIMATES if domain != "plado" else ("blind",):
                    theirs = apart(domain, algorithm, heuristic, *files, prepare=limit)
                    ours = apart("gpaplan", algorithm, heuristic, *files, prepare=limit)
                    ratio = f"{theirs['seconds'] / ours['seconds']:.0f}" if theirs and ours else ""
                    row = (label(name, theta), algorithm, heuristic, known)
                    print_row(*row, *shown(theirs), *shown(ours), ratio, *shown(default))


def main() -> None:
    parser = options(__doc__)
    parser.add_argument("--domain", choices=("pddl", "plado"), default="pddl")
    parser.add_argument("--storm", action="store_true", help="a row for each task, with Storm")
    parser.add_argument("--case", action="append", default=[], help="such as 'gripper 3'; more than one may be given")
    parser.add_argument("--time-limit", type=int, default=60, help="processor seconds for one measurement")
    arguments = parser.parse_args()
    if arguments.measure:
        print(json.dumps(measured(*arguments.measure)))
        return
    asked = [each.split() for each in arguments.case]
    cases = [(name, tuple(map(int, theta))) for name, *theta in asked] or CASES
    compare(cases, arguments.domain, arguments.time_limit, arguments.storm)


if __name__ == "__main__":
    main()

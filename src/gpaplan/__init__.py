"""gpaplan: learn generalized policy automata from small stochastic planning problems, and solve far larger ones.

from gpaplan import parse_domain, parse_problem, ground, solve

domain = parse_domain("domain.ppddl")
problem = parse_problem("problem.ppddl", domain)
solution = solve(ground(domain, problem))
print(solution.status, solution.value)
"""

import importlib
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from gpaplan.abstraction import AbstractAction, Abstraction, AbstractState, CanonicalAbstraction, Role
    from gpaplan.automaton import PolicyAutomaton
    from gpaplan.constrained import ConstrainedStateSpace
    from gpaplan.errors import (
        CostError,
        DataError,
        Diagnostic,
        GpaplanError,
        InputError,
        LimitError,
        MismatchError,
        TooLargeError,
        UnsupportedError,
        UsageError,
    )
    from gpaplan.evaluation import Evaluation, Simulation, Verification, evaluate, simulate, verify
    from gpaplan.grounding import ground
    from gpaplan.growing import (
        Budget,
        Growth,
        Instance,
        Solving,
        grow,
        instances_of_files,
        instances_of_generator,
        prune,
        validate,
    )
    from gpaplan.heuristics import Heuristic
    from gpaplan.learning import learn
    from gpaplan.limits import Limits
    from gpaplan.policy import Policy
    from gpaplan.ppddl import parse_domain, parse_problem, parse_task
    from gpaplan.ppddl.syntax import Domain, Effect, Formula, Predicate, Problem, Schema
    from gpaplan.solution import Solution, solve
    from gpaplan.solvers import LRTDP, ImprovedLAOStar, LAOStar, SoftFLARES, Solver, ValueIteration
    from gpaplan.state_space import Exploration, Outcome, StateSpace, Transition
    from gpaplan.symmetry import Symmetry, find_symmetry
    from gpaplan.task import GroundAction, GroundAtom, GroundTask

__version__ = "0.1.0"

# Names are loaded when they are first asked for: a command pays only for what it uses.
_MODULES = {
    "LRTDP": "gpaplan.solvers",
    "AbstractAction": "gpaplan.abstraction",
    "AbstractState": "gpaplan.abstraction",
    "Abstraction": "gpaplan.abstraction",
    "Budget": "gpaplan.growing",
    "CanonicalAbstraction": "gpaplan.abstraction",
    "ConstrainedStateSpace": "gpaplan.constrained",
    "CostError": "gpaplan.errors",
    "DataError": "gpaplan.errors",
    "Diagnostic": "gpaplan.errors",
    "Domain": "gpaplan.ppddl.syntax",
    "Effect": "gpaplan.ppddl.syntax",
    "Evaluation": "gpaplan.evaluation",
    "Exploration": "gpaplan.state_space",
    "Formula": "gpaplan.ppddl.syntax",
    "GpaplanError": "gpaplan.errors",
    "GroundAction": "gpaplan.task",
    "GroundAtom": "gpaplan.task",
    "GroundTask": "gpaplan.task",
    "Growth": "gpaplan.growing",
    "Heuristic": "gpaplan.heuristics",
    "ImprovedLAOStar": "gpaplan.solvers",
    "InputError": "gpaplan.errors",
    "Instance": "gpaplan.growing",
    "LAOStar": "gpaplan.solvers",
    "LimitError": "gpaplan.errors",
    "Limits": "gpaplan.limits",
    "MismatchError": "gpaplan.errors",
    "Outcome": "gpaplan.state_space",
    "Policy": "gpaplan.policy",
    "PolicyAutomaton": "gpaplan.automaton",
    "Predicate": "gpaplan.ppddl.syntax",
    "Problem": "gpaplan.ppddl.syntax",
    "Role": "gpaplan.abstraction",
    "Schema": "gpaplan.ppddl.syntax",
    "Simulation": "gpaplan.evaluation",
    "SoftFLARES": "gpaplan.solvers",
    "Solution": "gpaplan.solution",
    "Solver": "gpaplan.solvers",
    "Solving": "gpaplan.growing",
    "StateSpace": "gpaplan.state_space",
    "Symmetry": "gpaplan.symmetry",
    "TooLargeError": "gpaplan.errors",
    "Transition": "gpaplan.state_space",
    "UnsupportedError": "gpaplan.errors",
    "UsageError": "gpaplan.errors",
    "ValueIteration": "gpaplan.solvers",
    "Verification": "gpaplan.evaluation",
    "evaluate": "gpaplan.evaluation",
    "find_symmetry": "gpaplan.symmetry",
    "ground": "gpaplan.grounding",
    "grow": "gpaplan.growing",
    "instances_of_files": "gpaplan.growing",
    "instances_of_generator": "gpaplan.growing",
    "learn": "gpaplan.learning",
    "parse_domain": "gpaplan.ppddl",
    "parse_problem": "gpaplan.ppddl",
    "parse_task": "gpaplan.ppddl",
    "prune": "gpaplan.growing",
    "simulate": "gpaplan.evaluation",
    "solve": "gpaplan.solution",
    "validate": "gpaplan.growing",
    "verify": "gpaplan.evaluation",
}

__all__ = [
    "LRTDP",
    "AbstractAction",
    "AbstractState",
    "Abstraction",
    "Budget",
    "CanonicalAbstraction",
    "ConstrainedStateSpace",
    "CostError",
    "DataError",
    "Diagnostic",
    "Domain",
    "Effect",
    "Evaluation",
    "Exploration",
    "Formula",
    "GpaplanError",
    "GroundAction",
    "GroundAtom",
    "GroundTask",
    "Growth",
    "Heuristic",
    "ImprovedLAOStar",
    "InputError",
    "Instance",
    "LAOStar",
    "LimitError",
    "Limits",
    "MismatchError",
    "Outcome",
    "Policy",
    "PolicyAutomaton",
    "Predicate",
    "Problem",
    "Role",
    "Schema",
    "Simulation",
    "SoftFLARES",
    "Solution",
    "Solver",
    "Solving",
    "StateSpace",
    "Symmetry",
    "TooLargeError",
    "Transition",
    "UnsupportedError",
    "UsageError",
    "ValueIteration",
    "Verification",
    "evaluate",
    "find_symmetry",
    "ground",
    "grow",
    "instances_of_files",
    "instances_of_generator",
    "learn",
    "parse_domain",
    "parse_problem",
    "parse_task",
    "prune",
    "simulate",
    "solve",
    "validate",
    "verify",
]


def __getattr__(name: str) -> object:
    if name not in _MODULES:
        raise AttributeError(f"module 'gpaplan' has no attribute '{name}'")
    value: object = getattr(importlib.import_module(_MODULES[name]), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted([*globals(), *__all__])

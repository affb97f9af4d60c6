"""gpaplan: learn generalized policy automata from small stochastic planning problems, and solve far larger ones.

from gpaplan import parse_domain, parse_problem, ground, solve

domain = parse_domain("domain.ppddl")
problem = parse_problem("problem.ppddl", domain)
solution = solve(ground(domain, problem))
print(solution.status, solution.value)
"""

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
from gpaplan.evaluation import Evaluation, Simulation, evaluate, simulate
from gpaplan.grounding import ground
from gpaplan.heuristics import Heuristic
from gpaplan.learning import learn
from gpaplan.limits import Limits
from gpaplan.policy import Policy
from gpaplan.ppddl import parse_domain, parse_problem, parse_task
from gpaplan.ppddl.syntax import Domain, Effect, Formula, Predicate, Problem, Schema
from gpaplan.solution import Solution, solve
from gpaplan.solvers import LRTDP, ImprovedLAOStar, LAOStar, SoftFLARES, Solver, ValueIteration
from gpaplan.state_space import Exploration, Outcome, StateSpace, Transition
from gpaplan.task import GroundAction, GroundAtom, GroundTask

__version__ = "0.1.0"

__all__ = [
    "LRTDP",
    "AbstractAction",
    "AbstractState",
    "Abstraction",
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
    "Heuristic",
    "ImprovedLAOStar",
    "InputError",
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
    "StateSpace",
    "TooLargeError",
    "Transition",
    "UnsupportedError",
    "UsageError",
    "ValueIteration",
    "evaluate",
    "ground",
    "learn",
    "parse_domain",
    "parse_problem",
    "parse_task",
    "simulate",
    "solve",
]

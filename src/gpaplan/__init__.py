"""gpaplan: learn generalized policy automata from small stochastic planning problems, and solve far larger ones.

from gpaplan import parse_domain, parse_problem, ground, StateSpace

domain = parse_domain("domain.ppddl")
problem = parse_problem("problem.ppddl", domain)
task = ground(domain, problem)
space = StateSpace(task)
print(space.explore())
"""

from gpaplan.errors import (
    CostError,
    DataError,
    Diagnostic,
    GpaplanError,
    InputError,
    LimitError,
    TooLargeError,
    UnsupportedError,
    UsageError,
)
from gpaplan.evaluation import Evaluation, Simulation, evaluate, simulate
from gpaplan.grounding import ground
from gpaplan.limits import Limits
from gpaplan.policy import Policy
from gpaplan.ppddl import parse_domain, parse_problem, parse_task
from gpaplan.ppddl.syntax import Domain, Effect, Formula, Predicate, Problem, Schema
from gpaplan.state_space import Exploration, Outcome, StateSpace, Transition
from gpaplan.task import GroundAction, GroundAtom, GroundTask

__version__ = "0.1.0"

__all__ = [
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
    "InputError",
    "LimitError",
    "Limits",
    "Outcome",
    "Policy",
    "Predicate",
    "Problem",
    "Schema",
    "Simulation",
    "StateSpace",
    "TooLargeError",
    "Transition",
    "UnsupportedError",
    "UsageError",
    "evaluate",
    "ground",
    "parse_domain",
    "parse_problem",
    "parse_task",
    "simulate",
]

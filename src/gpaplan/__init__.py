"""gpaplan: learn generalized policy automata from small stochastic planning problems, and solve far larger ones.

from gpaplan import parse_domain, parse_problem, ground, solve

domain = parse_domain("domain.ppddl")
problem = parse_problem("problem.ppddl", domain)
solution = solve(ground(domain, problem))
print(solution.status, solution.value)
"""

import importlib
from typing import TYPE_CHECKING

from gpaplan.version import __version__ as __version__

if TYPE_CHECKING:
    from gpaplan.automata.abstraction import AbstractAction as AbstractAction
    from gpaplan.automata.abstraction import Abstraction as Abstraction
    from gpaplan.automata.abstraction import AbstractState as AbstractState
    from gpaplan.automata.abstraction import Role as Role
    from gpaplan.automata.automaton import PolicyAutomaton as PolicyAutomaton
    from gpaplan.automata.canonical import CanonicalAbstraction as CanonicalAbstraction
    from gpaplan.automata.constrained import ConstrainedStateSpace as ConstrainedStateSpace
    from gpaplan.errors import CostError as CostError
    from gpaplan.errors import DataError as DataError
    from gpaplan.errors import Diagnostic as Diagnostic
    from gpaplan.errors import GpaplanError as GpaplanError
    from gpaplan.errors import InputError as InputError
    from gpaplan.errors import LimitError as LimitError
    from gpaplan.errors import MismatchError as MismatchError
    from gpaplan.errors import TooLargeError as TooLargeError
    from gpaplan.errors import UnsupportedError as UnsupportedError
    from gpaplan.errors import UsageError as UsageError
    from gpaplan.learning.growth import Growth as Growth
    from gpaplan.learning.growth import grow as grow
    from gpaplan.learning.instances import Instance as Instance
    from gpaplan.learning.instances import instances_of_files as instances_of_files
    from gpaplan.learning.instances import instances_of_generator as instances_of_generator
    from gpaplan.learning.learn import learn as learn
    from gpaplan.learning.pruning import prune as prune
    from gpaplan.learning.solving import Budget as Budget
    from gpaplan.learning.solving import Solving as Solving
    from gpaplan.learning.validation import validate as validate
    from gpaplan.limits import Limits as Limits
    from gpaplan.policies.evaluation import Evaluation as Evaluation
    from gpaplan.policies.evaluation import Simulation as Simulation
    from gpaplan.policies.evaluation import Verification as Verification
    from gpaplan.policies.evaluation import evaluate as evaluate
    from gpaplan.policies.evaluation import simulate as simulate
    from gpaplan.policies.evaluation import verify as verify
    from gpaplan.policies.policy import Policy as Policy
    from gpaplan.ppddl import parse_domain as parse_domain
    from gpaplan.ppddl import parse_problem as parse_problem
    from gpaplan.ppddl import parse_task as parse_task
    from gpaplan.ppddl.syntax import Domain as Domain
    from gpaplan.ppddl.syntax import Effect as Effect
    from gpaplan.ppddl.syntax import Formula as Formula
    from gpaplan.ppddl.syntax import Predicate as Predicate
    from gpaplan.ppddl.syntax import Problem as Problem
    from gpaplan.ppddl.syntax import Schema as Schema
    from gpaplan.solving.heuristics import Heuristic as Heuristic
    from gpaplan.solving.settings import RunSettings as RunSettings
    from gpaplan.solving.solution import Solution as Solution
    from gpaplan.solving.solution import solve as solve
    from gpaplan.solving.solvers import LRTDP as LRTDP
    from gpaplan.solving.solvers import ImprovedLAOStar as ImprovedLAOStar
    from gpaplan.solving.solvers import LAOStar as LAOStar
    from gpaplan.solving.solvers import SoftFLARES as SoftFLARES
    from gpaplan.solving.solvers import Solver as Solver
    from gpaplan.solving.solvers import ValueIteration as ValueIteration
    from gpaplan.spaces.settings import SpaceSettings as SpaceSettings
    from gpaplan.spaces.state_space import Exploration as Exploration
    from gpaplan.spaces.state_space import Outcome as Outcome
    from gpaplan.spaces.state_space import StateSpace as StateSpace
    from gpaplan.spaces.state_space import Transition as Transition
    from gpaplan.spaces.symmetry import Symmetry as Symmetry
    from gpaplan.spaces.symmetry import find_symmetry as find_symmetry
    from gpaplan.statuses import Guarantee as Guarantee
    from gpaplan.statuses import Status as Status
    from gpaplan.tasks.grounding import ground as ground
    from gpaplan.tasks.task import GroundAction as GroundAction
    from gpaplan.tasks.task import GroundAtom as GroundAtom
    from gpaplan.tasks.task import GroundTask as GroundTask

# Names are loaded when they are first asked for: a command pays only for what it uses.
_NAMES = {
    "automata.abstraction": "AbstractAction Abstraction AbstractState Role",
    "automata.canonical": "CanonicalAbstraction",
    "automata.automaton": "PolicyAutomaton",
    "automata.constrained": "ConstrainedStateSpace",
    "errors": "CostError DataError Diagnostic GpaplanError InputError LimitError MismatchError TooLargeError "
    "UnsupportedError UsageError",
    "learning.growth": "Growth grow",
    "learning.instances": "Instance instances_of_files instances_of_generator",
    "learning.learn": "learn",
    "learning.pruning": "prune",
    "learning.solving": "Budget Solving",
    "learning.validation": "validate",
    "limits": "Limits",
    "policies.evaluation": "Evaluation Simulation Verification evaluate simulate verify",
    "policies.policy": "Policy",
    "ppddl": "parse_domain parse_problem parse_task",
    "ppddl.syntax": "Domain Effect Formula Predicate Problem Schema",
    "solving.heuristics": "Heuristic",
    "solving.settings": "RunSettings",
    "solving.solution": "Solution solve",
    "solving.solvers": "LRTDP ImprovedLAOStar LAOStar SoftFLARES Solver ValueIteration",
    "spaces.settings": "SpaceSettings",
    "spaces.state_space": "Exploration Outcome StateSpace Transition",
    "spaces.symmetry": "Symmetry find_symmetry",
    "statuses": "Guarantee Status",
    "tasks.grounding": "ground",
    "tasks.task": "GroundAction GroundAtom GroundTask",
}
_MODULE_OF = {name: module for module, names in _NAMES.items() for name in names.split()}

__all__ = sorted(_MODULE_OF)


def __getattr__(name: str) -> object:
    if name not in _MODULE_OF:
        raise AttributeError(f"module 'gpaplan' has no attribute '{name}'")
    value: object = getattr(importlib.import_module(f"gpaplan.{_MODULE_OF[name]}"), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted({*__all__, *(name for name in globals() if name.startswith("__"))})

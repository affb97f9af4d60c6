"""gpaplan: learn generalized policy automata from small stochastic planning problems, and solve far larger ones.

from gpaplan import load, solve

task = load("domain.ppddl", "problem.ppddl")
solution = solve(task)
print(solution.status, solution.value)

Arguments come in one order everywhere: the domain before the problem, the task (or the instances) before what is done
with it (a solver, a policy, an automaton), and then the settings, by keyword only.
"""

import importlib

from gpaplan.version import __version__ as __version__

TYPE_CHECKING = False  # as in `typing`, which takes long to import
if TYPE_CHECKING:
    from gpaplan.acting.actor import Actor as Actor, Decision as Decision
    from gpaplan.automata.automaton import PolicyAutomaton as PolicyAutomaton
    from gpaplan.automata.canonical import CanonicalAbstraction as CanonicalAbstraction
    from gpaplan.automata.filters import ConstrainedStateSpace as ConstrainedStateSpace
    from gpaplan.automata.rules import RuleFilter as RuleFilter
    from gpaplan.briefing import run as run
    from gpaplan.errors import (
        CostError as CostError,
        DataError as DataError,
        GpaplanError as GpaplanError,
        InputError as InputError,
        LimitError as LimitError,
        MismatchError as MismatchError,
        TooLargeError as TooLargeError,
        UncoveredStateError as UncoveredStateError,
        UnsupportedError as UnsupportedError,
        UsageError as UsageError,
    )
    from gpaplan.learning.growth import grow as grow, validate as validate
    from gpaplan.learning.instances import (
        Instance as Instance,
        instances_of_files as instances_of_files,
        instances_of_generator as instances_of_generator,
    )
    from gpaplan.learning.loop import learn as learn
    from gpaplan.learning.pruning import prune as prune
    from gpaplan.learning.rules.learner import learn_rules as learn_rules
    from gpaplan.learning.solving import Solving as Solving
    from gpaplan.learning.teaching import Teacher as Teacher, solve as solve
    from gpaplan.limits import Limits as Limits
    from gpaplan.policies.evaluation import Evaluation as Evaluation, evaluate as evaluate, verify as verify
    from gpaplan.policies.policy import Policy as Policy
    from gpaplan.ppddl import parse_domain as parse_domain, parse_problem as parse_problem, parse_task as parse_task
    from gpaplan.solving.heuristics import PatternDatabases as PatternDatabases
    from gpaplan.solving.settings import RunSettings as RunSettings
    from gpaplan.solving.solution import Solution as Solution
    from gpaplan.solving.solvers import (
        LRTDP as LRTDP,
        ImprovedLAOStar as ImprovedLAOStar,
        LAOStar as LAOStar,
        SoftFLARES as SoftFLARES,
        SSiPP as SSiPP,
        ValueIteration as ValueIteration,
    )
    from gpaplan.spaces.dead_ends import find_dead_ends as find_dead_ends
    from gpaplan.spaces.state_space import (
        SpaceSettings as SpaceSettings,
        StateSpace as StateSpace,
        find_symmetry as find_symmetry,
    )
    from gpaplan.statuses import Status as Status
    from gpaplan.tasks.grounding import ground as ground, load as load
    from gpaplan.tasks.task import GroundAction as GroundAction, GroundAtom as GroundAtom, GroundTask as GroundTask
    from gpaplan.tasks.variables import find_variables as find_variables
    from gpaplan.traces.trace import Trace as Trace
    from gpaplan.traces.trials import Simulation as Simulation, record_trials as record_trials, simulate as simulate

# Names are loaded when they are first asked for: a command pays only for what it uses.
_NAMES = {
    "acting.actor": "Actor Decision",
    "automata.automaton": "PolicyAutomaton",
    "automata.canonical": "CanonicalAbstraction",
    "automata.filters": "ConstrainedStateSpace",
    "automata.rules": "RuleFilter",
    "briefing": "run",
    "errors": "CostError DataError GpaplanError InputError LimitError MismatchError "
    "TooLargeError UncoveredStateError UnsupportedError UsageError",
    "learning.growth": "grow validate",
    "learning.instances": "Instance instances_of_files instances_of_generator",
    "learning.loop": "learn",
    "learning.pruning": "prune",
    "learning.rules.learner": "learn_rules",
    "learning.solving": "Solving",
    "learning.teaching": "Teacher solve",
    "limits": "Limits",
    "policies.evaluation": "Evaluation evaluate verify",
    "policies.policy": "Policy",
    "ppddl": "parse_domain parse_problem parse_task",
    "solving.heuristics": "PatternDatabases",
    "solving.settings": "RunSettings",
    "solving.solution": "Solution",
    "solving.solvers": "LRTDP ImprovedLAOStar LAOStar SoftFLARES SSiPP ValueIteration",
    "spaces.dead_ends": "find_dead_ends",
    "spaces.state_space": "SpaceSettings StateSpace find_symmetry",
    "statuses": "Status",
    "tasks.grounding": "ground load",
    "tasks.task": "GroundAction GroundAtom GroundTask",
    "tasks.variables": "find_variables",
    "traces.trace": "Trace",
    "traces.trials": "Simulation record_trials simulate",
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

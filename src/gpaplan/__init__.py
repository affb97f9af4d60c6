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
    from gpaplan._core import Search as Search
    from gpaplan._core import Stop as Stop
    from gpaplan.acting.actor import Actor as Actor
    from gpaplan.acting.actor import Decision as Decision
    from gpaplan.acting.actor import DecisionSource as DecisionSource
    from gpaplan.acting.trials import ActingSimulation as ActingSimulation
    from gpaplan.acting.trials import simulate_acting as simulate_acting
    from gpaplan.acting.view import ActingSettings as ActingSettings
    from gpaplan.automata.abstraction import AbstractAction as AbstractAction
    from gpaplan.automata.abstraction import Abstraction as Abstraction
    from gpaplan.automata.abstraction import AbstractState as AbstractState
    from gpaplan.automata.abstraction import ActionFilter as ActionFilter
    from gpaplan.automata.abstraction import ActionLabel as ActionLabel
    from gpaplan.automata.abstraction import Fact as Fact
    from gpaplan.automata.abstraction import Role as Role
    from gpaplan.automata.abstraction import StateLabel as StateLabel
    from gpaplan.automata.abstraction import Vocabulary as Vocabulary
    from gpaplan.automata.automaton import AnyAutomaton as AnyAutomaton
    from gpaplan.automata.automaton import Edge as Edge
    from gpaplan.automata.automaton import PolicyAutomaton as PolicyAutomaton
    from gpaplan.automata.automaton import Relevance as Relevance
    from gpaplan.automata.automaton import TrainingExample as TrainingExample
    from gpaplan.automata.canonical import AnyAbstraction as AnyAbstraction
    from gpaplan.automata.canonical import CanonicalAbstraction as CanonicalAbstraction
    from gpaplan.automata.canonical import Counts as Counts
    from gpaplan.automata.canonical import Extents as Extents
    from gpaplan.automata.constrained import ConstrainedStateSpace as ConstrainedStateSpace
    from gpaplan.automata.constrained import Explanation as Explanation
    from gpaplan.automata.constrained import PrunedAction as PrunedAction
    from gpaplan.automata.constrained import Verdict as Verdict
    from gpaplan.automata.matching import Match as Match
    from gpaplan.automata.matching import Way as Way
    from gpaplan.automata.rules import AnyRules as AnyRules
    from gpaplan.automata.rules import Concepts as Concepts
    from gpaplan.automata.rules import rule_automaton as rule_automaton
    from gpaplan.concepts.rules import Rule as Rule
    from gpaplan.concepts.rules import RuleList as RuleList
    from gpaplan.errors import CostError as CostError
    from gpaplan.errors import DataError as DataError
    from gpaplan.errors import Diagnostic as Diagnostic
    from gpaplan.errors import GoalReachedError as GoalReachedError
    from gpaplan.errors import GpaplanError as GpaplanError
    from gpaplan.errors import InputError as InputError
    from gpaplan.errors import LimitError as LimitError
    from gpaplan.errors import MismatchError as MismatchError
    from gpaplan.errors import NoActionError as NoActionError
    from gpaplan.errors import OutOfRangeError as OutOfRangeError
    from gpaplan.errors import StopReason as StopReason
    from gpaplan.errors import TooLargeError as TooLargeError
    from gpaplan.errors import UncoveredStateError as UncoveredStateError
    from gpaplan.errors import UnsupportedError as UnsupportedError
    from gpaplan.errors import UsageError as UsageError
    from gpaplan.learning.counterexamples import Counterexample as Counterexample
    from gpaplan.learning.counterexamples import Difference as Difference
    from gpaplan.learning.edges import Ties as Ties
    from gpaplan.learning.examples import Examples as Examples
    from gpaplan.learning.growth import Growth as Growth
    from gpaplan.learning.growth import Step as Step
    from gpaplan.learning.growth import grow as grow
    from gpaplan.learning.instances import Instance as Instance
    from gpaplan.learning.instances import instances_of_files as instances_of_files
    from gpaplan.learning.instances import instances_of_generator as instances_of_generator
    from gpaplan.learning.learn import AnyProblem as AnyProblem
    from gpaplan.learning.learn import learn as learn
    from gpaplan.learning.pruning import Checked as Checked
    from gpaplan.learning.pruning import Keep as Keep
    from gpaplan.learning.pruning import Pruning as Pruning
    from gpaplan.learning.pruning import prune as prune
    from gpaplan.learning.rules.automaton import automaton_of_rules as automaton_of_rules
    from gpaplan.learning.rules.closure import Closure as Closure
    from gpaplan.learning.rules.judging import Trials as Trials
    from gpaplan.learning.rules.learner import RuleEffort as RuleEffort
    from gpaplan.learning.rules.learner import learn_rules as learn_rules
    from gpaplan.learning.rules.outcome import RuleLearning as RuleLearning
    from gpaplan.learning.rules.outcome import TrainingProblem as TrainingProblem
    from gpaplan.learning.solving import Budget as Budget
    from gpaplan.learning.solving import Solving as Solving
    from gpaplan.learning.validation import Validation as Validation
    from gpaplan.learning.validation import validate as validate
    from gpaplan.limits import AnyLimits as AnyLimits
    from gpaplan.limits import Limits as Limits
    from gpaplan.policies.evaluation import Evaluation as Evaluation
    from gpaplan.policies.evaluation import Simulation as Simulation
    from gpaplan.policies.evaluation import TrialResult as TrialResult
    from gpaplan.policies.evaluation import Verification as Verification
    from gpaplan.policies.evaluation import evaluate as evaluate
    from gpaplan.policies.evaluation import simulate as simulate
    from gpaplan.policies.evaluation import verify as verify
    from gpaplan.policies.explanation import ActionValue as ActionValue
    from gpaplan.policies.explanation import OutcomeWords as OutcomeWords
    from gpaplan.policies.explanation import PolicyExplanation as PolicyExplanation
    from gpaplan.policies.policy import Decisions as Decisions
    from gpaplan.policies.policy import Policy as Policy
    from gpaplan.policies.policy import State as State
    from gpaplan.ppddl import ParsedTask as ParsedTask
    from gpaplan.ppddl import Source as Source
    from gpaplan.ppddl import WarningHandler as WarningHandler
    from gpaplan.ppddl import parse_domain as parse_domain
    from gpaplan.ppddl import parse_problem as parse_problem
    from gpaplan.ppddl import parse_task as parse_task
    from gpaplan.ppddl.syntax import Domain as Domain
    from gpaplan.ppddl.syntax import Effect as Effect
    from gpaplan.ppddl.syntax import Formula as Formula
    from gpaplan.ppddl.syntax import Predicate as Predicate
    from gpaplan.ppddl.syntax import Problem as Problem
    from gpaplan.ppddl.syntax import Schema as Schema
    from gpaplan.solving.heuristics import AnyHeuristic as AnyHeuristic
    from gpaplan.solving.heuristics import Heuristic as Heuristic
    from gpaplan.solving.heuristics import PatternCombination as PatternCombination
    from gpaplan.solving.heuristics import PatternDatabases as PatternDatabases
    from gpaplan.solving.reasons import Reason as Reason
    from gpaplan.solving.reasons import ReasonKind as ReasonKind
    from gpaplan.solving.run import Progress as Progress
    from gpaplan.solving.run import solve as solve
    from gpaplan.solving.run import solve_with as solve_with
    from gpaplan.solving.settings import Fallback as Fallback
    from gpaplan.solving.settings import RunSettings as RunSettings
    from gpaplan.solving.solution import Matching as Matching
    from gpaplan.solving.solution import Solution as Solution
    from gpaplan.solving.solvers import LRTDP as LRTDP
    from gpaplan.solving.solvers import AnySolver as AnySolver
    from gpaplan.solving.solvers import ImprovedLAOStar as ImprovedLAOStar
    from gpaplan.solving.solvers import LAOStar as LAOStar
    from gpaplan.solving.solvers import SoftFLARES as SoftFLARES
    from gpaplan.solving.solvers import Solver as Solver
    from gpaplan.solving.solvers import SSiPP as SSiPP
    from gpaplan.solving.solvers import ValueIteration as ValueIteration
    from gpaplan.source import SourceText as SourceText
    from gpaplan.source import Span as Span
    from gpaplan.spaces.dead_ends import DeadEnds as DeadEnds
    from gpaplan.spaces.dead_ends import find_dead_ends as find_dead_ends
    from gpaplan.spaces.settings import SpaceSettings as SpaceSettings
    from gpaplan.spaces.state_space import Exploration as Exploration
    from gpaplan.spaces.state_space import Outcome as Outcome
    from gpaplan.spaces.state_space import StateSpace as StateSpace
    from gpaplan.spaces.state_space import Transition as Transition
    from gpaplan.spaces.symmetry import AnySymmetry as AnySymmetry
    from gpaplan.spaces.symmetry import Renaming as Renaming
    from gpaplan.spaces.symmetry import Symmetry as Symmetry
    from gpaplan.spaces.symmetry import SymmetryMode as SymmetryMode
    from gpaplan.spaces.symmetry import find_symmetry as find_symmetry
    from gpaplan.statuses import Guarantee as Guarantee
    from gpaplan.statuses import Status as Status
    from gpaplan.tasks.costs import CostMode as CostMode
    from gpaplan.tasks.costs import Costs as Costs
    from gpaplan.tasks.costs import TaskCost as TaskCost
    from gpaplan.tasks.goal_parts import GoalPart as GoalPart
    from gpaplan.tasks.goal_parts import goal_parts as goal_parts
    from gpaplan.tasks.grounding import Pair as Pair
    from gpaplan.tasks.grounding import ground as ground
    from gpaplan.tasks.grounding import load as load
    from gpaplan.tasks.task import AnyAction as AnyAction
    from gpaplan.tasks.task import AnyAtom as AnyAtom
    from gpaplan.tasks.task import GroundAction as GroundAction
    from gpaplan.tasks.task import GroundAtom as GroundAtom
    from gpaplan.tasks.task import GroundTask as GroundTask
    from gpaplan.tasks.variables import Variable as Variable
    from gpaplan.tasks.variables import find_variables as find_variables
    from gpaplan.traces.recording import record_trials as record_trials
    from gpaplan.traces.trace import Trace as Trace
    from gpaplan.traces.trace import Trial as Trial
    from gpaplan.traces.trace import TrialEnd as TrialEnd
    from gpaplan.traces.trace import TrialStep as TrialStep

# Names are loaded when they are first asked for: a command pays only for what it uses.
_NAMES = {
    "_core": "Search Stop",
    "acting.actor": "Actor Decision DecisionSource",
    "acting.trials": "ActingSimulation simulate_acting",
    "acting.view": "ActingSettings",
    "automata.abstraction": "AbstractAction Abstraction AbstractState ActionFilter ActionLabel Fact Role StateLabel "
    "Vocabulary",
    "automata.automaton": "AnyAutomaton Edge PolicyAutomaton Relevance TrainingExample",
    "automata.canonical": "AnyAbstraction CanonicalAbstraction Counts Extents",
    "automata.constrained": "ConstrainedStateSpace Explanation PrunedAction Verdict",
    "automata.matching": "Match Way",
    "automata.rules": "AnyRules Concepts rule_automaton",
    "concepts.rules": "Rule RuleList",
    "errors": "CostError DataError Diagnostic GoalReachedError GpaplanError InputError LimitError MismatchError "
    "NoActionError OutOfRangeError StopReason TooLargeError UncoveredStateError UnsupportedError UsageError",
    "learning.counterexamples": "Counterexample Difference",
    "learning.edges": "Ties",
    "learning.examples": "Examples",
    "learning.growth": "Growth Step grow",
    "learning.instances": "Instance instances_of_files instances_of_generator",
    "learning.learn": "AnyProblem learn",
    "learning.pruning": "Checked Keep Pruning prune",
    "learning.rules.automaton": "automaton_of_rules",
    "learning.rules.closure": "Closure",
    "learning.rules.judging": "Trials",
    "learning.rules.learner": "RuleEffort learn_rules",
    "learning.rules.outcome": "RuleLearning TrainingProblem",
    "learning.solving": "Budget Solving",
    "learning.validation": "Validation validate",
    "limits": "AnyLimits Limits",
    "policies.evaluation": "Evaluation Simulation TrialResult Verification evaluate simulate verify",
    "policies.explanation": "ActionValue OutcomeWords PolicyExplanation",
    "policies.policy": "Decisions Policy State",
    "ppddl": "ParsedTask Source WarningHandler parse_domain parse_problem parse_task",
    "ppddl.syntax": "Domain Effect Formula Predicate Problem Schema",
    "solving.heuristics": "AnyHeuristic Heuristic PatternCombination PatternDatabases",
    "solving.settings": "Fallback RunSettings",
    "solving.reasons": "Reason ReasonKind",
    "solving.run": "Progress solve solve_with",
    "solving.solution": "Matching Solution",
    "solving.solvers": "LRTDP AnySolver ImprovedLAOStar LAOStar SoftFLARES Solver SSiPP ValueIteration",
    "source": "SourceText Span",
    "spaces.settings": "SpaceSettings",
    "spaces.dead_ends": "DeadEnds find_dead_ends",
    "spaces.state_space": "Exploration Outcome StateSpace Transition",
    "spaces.symmetry": "AnySymmetry Renaming Symmetry SymmetryMode find_symmetry",
    "statuses": "Guarantee Status",
    "tasks.costs": "CostMode Costs TaskCost",
    "tasks.goal_parts": "GoalPart goal_parts",
    "tasks.grounding": "Pair ground load",
    "tasks.task": "AnyAction AnyAtom GroundAction GroundAtom GroundTask",
    "tasks.variables": "Variable find_variables",
    "traces.recording": "record_trials",
    "traces.trace": "Trace Trial TrialEnd TrialStep",
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

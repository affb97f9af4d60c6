"""Growing automata: which problems to learn from, whether what was learned holds, and what of it is needed.

instances    the problems to choose from: of a generator, or files
solving      the one place where these problems are solved, within budgets that do not depend on the machine
growth       `grow`: learn from a problem only if the automaton so far fails on it
examples     what a solved problem contributes: optimal actions, or all safe ones
validation   `validate`: problems that were not learned from, solved with the automaton
counterexamples  why an automaton fails on a problem: where every action is pruned, and what is nearest to that
pruning      `prune`: the edges that are needed, and no others
features     what each predicate contributes, and whether the abstraction is too coarse or too fine
"""

from gpaplan.growing.counterexamples import Counterexample, find_counterexample
from gpaplan.growing.features import Advice, Contribution, advise, contributions
from gpaplan.growing.growth import Growth, Step, grow
from gpaplan.growing.instances import Instance, instances_of_files, instances_of_generator
from gpaplan.growing.pruning import Pruning, prune
from gpaplan.growing.solving import Budget, Solving
from gpaplan.growing.validation import Validation, validate

__all__ = [
    "Advice",
    "Budget",
    "Contribution",
    "Counterexample",
    "Growth",
    "Instance",
    "Pruning",
    "Solving",
    "Step",
    "Validation",
    "advise",
    "contributions",
    "find_counterexample",
    "grow",
    "instances_of_files",
    "instances_of_generator",
    "prune",
    "validate",
]

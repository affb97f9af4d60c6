"""How much learning tries, and when two numbers are the same: the constants of learning and growing automata.

Those of learning rules are in `gpaplan.learning.rules.constants`. All are counted in work and not in time, so that what
is learned does not depend on the machine (docs/decisions/0010-learning-automata.md). bench/learning_constants.py halves
and doubles those that judge and those that make problems, on seven families; what it shows is in decision 0045.
"""

from __future__ import annotations

# --- when costs are the same ---

EXACT = 1e-8
"""The epsilon to which examples are solved, a cost; well below the tolerances, so that ties are ties."""
TIE_TOLERANCE = 1e-6
"""Actions whose values differ by less than this cost are equally good."""
COST_TOLERANCE = 1e-6
"""Costs whose relative difference is less than this are the same."""

# --- how far searches go, in states ---

STATES = 200_000
"""That a search expands at most, unless told otherwise, while growing and where roles and rules are compared. With
LM-cut that may take minutes, with FF seconds."""
MOST_STATES = 20_000
"""That are walked through at most to find where an automaton, or a rule list, leads nowhere."""

SMALL = 3_000
"""That a problem may have which is made out of a large one to learn from: rules are learned from all of them."""

# --- when growing ends ---

PATIENCE = 3
"""So many problems in a row that need nothing new end the growth, unless told otherwise."""

# --- roles or rules (docs/decisions/0022-matching-backs-off.md) ---

TWICE = 2.0
"""Times the optimum: what drawing one of the kept actions in each state may cost where an automaton decides. Roles that
decide have 1.5 to 1.8 (schedule, delicate can), those that leave much open 3 to 39, or miss the goal (12 domains)."""
HALF = 0.5
"""Of the states that another automaton keeps: to keep at most these is better, all else being the same."""
DEARER = 1.3
"""How many times the least known cost acting may cost."""
LESS_OFTEN = 0.02
"""By so much the goal rate with an automaton may be below that without: a trial of fifty."""
SEARCHED = 0.1
"""Of the decisions, so many may be left to a search of the whole task."""
TRIALS = 5
"""Of acting on each problem, …"""
FEW_TRIALS = 2
"""… and on those that are too large to be searched."""
ACTING_STATES = 20
"""That are looked at for a decision there."""
ACTING_HORIZON = 6
"""A trial ends after so many times the estimated cost."""
LONGEST_TRIAL = 100_000_000
"""Steps of a trial, times actions of the problem, beyond which a problem is too large to be tried on: 2 to 13 s.
Looking ahead takes 20 to 130 ns for each action in delivery(1,200,40,0,0), gripper(500) and blocksworld(40)."""

# --- the loop of learning ---

LARGE = 50_000
"""A problem with more reachable states is too large to be learned from as it is."""
TAUGHT = 600
"""States of the problems that are made to be learned from; those that are held out have more."""
LESSONS = 24
"""So many of them are made for a round."""
HELD_OUT = 6
"""Problems that are made to be held out, and the same number of larger ones, which are only acted on."""
ROUNDS = 3
"""Of making problems where what was learned fails."""
ENUMERATED = 10_000_000
"""Work for checking rules on all problems with few objects: 16 for a state, 50,000 for a goal, one or two seconds."""
WORK = 200_000
"""States that may be looked at to make the problems of one kind for a round."""

RULE_SECONDS = 60.0
"""Of learning rules, at most, unless told otherwise, as `WorkBudget` counts them; most families take less
(docs/results/rules.md)."""

"""How much learning tries, and when two numbers are the same: the constants of learning and growing automata.

Those of learning rules are in `gpaplan.learning.rules.constants`. All but `RULE_SECONDS` are counted in work and not in
time, so that what is learned does not depend on the machine (docs/decisions/0010-learning-automata.md).
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

# --- roles or rules (docs/decisions/0026-rules-are-automata.md) ---

SHARE = 0.1
"""Of the states of a search without the automaton: to keep more of them is to prune too little."""
MANY = 1_000
"""States that a search without automaton must expand for that to matter: below, it takes milliseconds."""
DEARER = 1.2
"""How many times the least known cost a policy may cost until that counts more than states."""
TRIED = 3
"""Problems on which rules are compared with what was grown, if no others are given: the last ones."""
RULE_SECONDS = 60.0
"""Of learning rules, at most, unless told otherwise; most families take less (docs/results/rules.md)."""

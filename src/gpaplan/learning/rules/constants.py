"""The constants of learning rules that nobody sets: `RuleEffort` has those that one may want to.

They were chosen so that the lists of `bench/rules.py` reach the goal on its unseen problems (docs/results/rules.md).
"""

from __future__ import annotations

SAME = 1e-4
"""Regrets below this are none; in units of the cheapest action."""
WORST = 200.0
"""So much above the optimum, in units of the cheapest action, counts a state from which a list does not reach the goal,
where rows are labelled by the list's values."""
STRICTNESS = 16.0
"""So many times a regret weighs in lists of simple literals: as much as a state that no rule covers; …"""
LENIENCE = 4.0
"""… and, by optimal values, in lists that are rebuilt, so that a little dearer and far simpler ones are found. With 16
in its place (bench/rule_panel.py, the list alone, when it weighed in both kinds of regrets): elevators 0.14 in place of
0.99, zenotravel at 1.85 in place of 1.76, triangle-tireworld 5 rules in place of 4."""
REBUILDS = 40
"""So often a part of a list is taken away and found again. Without (bench/rule_panel.py, the list alone): elevators
0.54 in place of 0.99, zenotravel 0.97 at 1.86 in place of 1.00 at 1.76, triangle-tireworld 1.00 at 4.43 in place of
4.06."""
REBUILT = 4
"""Of so many rules at the most."""
FEW_TRIALS = 5
"""On each validation problem, for each step of improving a list."""
INSERTIONS = 3
"""So many of the rules that promise most are tried, in each step of improving a list."""
LOST = 1000.0
"""So much above the optimum, in units of the cheapest action, such a state counts where lists are compared: to arrive
comes before cost and complexity."""
FAILED = 100.0
"""So many times the estimated cost a trial counts that misses the goal."""
HORIZON = 20
"""A trial ends after so many times the estimated cost."""
COMPLEXITY = 0.01
"""So much dearer a list counts for each unit of its complexity; a share of its cost."""
SLACK = 1.1
"""So many times the cost a simpler list may have."""
SHOWN_STATES = 2_000
"""Of each problem so many are looked at, at the most, for what training shows of each rule."""

# --- how much work it is, in units of `WorkBudget` ---

STATE_WORK = 60.0
"""To solve a training problem, for each state."""
CONCEPT_WORK = 0.06
"""To evaluate a concept, for each row, …"""
CONCEPT_ROWS = 3000
"""… and as if there were so many more of these."""
COLUMN_WORK = 0.004
"""To try a literal, for each 64 rows, …"""
COLUMN_ROWS = 16
"""… and as if there were so many more of these."""
VALUE_WORK = 0.75
"""To evaluate a list, for each row."""
STEP_WORK = 0.01
"""To act by a list, for each step, each rule and the square root of the number of actions, …"""
OBJECT_WORK = 0.02
"""… and for each step and object. With both, acting takes 0.2 to 1.5 times what is counted on gripper, delivery,
maintenance, schedule-ippc and keva-shah with 38 to 4,004 objects; with the first alone up to 18 times."""
RULE_WORK = 80.0
"""To make a filter of a list, for each rule."""
CLOSURE_WORK = 15.0
"""To walk through what a list keeps, for each state."""

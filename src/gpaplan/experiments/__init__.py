"""Experiments: suites of runs with and without an automaton, their records, and reports of them."""

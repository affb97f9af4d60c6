"""Solving tasks.

solvers     the solvers' settings
heuristics  first estimates, by name or of one's own
solution    `solve`: a run of a solver, the check of its policy, what is proven
"""

"""Solving tasks.

solvers     the solvers, as records of their configuration
heuristics  first estimates, by name or of one's own
settings    `RunSettings`: how a problem is solved, in one record
solution    `solve`: a run of a solver, the check of its policy, what is proven
completion  a policy, completed by solving from states that it does not cover
"""

"""State spaces of ground tasks.

state_space  `StateSpace`: states, transitions, enumeration
symmetry     `Symmetry`: interchangeable objects, and states up to renaming them
export       the reachable Markov decision process for other tools
"""

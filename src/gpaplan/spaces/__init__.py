"""State spaces of ground tasks.

state_space  `StateSpace`: states, transitions, enumeration; `Symmetry`: interchangeable objects
dead_ends    states without a way to the goal
export       the reachable Markov decision process for other tools
"""

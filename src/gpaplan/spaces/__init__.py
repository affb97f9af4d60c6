"""State spaces of ground tasks.

settings     `SpaceSettings`: what a state space is like, in one record
state_space  `StateSpace`: states, transitions, enumeration
symmetry     `Symmetry`: interchangeable objects, and states up to symmetry
export       the reachable Markov decision process for other tools
"""

"""Ground tasks: a problem with its atoms and actions numbered.

grounding  `ground`: from a domain and a problem, whose names become numbers, to a ground task
task       `GroundTask`: the result, by name and by number
goal       the atoms that a goal speaks of
unused     what of a domain does nothing in a problem
variables  the atoms as values of variables
"""

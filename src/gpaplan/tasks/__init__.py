"""Ground tasks: a problem with its atoms and actions numbered.

grounding  `ground`: from a domain and a problem to a ground task
costs      which costs a problem asks for, and which a task has
encode     names become numbers, for the core's grounder
task       `GroundTask`: the result, by name and by number
goal       the atoms that a goal speaks of
"""

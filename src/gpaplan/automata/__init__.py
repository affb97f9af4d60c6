"""Generalized policy automata: abstraction, edges, and what an automaton leaves of a task.

abstraction     what a state and an action look like without names and numbers of objects
automaton       `PolicyAutomaton`: hyperedges between abstract states
automaton_file  automata in files
constrained     a state space under an automaton; what an automaton accepts, and why not
drawing, page   automata as pictures and pages
"""

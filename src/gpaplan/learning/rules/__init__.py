"""Learning rule lists: short decision lists over concepts, from small problems solved in every state.

learner         `learn_rules`: the whole, from problems to a rule list and what is known of it
outcome         what comes of it
examples        small problems with the value of every state, and the rows that rules are learned from
table           some of the rows, and the literals that hold of them, as bits in the core
beam            one rule, by beam search
lists           one list that loses little; its value, labels by it, and the states where it fails
scoring         what a list is worth: exactly on the small problems, by acting on the others
portfolio       many lists, of which the best is kept
closure         where a list leads nowhere, found by exhausting what it leaves of a problem
automaton       the automaton of a list
constants       what nobody sets
"""

"""Learning automata: from given examples, or from problems of growing size.

loop         `learn`, the loop: small ones are made, roles of objects or rules over concepts are learned, and tried
validation   how automata do on problems that are held out, and which does better
comparison   two automata on the same problems: where they first differ
edges        the automaton of example policies: optimal actions, or all safe ones
instances    the problems to choose from: of a generator, or files
shrinking    `shrink`: small problems out of a large one
drafts       how they are made: objects are taken away, and what is left keeps what the large problem keeps
joining      larger problems out of small ones, to hold out
solving      the one place where these problems are solved, within budgets that do not depend on the machine
growth       `grow`: learn from a problem only if the automaton so far fails on it; `validate`: only try it
counterexamples  why an automaton fails on a problem: where every action is pruned, and what is nearest to that
pruning      `prune`: the edges that are needed, and no others
rules/       rule lists, learned from small problems that are solved in every state
constants    how much is tried, and when costs are the same
"""

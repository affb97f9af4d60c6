"""Learning automata: from given examples, or from problems of growing size.

loop         `learn`, the loop: small ones are made, roles of objects or rules over concepts are learned, and tried
comparison   how automata do on problems that are held out, and which does better
edges        the automaton of example policies: optimal actions, or all safe ones
instances    the problems to choose from: of a generator, or files
shrinking    `shrink`: small problems out of a large one
drafts       how they are made: objects are taken away, and what is left keeps what the large problem keeps
solving      the one place where these problems are solved, within budgets that do not depend on the machine
growth       `grow`: learn from a problem only if the automaton so far fails on it
validation   `validate`: problems that were not learned from, solved with the automaton
counterexamples  why an automaton fails on a problem: where every action is pruned, and what is nearest to that
pruning      `prune`: the edges that are needed, and no others
rules/       rule lists, learned from small problems that are solved in every state
constants    how much is tried, and when costs are the same
"""

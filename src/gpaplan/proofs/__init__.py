"""Proofs about rule lists: on all small problems of a class, and on problems of every size.

`gpaplan.proofs.conditions` has the conditions that make a class of problems, `gpaplan.proofs.examples` finds them from
example problems, and `gpaplan.proofs.enumeration` checks a rule list on all problems of a class up to a size.
docs/proofs.md says what is proven.
"""

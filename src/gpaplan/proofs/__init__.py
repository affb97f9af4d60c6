"""Proofs about rule lists: on all small problems of a class, and on problems of every size.

`gpaplan.proofs.conditions` has the conditions that make a class of problems, `gpaplan.proofs.examples` finds them from
example problems, `gpaplan.proofs.enumeration` checks a rule list on all problems of a class up to a size, and
`gpaplan.proofs.certificates` proves it for every size. docs/proofs.md says what is proven.
"""

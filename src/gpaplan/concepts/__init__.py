"""Concepts, roles, literals and rules: what can be said of objects, of a state, and of an action to take in it.

`gpaplan.concepts.expressions` has the language, `gpaplan.concepts.rules` rules made of it,
`gpaplan.concepts.evaluation` its meaning in a state, `gpaplan.concepts.pool` expressions that are generated, and
`gpaplan.concepts.words` plain English for them. docs/rules.md describes all of it.
"""

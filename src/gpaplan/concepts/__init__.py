"""Concepts, relations, literals and rules: what can be said of objects, of a state, and of an action to take in it.

`gpaplan.concepts.constructors` has the language, `gpaplan.concepts.expressions` what is said in it,
`gpaplan.concepts.rules` rules made of that, `gpaplan.concepts.encoding` its meaning in a state,
`gpaplan.concepts.pool` expressions that are generated, and `gpaplan.concepts.words` plain English for them.
docs/rules.md describes all of it.
"""

"""PPDDL: reading, checking and writing planning domains and problems.

>>> from gpaplan.ppddl import parse_task
>>> task = parse_task(
...     '''(define (domain coins) (:requirements :probabilistic-effects)
...          (:predicates (heads))
...          (:action toss :effect (probabilistic 1/2 (heads))))
...        (define (problem one) (:domain coins) (:init) (:goal (heads)))'''
... )
>>> task.domain.schemas[0].name, task.problem.name
('toss', 'one')

A *source* is a path, or a string: PPDDL text if it has an opening parenthesis in it, otherwise the name of a file.
A file may hold a domain, problems, or both. All errors of a source are found in one run and raised as one
`gpaplan.errors.InputError`, whose `diagnostics` have file, line, column, context and a hint; if the text is correct
PPDDL and only uses what gpaplan does not do, it is an `UnsupportedError`. A file that does not exist is a `UsageError`.

The modules, in the order in which a text passes through them: `loading` (files, and which definition of which file),
`lexer` (words and parentheses), `terms`, `expressions` and `parser` (the syntax tree of `syntax`), `vocabulary` and
`check` (names, types, consistency). `writer` goes the other way.
"""

from gpaplan.ppddl.loading import (
    MAX_INPUT_BYTES,
    ParsedTask,
    Source,
    WarningHandler,
    parse_domain,
    parse_problem,
    parse_task,
)
from gpaplan.ppddl.syntax import Domain, Problem
from gpaplan.ppddl.writer import write_domain, write_problem

__all__ = [
    "MAX_INPUT_BYTES",
    "Domain",
    "ParsedTask",
    "Problem",
    "Source",
    "WarningHandler",
    "parse_domain",
    "parse_problem",
    "parse_task",
    "write_domain",
    "write_problem",
]

"""Nodes of the syntax tree behave as frozen dataclasses with slots do."""

from __future__ import annotations

import copy
import dataclasses
import pickle

import pytest

from gpaplan.ppddl.syntax import And, AndEffect, Atom, Not, Predicate, Variable
from gpaplan.source import SourceText, Span

ATOM = Atom("on", (Variable("?x"), Variable("?y")))


def test_equality_is_by_kind_and_fields_and_not_by_place() -> None:
    source = SourceText("(on ?x ?y)")
    same = Atom("on", (Variable("?x", span=Span(source, 4, 6)), Variable("?y")), span=Span(source, 0, 10))
    assert same == ATOM
    assert hash(same) == hash(ATOM)
    assert Atom("on") != ATOM
    assert And() != AndEffect()
    assert Predicate("on") != Atom("on")
    assert ATOM != "on"
    assert len({ATOM, same, Not(ATOM), Not(same)}) == 2


def test_nodes_are_frozen() -> None:
    with pytest.raises(dataclasses.FrozenInstanceError, match="cannot assign to field 'predicate'"):
        ATOM.predicate = "under"  # type: ignore[misc]
    with pytest.raises(dataclasses.FrozenInstanceError, match="cannot delete field 'span'"):
        del ATOM.span
    with pytest.raises(AttributeError):
        setattr(ATOM, "weight", 3)  # noqa: B010


def test_nodes_are_dataclasses() -> None:
    assert [each.name for each in dataclasses.fields(ATOM)] == ["span", "predicate", "arguments"]
    assert dataclasses.replace(ATOM, predicate="under") == Atom("under", ATOM.arguments)
    assert repr(Not(Atom("clear"))) == "Not(operand=Atom(predicate='clear', arguments=()))"


def test_copies_are_equal() -> None:
    for other in (copy.copy(ATOM), copy.deepcopy(ATOM), pickle.loads(pickle.dumps(ATOM))):
        assert other == ATOM

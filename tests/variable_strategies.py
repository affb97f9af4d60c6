"""Random small planning tasks about things that are at one place each, as syntax trees.

In the tasks of `tests/strategies.py` next to no two atoms exclude each other. Here they do: `tasks_with_variables()`
plants variables. There are things of one to three kinds, and a thing is at one of two to four places; the last of them
may be a predicate of its own, as a ball may be in a room or held. Actions move things: from a place that the
precondition names or from whichever they are at, surely or by chance, under conditions, one thing or all of a kind.
Besides, they ask for and change flags, and now and then one does what spoils a variable: it takes a thing away and puts
it nowhere, or puts it at a second place. So most variables that are planted are to be found, and some are not.

Things of a kind that begin at the same place and have the same goal are interchangeable. The states that a task may
have, if no variable is spoilt, are at most `MOST_STATES`; the first choice is everywhere the simplest one.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from hypothesis import strategies as st

from gpaplan.ppddl.syntax import (
    Add,
    And,
    AndEffect,
    Atom,
    Change,
    Constant,
    Delete,
    Domain,
    Effect,
    EffectOutcome,
    Equals,
    Exists,
    ForAll,
    ForAllEffect,
    Formula,
    Metric,
    Not,
    Number,
    Or,
    Predicate,
    Probabilistic,
    Problem,
    Schema,
    Term,
    TypeDeclaration,
    TypedName,
    Variable,
    When,
)

MOST_STATES = 150
CHANCES = tuple(map(Fraction, ("1/2", "9/10", "3/10")))
COSTS = tuple(map(Fraction, ("1", "1", "2", "7/2")))


def tasks_with_variables() -> st.SearchStrategy[tuple[Domain, Problem]]:
    """A domain and a problem of it, with the metric of least total cost."""
    return _tasks()


# --- what a task is about ----------------------------------------------------------------------------------------


@dataclass(frozen=True)
class _Kind:
    """Things of one type, each of which is at one of some places."""

    number: int
    places: int
    things: int
    has_own_predicate: bool
    """Whether the last place is said by another predicate than the others."""

    @property
    def type(self) -> str:
        return f"kind{self.number}"

    @property
    def predicates(self) -> tuple[Predicate, ...]:
        thing, place = TypedName("?x", (self.type,)), TypedName("?p", ("place",))
        own = (Predicate(f"in{self.number}", (thing,)),) if self.has_own_predicate else ()
        return (Predicate(f"at{self.number}", (thing, place)), *own)

    @property
    def objects(self) -> tuple[TypedName, ...]:
        return tuple(TypedName(f"x{self.number}-{index}", (self.type,)) for index in range(self.things))

    def at(self, thing: Term, place: int) -> Atom:
        if self.has_own_predicate and place == self.places - 1:
            return Atom(f"in{self.number}", (thing,))
        return Atom(f"at{self.number}", (thing, Constant(f"p{place}")))

    def move(self, thing: Term, source: int, target: int) -> Effect:
        return AndEffect((Delete(self.at(thing, source)), Add(self.at(thing, target))))


@dataclass(frozen=True)
class _Scene:
    kinds: tuple[_Kind, ...]
    flags: int


@st.composite
def _scenes(draw: st.DrawFn) -> _Scene:
    flags = draw(st.integers(0, 2))
    room = MOST_STATES // 2**flags
    kinds: list[_Kind] = []
    for number in range(draw(st.sampled_from([2, 1, 3, 2, 3]))):
        if room < 2:
            break
        places = draw(st.sampled_from([size for size in (3, 2, 4) if size <= room] or [2]))
        things = draw(st.sampled_from([count for count in (1, 2, 3) if places**count <= room]))
        room //= places**things
        kinds.append(_Kind(number, places, things, draw(st.booleans())))
    return _Scene(tuple(kinds), flags)


# --- conditions --------------------------------------------------------------------------------------------------


@st.composite
def _literals(draw: st.DrawFn, scene: _Scene, scope: dict[Term, _Kind]) -> Formula:
    """About a flag, something in scope, or some or all things of a kind."""
    subjects = ["thing"] if scope else []
    subjects += ["some", "all", *(["flag"] if scene.flags else [])]
    subject = draw(st.sampled_from(subjects))
    holds = draw(st.booleans())
    if subject == "flag":
        atom = Atom(f"flag{draw(st.integers(0, scene.flags - 1))}")
        return atom if holds else Not(atom)
    if subject == "thing":
        thing = draw(st.sampled_from(list(scope)))
        kind = scope[thing]
    else:
        kind = draw(st.sampled_from(scene.kinds))
        thing = Variable("?any")
    atom = kind.at(thing, draw(st.integers(0, kind.places - 1)))
    formula = atom if holds else Not(atom)
    if subject == "thing":
        return formula
    quantified = (TypedName("?any", (kind.type,)),)
    return ForAll(quantified, formula) if subject == "all" else Exists(quantified, formula)


@st.composite
def _conditions(draw: st.DrawFn, scene: _Scene, scope: dict[Term, _Kind]) -> Formula:
    shape = draw(st.sampled_from(["literal", "literal", "literal", "or", "and"]))
    one = draw(_literals(scene, scope))
    if shape == "literal":
        return one
    other = draw(_literals(scene, scope))
    return Or((one, other)) if shape == "or" else And((one, other))


# --- effects -----------------------------------------------------------------------------------------------------


def _with_chance(*outcomes: tuple[Fraction, Effect]) -> Effect:
    return Probabilistic(tuple(EffectOutcome(*outcome) for outcome in outcomes))


@st.composite
def _moves(draw: st.DrawFn, scene: _Scene, scope: dict[Term, _Kind], thing: Term, source: int) -> Effect:
    """What may become of a thing that is at a place."""
    kind = scope[thing]
    others = [place for place in range(kind.places) if place != source]
    move = kind.move(thing, source, draw(st.sampled_from(others)))
    chance = draw(st.sampled_from(CHANCES))
    shapes = ["surely", "perhaps", "surely", "either", "either", "nested", "when", "lost", "joint"]
    match draw(st.sampled_from(shapes)):
        case "perhaps":
            return _with_chance((chance, move))
        case "either":
            return _with_chance((chance, move), (1 - chance, kind.move(thing, source, draw(st.sampled_from(others)))))
        case "nested":
            inner = _with_chance((Fraction(1, 2), kind.move(thing, source, draw(st.sampled_from(others)))))
            return _with_chance((chance, move), (1 - chance, inner))
        case "when":
            return When(draw(_conditions(scene, scope)), move)
        case "lost":
            return _with_chance((Fraction(3, 5), move), (Fraction(1, 5), Delete(kind.at(thing, source))))
        case "joint":
            sometimes = When(draw(_conditions(scene, scope)), move)
            return _with_chance((Fraction(7, 10), sometimes), (Fraction(1, 10), move))
    return move


@st.composite
def _gatherings(draw: st.DrawFn, kind: _Kind, thing: Term) -> Effect:
    """The thing goes to a place, wherever it is."""
    target = draw(st.integers(0, kind.places - 1))
    sources = [place for place in range(kind.places) if place != target]
    gather = AndEffect(tuple(When(kind.at(thing, each), kind.move(thing, each, target)) for each in sources))
    chance = draw(st.sampled_from([None, *CHANCES]))
    return gather if chance is None else _with_chance((chance, gather))


@st.composite
def _universal_moves(draw: st.DrawFn, scene: _Scene) -> Effect:
    """All things of a kind that are at a place go to another one."""
    kind = draw(st.sampled_from(scene.kinds))
    source = draw(st.integers(0, kind.places - 1))
    target = draw(st.sampled_from([place for place in range(kind.places) if place != source]))
    each = Variable("?each")
    effect = When(kind.at(each, source), kind.move(each, source, target))
    return ForAllEffect((TypedName("?each", (kind.type,)),), effect)


@st.composite
def _flag_changes(draw: st.DrawFn, scene: _Scene, scope: dict[Term, _Kind]) -> Effect:
    atom = Atom(f"flag{draw(st.integers(0, scene.flags - 1))}")
    change = Add(atom) if draw(st.booleans()) else Delete(atom)
    return change if draw(st.booleans()) else When(draw(_conditions(scene, scope)), change)


def _rarely(one_in: int = 16) -> st.SearchStrategy[bool]:
    return st.integers(1, one_in).map(lambda number: number == one_in)


# --- domains and problems ----------------------------------------------------------------------------------------


@st.composite
def _schemas(draw: st.DrawFn, scene: _Scene, name: str, first: tuple[_Kind, int] | None) -> Schema:
    """An action that moves one thing or two; ``first`` says of which kind one of them is, and where it comes from."""
    movers = [draw(st.sampled_from(scene.kinds)) if first is None else first[0]]
    if draw(_rarely(3)):
        movers.append(draw(st.sampled_from(scene.kinds)))
    scope: dict[Term, _Kind] = {Variable(f"?x{index}"): kind for index, kind in enumerate(movers)}
    parameters = tuple(TypedName(f"?x{index}", (kind.type,)) for index, kind in enumerate(movers))
    preconditions: list[Formula] = []
    effects: list[Effect] = []
    for index, (thing, kind) in enumerate(scope.items()):
        given = first is not None and index == 0
        if given or not draw(_rarely(4)):
            source = first[1] if first is not None and given else draw(st.integers(0, kind.places - 1))
            preconditions.append(kind.at(thing, source))
            effects.append(draw(_moves(scene, scope, thing, source)))
        else:
            effects.append(draw(_gatherings(kind, thing)))
    if len(movers) == 2 and movers[0] == movers[1] and not draw(_rarely(40)):
        preconditions.append(Not(Equals(Variable("?x0"), Variable("?x1"))))
    if draw(_rarely(4)):
        preconditions.append(draw(_conditions(scene, scope)))
    if scene.flags and draw(st.booleans()):
        effects.append(draw(_flag_changes(scene, scope)))
    if draw(_rarely()):
        effects.append(draw(_universal_moves(scene)))
    if draw(_rarely(40)):
        thing = draw(st.sampled_from(list(scope)))  # at a second place, perhaps
        effects.append(Add(scope[thing].at(thing, draw(st.integers(0, scope[thing].places - 1)))))
    effects.append(Change("increase", "total-cost", Number(draw(st.sampled_from(COSTS)))))
    if draw(_rarely()):
        more = Change("increase", "total-cost", Number(draw(st.sampled_from(COSTS))))
        effects.append(When(draw(_conditions(scene, scope)), more))
    return Schema(name, parameters, And(tuple(preconditions)), AndEffect(tuple(effects)))


def _placed(kind: _Kind, places: tuple[int, ...]) -> tuple[Atom, ...]:
    return tuple(kind.at(Constant(each.name), place) for each, place in zip(kind.objects, places, strict=True))


@st.composite
def _placements(draw: st.DrawFn, kind: _Kind) -> tuple[int, ...]:
    """A place for each thing of a kind, often the same for all."""
    places = st.integers(0, kind.places - 1)
    if draw(st.booleans()):
        return (draw(places),) * kind.things
    return tuple(draw(places) for _ in range(kind.things))


@st.composite
def _goals(draw: st.DrawFn, scene: _Scene, initially: dict[_Kind, tuple[int, ...]]) -> Formula:
    """Where the things of some kinds are to be: not where they are, as a rule."""
    asked = draw(st.lists(st.sampled_from(scene.kinds), min_size=1, unique=True))
    wanted = {kind: draw(_placements(kind)) for kind in asked}
    for kind, places in wanted.items():
        if places == initially[kind] and not draw(_rarely()):
            wanted[kind] = tuple((place + 1) % kind.places for place in places)
    goal = And(tuple(atom for kind, places in wanted.items() for atom in _placed(kind, places)))
    return Or((goal, draw(_literals(scene, {})))) if draw(_rarely()) else goal


@st.composite
def _tasks(draw: st.DrawFn) -> tuple[Domain, Problem]:
    scene = draw(_scenes())
    flags = [Atom(f"flag{index}") for index in range(scene.flags)]
    # As a rule, something of each kind can leave each place; what else there is to do is drawn freely.
    moved = [(kind, place) for kind in scene.kinds for place in range(kind.places) if not draw(_rarely(5))]
    firsts = [*moved, *[None] * draw(st.integers(1, 4))]
    schemas = tuple(draw(_schemas(scene, f"a{index}", first)) for index, first in enumerate(firsts))
    most_places = max(kind.places for kind in scene.kinds)
    domain = Domain(
        name="things",
        requirements=(":adl", ":probabilistic-effects", ":action-costs"),
        types=(TypeDeclaration("place"), *(TypeDeclaration(kind.type) for kind in scene.kinds)),
        constants=tuple(TypedName(f"p{place}", ("place",)) for place in range(most_places)),
        predicates=(
            *(predicate for kind in scene.kinds for predicate in kind.predicates),
            *(Predicate(flag.predicate) for flag in flags),
        ),
        schemas=schemas,
    )
    initially = {kind: draw(_placements(kind)) for kind in scene.kinds}
    problem = Problem(
        name="things-problem",
        domain_name=domain.name,
        objects=tuple(each for kind in scene.kinds for each in kind.objects),
        init=(
            *(atom for kind, places in initially.items() for atom in _placed(kind, places)),
            *(flag for flag in flags if draw(st.booleans())),
        ),
        goal=draw(_goals(scene, initially)),
        metric=Metric("minimize", "total-cost"),
    )
    return domain, problem

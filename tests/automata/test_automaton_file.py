"""Automata in files: what is written, and everything that can be wrong with what is read."""

from __future__ import annotations

import copy
import json
import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import suppress
from functools import cache
from itertools import islice
from pathlib import Path
from typing import Any

import pytest

from gpaplan import (
    CanonicalAbstraction,
    DataError,
    LAOStar,
    MismatchError,
    PolicyAutomaton,
    UsageError,
    ground,
    learn,
    parse_task,
    solve,
)
from gpaplan.automata.canonical import Counts, Extents
from gpaplan.benchmarks import generate
from gpaplan.tasks.task import GroundAction, GroundAtom, GroundTask
from tests.commands import gpaplan
from tests.paths import ROOT


def task_of(name: str, *theta: int) -> GroundTask:
    benchmark = generate(name, *theta)
    return ground(benchmark.domain, benchmark.problem)


def learned(name: str, *thetas: tuple[int, ...], goals: bool = False) -> PolicyAutomaton:
    tasks = [task_of(name, *theta) for theta in thetas]
    solutions = [solve(task, LAOStar(epsilon=1e-8), heuristic="lmcut") for task in tasks]
    return learn(tasks[0].domain, solutions, abstraction=CanonicalAbstraction(goals=goals))


@cache
def example(goals: bool = False) -> PolicyAutomaton:
    return learned("gripper", (1,), goals=goals)


EXPECTED = """\
{
  "format": "gpaplan policy automaton",
  "version": 2,
  "domain": "gripper",
  "vocabulary": {"types": ["room", "ball", "hand"], "constants": [], "predicates": [["robot-in", 1], ["ball-in", 2], \
["held", 2], ["free", 1]], "schemas": [["move", 2], ["pick", 3], ["drop", 3]]},
  "abstraction": {"name": "canonical", "version": 1, "options": {"goals": false}},
  "settings": {"cost": "unit", "relevance": "either", "ties": "harmonize"},
  "training": [
    {"problem": "gripper-1", "states": 3, "cost": 3.25}
  ],
  "roles": [
    ["ball"],
    ["free", "hand"],
    ["hand"],
    ["robot-in", "room"],
    ["room"]
  ],
  "vertices": [
    {"roles": [[0, "one"], [1, "many"], [3, "one"], [4, "one"]], "flags": [], \
"relations": [["ball-in", [0, 3], "all"]], \
"covers": ["gripper-1: (ball-in ball0 room-a) (free left) (free right) (robot-in room-a)", \
"gripper-1: (ball-in ball0 room-b) (free left) (free right) (robot-in room-b)"]},
    {"roles": [[0, "one"], [1, "one"], [2, "one"], [3, "one"], [4, "one"]], "flags": [], \
"relations": [["held", [0, 2], "all"]], "covers": ["gripper-1: (free right) (held ball0 left) (robot-in room-a)", \
"gripper-1: (free right) (held ball0 left) (robot-in room-b)"]}
  ],
  "edges": [
    {"source": 0, "action": ["pick", [0, 3, 1]], "targets": [0, 1], "origins": {"gripper-1": 2}},
    {"source": 1, "action": ["drop", [0, 3, 2]], "targets": [0], "origins": {"gripper-1": 1}},
    {"source": 1, "action": ["move", [3, 4]], "targets": [1], "origins": {"gripper-1": 1}}
  ]
}
"""


# --- writing ---


def test_an_automaton_is_written_one_vertex_and_one_edge_a_line(tmp_path: Path) -> None:
    assert example().to_text() == EXPECTED
    path = tmp_path / "a.gpa.json"
    path.write_text("old")
    example().write(path)
    assert path.read_text() == EXPECTED
    assert os.listdir(tmp_path) == ["a.gpa.json"]


@pytest.mark.parametrize("goals", [False, True])
@pytest.mark.parametrize(
    ("name", "thetas"),
    [
        ("gripper", ((2,), (3,))),
        ("rover", ((1, 3, 1, 2),)),
        ("schedule", ((1, 2), (2, 2))),
        ("keva", ((4, 2),)),
        ("delicate-can", ((3,),)),
    ],
)
def test_what_is_written_is_read_again(name: str, thetas: tuple[tuple[int, ...]], goals: bool, tmp_path: Path) -> None:
    automaton = learned(name, *thetas, goals=goals)
    automaton.write(tmp_path / "a.json")
    again = PolicyAutomaton.read(tmp_path / "a.json")
    assert again == automaton
    assert again.to_text() == automaton.to_text()
    assert (again.training, again.covers, again.settings) == (automaton.training, automaton.covers, automaton.settings)


@pytest.mark.parametrize("counts", ["one-many", "presence"])
@pytest.mark.parametrize("relations", ["all-some", "presence", "none"])
@pytest.mark.parametrize("types", [True, False])
def test_so_are_automata_that_tell_less_apart(counts: Counts, relations: Extents, types: bool, tmp_path: Path) -> None:
    abstraction = CanonicalAbstraction(counts=counts, relations=relations, types=types)
    solutions = [solve(task_of("gripper", balls), LAOStar(epsilon=1e-8), heuristic="lmcut") for balls in (1, 2, 3)]
    automaton = learn(solutions[0].space.task.domain, solutions, abstraction=abstraction)
    automaton.write(tmp_path / "a.json")
    again = PolicyAutomaton.read(tmp_path / "a.json")
    assert again.abstraction == abstraction
    assert again == automaton
    assert again.to_text() == automaton.to_text()
    assert (again == learned("gripper", (1,), (2,), (3,))) == (abstraction == CanonicalAbstraction())


def test_an_automaton_without_edges(tmp_path: Path) -> None:
    empty = PolicyAutomaton.empty(task_of("gripper", 1).domain)
    empty.write(tmp_path / "a.json")
    assert PolicyAutomaton.read(tmp_path / "a.json") == empty


def test_the_same_input_gives_the_same_bytes() -> None:
    """In processes whose sets have different orders; one problem twice, once with its cost and once without."""
    script = (
        "from gpaplan import CanonicalAbstraction, learn\n"
        "from tests.automata.test_automaton_file import learned, task_of\n"
        "from gpaplan import solve\n"
        "automaton = learned('schedule', (2, 2), (1, 3), goals=True)\n"
        "solution = solve(task_of('schedule', 1, 3), heuristic='hmax')\n"
        "automaton = learn(solution.space.task.domain, [solution.policy], automaton=automaton, ties='first')\n"
        "print(automaton.to_text(), end='')\n"
    )
    texts = set()
    for seed in ("0", "4711"):
        environment = {**os.environ, "PYTHONHASHSEED": seed}
        run = subprocess.run([sys.executable, "-c", script], env=environment, capture_output=True, check=True, cwd=ROOT)
        texts.add(run.stdout)
    (text,) = texts
    assert len(text) > 1000
    assert json.loads(text)["settings"] == {"cost": "unit", "relevance": "either", "ties": ["first", "harmonize"]}


# --- reading ---


def read(text: str, folder: Path, abstraction: Any = None) -> PolicyAutomaton:
    (folder / "a.json").write_bytes(text.encode("utf-8", "surrogatepass"))
    return PolicyAutomaton.read(folder / "a.json", abstraction=abstraction)


def edited(path: tuple[Any, ...], value: Any) -> str:
    record = json.loads(EXPECTED)
    inner = record
    for key in path[:-1]:
        inner = inner[key]
    inner[path[-1]] = value
    return json.dumps(record)


def without(key: str) -> str:
    return json.dumps({name: value for name, value in json.loads(EXPECTED).items() if name != key})


VERTEX = json.loads(EXPECTED)["vertices"][0]
EDGE = json.loads(EXPECTED)["edges"][0]

BROKEN: list[tuple[str, str]] = [
    ("", "a.json: not JSON: Input data was truncated; the file was cut short or edited"),
    (EXPECTED[:300], "not JSON"),
    (EXPECTED[:-3], "the file was cut short or edited"),
    ("\x00", "a.json:1:1: not JSON"),
    ("[]", "a.json: must be an object with 'format' and 'version', not []"),
    ("[" * 100_000, "nested too deeply"),
    ('{"a":' * 100_000, "nested too deeply"),
    ("{}", "format: is missing"),
    (edited(("format",), "gpaplan policy"), 'format: must be "gpaplan policy automaton", not "gpaplan policy"'),
    (edited(("version",), 3), "version: 3 is newer than the version 2 known here; use a newer gpaplan"),
    (edited(("version",), 0), "version: must be a whole number from 1, not 0"),
    (edited(("version",), 1.0), "version: must be a whole number"),
    (edited(("version",), True), "version: must be a whole number from 1, not true"),
    (EXPECTED.replace('"version": 2', '"version": ' + "9" * 5000), "not JSON: Integer value out of range"),
    (EXPECTED.replace('"version": 2', '"version": NaN'), "a.json:3:14: not JSON: invalid character"),
    *((without(key), f"{key}: is missing") for key in json.loads(EXPECTED) if key != "format"),
    (edited(("vocabulary", "predicates", 0), ["robot-in"]), "vocabulary.predicates[0]: must be a list of a text and a"),
    (
        edited(("vocabulary", "predicates", 0), ["robot-in", -1]),
        "vocabulary.predicates[0]: must have a number from 0 to",
    ),
    (edited(("vocabulary", "predicates", 0), ["free", 1]), "vocabulary.predicates: has a name twice"),
    (edited(("abstraction", "name"), "mine"), 'abstraction.name: is "mine": give that abstraction to PolicyAutomaton'),
    (edited(("abstraction", "options"), {}), "abstraction.options.goals: is missing"),
    (edited(("abstraction", "options", "x"), 1), "abstraction.options: unknown key 'x';  there are goals, ignore"),
    (edited(("abstraction", "options", "ignore"), "held"), "abstraction.options.ignore: must be a list"),
    (edited(("abstraction", "options", "ignore"), [1]), "abstraction.options.ignore[0]: must be a text"),
    (
        edited(("abstraction", "options", "ignore"), ["hold"]),
        'abstraction.options.ignore[0]: "hold" is no predicate of the vocabulary',
    ),
    (edited(("abstraction", "options", "ignore"), ["free"]), '"free" is no feature of objects in this vocabulary'),
    (edited(("abstraction", "options", "ignore"), ["ball-in"]), '"ball-in" is no predicate with 2 arguments'),
    (edited(("abstraction", "options", "counts"), "few"), 'abstraction.options.counts: "few" is not known here'),
    (
        edited(("abstraction", "options", "relations"), "some"),
        'abstraction.options.relations: "some" is not known here',
    ),
    (edited(("abstraction", "options", "types"), 1), "abstraction.options.types: must be true or false, not 1"),
    (
        edited(("abstraction", "options", "counts"), "presence"),
        'vertices[0].roles[0]: says "one", which this abstraction does not',
    ),
    (edited(("vertices", 0, "roles", 0), [0, "some"]), 'roles[0]: says "some", which this abstraction does not'),
    (
        edited(("abstraction", "options", "relations"), "presence"),
        'vertices[0].relations[0]: says "all", which this abstraction does not',
    ),
    (edited(("vertices", 0, "relations", 0, 2), "any"), 'relations[0]: says "any", which this abstraction does not'),
    (
        edited(("abstraction", "options", "relations"), "none"),
        "vertices[0].relations: must be empty: the abstraction sees no relations",
    ),
    (edited(("abstraction", "options", "types"), False), 'roles[0][0]: "ball" is no feature of objects'),
    (
        edited(("abstraction", "version"), 2),
        "abstraction.version: 2 is newer than the version 1 known here; use a newer gpaplan",
    ),
    (edited(("abstraction", "version"), "1"), 'abstraction.version: must be a whole number from 1, not "1"'),
    (edited(("settings", "ties"), 3), 'settings.ties: must be "all" or "first" or "harmonize" or a list, not 3'),
    (
        edited(("settings", "ties"), ["all", "last"]),
        'settings.ties[1]: "last" is not known here;  there are all, first',
    ),
    (edited(("settings", "cost"), "metrc"), "settings.cost: \"metrc\" is not known here;  did you mean 'metric'?"),
    (edited(("settings", "cost"), None), 'settings.cost: must be "metric" or "unit" or a list, not null'),
    (EXPECTED.replace('"ties": "harmonize"', '"ties": 1e999'), "not JSON: Number out of range"),
    (EXPECTED.replace('"ties": "harmonize"', '"note": "\\ud800"'), "a.json:7:70: not JSON: "),
    (EXPECTED.replace('"cost": 3.25', '"cost": 1e999'), "not JSON: Number out of range"),
    (EXPECTED.replace('"cost": 3.25', '"cost": 1' + "0" * 400), "training[0].cost: must be a number or null, not 1000"),
    (edited(("training", 0, "states"), -3), "training[0].states: must be a whole number from 0, not -3"),
    (EXPECTED.replace('"problem": "gripper-1"', '"problem": "\\udcff"'), "a.json:9:24: not JSON: "),
    (edited(("roles", 0), ["bal"]), 'roles[0][0]: "bal" is no feature of objects in this vocabulary'),
    (edited(("roles", 0), ["ball-in"]), 'roles[0][0]: "ball-in" is no feature of objects'),
    (edited(("roles", 0), ["@ball-in/1"]), 'roles[0][0]: "@ball-in/1" is no feature of objects'),
    (edited(("roles", 0), ["=room-a"]), 'roles[0][0]: "=room-a" is no feature of objects'),
    (edited(("roles", 0), ["ball:type"]), 'roles[0][0]: "ball:type" is no feature of objects'),
    (edited(("roles", 0), ["ball", "ball"]), "roles[0]: has a feature twice"),
    (edited(("vertices", 0, "flags"), ["free"]), 'vertices[0].flags[0]: "free" is no feature of a state'),
    (edited(("vertices", 0, "roles", 0), [0, "none"]), 'vertices[0].roles[0][1]: "none" is not known here'),
    (edited(("vertices", 0, "roles", 0), [9, "one"]), "vertices[0].roles[0]: is 9, but there are only 5"),
    (edited(("vertices", 0, "roles", 0), [-1, "one"]), "vertices[0].roles[0]: is -1, but there are only 5"),
    (edited(("vertices", 0, "roles", 0), [1, "one"]), "vertices[0].roles: has a role twice"),
    (edited(("vertices", 0, "relations", 0, 0), "held-in"), 'relations[0]: "held-in" is no predicate with 2 arguments'),
    (edited(("vertices", 0, "relations", 0, 1), [0]), 'relations[0]: "ball-in" is no predicate with 1 arguments'),
    (edited(("vertices", 0, "relations", 0, 1), [0, 2]), "relations[0]: relates a role that the vertex does not have"),
    (edited(("vertices", 0, "relations"), 2 * VERTEX["relations"]), "vertices[0].relations: relates the same roles"),
    (edited(("vertices", 1), VERTEX), "vertices[1]: is listed twice"),
    (edited(("edges", 0, "source"), 2), "edges[0].source: is 2, but there are only 2"),
    (edited(("edges", 0, "targets"), []), "edges[0].targets: must be a list of at least one vertex, not []"),
    (edited(("edges", 0, "targets"), [0, 10**30]), "edges[0].targets: is 1000000000000000000000000000000, but there"),
    (edited(("edges", 0, "action"), "pick"), 'edges[0].action: must be a schema and a list of roles, not "pick"'),
    (edited(("edges", 0, "action"), ["pick"]), "edges[0].action: must be a schema and a list of roles"),
    (edited(("edges", 0, "action"), ["pick", [0, 3]]), 'edges[0].action: "pick" is no schema with 2 parameters'),
    (edited(("edges", 0, "action"), ["pick", [0, 3, 9]]), "edges[0].action: is 9, but there are only 5"),
    (
        edited(("edges", 0, "origins"), {"gripper-1": 0}),
        "edges[0].origins.gripper-1: must be a whole number from 1, not 0",
    ),
    (edited(("edges", 1), EDGE), "edges[1]: has the source and the action of edges[0]"),
]


@pytest.mark.parametrize(("text", "message"), BROKEN, ids=range(len(BROKEN)))
def test_what_is_wrong_with_a_file_is_said_with_its_place(text: str, message: str, tmp_path: Path) -> None:
    with pytest.raises(DataError) as caught:
        read(text, tmp_path)
    assert message in str(caught.value)
    assert str(caught.value).startswith(str(tmp_path / "a.json"))
    assert caught.value.exit_code == 35


INFINITE, SURROGATE = "«infinite»", "«surrogate»"
HOSTILE: list[Any] = [
    None, True, -1, 0, 2**70, 10**400, 0.5, INFINITE, "", "x", SURROGATE, "all", [], [[]], [0], ["x", 1], {}, {"x": 1},
    [[0, "one"]] * 2, {"label": "x"}, [None, None, None],
]  # fmt: skip


def places(record: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """The paths to everything in a record."""
    inner = record.items() if isinstance(record, dict) else enumerate(record) if isinstance(record, list) else ()
    for key, value in inner:
        yield (*path, key)
        yield from places(value, (*path, key))


def mutations(record: Any) -> Iterator[tuple[tuple[Any, ...], str]]:
    """The record with one thing changed or missing, for everything in it, as text."""
    for path in list(places(record)):
        for value in [*HOSTILE, "«missing»"]:
            changed = copy.deepcopy(record)
            inner = changed
            for key in path[:-1]:
                inner = inner[key]
            if value == "«missing»":
                del inner[path[-1]]
            else:
                inner[path[-1]] = value
            text = json.dumps(changed, ensure_ascii=False)
            yield path, text.replace(f'"{INFINITE}"', "1e999").replace(SURROGATE, "\\ud800")


def fault(text: str, folder: Path) -> DataError | PolicyAutomaton:
    """What is wrong with a text, or the automaton that it is."""
    try:
        return read(text, folder)
    except DataError as error:
        return error


@pytest.mark.parametrize("goals", [False, True])
def test_whatever_is_changed_a_file_is_refused_or_harmless(goals: bool, tmp_path: Path) -> None:
    """One change in seven is tried, a few at each place. No error but `DataError` comes of reading."""
    task = task_of("gripper", 1)
    refused = accepted = 0
    for path, text in islice(mutations(example(goals).to_json()), 0, None, 7):
        found = fault(text, tmp_path)
        if isinstance(found, DataError):
            refused += 1
            if "not JSON" in str(found):
                continue
            assert found.place, (path, str(found))
            if path[0] not in ("vocabulary", "abstraction", "roles", "vertices"):  # others may depend on these
                assert found.place.startswith(str(path[0])), (path, str(found))
            str(found).encode()
            continue
        accepted += 1
        assert read(found.to_text(), tmp_path).to_text() == found.to_text()
        found.summary().encode()
        with suppress(MismatchError):
            assert solve(task, heuristic="hmax", automaton=found).value == pytest.approx(3.25)
    assert refused > 10 * accepted > 0


@pytest.mark.parametrize("cut", range(0, len(EXPECTED) - 2, 37))
def test_a_file_that_was_cut_off(cut: int, tmp_path: Path) -> None:
    with pytest.raises(DataError, match="the file was cut short"):
        read(EXPECTED[:cut], tmp_path)


def test_files_that_cannot_be_read(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match=r"nowhere\.json: no such file"):
        PolicyAutomaton.read(tmp_path / "nowhere.json")
    with pytest.raises(UsageError, match="is a directory, not a file"):
        PolicyAutomaton.read(tmp_path)
    (tmp_path / "binary").write_bytes(b"{\xff\xfe\x00")
    with pytest.raises(DataError, match=r"binary: is not UTF-8 text \(byte 1\)"):
        PolicyAutomaton.read(tmp_path / "binary")


def test_a_byte_order_mark_does_no_harm(tmp_path: Path) -> None:
    assert read("\ufeff" + EXPECTED, tmp_path) == example()


def test_nothing_of_a_file_is_executed(tmp_path: Path) -> None:
    """Names are texts, whatever they look like."""
    name = f"__import__('pathlib').Path({str(tmp_path / 'touched')!r}).touch()"
    automaton = read(edited(("training", 0, "problem"), name), tmp_path)
    assert name in automaton.summary()
    assert name in automaton.to_text()
    assert not (tmp_path / "touched").exists()


# --- versions, and what they say of the abstraction and of costs ---


def test_files_of_version_1_are_read() -> None:
    old = PolicyAutomaton.read(ROOT / "tests" / "automata" / "version-1.gpa.json")
    assert old == example()
    assert (old.training, old.covers) == (example().training, example().covers)
    assert old.settings == {"relevance": "off", "ties": "harmonize"}
    assert old.cost_modes == ()
    assert old.to_json()["version"] == 2
    assert old.to_json()["abstraction"] == json.loads(EXPECTED)["abstraction"]


class Counting:
    """An abstraction in Python whose labels changed once."""

    name = "counting"

    def __init__(self, version: int, most: int = 2) -> None:
        self.version = version
        self.options = {"most": most}

    def state(self, task: GroundTask, atoms: frozenset[GroundAtom]) -> str:  # noqa: ARG002
        return str(min(len(atoms), self.options["most"]))

    def action(self, task: GroundTask, atoms: frozenset[GroundAtom], action: GroundAction) -> str:  # noqa: ARG002
        return action.schema


def test_an_abstraction_is_named_with_its_version_and_options(tmp_path: Path) -> None:
    solution = solve(task_of("gripper", 1))
    automaton = learn(solution.space.task.domain, [solution], abstraction=Counting(3))
    record = automaton.to_json()
    assert record["abstraction"] == {"name": "counting", "version": 3, "options": {"most": 2}}
    assert read(automaton.to_text(), tmp_path, Counting(3)) == automaton
    message = r'abstraction: is "counting" with {"most": 2}, version 3, not "counting" with {"most": 2}, version 4'
    with pytest.raises(DataError, match=message):
        read(automaton.to_text(), tmp_path, Counting(4))
    with pytest.raises(DataError, match="version 3, not"):
        read(automaton.to_text(), tmp_path, Counting(3, most=4))
    with pytest.raises(MismatchError, match="different abstractions"):
        automaton.merge(learn(solution.space.task.domain, [solution], abstraction=Counting(4)))
    record["edges"][0]["action"] = ["pick", [0]]
    with pytest.raises(DataError, match=r"edges\[0\]\.action: must be a text, not"):
        read(json.dumps(record), tmp_path, Counting(3))
    record["vertices"][0] = VERTEX
    with pytest.raises(DataError, match=r"vertices\[0\]\.label: is missing"):
        read(json.dumps(record), tmp_path, Counting(3))


def test_an_automaton_records_the_costs_of_its_examples(tmp_path: Path) -> None:
    text = (ROOT / "tests" / "domains" / "metric-cost.ppddl").read_text(encoding="utf-8")
    parsed = parse_task(text)
    found = {}
    for cost in ("unit", "metric"):
        solution = solve(ground(parsed.domain, parsed.problem, cost=cost))
        found[cost] = learn(parsed.domain, [solution])
        assert found[cost].cost_modes == (cost,)
        assert learn(parsed.domain, [solution.policy]).cost_modes == (cost,)
        assert read(found[cost].to_text(), tmp_path).cost_modes == (cost,)
    both = found["unit"] | found["metric"]
    assert both.cost_modes == ("metric", "unit")
    assert both.to_json()["settings"]["cost"] == ["metric", "unit"]
    assert (both | found["unit"]).cost_modes == ("metric", "unit")
    assert read(both.to_text(), tmp_path).settings == both.settings


@pytest.mark.parametrize(
    "arguments",
    [
        ["solve", "DOMAIN", "PROBLEM", "--gpa", "GPA"],
        ["export", "DOMAIN", "PROBLEM", "--format", "drn", "-o", "out", "--gpa", "GPA"],
        ["learn", "DOMAIN", "PROBLEM", "--update", "GPA", "-o", "out"],
        ["grow", "gripper", "1", "--update", "GPA", "-o", "out"],
        ["prune", "GPA", "gripper", "1", "-o", "out"],
    ],
    ids=lambda arguments: arguments[0],
)
def test_an_automaton_for_other_costs_is_warned_of(
    arguments: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    domain, problem = generate("gripper", 1).write(tmp_path)
    names = {"DOMAIN": str(domain), "PROBLEM": str(problem), "GPA": "a.json"}
    monkeypatch.chdir(tmp_path)
    for costs, warned in (('"metric"', True), ('"unit"', False), ('["metric", "unit"]', False)):
        (tmp_path / "a.json").write_text(EXPECTED.replace('"cost": "unit"', f'"cost": {costs}'))
        done = gpaplan(*(names.get(each, each) for each in arguments))
        warning = "a.json: warning: the automaton was learned with metric costs, and the task has unit costs"
        assert (f"{warning} (--cost metric)\n" in done.stderr) == warned


# --- another domain ---


def test_another_domain_is_named() -> None:
    with pytest.raises(MismatchError) as caught:
        solve(task_of("delicate-can", 3), automaton=example())
    assert caught.value.exit_code == 36
    assert str(caught.value) == (
        "the automaton was learned for domain 'gripper', and problem 'delicate-can-3' is of domain 'delicate-can';  "
        "both must be of one domain"
    )


def test_a_changed_domain_is_noticed_too() -> None:
    benchmark = generate("gripper", 1)
    text = benchmark.domain_text.replace("(free ?h - hand))", "(free ?h - hand) (clean ?b - ball))")
    parsed = parse_task(text + benchmark.problem_text)
    with pytest.raises(MismatchError) as caught:
        example().accepts(solve(ground(parsed.domain, parsed.problem)))
    assert str(caught.value).startswith(
        "the automaton was learned for another version of domain 'gripper' than problem"
    )
    assert str(caught.value).splitlines()[2:] == ["  + predicates: clean/1"]


def test_another_domain_on_the_command_line(tmp_path: Path) -> None:
    example().write(tmp_path / "gripper.gpa.json")
    domain, problem = generate("delicate-can", 3).write(tmp_path)
    command = ("solve", domain, problem, "--gpa", tmp_path / "gripper.gpa.json")
    assert "both must be of one domain" in gpaplan(*command, code=36).stderr
    (tmp_path / "gripper.gpa.json").write_text(EXPECTED[:500])
    result = gpaplan(*command, code=35)
    assert "gripper.gpa.json:" in result.stderr
    assert "Traceback" not in result.stderr

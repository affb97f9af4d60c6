"""Structured files: what is the same for automata, policies and suites."""

from __future__ import annotations

import os
import subprocess
import sys
import threading
from pathlib import Path
from typing import Annotated, Any, Literal

import pytest
from msgspec import Meta, Struct

from gpaplan import DataError, UsageError
from gpaplan.benchmarks import generate
from gpaplan.data import Count, PositiveNumber, parse_json, parse_toml, read_text, typed


class Item(Struct, forbid_unknown_fields=True):
    name: str
    size: Count = 0
    kind: Literal["small", "large"] | None = None


class Shelf(Struct, forbid_unknown_fields=True):
    items: list[Item]
    pair: tuple[str, int] = ("", 0)
    weight: PositiveNumber = 1
    limit: Annotated[int, Meta(ge=1, le=9)] = 1
    open: bool = False
    notes: dict[str, Any] = {}
    either: list[int] | Item | None = None


FAULTS: list[tuple[Any, str]] = [
    ([], "f: must be an object with 'items', not []"),
    ({}, "f: items: is missing"),
    ({"items": [{"name": "a"}, {}]}, "f: items[1].name: is missing"),
    ({"items": [3]}, "f: items[0]: must be an object with 'name', not 3"),
    ({"items": [{"nam": "a"}]}, "f: items[0]: unknown key 'nam';  did you mean 'name'?"),
    ({"items": [{"xyz": "a"}]}, "f: items[0]: unknown key 'xyz';  there are name, size, kind"),
    ({"items": [], "itms": 1}, "f: unknown key 'itms';  did you mean 'items'?"),
    ({"items": [], "price": 1}, "f: unknown key 'price';  it is free"),
    ({"items": [{"name": 5}]}, "f: items[0].name: must be a text, not 5"),
    ({"items": [{"name": "a", "size": -1}]}, "f: items[0].size: must be a whole number from 0, not -1"),
    ({"items": [{"name": "a", "size": True}]}, "f: items[0].size: must be a whole number from 0, not true"),
    ({"items": [{"name": "a", "kind": "smal"}]}, "items[0].kind: \"smal\" is not known here;  did you mean 'small'?"),
    ({"items": [{"name": "a", "kind": 1}]}, 'items[0].kind: must be "large" or "small" or null, not 1'),
    ({"items": [], "pair": ["a"]}, 'f: pair: must be a list of a text and a whole number, not ["a"]'),
    ({"items": [], "pair": ["a", "b"]}, 'f: pair[1]: must be a whole number, not "b"'),
    ({"items": [], "weight": 10**400}, "f: weight: must be a positive number, not 1000"),
    ({"items": [], "weight": float("nan")}, "f: weight: must be a positive number, not nan"),
    ({"items": [], "limit": 10}, "f: limit: must be a whole number from 1 to 9, not 10"),
    ({"items": [], "open": 0}, "f: open: must be true or false, not 0"),
    ({"items": [], "notes": []}, "f: notes: must be an object, not []"),
    ({"items": [], "either": [1, "x"]}, 'f: either[1]: must be a whole number, not "x"'),
    ({"items": [], "either": {"name": 1}}, "f: either.name: must be a text, not 1"),
    ({"items": [], "either": {}}, "f: either.name: is missing"),
    ({"items": [], "x - at `$.y": 1}, "f: Object contains unknown field"),
    ({"items": [], "x`\n - at `$.items[7]`": 1}, "f: unknown key 'x`\n - at `$.items[7]`'"),
    ({"items": "y" * 100}, 'f: items: must be a list, not "' + "y" * 59 + " …"),
]


@pytest.mark.parametrize(("data", "message"), FAULTS, ids=range(len(FAULTS)))
def test_a_fault_is_named_with_its_place_and_what_belongs_there(data: Any, message: str) -> None:
    with pytest.raises(DataError) as caught:
        typed(data, Shelf, "f", hints={"price": "it is free"})
    assert message in str(caught.value)


def test_places_begin_where_the_data_does() -> None:
    with pytest.raises(DataError, match=r"^f: shelves\[2\]\.items: is missing$"):
        typed({}, Shelf, "f", "shelves[2]")


def test_what_fits_comes_back_as_records() -> None:
    shelf = typed({"items": [{"name": "a", "kind": None}], "pair": ["a", 2], "either": {"name": "b"}}, Shelf, "f")
    assert shelf == Shelf([Item("a")], pair=("a", 2), either=Item("b"))


# --- text ---


def test_of_a_key_that_stands_twice_the_last_counts() -> None:
    """The parser does not say that there were two; so does docs/automata.md."""
    assert parse_json('{"a": 1, "a": 2}', "f", "a shelf") == {"a": 2}


TEXTS: list[tuple[str, str]] = [
    ('{"a": -Infinity}', "f:1:8: not JSON: invalid character; the file was cut short or edited"),
    ('{"a": 1,\n "ä": NaN}', "f:2:7: not JSON: invalid character; the file was cut short or edited"),
    ('{"a": [0, 1e999]}', "f: not JSON: Number out of range; the file was cut short or edited"),
    ('{"a": {"b": "\\ud800x-----"}}', "f:1:20: not JSON: "),
    ("; a problem\n(define (problem p))", "f: this is PPDDL;  a shelf is wanted here"),
    ('{"a": 1', "f: not JSON: Input data was truncated; the file was cut short or edited"),
    ("9" * 5000, "f: not JSON: Integer value out of range"),
    ("[" * 100_000, "f: nested too deeply; this is not a shelf"),
]


@pytest.mark.parametrize(("text", "message"), TEXTS, ids=range(len(TEXTS)))
def test_text_that_is_not_json(text: str, message: str) -> None:
    with pytest.raises(DataError) as caught:
        parse_json(text, "f", "a shelf")
    assert message in str(caught.value)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("a = 1\na = 2\n", "f:2:6: not TOML: Cannot overwrite a value"),
        ("a = " + "9" * 5000, "f: not TOML: Exceeds the limit"),
        ("a = [1,", "f:1:8: not TOML: "),
        ("a = " + "[" * 100_000, "f: nested too deeply; this is not a shelf"),
    ],
    ids=range(4),
)
def test_text_that_is_not_toml(text: str, message: str) -> None:
    with pytest.raises(DataError) as caught:
        parse_toml(text, "f", "a shelf")
    assert message in str(caught.value)


# --- files ---


def test_files_that_cannot_be_read(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match=r"nowhere: no such file"):
        read_text(tmp_path / "nowhere", "f", "a shelf")
    with pytest.raises(UsageError, match="is a directory, not a file"):
        read_text(tmp_path, "f", "a shelf")
    with pytest.raises(UsageError, match="cannot be read: embedded null byte"):
        read_text("a\0b", "f", "a shelf")
    (tmp_path / "large").write_bytes(b" " * (2**20 + 1))
    with pytest.raises(DataError, match=r"f: larger than 1 MiB; this is not a shelf"):
        read_text(tmp_path / "large", "f", "a shelf", 2**20)
    assert len(read_text(tmp_path / "large", "f", "a shelf", 2**20 + 1)) == 2**20 + 1
    (tmp_path / "binary").write_bytes(b'{"a": "\xff"}')
    with pytest.raises(DataError, match=r"f: is not UTF-8 text \(byte 7\); this is not a shelf"):
        read_text(tmp_path / "binary", "f", "a shelf")


@pytest.mark.skipif(not os.path.exists("/dev/zero"), reason="needs /dev/zero")
def test_a_device_without_an_end_is_refused() -> None:
    with pytest.raises(DataError, match="larger than 1 MiB"):
        read_text("/dev/zero", "f", "a shelf", 2**20)


def test_pipes_can_be_read(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    writer = threading.Thread(target=lambda: pipe.write_text("text"))
    writer.start()
    assert read_text(pipe, "f", "a shelf") == "text"
    writer.join()


def test_msgspec_is_not_imported_unless_a_data_file_is(tmp_path: Path) -> None:
    """It would cost every call of a command that reads PPDDL only."""
    domain, problem = generate("gripper", 1).write(tmp_path)
    script = (
        "import sys; import gpaplan\n"
        "from gpaplan.cli import main\n"
        "for command in ('check', 'solve'):\n"
        "    try: main([command, *sys.argv[1:]])\n"
        "    except SystemExit as end: assert end.code == 0\n"
        "print('msgspec' in sys.modules)\n"
    )
    command = [sys.executable, "-c", script, str(domain), str(problem)]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    assert done.stdout.splitlines()[-1] == "False"

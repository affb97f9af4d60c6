"""Structured files: automata, policies and suites are read in one way, from the outside in, and written in one way.

    record, name = read_json(path, "a policy")
    policy = typed(record, PolicyFile, name)

The text becomes plain data: UTF-8, of bearable size, and nothing that JSON does not have. msgspec turns plain data into
records of declared types. What types cannot say is checked by those who asked. Whatever is wrong is a `DataError` that
names the place and, as far as can be known, what was meant: ``states[3].action: must be …``.

msgspec tells the place of a fault. What belongs there is read off the declared type: ``Meta(description=…)`` says it
in words where the type alone says too little.
"""

from __future__ import annotations

import json
import os
import re
import tomllib
from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path
from typing import Annotated, Any, NoReturn, TypeAlias, TypeVar

import msgspec
from msgspec import Meta, inspect

from gpaplan.errors import DataError, did_you_mean
from gpaplan.files import file_name, read_bytes

T = TypeVar("T")
Poll: TypeAlias = Callable[[], object]
"""What is called now and then by what may take long, and raises if it is to end."""

_PPDDL = re.compile(r"(\s|;.*\n)*\(\s*define\b", re.IGNORECASE)
MAX_BYTES = 256 * 1024 * 1024  # of a file, unless its reader says otherwise

Count = Annotated[int, Meta(ge=0)]
PositiveNumber = Annotated[float, Meta(gt=0, le=1.7976931348623157e308, description="a positive number")]


# --- from a file to plain data; ``file`` and ``what`` are for messages ---


def read_text(
    path: str | os.PathLike[str], file: str, what: str, most: int = MAX_BYTES, poll: Poll = lambda: None
) -> str:
    """The text of a file. Raises `UsageError` if it cannot be read. ``poll`` is called now and then."""
    data = read_bytes(path, most, poll)
    if len(data) > most:
        raise DataError(f"larger than {most / 2**20:,.0f} MiB; this is not {what}", file)
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise DataError(f"is not UTF-8 text (byte {error.start}); this is not {what}", file) from None


def is_ppddl(path: Path) -> bool:
    """Whether a file begins as those of domains and problems do; streams are not looked at."""
    return path.is_file() and _PPDDL.match(read_bytes(path, MAX_BYTES).decode(errors="replace")) is not None


def parse_json(text: str, file: str, what: str) -> Any:
    """JSON, strictly: no NaN, and no number or text that could not be written again. Of a key that stands twice in an
    object the last one counts."""
    try:
        return msgspec.json.decode(text)
    except RecursionError:
        raise DataError(f"nested too deeply; this is not {what}", file) from None
    except msgspec.DecodeError as error:
        if _PPDDL.match(text):
            raise DataError(f"this is PPDDL;  {what} is wanted here", file) from None
        reason, _, rest = str(error).removeprefix("JSON is malformed: ").partition(" (byte ")
        message = f"not JSON: {reason.partition(' - at ')[0]}; the file was cut short or edited"
        if not rest:
            raise DataError(message, file) from None
        *_, last = lines = text.encode()[: int(rest[:-1])].decode(errors="ignore").split("\n")
        raise DataError(message, file, line=len(lines), column=len(last) + 1) from None


def parse_toml(text: str, file: str, what: str) -> dict[str, Any]:
    """TOML."""
    try:
        return tomllib.loads(text)
    except RecursionError:
        raise DataError(f"nested too deeply; this is not {what}", file) from None
    except ValueError as error:
        found = re.fullmatch(r"(.*) \(at (?:line (\d+), column (\d+)|end of document)\)", str(error), re.DOTALL)
        if found is None:
            raise DataError(f"not TOML: {error}", file) from None
        last = text.count("\n") + 1
        line, column = (int(found[2]), int(found[3])) if found[2] else (last, len(text) - text.rfind("\n"))
        raise DataError(f"not TOML: {found[1]}", file, line=line, column=column) from None


def read_json(
    path: str | os.PathLike[str], what: str, most: int = MAX_BYTES, poll: Poll = lambda: None
) -> tuple[Any, str]:
    """What a file of JSON holds, and the name of the file."""
    name = file_name(path, what)
    return parse_json(read_text(name, name, what, most, poll), name, what), name


class Checker:
    """Checks what the types of a file do not say; every complaint names its place."""

    def __init__(self, file: str) -> None:
        self.file = file

    def fail(self, place: str, message: str) -> NoReturn:
        """Say what is wrong."""
        raise DataError(message, self.file, place)


def _join(place: str, key: str) -> str:
    return f"{place}.{key}" if place else key


class _Head(msgspec.Struct):
    format: str
    version: Annotated[int, Meta(ge=1)]


_WRITTEN_BY = {
    "an automaton": "'gpaplan learn'",
    "rules": "'gpaplan learn'",
    "a policy": "'gpaplan solve -o FILE'",
    "a trace": "'gpaplan simulate --trace FILE'",
}


def check_format(record: Any, name: str, newest: int, file: str, what: str) -> int:
    """The version of a file that says what it is by ``format`` and ``version``."""
    head = typed(record, _Head, file)
    if head.format != name:
        message = (
            f'must be "{name}", not {show(head.format)}; this is not {what};  {_WRITTEN_BY[what]} writes such a file'
        )
        raise DataError(message, file, "format")
    if head.version > newest:
        message = f"{show(head.version)} is newer than the version {newest} known here; use a newer gpaplan"
        raise DataError(message, file, "version")
    return head.version


# --- from plain data to records ---


def typed(
    data: Any,
    kind: type[T],
    file: str,
    place: str = "",
    hints: Mapping[str, str] | None = None,
    *,
    of_text: bool = False,
) -> T:
    """Plain data as a value of a type. ``hints`` say of keys that are not known what may have been meant. If it is all
    ``of_text``, such as a line of CSV, numbers are read from that."""
    try:
        return msgspec.convert(data, kind, strict=not of_text)
    except msgspec.ValidationError as error:
        raise _explain(str(error), data, inspect.type_info(kind), file, place, hints or {}) from None


_FAULT = re.compile(r"(.*?)(?: - at `\$((?:\.\w+|\[\d+\])+)`)?", re.DOTALL)
_FIELD = re.compile(r"Object (missing required|contains unknown) field `(.*)`", re.DOTALL)


def _explain(fault: str, value: Any, kind: inspect.Type, file: str, place: str, hints: Mapping[str, str]) -> DataError:
    """What msgspec found, in our words: its path is followed through the data and through the types."""
    found = _FAULT.fullmatch(fault)
    assert found is not None
    kinds = list(_alternatives(kind))
    try:
        for name, index in re.findall(r"\.(\w+)|\[(\d+)\]", found[2] or ""):
            step = name or int(index)
            value = value[step]
            kind = next(inner for each in kinds for inner in _inner_types(each, step))
            kinds = list(_alternatives(kind))
            place = _join(place, name) if name else f"{place}[{index}]"
    except (LookupError, TypeError, StopIteration):  # no path, but a key that looks like one
        return DataError(fault, file, place)
    field = _FIELD.fullmatch(found[1])
    if field is not None and field[1] == "missing required":
        return DataError("is missing", file, _join(place, field[2]))
    if field is not None:
        keys = [each.encode_name for kind in kinds if isinstance(kind, inspect.StructType) for each in kind.fields]
        return DataError(f"unknown key '{field[2]}';  {hints.get(field[2]) or _hint(field[2], keys)}", file, place)
    choices = [each for kind in kinds if isinstance(kind, inspect.LiteralType) for each in kind.values]
    choices += [each.value for kind in kinds if isinstance(kind, inspect.EnumType) for each in kind.cls]
    if choices and isinstance(value, str):
        return DataError(f"{show(value)} is not known here;  {_hint(value, choices)}", file, place)
    return DataError(f"must be {_describe(kind)}, not {show(value)}", file, place)


def _hint(name: str, known: Iterable[Any]) -> str:
    return did_you_mean(name, known) or f"there are {', '.join(known)}"


def _alternatives(kind: inspect.Type) -> Iterator[inspect.Type]:
    """The types of a union, or the one."""
    if isinstance(kind, inspect.Metadata):
        yield from _alternatives(kind.type)
    elif isinstance(kind, inspect.UnionType):
        for each in kind.types:
            yield from _alternatives(each)
    else:
        yield kind


def _inner_types(kind: inspect.Type, step: str | int) -> Iterator[inspect.Type]:
    """The type of a field, or of an item."""
    match kind, step:
        case ((inspect.StructType() | inspect.DataclassType()), str()):
            yield from (field.type for field in kind.fields if field.encode_name == step)
        case inspect.TupleType(), int():
            yield kind.item_types[step]
        case ((inspect.ListType() | inspect.VarTupleType()), int()):
            yield kind.item_type


_PLAIN = {
    inspect.StrType: "a text",
    inspect.FloatType: "a number",
    inspect.BoolType: "true or false",
    inspect.NoneType: "null",
    inspect.ListType: "a list",
    inspect.VarTupleType: "a list",
    inspect.DictType: "an object",
}


def _describe(kind: inspect.Type) -> str:
    """A type in words."""
    match kind:
        case inspect.Metadata():
            return str((kind.extra_json_schema or {}).get("description") or _describe(kind.type))
        case inspect.UnionType():
            return " or ".join(map(_describe, kind.types))
        case inspect.LiteralType():
            return " or ".join(map(show, kind.values))
        case inspect.TupleType():
            return "a list of " + " and ".join(map(_describe, kind.item_types))
        case inspect.StructType() | inspect.DataclassType():
            needed = " and ".join(f"'{field.encode_name}'" for field in kind.fields if field.required)
            return "an object" + (f" with {needed}" if needed else "")
        case inspect.IntType():
            least = "" if kind.ge is None else f" from {kind.ge}"
            return f"a whole number{least}" + ("" if kind.le is None else f" to {kind.le}")
    return _PLAIN[type(kind)]


def show(value: object, most: int = 60) -> str:
    """A value of a file for a message."""
    text = str(value) if isinstance(value, float) else json.dumps(value, ensure_ascii=False, default=str)
    return text if len(text) <= most else f"{text[:most]} …"

"""The results file: one SQLite database with a record for each run that has ended.

Records are added one by one, each in a transaction of its own that is on the disk before the next run starts: whatever
happens to the process or the machine, the file holds whole records, each once. The key is unique, so a run cannot be
recorded twice. Only one process writes at a time; it holds a lock, which the system takes back if the process dies.

SQLite keeps its own structure sound but would not notice a changed digit, so every row has a checksum of its values,
compared when the file is opened. `gpaplan.experiments.salvage` takes over what is sound from a damaged file.

A file may come from anybody. SQLite is told not to trust it, and nothing is read of one that has other tables than
ours, or columns that are more than a name and a type.

The journal is a rollback journal and not a write-ahead log: the file is complete by itself whenever nothing writes to
it, and it may lie on a network file system.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
import re
import sqlite3
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import asdict, dataclass, fields
from pathlib import Path
from typing import Any

from gpaplan import system
from gpaplan.data import show
from gpaplan.errors import DataError, UsageError
from gpaplan.experiments.record import LATER_COLUMNS, Record, checked, kinds_of, write_records
from gpaplan.experiments.suite import Run, Suite

APPLICATION_ID = 0x67706178  # "gpax": SQLite keeps it in the file's head
SCHEMA_VERSION = 3
MAX_BYTES = 4 * 2**30
"""Larger files are refused."""
_MISSING = "this is not a results file of 'gpaplan bench'"


class WriteError(UsageError):
    """A result could not be written, say because the disk is full. What was recorded before is safe."""


@dataclass(frozen=True, slots=True)
class StoredAutomaton:
    """What was learned from the training problems of a domain."""

    key: str
    domain: str
    training: str
    """For each training problem its label, cost, number of states and seconds, as a JSON list."""
    text: str
    """The automaton's file."""
    hash: str
    vertices: int
    edges: int
    seconds: float
    """Of solving the training problems and learning."""
    version: str
    started: str


TABLES = {"records": Record, "automata": StoredAutomaton}
COLUMNS_OF = {
    version: {
        table: tuple(each.name for each in fields(kind) if LATER_COLUMNS.get(each.name, 1) <= version)
        for table, kind in TABLES.items()
    }
    for version in range(SCHEMA_VERSION, 0, -1)
}
"""Those of files of each version, the newest first."""
_COLUMNS = COLUMNS_OF[SCHEMA_VERSION]


class Results:
    """A results file. With ``write`` it is made if need be, and locked against other writers until it is closed."""

    def __init__(self, path: str | os.PathLike[str], *, write: bool = False) -> None:
        self.path = Path(path)
        self.name = os.fspath(path)
        self._lock: int | None = None
        if write:
            self._lock = _locked(self.path)
        try:
            self._open(write)
        except BaseException:
            self.close()
            raise

    def _open(self, write: bool) -> None:
        if not write and not self.path.is_file():
            raise UsageError(f"there is no results file '{self.name}'; 'gpaplan bench SUITE' makes one")
        if write and self.path.exists() and not self.path.is_file():
            raise UsageError(f"'{self.name}' is not a file; name another one with --output")
        if self.path.is_file() and self.path.stat().st_size > MAX_BYTES:
            raise DataError(f"larger than {MAX_BYTES / 2**30:,.0f} GiB; {_MISSING}", self.name)
        try:
            self._database = sqlite3.connect(self.path, timeout=60, isolation_level=None, check_same_thread=False)
        except sqlite3.DatabaseError as error:
            raise self._cannot_open(error, write) from error
        self._database.row_factory = sqlite3.Row
        with self._reading(write):
            _restrict_sql(self._database)
            if write and self._pragma("page_count") == 0:
                self._create()
            self._check()
            if write and self._pragma("user_version") < SCHEMA_VERSION:
                self._bring_up_to_date()
        self._file = os.stat(self.path).st_ino

    @contextlib.contextmanager
    def _reading(self, write: bool = False) -> Iterator[None]:
        """Say what is wrong with a file that SQLite cannot read. An interrupt ends what SQLite does.

        It looks for one now and then, and then ends with an error of its own. (Where an error quotes bytes of the file
        that are no text, Python cannot even say what it is.)
        """
        self._database.set_progress_handler(lambda: 0, 100_000)  # to call Python at all is what matters
        try:
            yield
        except (sqlite3.DatabaseError, UnicodeDecodeError) as error:
            raise self._cannot_open(error, write) from error
        finally:
            self._database.set_progress_handler(None, 0)

    def _cannot_open(self, error: Exception, write: bool) -> BaseException:
        if str(error) == "interrupted":
            return KeyboardInterrupt()
        if isinstance(error, UnicodeDecodeError):
            return self._damaged("there are bytes in it that are no text")
        if any(part in str(error) for part in ("full", "readonly", "unable to open", "disk I/O", "locked")):
            return self._cannot_write(error) if write else UsageError(f"cannot read '{self.name}': {error}")
        if "not a database" in str(error):
            return DataError(f"{_MISSING}, or its beginning is destroyed; name another file", self.name)
        return self._damaged(str(error))

    def close(self) -> None:
        """Let go of the file; what was added is in it."""
        database = getattr(self, "_database", None)
        if database is not None:
            with contextlib.suppress(sqlite3.Error):
                database.close()
        if self._lock is not None:
            _unlock(self.path, self._lock)
            self._lock = None

    def __enter__(self) -> Results:
        return self

    def __exit__(self, *_error: object) -> None:
        self.close()

    # --- opening ---

    def _create(self) -> None:
        with self._transaction() as database:
            database.execute(f"PRAGMA application_id = {APPLICATION_ID}")
            database.execute(f"PRAGMA user_version = {SCHEMA_VERSION}")
            for table, kind in TABLES.items():
                columns = f"key TEXT PRIMARY KEY NOT NULL, {_declared(kind)}, checksum TEXT NOT NULL"
                database.execute(f"CREATE TABLE {table} ({columns})")
            database.execute("CREATE TABLE suites (name TEXT PRIMARY KEY NOT NULL, place INTEGER, text TEXT NOT NULL)")

    def _check(self) -> None:
        """Refuse a file that is not ours, too new, or damaged."""
        if self._pragma("application_id") != APPLICATION_ID:
            raise DataError(f"{_MISSING}, but another SQLite database; name another file", self.name)
        version = self._pragma("user_version")
        if version not in COLUMNS_OF:
            raise DataError(f"has format {version}, and {SCHEMA_VERSION} is known here; use a newer gpaplan", self.name)
        self._check_tables(version)
        (found,) = self._database.execute("PRAGMA integrity_check(1)").fetchone()
        if found != "ok":
            raise self._damaged(str(found).replace("\n", " "))
        for table, names in COLUMNS_OF[version].items():
            for row in self._database.execute(f"SELECT {', '.join(names)}, checksum FROM {table}"):
                *values, given = row
                if any(isinstance(value, bytes) for value in row) or given != checksum(values):
                    raise self._damaged(f"the checksum of the row {show(row['key'])} of '{table}' is wrong")
        for row in self._database.execute("SELECT name, text FROM suites ORDER BY place"):
            if not all(isinstance(value, str) for value in row):
                raise self._damaged("the text of a suite is none")

    def _check_tables(self, version: int) -> None:
        """Refuse a file that has anything but our tables: a view, say, may never end."""
        wanted = {table: {*names, "checksum"} for table, names in COLUMNS_OF[version].items()} | {"suites": _SUITES}
        left = {(kind, f"{prefix}{table}{suffix}") for table in wanted for kind, prefix, suffix in _KEPT_FOR_A_TABLE}
        for kind, name, text in self._database.execute("SELECT type, name, sql FROM sqlite_schema"):
            if (kind, name) not in left:
                raise self._damaged(f"it has the {show(kind)} {show(name)}, which is none of ours")
            left.remove((kind, name))
            if kind == "table" and plain_columns(str(text)) != wanted[name]:
                raise self._damaged(f"the columns of '{name}' are not those of format {version}")
        if left:
            raise self._damaged(f"the {' '.join(min(left))} is missing")

    def _bring_up_to_date(self) -> None:
        """Give a file of an older version the columns that came later, and new checksums, which cover them."""
        old = self._pragma("user_version")
        with self._transaction() as database:
            for name in (name for name, since in LATER_COLUMNS.items() if since > old):
                database.execute(f"ALTER TABLE records ADD COLUMN {name} TEXT")
            for row in database.execute("SELECT * FROM records").fetchall():
                values = [row[name] for name in _COLUMNS["records"]]
                database.execute("UPDATE records SET checksum = ? WHERE key = ?", (checksum(values), row["key"]))
            database.execute(f"PRAGMA user_version = {SCHEMA_VERSION}")

    def _pragma(self, name: str) -> int:
        return int(self._database.execute(f"PRAGMA {name}").fetchone()[0])

    def _damaged(self, what: str) -> DataError:
        return DataError(
            f"the file is damaged or cut short ({what}). Move it away and take over what is sound in it: "
            f"gpaplan bench SUITE --output NEW --salvage {self.name}",
            self.name,
        )

    # --- writing ---

    @contextlib.contextmanager
    def _transaction(self) -> Iterator[sqlite3.Connection]:
        """All of it or nothing; on the disk when the block is left."""
        if hasattr(self, "_file") and not self._is_there():
            raise WriteError(
                f"'{self.name}' was moved or deleted while it was in use; put it back (or name another file with "
                "--output) and give the command again"
            )
        try:
            self._database.execute("BEGIN IMMEDIATE")
            try:
                yield self._database
                self._database.execute("COMMIT")
            except BaseException:
                with contextlib.suppress(sqlite3.Error):
                    self._database.execute("ROLLBACK")
                raise
        except sqlite3.IntegrityError:
            raise
        except sqlite3.DatabaseError as error:
            raise self._cannot_write(error) from error

    def _is_there(self) -> bool:
        try:
            return os.stat(self.path).st_ino == self._file
        except OSError:
            return False

    def _cannot_write(self, error: Exception) -> WriteError:
        return WriteError(
            f"cannot write to '{self.name}': {error}. What was recorded before is safe: make room (or mend the file's "
            "permissions) and give the same command again, and it goes on where it stopped"
        )

    def begin(self, suite: Suite, runs: Iterable[Run]) -> None:
        """Keep the suite's text, and bring what records say of their place in a suite up to date."""
        with self._transaction() as database:
            place = self._count("suites")
            for name, text in suite.texts.items():
                database.execute(
                    "INSERT INTO suites VALUES (?, ?, ?) ON CONFLICT (name) DO UPDATE SET text = excluded.text",
                    (name, place, text),
                )
                place += 1
            known = {row["key"]: row for row in self._select("SELECT * FROM records")}
            for run in runs:
                row = known.get(run.key)
                places = {"suite": run.plan.suite, "size": run.size, "run": run.index}
                if row is not None and any(row[name] != value for name, value in places.items()):
                    self._insert_row("records", {**row, **places})

    def _count(self, table: str) -> int:
        return int(self._select(f"SELECT count(*) FROM {table}")[0][0])

    def add(self, record: Record, *, replace: bool = False) -> None:
        """Record a run. A second record of the same run is refused unless it is to replace the first."""
        with self._transaction():
            if not replace and record.key in self:
                raise UsageError(f"the run {record.key} is recorded in '{self.name}' already")
            self._insert_row("records", asdict(record))

    def add_automaton(self, automaton: StoredAutomaton) -> None:
        """Keep an automaton under its key."""
        with self._transaction():
            self._insert_row("automata", asdict(automaton))

    def _insert_row(self, table: str, values: Mapping[str, Any]) -> None:
        row = [values.get(name) for name in _COLUMNS[table]]
        names = (*_COLUMNS[table], "checksum")
        marks = ", ".join("?" * len(names))
        changes = ", ".join(f"{name} = excluded.{name}" for name in names[1:])
        command = f"INSERT INTO {table} ({', '.join(names)}) VALUES ({marks}) ON CONFLICT (key) DO UPDATE SET {changes}"
        self._database.execute(command, [*row, checksum(row)])

    # --- reading ---

    def _select(self, query: str, *values: str) -> list[sqlite3.Row]:
        with self._reading():
            return self._database.execute(query, values).fetchall()

    def __contains__(self, key: str) -> bool:
        return self._row("records", key) is not None

    def _row(self, table: str, key: str) -> dict[str, Any] | None:
        found = self._select(f"SELECT * FROM {table} WHERE key = ?", key)
        return {name: found[0][name] for name in _COLUMNS[table] if name in found[0].keys()} if found else None  # noqa: SIM118

    def __len__(self) -> int:
        return self._count("records")

    def records(self) -> list[Record]:
        """All records, in the order of the suite: domain, problem, solver, without and with automaton, run."""
        rows = self._select("SELECT * FROM records ORDER BY rowid")
        first: dict[tuple[str, str], int] = {}
        for row in rows:
            first.setdefault((row["suite"], row["domain"]), len(first))
        found = [checked(dict(row), self.name, f"record {row['key']}") for row in rows]
        return sorted(found, key=lambda r: (first[r.suite, r.domain], r.size, r.problem, r.solver, r.gpa, r.run, r.key))

    def automaton(self, key: str) -> StoredAutomaton | None:
        """The automaton with a key, if there is one."""
        row = self._row("automata", key)
        return None if row is None else StoredAutomaton(**row)

    def automata(self) -> list[StoredAutomaton]:
        """All automata, by domain."""
        rows = self._select("SELECT * FROM automata ORDER BY domain, key")
        return [StoredAutomaton(**{name: row[name] for name in _COLUMNS["automata"]}) for row in rows]

    @property
    def suite_texts(self) -> dict[str, str]:
        """The text of each suite whose runs are here, by name."""
        rows = self._select("SELECT name, text FROM suites ORDER BY place")
        return {row["name"]: row["text"] for row in rows}

    def export_csv(self, path: str | os.PathLike[str]) -> None:
        """Write the records as CSV; compressed where the name ends with ``.xz``."""
        write_records(self.records(), path)


def _restrict_sql(database: sqlite3.Connection) -> None:
    """Have SQLite run nothing dangerous for a file that somebody has made up, and look closely at its structure."""
    database.execute("PRAGMA trusted_schema = OFF")
    database.execute("PRAGMA cell_size_check = ON")
    if hasattr(database, "setconfig"):  # since Python 3.12
        switches: Any = sqlite3
        database.setconfig(switches.SQLITE_DBCONFIG_DEFENSIVE, True)


_SUITES = {"name", "place", "text"}
_KEPT_FOR_A_TABLE = [("table", "", ""), ("index", "sqlite_autoindex_", "_1")]
_COLUMN = re.compile(r"\s*(\w+) (?:TEXT|INTEGER|REAL)(?: PRIMARY KEY)?(?: NOT NULL)?\s*")


def plain_columns(text: str) -> set[str]:
    """The columns of a table, by the command that made it; empty if it says more than their names and types."""
    inside = re.fullmatch(r"CREATE TABLE \w+\s*\((.*)\)", text, re.DOTALL)
    found = [_COLUMN.fullmatch(part) for part in inside[1].split(",")] if inside else [None]
    return {each[1] for each in found if each} if all(found) else set()


def _declared(record: type) -> str:
    """The columns of a table that keeps such records, without the key."""
    sql = {str: "TEXT", int: "INTEGER", float: "REAL"}
    _, *others = kinds_of(record).items()
    return ", ".join(f"{name} {sql[kind]}" + ("" if optional else " NOT NULL") for name, (kind, optional) in others)


def checksum(row: list[Any]) -> str:
    return hashlib.sha256(json.dumps(row).encode()).hexdigest()[:16]


# --- one writer at a time ---


def _lock_path(path: Path) -> Path:
    target = Path(os.path.realpath(path))
    return target.with_name(f".{target.name}.lock")


def _locked(path: Path) -> int:
    """Take the lock of a results file, or say who has it."""
    place = _lock_path(path)
    while True:
        try:
            lock = os.open(place, os.O_RDWR | os.O_CREAT | system.open_flag("O_CLOEXEC"), 0o666)
        except OSError as error:
            raise UsageError(f"cannot write '{path}': {error.strerror or error}") from None
        if not system.lock(lock, wait=False):
            owner = os.read(lock, 20).decode("ascii", "replace").strip()
            os.close(lock)
            raise UsageError(
                f"another 'gpaplan bench' (process {owner or 'unknown'}) is writing to '{path}'; wait for it, or name "
                "another file with --output"
            )
        # The one who had it before may have removed it between our opening and locking it.
        try:
            if os.stat(place).st_ino == os.fstat(lock).st_ino:
                with contextlib.suppress(OSError):  # a full disk, say: the number is only for a message
                    os.ftruncate(lock, 0)
                    os.write(lock, str(os.getpid()).encode())
                return lock
        except FileNotFoundError:
            pass
        os.close(lock)


def _unlock(path: Path, lock: int) -> None:
    # What counts is the lock, which ends with the descriptor. Its file may be gone, or its folder read-only by now; a
    # file that stays is found and used by the next run.
    with contextlib.suppress(OSError):
        _lock_path(path).unlink()
    os.close(lock)

"""The results file: whole records, each once, whatever happens to the file."""

from __future__ import annotations

import lzma
import os
import sqlite3
import subprocess
import sys
from collections.abc import Callable
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gpaplan.errors import DataError, UsageError
from gpaplan.experiments.record import COLUMNS, LATER_COLUMNS, STATUSES, Record, read_records, write_records
from gpaplan.experiments.results import Results, StoredAutomaton, WriteError, checksum
from gpaplan.experiments.salvage import Salvaged, salvage
from gpaplan.experiments.suite_file import load_suite
from tests.examples import examples
from tests.experiments.samples import SMALL, rows, sample_record, write_suite

AUTOMATON = StoredAutomaton("k", "gripper", "[]", "{}\n", "h", 3, 2, 0.5, "0.1.0", "2026-01-01T00:00:00Z")


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "results.sqlite"


def filled(path: Path, count: int = 150) -> list[Record]:
    """A results file of several pages."""
    records = [sample_record(number, message="x" * 300) for number in range(count)]
    with Results(path, write=True) as results:
        results._database.execute("PRAGMA synchronous = OFF")
        for record in records:
            results.add(record)
        results.add_automaton(AUTOMATON)
    return records


def test_the_columns_are_the_documented_ones() -> None:
    assert COLUMNS[:10] == ("key", "suite", "domain", "problem", "theta", "size", "solver", "gpa", "run", "seed")
    assert COLUMNS[-5:] == ("version", "python", "platform", "machine", "started")
    assert len(COLUMNS) == 54


def test_what_is_added_is_read_again(path: Path) -> None:
    records = filled(path, 5)
    with Results(path) as results:
        assert results.records() == records
        assert results.automata() == [AUTOMATON]
        assert results.automaton("k") == AUTOMATON
        assert results.automaton("other") is None
        assert len(results) == 5
        assert records[0].key in results
    assert read_records(path) == records


def test_no_run_is_recorded_twice(path: Path) -> None:
    with Results(path, write=True) as results:
        results.add(sample_record(value=1.0))
        with pytest.raises(UsageError, match=r"recorded in .* already"):
            results.add(sample_record(value=2.0))
        assert [record.value for record in results.records()] == [1.0]
        results.add(sample_record(value=3.0), replace=True)
        assert [record.value for record in results.records()] == [3.0]
    # Not even by somebody who writes to the file without us.
    database = sqlite3.connect(path)
    with pytest.raises(sqlite3.IntegrityError):
        database.execute("INSERT INTO records SELECT * FROM records")
    database.close()


def test_records_say_where_a_suite_has_them_now(path: Path, tmp_path: Path) -> None:
    text = SMALL.replace("[[1], [2], [3]]", "[[1]]")
    first = load_suite(str(write_suite(tmp_path, text)))
    (run,) = [run for run in first.runs() if not run.gpa and run.index == 0]
    described = {**run.described(), "status": "solved", "message": "", "version": "0", "python": "3"}
    with Results(path, write=True) as results:
        results.add(Record(**described, platform="", machine="", started=""))
    grown = load_suite(str(write_suite(tmp_path, text.replace("test = [[1]]", "test = [[3], [1]]"), "grown")))
    with Results(path, write=True) as results:
        results.begin(grown, grown.runs())
        (record,) = results.records()
        assert (record.key, record.suite, record.size) == (run.key, "grown", 1)
        assert results.suite_texts == grown.texts
    with Results(path):
        pass  # the checksum is right


# --- CSV ---

_TEXT = st.text(st.characters(codec="utf-8", exclude_characters="\x00"), max_size=12)
_FLOAT = st.floats(allow_nan=False, allow_infinity=False)
_RECORDS = st.builds(
    sample_record,
    st.integers(0, 10**6),
    message=_TEXT,
    problem=_TEXT,
    status=st.sampled_from(STATUSES),
    value=st.none() | _FLOAT,
    seconds=st.none() | _FLOAT,
    fallback=st.none() | st.integers(0, 1),
    heuristic=st.none() | st.sampled_from(["ff", "blind"]),
    seed=st.integers(0, 2**63 - 1),
    size=st.integers(0, 1000),
)


@examples(25)
@given(st.lists(_RECORDS, unique_by=lambda record: record.key, max_size=5))
def test_csv_and_results_files_keep_records_to_the_last_bit(records: list[Record]) -> None:
    import tempfile

    with tempfile.TemporaryDirectory() as name:
        for file in ("records.csv", "records.csv.xz"):
            write_records(records, Path(name) / file)
            assert read_records(Path(name) / file) == records
        with Results(Path(name) / "results.sqlite", write=True) as results:
            results._database.execute("PRAGMA synchronous = OFF")
            for record in records:
                results.add(record)
            assert sorted(results.records(), key=lambda r: r.key) == sorted(records, key=lambda r: r.key)
            results.export_csv(Path(name) / "again.csv")
        assert len(read_records(Path(name) / "again.csv")) == len(records)


def test_csv_is_the_same_bytes_each_time(path: Path, tmp_path: Path) -> None:
    records = filled(path, 3)
    for file in ("a.csv.xz", "b.csv.xz"):
        with Results(path) as results:
            results.export_csv(tmp_path / file)
    assert (tmp_path / "a.csv.xz").read_bytes() == (tmp_path / "b.csv.xz").read_bytes()
    text = lzma.decompress((tmp_path / "a.csv.xz").read_bytes()).decode()
    assert text.splitlines()[0] == ",".join(COLUMNS)
    assert len(text.splitlines()) == 1 + len(records)
    assert not list(tmp_path.glob(".*"))


@pytest.mark.parametrize(
    ("spoil", "message"),
    [
        (lambda text: text.replace("key,suite", "key,suit", 1), "unknown column 'suit';  did you mean 'suite'?"),
        (lambda text: text.replace("key,suite,", "key,", 1), "columns are missing: suite"),
        (lambda _: "a,b\n1,2\n", "this is neither a results file nor CSV that 'gpaplan bench --csv' has written"),
        (lambda _: "", "this is neither a results file nor CSV"),
        (lambda text: text[:-60], "fields where 54 belong"),
        (lambda text: text[:-40], "was the file cut short?"),
        (lambda text: text.replace(",solved,", ",resolved,", 1), "line 2: the status 'resolved' is none of solved"),
        (lambda text: text.replace(",none,", ",some,", 1), "line 2: the guarantee 'some' is none of optimal"),
        (
            lambda text: text.replace(",5.5,", ",five,", 1),
            "line 2: value is 'five', which is not a finite number or empty",
        ),
        (lambda text: text.replace(",5.5,", ",inf,", 1), "value is inf, which is not a finite number"),
        (lambda text: text + text.splitlines(keepends=True)[1], "line 5: is the same run as line 2"),
    ],
)
def test_damaged_csv_is_refused(spoil: Callable[[str], str], message: str, tmp_path: Path) -> None:
    file = tmp_path / "records.csv"
    write_records([sample_record(number, guarantee="none") for number in range(3)], file)
    file.write_text(spoil(file.read_text()))
    with pytest.raises(DataError) as caught:
        read_records(file)
    assert message in str(caught.value)


def test_compressed_csv_cut_short(tmp_path: Path) -> None:
    file = tmp_path / "records.csv.xz"
    write_records([sample_record()], file)
    file.write_bytes(file.read_bytes()[:-20])
    with pytest.raises(DataError, match="cut short"):
        read_records(file)


def test_compressed_csv_may_not_become_many_times_as_long(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = tmp_path / "records.csv.xz"
    monkeypatch.setattr("gpaplan.experiments.record._LEAST_BYTES", 2**20)
    text = f"{','.join(COLUMNS)}\n{'a' * 2**23}\n".encode()
    for data in (lzma.compress(text), lzma.compress(text[: 2**19]) * 20):
        file.write_bytes(data)
        with pytest.raises(DataError, match="has more than 1 MiB of text"):
            read_records(file)


def test_compressed_csv_may_come_in_pieces(tmp_path: Path) -> None:
    records = [sample_record(number) for number in range(3)]
    write_records(records, tmp_path / "records.csv")
    first, *others = (tmp_path / "records.csv").read_bytes().splitlines(keepends=True)
    (tmp_path / "records.csv.xz").write_bytes(b"\0\0\0\0".join(map(lzma.compress, (first, b"".join(others)))))
    assert read_records(tmp_path / "records.csv.xz") == records


# --- damaged files ---


def cut_in_half(path: Path) -> None:
    os.truncate(path, path.stat().st_size // 2)


def cut_one_byte(path: Path) -> None:
    os.truncate(path, path.stat().st_size - 1)


def overwrite_the_middle(path: Path) -> None:
    with open(path, "r+b") as file:
        file.seek(path.stat().st_size // 2)
        file.write(b"\xa5" * 5000)


def change_a_digit(path: Path) -> None:
    """SQLite itself does not see that."""
    data = path.read_bytes()
    place = data.index(b"gripper(17)")
    path.write_bytes(data[:place] + b"gripper(71)" + data[place + 11 :])


def drop_the_last_page(path: Path) -> None:
    os.truncate(path, path.stat().st_size - 4096)


def _store(path: Path, command: str) -> None:
    database = sqlite3.connect(path, isolation_level=None)
    database.execute(command)
    database.close()


def make_a_value_a_blob(path: Path) -> None:
    _store(path, "UPDATE records SET message = x'00ff' WHERE rowid = 3")


def make_a_key_a_blob(path: Path) -> None:
    _store(path, "UPDATE records SET key = x'feff' WHERE rowid = 3")


def make_a_text_no_text(path: Path) -> None:
    _store(path, "UPDATE records SET message = CAST(x'ff41' AS TEXT) WHERE rowid = 3")


def make_a_suite_a_blob(path: Path) -> None:
    _store(path, "INSERT INTO suites VALUES ('one', 0, x'ff')")


def drop_a_column(path: Path) -> None:
    _store(path, "ALTER TABLE automata DROP COLUMN seconds")


@pytest.mark.parametrize(
    "damage",
    [
        cut_in_half,
        cut_one_byte,
        overwrite_the_middle,
        change_a_digit,
        drop_the_last_page,
        make_a_value_a_blob,
        make_a_key_a_blob,
        make_a_text_no_text,
        make_a_suite_a_blob,
        drop_a_column,
    ],
    ids=lambda f: f.__name__,
)
def test_a_damaged_file_is_refused_and_its_sound_records_are_salvaged(
    damage: Callable[[Path], None], path: Path, tmp_path: Path
) -> None:
    records = filled(path)
    damage(path)
    spoiled = path.read_bytes()
    for write in (False, True):
        with pytest.raises(DataError) as caught:
            Results(path, write=write)
        assert "damaged or cut short" in str(caught.value)
        assert f"--salvage {path}" in str(caught.value)
    assert not list(tmp_path.glob(".*lock")), "the lock is given back"
    with Results(tmp_path / "new.sqlite", write=True) as new:
        found = salvage(path, new)
        assert (found.records, found.automata) == (len(new), len(new.automata()))
        saved = new.records()
        assert salvage(path, new) == Salvaged(0, 0, found.lost)
    assert len(saved) + found.lost <= len(records)
    assert path.read_bytes() == spoiled, "the damaged file is left as it is"
    recorded = {record.key: record for record in records}
    assert all(recorded[record.key] == record for record in saved), "what is taken over is what was recorded"
    assert len(saved) >= len(records) // 4


def destroy_the_head(path: Path) -> None:
    with open(path, "r+b") as file:
        file.write(b"\0" * 4096)


def make_the_schema_no_text(path: Path) -> None:
    """SQLite quotes it in an error, which Python then cannot read."""
    path.write_bytes(path.read_bytes().replace(b"suite TEXT NOT NULL", b"suite TEXT NOT N\xc6LL", 1))


@pytest.mark.parametrize("damage", [destroy_the_head, make_the_schema_no_text], ids=lambda f: f.__name__)
def test_a_file_whose_beginning_is_destroyed_is_refused(
    damage: Callable[[Path], None], path: Path, tmp_path: Path
) -> None:
    filled(path)
    damage(path)
    for write in (False, True):
        with pytest.raises(DataError):
            Results(path, write=write)
    with Results(tmp_path / "new.sqlite", write=True) as new, pytest.raises(DataError, match="beginning is destroyed"):
        salvage(path, new)


def test_a_large_hole_hides_nothing_behind_it(path: Path, tmp_path: Path) -> None:
    records = [sample_record(number, message="x" * 3000) for number in range(1300)]
    with Results(path, write=True) as results, results._transaction():
        for record in records:
            results._insert_row("records", asdict(record))
    with open(path, "r+b") as file:
        for number in range(50, path.stat().st_size // 4096):
            file.seek(number * 4096)
            if file.read(1) == b"\x0d" and number < 1250:
                file.seek(number * 4096)
                file.write(b"\xff" * 4096)
    with Results(tmp_path / "new.sqlite", write=True) as new:
        found = salvage(path, new)
        numbers = [record.size for record in new.records()]
    assert found.lost > 1000
    assert found.records == len(numbers) == 1300 - found.lost
    assert {0, 1299} <= set(numbers)


def test_long_rows_are_salvaged(path: Path, tmp_path: Path) -> None:
    """They go on in other pages."""
    records = [sample_record(number, message="x" * 3**number) for number in range(12)]
    with Results(path, write=True) as results:
        for record in records:
            results.add(record)
    with Results(tmp_path / "new.sqlite", write=True) as new:
        assert salvage(path, new) == Salvaged(12, 0, 0)
        assert new.records() == records


# --- files that somebody made up ---

_ENDLESS = "WITH RECURSIVE c(x) AS (VALUES (1) UNION ALL SELECT x + 1 FROM c) SELECT {} FROM c"


def make_records_a_view(database: sqlite3.Connection) -> None:
    columns = [row[1] for row in database.execute("PRAGMA table_info(records)")]
    database.execute("DROP TABLE records")
    database.execute(f"CREATE VIEW records AS {_ENDLESS.format(', '.join(f'x AS {name}' for name in columns))}")


@pytest.mark.parametrize(
    ("spoil", "message"),
    [
        (make_records_a_view, 'it has the "view" "records", which is none of ours'),
        ("CREATE VIEW more AS SELECT 1", 'the "view" "more"'),
        ("CREATE TABLE more (x TEXT)", 'the "table" "more"'),
        ("CREATE INDEX more ON records (suite)", 'the "index" "more"'),
        ("CREATE TRIGGER more AFTER INSERT ON records BEGIN DELETE FROM suites; END", 'the "trigger" "more"'),
        ("CREATE VIRTUAL TABLE more USING rtree (a, b, c)", 'the "table" "more'),
        ("DROP TABLE suites", "is missing"),
        ("ALTER TABLE records ADD COLUMN more TEXT", "the columns of 'records' are not those of format 3"),
        ("ALTER TABLE automata ADD COLUMN more TEXT AS (printf('%.*c', 900000000, 'x'))", "columns of 'automata'"),
        ("ALTER TABLE suites RENAME COLUMN text TO words", "the columns of 'suites'"),
    ],
)
def test_a_file_with_more_than_our_tables_is_refused(
    spoil: str | Callable[[sqlite3.Connection], None], message: str, path: Path
) -> None:
    filled(path, 2)
    database = sqlite3.connect(path, isolation_level=None)
    if isinstance(spoil, str):
        database.execute(spoil)
    else:
        spoil(database)
    database.close()
    for write in (False, True):
        with pytest.raises(DataError) as caught:
            Results(path, write=write)
        assert message in str(caught.value)


def test_devices_pipes_and_giants_are_refused(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    os.mkfifo(path)
    for place in (path, Path("/dev/zero")):
        with pytest.raises(UsageError, match="is not a file"):
            Results(place, write=True)
        with pytest.raises(UsageError, match="there is no results file"):
            Results(place)
    monkeypatch.setattr("gpaplan.experiments.record.MAX_BYTES", 10_000)
    with pytest.raises(DataError, match="this is no file of records"):
        read_records("/dev/zero")
    path.unlink()
    filled(path, 2)
    monkeypatch.setattr("gpaplan.experiments.results.MAX_BYTES", 4096)
    with pytest.raises(DataError, match="larger than"):
        Results(path)


def test_an_interrupt_ends_the_check_of_a_large_file(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """SQLite notices when it looks, and ends with an error of its own; what comes out is the interrupt."""
    filled(path, 2)

    def interrupted(_: Results) -> None:
        raise sqlite3.OperationalError("interrupted")

    monkeypatch.setattr(Results, "_check", interrupted)
    with pytest.raises(KeyboardInterrupt):
        Results(path)


def test_other_files_are_not_touched(tmp_path: Path) -> None:
    other = tmp_path / "other.sqlite"
    database = sqlite3.connect(other)
    database.execute("CREATE TABLE songs (name)")
    database.commit()
    database.close()
    text = tmp_path / "text.sqlite"
    text.write_text("this is a text\n" * 100)
    for file in (other, text):
        before = file.read_bytes()
        for write in (False, True):
            with pytest.raises(DataError, match="this is not a results file"):
                Results(file, write=write)
        assert file.read_bytes() == before


@pytest.mark.parametrize("version", [1, 2])
def test_older_formats_are_read_and_brought_up_to_date(path: Path, version: int) -> None:
    written = filled(path, 3)
    later = [name for name, since in LATER_COLUMNS.items() if since > version]
    database = sqlite3.connect(path)
    database.row_factory = sqlite3.Row
    for name in later:
        database.execute(f"ALTER TABLE records DROP COLUMN {name}")
    for row in database.execute("SELECT * FROM records").fetchall():
        values = [row[name] for name in COLUMNS if name not in later]
        database.execute("UPDATE records SET checksum = ? WHERE key = ?", (checksum(values), row["key"]))
    database.execute(f"PRAGMA user_version = {version}")
    database.commit()
    database.close()
    unknown: dict[str, Any] = dict.fromkeys(later)
    expected = [replace(record, **unknown) for record in written]
    assert {record.relevance for record in expected} == {"off"}
    for write in (False, True, False):
        with Results(path, write=write) as results:
            assert results.records() == expected


def test_a_newer_format_is_refused(path: Path) -> None:
    filled(path, 1)
    database = sqlite3.connect(path)
    database.execute("PRAGMA user_version = 4")
    database.commit()
    database.close()
    with pytest.raises(DataError, match="has format 4, and 3 is known here; use a newer gpaplan"):
        Results(path)


def test_there_must_be_a_file_to_read(path: Path) -> None:
    with pytest.raises(UsageError, match="there is no results file"):
        Results(path)
    assert not path.exists()
    with pytest.raises(UsageError, match="no such file"):
        read_records(path)


# --- writers ---


def test_one_writer_at_a_time(path: Path) -> None:
    with Results(path, write=True) as results:
        results.add(sample_record())
        with pytest.raises(UsageError, match=f"another 'gpaplan bench' \\(process {os.getpid()}\\) is writing"):
            Results(path, write=True)
        with Results(path) as reader:
            assert len(reader) == 1
    with Results(path, write=True) as results:
        assert len(results) == 1
    assert [entry.name for entry in path.parent.iterdir()] == [path.name], "nothing else is left"


def test_a_file_that_disappears_while_it_is_written(path: Path) -> None:
    with Results(path, write=True) as results:
        results.add(sample_record(0))
        path.rename(path.with_name("moved.sqlite"))
        with pytest.raises(WriteError, match="was moved or deleted"):
            results.add(sample_record(1))
    assert len(rows(path.with_name("moved.sqlite"))) == 1


class Unreadable:
    """A database on a disk that has failed since it was opened."""

    def __init__(self, message: str) -> None:
        self.message = message

    def execute(self, _query: str, _values: object = ()) -> None:
        raise sqlite3.OperationalError(self.message)

    def set_progress_handler(self, _handler: object, _steps: int) -> None: ...

    def close(self) -> None: ...


@pytest.mark.parametrize("read", [Results.records, Results.automata, len, lambda results: results.automaton("k")])
def test_a_disk_that_fails_while_the_file_is_read(path: Path, read: Callable[[Results], object]) -> None:
    filled(path, 3)
    for message, error in (("disk I/O error", UsageError), ("database disk image is malformed", DataError)):
        with Results(path) as results:
            results._database.close()
            results._database = Unreadable(message)  # type: ignore[assignment]
            with pytest.raises(error, match=message):
                read(results)


def test_a_process_killed_in_the_middle_of_a_transaction(path: Path) -> None:
    """What it had not finished is undone by the next one who opens the file."""
    filled(path, 3)
    script = f"""
import os, signal
from dataclasses import asdict
from gpaplan.experiments.results import Results
from tests.experiments.samples import sample_record
results = Results({str(path)!r}, write=True)
database = results._database
database.execute("PRAGMA cache_size = 1")
with results._transaction():
    for number in range(10, 200):
        results._insert_row("records", asdict(sample_record(number, message="y" * 2000)))
    os.kill(os.getpid(), signal.SIGKILL)
"""
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True)
    assert done.returncode == -9, done.stderr
    assert path.with_name(path.name + "-journal").exists(), "it was killed in the middle"
    with Results(path, write=True) as results:
        assert len(results) == 3
        results.add(sample_record(10))


# --- no room ---

_FILL = """
import sys
from gpaplan.experiments.results import Results, WriteError
from tests.experiments.samples import sample_record
with Results(sys.argv[1], write=True) as results:
    for number in range(1000):
        try:
            results.add(sample_record(number, message="x" * 500))
        except WriteError as error:
            print(number)
            print(error)
            break
"""


def fill(path: Path, **options: Any) -> int:
    """Add records until there is no room; how many fitted."""
    done = subprocess.run([sys.executable, "-c", _FILL, str(path)], capture_output=True, text=True, **options)
    assert done.returncode == 0, done.stderr
    count, message = done.stdout.split("\n", 1)
    assert "What was recorded before is safe" in message
    return int(count)


def test_a_limit_on_the_size_of_files(path: Path) -> None:
    import resource

    def limit() -> None:
        resource.setrlimit(resource.RLIMIT_FSIZE, (100_000, 100_000))

    count = fill(path, preexec_fn=limit)
    assert 10 < count < 1000
    with Results(path, write=True) as results:
        assert len(results) == count
        results.add(sample_record(count))


def test_a_full_disk(tmp_path: Path) -> None:
    mount = tmp_path / "small"
    mount.mkdir()
    if subprocess.run(["mount", "-t", "tmpfs", "-o", "size=256k", "tmpfs", str(mount)], capture_output=True).returncode:
        pytest.skip("only root can mount a small file system")
    try:
        path = mount / "results.sqlite"
        count = fill(path)
        assert 10 < count < 1000
        with Results(path) as results:
            assert len(results) == count
            records = results.records()
        with pytest.raises((UsageError, OSError)):
            write_records([replace(record, message="z" * 5000) for record in records], mount / "records.csv")
        assert not (mount / "records.csv").exists(), "no half of a file"
        assert not [entry for entry in mount.iterdir() if "records" in entry.name]
        subprocess.run(["mount", "-o", "remount,size=2m", str(mount)], check=True)
        with Results(path, write=True) as results:
            results.add(sample_record(count))
            assert len(results) == count + 1
    finally:
        subprocess.run(["umount", str(mount)], check=True)

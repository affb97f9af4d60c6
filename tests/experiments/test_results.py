"""The results file: whole records, each once, whatever happens to the file."""

from __future__ import annotations

import lzma
import os
import subprocess
import sys
import tempfile
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, strategies as st

from gpaplan.errors import DataError, UsageError
from gpaplan.experiments.record import (
    COLUMNS,
    STATUSES,
    Record,
    Results,
    StoredAutomaton,
    WriteError,
    in_order,
    read_records,
    write_records,
)
from gpaplan.experiments.suite_file import load_suite
from tests.examples import examples
from tests.experiments.samples import SMALL, rows, sample_record, write_suite

AUTOMATON = StoredAutomaton("k", "gripper", "[]", "{}\n", "h", 3, 2, 0.5, "0.1.0", "2026-01-01T00:00:00Z")


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "results.csv"


def filled(path: Path, count: int = 3) -> list[Record]:
    records = [sample_record(number) for number in range(count)]
    with Results(path, write=True) as results:
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
        assert results.automaton("k") == AUTOMATON
        assert results.automaton("other") is None
        assert len(results) == 5
        assert records[0].key in results
    assert read_records(path) == records


def test_records_are_in_the_order_of_the_suite(tmp_path: Path) -> None:
    """Whichever of two runs at the same time ends first."""
    records = [sample_record(0, key=f"{gpa:064x}", gpa=gpa) for gpa in (0, 1)] + [sample_record(2)]
    write_records(records[::-1], tmp_path / "records.csv")
    assert read_records(tmp_path / "records.csv") == records


def test_no_run_is_recorded_twice(path: Path) -> None:
    with Results(path, write=True) as results:
        results.add(sample_record(value=1.0))
        with pytest.raises(UsageError, match=r"recorded in .* already"):
            results.add(sample_record(value=2.0))
        assert [record.value for record in results.records()] == [1.0]
        results.add(sample_record(value=3.0), replace=True)
    assert [record.value for record in read_records(path)] == [3.0]


def test_records_say_where_a_suite_has_them_now(path: Path, tmp_path: Path) -> None:
    text = SMALL.replace("[[1], [2], [3]]", "[[1]]")
    first = load_suite(str(write_suite(tmp_path, text)))
    (run,) = [run for run in first.runs() if not run.gpa and run.index == 0]
    described = {**run.described(), "status": "solved", "message": "", "version": "0", "python": "3", "seconds": 1.0}
    with Results(path, write=True) as results:
        results.add(Record(**described, platform="", machine="", started=""))
    grown = load_suite(str(write_suite(tmp_path, text.replace("test = [[1]]", "test = [[3], [1]]"), "grown")))
    with Results(path, write=True) as results:
        results.begin(grown.runs())
    (record,) = read_records(path)
    assert (record.key, record.suite, record.size) == (run.key, "grown", 1)


_TEXT = st.text(st.characters(codec="utf-8", exclude_characters="\x00"), min_size=1, max_size=12)
_FLOAT = st.floats(allow_nan=False, allow_infinity=False)
_RECORDS = st.builds(
    sample_record,
    st.integers(0, 10**6),
    message=st.just("") | _TEXT,
    problem=_TEXT,
    status=st.sampled_from(STATUSES),
    value=st.none() | _FLOAT,
    seconds=st.floats(0, 1e300),
    fallback=st.none() | st.integers(0, 1),
    heuristic=st.none() | st.sampled_from(["ff", "blind"]),
    seed=st.integers(0, 2**63 - 1),
    size=st.integers(0, 1000),
)


@examples(25)
@given(st.lists(_RECORDS, unique_by=lambda record: record.key, max_size=5))
def test_files_keep_records_to_the_last_bit(records: list[Record]) -> None:
    with tempfile.TemporaryDirectory() as name:
        for file in ("records.csv", "records.csv.xz"):
            write_records(records, Path(name) / file)
            assert read_records(Path(name) / file) == in_order(records)
        with Results(Path(name) / "results.csv", write=True) as results:
            for record in records:
                results.add(record)
        assert read_records(Path(name) / "results.csv") == in_order(records)


def test_files_are_the_same_bytes_each_time(tmp_path: Path) -> None:
    records = [sample_record(number) for number in range(3)]
    for file in ("a.csv.xz", "b.csv.xz"):
        write_records(records, tmp_path / file)
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
        (lambda _: "a,b\n1,2\n", "this is no file of records"),
        (lambda _: "", "this is no file of records"),
        (lambda text: text[:-60], "fields where 54 belong"),
        (lambda text: text[:-40], "was the file cut short?"),
        (lambda text: text.replace(",solved,", ",resolved,", 1), 'line 2.status: "resolved" is not known here'),
        (lambda text: text.replace(",none,", ",some,", 1), 'line 2.guarantee: "some" is not known here'),
        (lambda text: text.replace(",5.5,", ",five,", 1), 'line 2.value: must be a finite number or null, not "five"'),
        (lambda text: text.replace(",5.5,", ",inf,", 1), "line 2.value: must be a finite number"),
        (lambda text: text + text.splitlines(keepends=True)[1], "line 5: is the same run as line 2"),
    ],
)
def test_damaged_files_are_refused(spoil: Callable[[str], str], message: str, tmp_path: Path) -> None:
    file = tmp_path / "records.csv"
    write_records([sample_record(number, guarantee="none") for number in range(3)], file)
    file.write_text(spoil(file.read_text()))
    before = file.read_bytes()
    with pytest.raises(DataError) as caught:
        read_records(file)
    assert message in str(caught.value)
    if not before or before.endswith(b"\n"):
        with pytest.raises(DataError):
            Results(file, write=True)
        assert file.read_bytes() == before, "it is left as it is"


def test_the_database_of_an_earlier_version_is_refused_with_what_to_do(path: Path) -> None:
    path.write_bytes(b"SQLite format 3\0" + bytes(100))
    for write in (False, True):
        with pytest.raises(DataError, match="sqlite3 -header -csv"):
            Results(path, write=write)


def test_what_a_database_gave_is_read(path: Path) -> None:
    (record,) = filled(path, 1)
    header, line = path.read_text().splitlines()
    path.write_text(f"{header},checksum\n{line},12ab\n")
    assert read_records(path) == [record]


def test_compressed_records_cut_short(tmp_path: Path) -> None:
    file = tmp_path / "records.csv.xz"
    write_records([sample_record()], file)
    file.write_bytes(file.read_bytes()[:-20])
    with pytest.raises(DataError, match="cut short"):
        read_records(file)


def test_compressed_records_may_not_become_many_times_as_long(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = tmp_path / "records.csv.xz"
    monkeypatch.setattr("gpaplan.experiments.record._LEAST_BYTES", 2**20)
    text = f"{','.join(COLUMNS)}\n{'a' * 2**23}\n".encode()
    for data in (lzma.compress(text), lzma.compress(text[: 2**19]) * 20):
        file.write_bytes(data)
        with pytest.raises(DataError, match="has more than 1 MiB of text"):
            read_records(file)


def test_compressed_records_may_come_in_pieces(tmp_path: Path) -> None:
    records = [sample_record(number) for number in range(3)]
    write_records(records, tmp_path / "records.csv")
    first, *others = (tmp_path / "records.csv").read_bytes().splitlines(keepends=True)
    (tmp_path / "records.csv.xz").write_bytes(b"".join(map(lzma.compress, (first, b"".join(others)))))
    assert read_records(tmp_path / "records.csv.xz") == records


def test_devices_pipes_and_giants_are_refused(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    os.mkfifo(path)
    for place in (path, Path("/dev/zero"), path.with_name("records.csv.xz")):
        with pytest.raises(UsageError, match="is no file that records can be added to"):
            Results(place, write=True)
        with pytest.raises(UsageError, match="there is no results file"):
            Results(place)
    monkeypatch.setattr("gpaplan.experiments.record.MAX_BYTES", 10_000)
    with pytest.raises(DataError, match="this is no file of records"):
        read_records("/dev/zero")


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
        with pytest.raises(UsageError, match="another 'gpaplan bench' is writing"):
            Results(path, write=True)
        with Results(path) as reader:
            assert len(reader) == 1
    with Results(path, write=True) as results:
        assert len(results) == 1


def test_a_file_that_disappears_while_it_is_written(path: Path) -> None:
    with Results(path, write=True) as results:
        results.add(sample_record(0))
        path.rename(path.with_name("moved.csv"))
        with pytest.raises(WriteError, match="No such file"):
            results.add(sample_record(1))
    assert not path.exists()
    assert len(rows(path.with_name("moved.csv"))) == 1


@pytest.mark.parametrize("cut", [1, 40, 200])
def test_a_line_that_a_failure_cut_short_is_left_out(path: Path, cut: int) -> None:
    records = filled(path)
    os.truncate(path, path.stat().st_size - cut)
    with Results(path, write=True) as results:
        assert results.records() == records[:-1]
        results.add(records[-1])
    assert read_records(path) == records


# --- no room ---

_FILL = """
import sys
from gpaplan.experiments.record import Results, WriteError
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
    assert len(read_records(path)) == count
    with Results(path, write=True) as results:
        results.add(sample_record(count))


def test_a_full_disk(tmp_path: Path) -> None:
    mount = tmp_path / "small"
    mount.mkdir()
    if subprocess.run(["mount", "-t", "tmpfs", "-o", "size=256k", "tmpfs", str(mount)], capture_output=True).returncode:
        pytest.skip("only root can mount a small file system")
    try:
        path = mount / "results.csv"
        count = fill(path)
        assert 10 < count < 1000
        records = read_records(path)
        assert len(records) == count
        with pytest.raises((UsageError, OSError)):
            write_records([replace(record, message="z" * 5000) for record in records], mount / "records.csv")
        assert not (mount / "records.csv").exists(), "no half of a file"
        subprocess.run(["mount", "-o", "remount,size=2m", str(mount)], check=True)
        with Results(path, write=True) as results:
            results.add(sample_record(count))
            assert len(results) == count + 1
    finally:
        subprocess.run(["umount", str(mount)], check=True)

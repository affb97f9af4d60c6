"""Files that several write, and files that must not be half there."""

from __future__ import annotations

import os
import re
import stat
import threading
from pathlib import Path

import pytest

from gpaplan import UsageError
from gpaplan.files import alone_with, read_bytes, written_whole
from tests.paths import ROOT


def test_what_one_adds_is_not_lost_to_the_other(tmp_path: Path) -> None:
    """Threads hold locks against each other as processes do: each opens the file for itself."""
    file = tmp_path / "count"
    file.write_text("0")

    def add(name: str) -> None:
        for _ in range(50):
            with alone_with(file):
                number = int(file.read_text())
                place = tmp_path / name
                place.write_text(str(number + 1))
                os.replace(place, file)

    threads = [threading.Thread(target=add, args=(f"writer{index}",)) for index in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert file.read_text() == "200"
    assert [each.name for each in tmp_path.iterdir()] == ["count"]


def test_a_file_that_is_not_there_keeps_nobody_out(tmp_path: Path) -> None:
    with alone_with(tmp_path / "new"), written_whole(tmp_path / "new") as file:
        file.write("text")
    assert (tmp_path / "new").read_text() == "text"


def test_the_lock_ends_with_an_error(tmp_path: Path) -> None:
    file = tmp_path / "file"
    file.write_text("text")
    with pytest.raises(ValueError, match="wrong"), alone_with(file):
        raise ValueError("wrong")
    with alone_with(file):
        assert file.read_text() == "text"


# --- written whole ---


def test_a_file_is_on_the_disk_before_it_takes_the_place_of_the_old_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The order is what counts: the new text, its name, the folder. What is synced is complete."""
    target = tmp_path / "file"
    target.write_text("old")
    done: list[tuple[str, str]] = []
    replace = os.replace

    def fsync(descriptor: int) -> None:
        place = Path(os.readlink(f"/proc/self/fd/{descriptor}"))
        done.append(("sync", place.read_text() if place.is_file() else str(place)))

    def observed_replace(source: Path, destination: Path) -> None:
        done.append(("replace", f"{target.read_text()} by {source.read_text()}"))
        replace(source, destination)

    monkeypatch.setattr(os, "fsync", fsync)
    monkeypatch.setattr(os, "replace", observed_replace)
    with written_whole(target) as file:
        file.write("new")
    assert done == [("sync", "new"), ("replace", "old by new"), ("sync", str(tmp_path))]
    assert target.read_text() == "new"


def test_a_disk_that_fails_leaves_the_old_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def fsync(_: int) -> None:
        raise OSError(5, "Input/output error")

    target = tmp_path / "file"
    target.write_text("old")
    monkeypatch.setattr(os, "fsync", fsync)
    message = f"cannot write '{target}': Input/output error; the file that was there is unchanged"
    with pytest.raises(UsageError, match=re.escape(message)), written_whole(target) as file:
        file.write("new")
    assert target.read_text() == "old"
    assert os.listdir(tmp_path) == ["file"]


def test_a_folder_that_cannot_be_synced_does_no_harm(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    fsync = os.fsync

    def only_files(descriptor: int) -> None:
        if stat.S_ISDIR(os.fstat(descriptor).st_mode):
            raise OSError(22, "Invalid argument")
        fsync(descriptor)

    monkeypatch.setattr(os, "fsync", only_files)
    with written_whole(tmp_path / "file") as file:
        file.write("new")
    assert (tmp_path / "file").read_text() == "new"


def test_an_error_while_writing_leaves_the_old_file(tmp_path: Path) -> None:
    target = tmp_path / "file"
    target.write_text("old")
    pieces = iter(["new, and", 7])
    with pytest.raises(TypeError), written_whole(target) as file:
        file.writelines(pieces)  # type: ignore[arg-type]
    assert target.read_text() == "old"
    assert os.listdir(tmp_path) == ["file"]


def test_what_a_killed_process_left_is_swept_when_nobody_writes_to_it_any_more(tmp_path: Path) -> None:
    left, under_way, other = tmp_path / ".a[1].7-8", tmp_path / ".a[1].9-9", tmp_path / ".a[1].json.7-8"
    for each in (left, under_way, other):
        each.write_text("half")
    for each in (left, other):
        os.utime(each, (0, 0))
    with written_whole(tmp_path / "a[1]") as file:
        file.write("text")
    assert sorted(os.listdir(tmp_path)) == [".a[1].9-9", ".a[1].json.7-8", "a[1]"]


def test_bytes_are_written_whole_too(tmp_path: Path) -> None:
    with written_whole(tmp_path / "image") as file:
        file.buffer.write(b"\x89PNG\r\n\xff")
    assert (tmp_path / "image").read_bytes() == b"\x89PNG\r\n\xff"


def test_pipes_are_written_directly(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    texts: list[str] = []
    reader = threading.Thread(target=lambda: texts.append(pipe.read_text()))
    reader.start()
    with written_whole(pipe) as file:
        file.write("text")
    reader.join()
    assert texts == ["text"]
    assert stat.S_ISFIFO(pipe.stat().st_mode)


WRITERS = r"\.write_text\(|\.write_bytes\(|savefig\(|open\([^)]*[\"']w"


def test_all_outputs_are_written_whole() -> None:
    """Who writes a file writes it with `written_whole`; what is left are the kernel's files and a broken example."""
    found = []
    for path in sorted((ROOT / "src" / "gpaplan").rglob("*.py")):
        lines = path.read_text(encoding="utf-8").splitlines()
        found += [f"{path.name}: {line.strip()}" for line in lines if re.search(WRITERS, line)]
    assert [line.partition(":")[0] for line in found] == ["__main__.py", "files.py", "system.py"], found


def test_a_name_that_is_no_file_leads_to_those_that_are(tmp_path: Path) -> None:
    (tmp_path / "domain.ppddl").write_text("x")
    for name in "abcde":
        (tmp_path / f"{name}.txt").write_text("x")
    wrong = {
        tmp_path / "domian.ppddl": "no such file;  did you mean 'domain.ppddl'?",
        tmp_path / "9": "no such file;  there are a.txt, b.txt, c.txt, d.txt, domain.ppddl, …",
        tmp_path: "is a directory, not a file;  there are a.txt, b.txt, c.txt, d.txt, domain.ppddl, …",
        tmp_path / "no" / "domain.ppddl": f"no such file;  there is no folder '{tmp_path / 'no'}'",
    }
    for path, message in wrong.items():
        with pytest.raises(UsageError) as raised:
            read_bytes(path, 10)
        assert str(raised.value).endswith(message)

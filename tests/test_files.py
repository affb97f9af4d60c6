"""Files that several write."""

from __future__ import annotations

import os
import threading
from pathlib import Path

import pytest

from gpaplan.files import alone_with, written_whole


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

"""A call to the system fails: a message, an exit code, no damaged file. A slice of the campaign in `tests.faults`."""

from __future__ import annotations

import subprocess
import sys

import pytest

from tests.faults import Campaign, Fault


@pytest.fixture(scope="module")
def campaign(tmp_path_factory: pytest.TempPathFactory) -> Campaign:
    if not sys.platform.startswith("linux"):
        pytest.skip("calls are made to fail with LD_PRELOAD, which is Linux's")
    try:
        return Campaign(tmp_path_factory.mktemp("faults"))
    except (OSError, subprocess.CalledProcessError) as error:
        pytest.skip(f"the library that makes calls fail cannot be compiled: {error}")


@pytest.mark.parametrize(
    ("name", "fault", "code", "message"),
    [
        ("solve", Fault("open", 1, lasting=True), 31, "Too many open files"),
        ("solve", Fault("read", 2), 31, "cannot be read: Input/output error"),
        ("solve", Fault("write", 1), 31, "No space left on device; the file that was there is unchanged"),
        ("solve", Fault("write", 2, lasting=True), 31, "cannot write the output: No space left on device"),
        ("solve", Fault("fsync", 1), 31, "cannot write 'written': Input/output error"),
        ("solve", Fault("rename", 1), 31, "cannot write 'written': Permission denied"),
        ("solve", Fault("new", 500), 11, "out of memory"),
        ("bench-on", Fault("write", 1, lasting=True), 31, "What was recorded before is safe"),
    ],
    ids=str,
)
def test_a_call_that_fails(campaign: Campaign, name: str, fault: Fault, code: int, message: str) -> None:
    tried = campaign.try_fault(name, fault)
    assert tried.happened
    assert (tried.wrong, tried.code) == ([], code), tried.message
    assert message in tried.message

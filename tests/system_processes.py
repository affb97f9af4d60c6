"""Processes under way: waiting for what they do, not for time to pass."""

from __future__ import annotations

import os
import subprocess
import time
from pathlib import Path

_DEADLINE = 120


def processor_seconds(pid: int) -> float:
    """What a process has had of the processor so far (Linux)."""
    fields = Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def wait_until_busy(process: subprocess.Popen[str], seconds: float = 1.0) -> None:
    """Until it has worked for so long, which is well after its start however slow the machine is."""
    until = time.monotonic() + _DEADLINE
    while processor_seconds(process.pid) < seconds:
        assert process.poll() is None, "it ended before it was interrupted"
        assert time.monotonic() < until, f"it has not worked for {seconds} s within {_DEADLINE} s"
        time.sleep(0.02)

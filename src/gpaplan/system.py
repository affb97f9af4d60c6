"""What differs from one operating system to another, in one place: locks, waiting, and what the system says of memory.

Linux says everything. On macOS the memory of other processes is asked from the system's library, and a process that
must not outlive its parent looks for it now and then. Windows can neither wait for a pipe nor replace a file that is
open; what needs more than that is refused there by `need_posix`, with a message.
"""

from __future__ import annotations

import contextlib
import importlib
import os
import select
import signal
import sys
import time
from typing import Any

from gpaplan.errors import UsageError

try:
    _fcntl: Any = importlib.import_module("fcntl")
    _msvcrt: Any = None
except ImportError:
    _fcntl, _msvcrt = None, importlib.import_module("msvcrt")

_BETWEEN_TRIES = 0.05  # seconds
_BEYOND_ALL_TEXT = 1 << 30
"""The byte that is locked where a lock is of bytes, and keeps others from reading them."""


def is_posix() -> bool:
    """Whether pipes can be waited for, and open files replaced and removed: everywhere but on Windows."""
    return os.name == "posix"


def need_posix(what: str) -> None:
    """Refuse what cannot be had on Windows. Raises `UsageError`."""
    if not is_posix():
        raise UsageError(f"{what} needs Linux or macOS; on Windows, use the Windows Subsystem for Linux")


# --- files ---


def open_flag(*names: str) -> int:
    """Flags of `os.open` by their names; one that the system does not know is not needed there."""
    flags = 0
    for name in names:
        flags |= getattr(os, name, 0)
    return flags


def wait_for_input(descriptor: int, seconds: float) -> bool:
    """Whether there is something to read, after at most so many seconds. On Windows the reading itself must wait."""
    return not is_posix() or bool(select.select([descriptor], [], [], seconds)[0])


def lock(descriptor: int, *, wait: bool) -> bool:
    """Whether the file is locked for us now; it is not if another process has it, or its file system knows no locks."""
    if _fcntl is not None:
        try:
            _fcntl.flock(descriptor, _fcntl.LOCK_EX | (0 if wait else _fcntl.LOCK_NB))
        except OSError:
            return False
        return True
    while not _lock_byte(descriptor):
        if not wait:
            return False
        time.sleep(_BETWEEN_TRIES)
    return True


def _lock_byte(descriptor: int) -> bool:
    os.lseek(descriptor, _BEYOND_ALL_TEXT, os.SEEK_SET)
    try:
        _msvcrt.locking(descriptor, _msvcrt.LK_NBLCK, 1)
    except OSError:
        return False
    finally:
        os.lseek(descriptor, 0, os.SEEK_SET)
    return True


# --- memory ---


def resident_megabytes(pid: int) -> float:
    """What a process holds in memory; 0 where the system does not say, or the process is gone."""
    if sys.platform == "darwin":
        return _resident_on_macos(pid)
    try:
        with open(f"/proc/{pid}/statm", encoding="ascii") as file:
            return int(file.read().split()[1]) * os.sysconf("SC_PAGE_SIZE") / 1e6
    except (OSError, ValueError, IndexError):
        return 0.0


def _resident_on_macos(pid: int) -> float:
    import ctypes
    import struct

    task_info, size = 4, 96
    answer = ctypes.create_string_buffer(size)
    library = ctypes.CDLL("/usr/lib/libproc.dylib")
    if library.proc_pidinfo(pid, task_info, ctypes.c_uint64(0), answer, size) != size:
        return 0.0
    _, resident = struct.unpack_from("QQ", answer.raw)
    return float(resident) / 1e6


def peak_megabytes() -> float | None:
    """The most that this process has held in memory; None where the system does not say."""
    found = _megabytes("/proc/self/status", "VmHWM")
    if found is None and is_posix():
        resource: Any = importlib.import_module("resource")
        unit = 1 if sys.platform == "darwin" else 1024
        return float(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * unit) / 1e6
    return found


def available_megabytes() -> float | None:
    """What is free for new processes; None where the system does not say."""
    return _megabytes("/proc/meminfo", "MemAvailable")


def processes_killed_for_memory() -> int:
    """How many the kernel has killed for want of memory; 0 where it does not say."""
    return int(_kernel_says("/proc/vmstat", "oom_kill") or 0)


def _megabytes(path: str, name: str) -> float | None:
    found = _kernel_says(path, name)
    return None if found is None else int(found.split()[0]) * 1024 / 1e6


def _kernel_says(path: str, *names: str) -> str | None:
    """What stands after one of these names in a file of the kernel's, or None if it does not say."""
    with contextlib.suppress(OSError), open(path, encoding="utf-8", errors="replace") as file:
        for line in file:
            words = line.replace(":", " : ", 1).split()
            for name in map(str.split, names):
                if words[: len(name)] == name:
                    return " ".join(words[len(name) :]).removeprefix(": ")
    return None


# --- the machine and its processes ---


def machine() -> dict[str, str]:
    """What a record says of the system and the processor; nothing that names the machine."""
    import platform

    processor = _kernel_says("/proc/cpuinfo", "model name", "Model", "cpu model")
    if processor is None and sys.platform != "linux":
        processor = platform.processor()
    return {
        "platform": f"{platform.system()} {platform.release()} {platform.machine()}",
        "machine": f"{processor or 'unknown processor'}, {os.cpu_count()} cores",
    }


def die_with_the_parent() -> None:
    """End this process when its parent dies, however it dies: no run goes on without its suite."""
    if sys.platform == "linux":
        import ctypes

        set_parent_death_signal = 1
        ctypes.CDLL(None, use_errno=True).prctl(set_parent_death_signal, signal.SIGKILL, 0, 0, 0)
    elif is_posix():
        import threading

        threading.Thread(target=_watch_the_parent, args=(os.getppid(), 1.0), daemon=True).start()


def _watch_the_parent(parent: int, seconds: float) -> None:
    while os.getppid() == parent:
        time.sleep(seconds)
    os._exit(1)


def be_the_first_to_go() -> None:
    """If the machine runs out of memory, Linux should end a run, and not the suite or somebody else's work."""
    with contextlib.suppress(OSError), open("/proc/self/oom_score_adj", "w", encoding="ascii") as file:
        file.write("900")

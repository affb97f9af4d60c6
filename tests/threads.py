"""Whether a call lets other threads run, without looking at the clock."""

from __future__ import annotations

import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager

CALLS = 3000


@contextmanager
def _no_forced_switches() -> Iterator[None]:
    """The interpreter's lock then changes hands only where its holder lets it go."""
    before = sys.getswitchinterval()
    sys.setswitchinterval(3600)
    try:
        yield
    finally:
        sys.setswitchinterval(before)


def releases_the_lock(call: Callable[[], object]) -> bool:
    """Repeats the call in another thread until this one has come to run, or many times over."""
    seen = threading.Event()
    calls = 0

    def repeat() -> None:
        nonlocal calls
        while not seen.is_set() and calls < CALLS:
            call()
            calls += 1

    with _no_forced_switches():
        thread = threading.Thread(target=repeat)
        thread.start()
        seen.set()
        thread.join()
    return calls < CALLS

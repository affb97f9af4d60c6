"""Limits for work that does not look at them itself, such as drawing a figure.

    with kept_within(limits, "the report"):
        …

A thread looks at the limits now and then. Where one is met, it has the main thread end its work as an interrupt would.
"""

from __future__ import annotations

import _thread
import contextlib
import signal
import threading
from collections.abc import Iterator
from typing import NoReturn

from gpaplan.errors import LimitError
from gpaplan.limits import Limits

_LOOK = 0.02
"""Seconds between two looks."""


@contextlib.contextmanager
def kept_within(limits: Limits, work: str) -> Iterator[None]:
    """End the work at a limit: raises `LimitError`. To be used by the main thread only."""
    if limits == Limits():
        yield
        return
    stop, done = limits.start(), threading.Event()
    if stop.check():
        raise LimitError(work, stop.reason)

    def watch() -> None:
        while not stop.check():
            if done.wait(_LOOK):
                return
        _thread.interrupt_main(signal.SIGTERM)  # unlike SIGINT it is not ignored in the background

    thread = threading.Thread(target=watch, daemon=True)
    try:
        before = signal.signal(signal.SIGTERM, _end)
        try:
            thread.start()
            yield
            if stop.reason:  # the core may have taken it for an interrupt, and made do with what it had
                raise KeyboardInterrupt
        finally:
            done.set()
            thread.join()
            signal.signal(signal.SIGTERM, before)  # what was sent until now takes effect here at the latest
    except (KeyboardInterrupt, LimitError):
        if not stop.reason:
            raise
        raise LimitError(work, stop.reason) from None


def _end(number: int, frame: object) -> NoReturn:  # noqa: ARG001
    raise KeyboardInterrupt

"""What holds for all tests."""

from __future__ import annotations

import signal


def pytest_configure() -> None:
    """What runs in the background of a script ignores Ctrl-C, and so would the processes that tests start."""
    if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
        signal.signal(signal.SIGINT, signal.default_int_handler)

"""Ctrl-C (SIGINT) and a request to end (SIGTERM, as service and cluster managers send it) mean the same, and none is
lost.

Python raises `KeyboardInterrupt` wherever the process happens to be, and not from every place does an exception get
anywhere: in a destructor it is printed and forgotten, msgspec forgets it while it looks at types, and the binding
library ends the process if it comes while the core is imported. So signals are held back while modules are imported,
and what comes later is noted as well as raised. Whoever polls, such as the limits of a search, asks `taken`.

Only processes of gpaplan's own `listen`; elsewhere signals are the business of the program that imports it.
"""

from __future__ import annotations

import _thread
import gc
import signal

_SIGNALS = (signal.SIGINT, signal.SIGTERM)
_noted = False
_listener = 0
"""The thread that handlers run in."""


def listen() -> None:
    """Have a signal interrupt this process, unless it is ignored, as in the background of a script."""
    global _listener
    _listener = _thread.get_ident()
    for number in _SIGNALS:
        if signal.getsignal(number) != signal.SIG_IGN:
            signal.signal(number, _interrupt)


def ignore() -> None:
    """Let nothing interrupt this process any more."""
    for number in _SIGNALS:
        signal.signal(number, signal.SIG_IGN)


def _interrupt(number: int, frame: object) -> None:  # noqa: ARG001
    global _noted
    _noted = True
    gc.freeze()  # the end is near: no more search for cycles among what may be millions of objects
    raise KeyboardInterrupt


def taken() -> bool:
    """Whether there was an interrupt of which nobody has taken notice; whoever asks takes it. Whoever catches a
    `KeyboardInterrupt` and goes on, to show what there is, asks as well: else what it does next is interrupted, too."""
    global _noted
    if not _noted or _thread.get_ident() != _listener:
        return False
    _noted = False
    return True


def check() -> None:
    """Raise an interrupt of which nobody has taken notice."""
    if taken():
        raise KeyboardInterrupt


class held:  # noqa: N801
    """Hold signals back, and let them through at the end. What an interrupt would break, such as an import, goes here.
    Windows cannot do that."""

    def __enter__(self) -> None:
        if hasattr(signal, "pthread_sigmask"):
            self._before = signal.pthread_sigmask(signal.SIG_BLOCK, _SIGNALS)

    def __exit__(self, *_error: object) -> None:
        if hasattr(signal, "pthread_sigmask"):
            signal.pthread_sigmask(signal.SIG_SETMASK, self._before)

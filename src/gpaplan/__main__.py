"""``python -m gpaplan`` is the command ``gpaplan``, and this is where its process begins and ends.

An interrupt (`gpaplan.interrupts`) ends it in the same way from the first line to the last. Little is imported before
that is arranged.
"""

from __future__ import annotations

import os
import sys

from gpaplan import interrupts

TYPE_CHECKING = False  # as in `typing`, which takes long to import
if TYPE_CHECKING:
    from typing import NoReturn

_INTERRUPTED = 12  # exit code
_RECORD = (
    '{"status": "interrupted", "errors": [{"file": null, "line": null, "column": null, "message": "interrupted"}]}\n'
)


def main() -> None:
    """Run the command of the process's arguments and leave with its exit code."""
    try:
        with interrupts.held():
            interrupts.listen()
            _prepare_streams()
            sys.unraisablehook = _show_unraisable
            from gpaplan.cli import main as command
    except KeyboardInterrupt:
        _leave(_INTERRUPTED, _RECORD if "--json" in sys.argv else "", "interrupted\n")
    try:
        command()
    except KeyboardInterrupt:  # a second one, while the first was being reported
        _leave(_INTERRUPTED)
    except SystemExit as end:
        # What was stopped ends at once, while the error still holds on to all there is: to take down millions of
        # objects one by one may take longer than the limit was.
        if isinstance(end.code, int) and 10 <= end.code < 20:
            _leave(end.code)
        interrupts.ignore()  # all is said and done, and Python's own end takes a moment
        raise


def _show_unraisable(error: sys.UnraisableHookArgs) -> None:
    """Show what went wrong in a destructor; an interrupt that came there is noted anyway."""
    if error.exc_type is not KeyboardInterrupt:
        sys.__unraisablehook__(error)


def _prepare_streams() -> None:
    """Have three standard streams, whatever was closed, that can show any text, whatever the terminal can.

    A file that is opened must not get the number of a standard stream: what is said there would end up in the file.
    """
    for number in range(3):
        try:
            os.fstat(number)
        except OSError:
            os.open(os.devnull, os.O_RDWR)  # gets the lowest number that is free
    for name in ("stdin", "stdout", "stderr"):
        stream = getattr(sys, name)
        if stream is None:
            setattr(sys, name, open(os.devnull, "r" if name == "stdin" else "w", encoding="utf-8"))  # noqa: SIM115
        elif name != "stdin":
            stream.reconfigure(errors="backslashreplace")


def _leave(code: int, output: str = "", message: str = "") -> NoReturn:
    """End the process here and now."""
    interrupts.ignore()
    for stream, text in ((sys.stdout, output), (sys.stderr, message)):
        try:
            stream.write(text)
            stream.flush()
        except (OSError, ValueError):
            pass  # it is full, or closed: there is nobody to tell
    os._exit(code)


if __name__ == "__main__":
    main()

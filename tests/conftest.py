"""What holds for all tests: which random examples are drawn, what is shown of one that fails, and Ctrl-C."""

from __future__ import annotations

import functools
import hashlib
import signal
from collections.abc import Callable, Generator
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest

with suppress(ImportError):  # the tests with other libraries do without hypothesis
    import tests.examples  # noqa: F401


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--drawn", metavar="FILE", help="add a line for each property: a digest of what was drawn")


def pytest_configure() -> None:
    """What runs in the background of a script ignores Ctrl-C, and so would the processes that tests start."""
    if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
        signal.signal(signal.SIGINT, signal.default_int_handler)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(
    item: pytest.Function, call: pytest.CallInfo[None]
) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """Says how an example on which a property fails becomes a test for good."""
    report = yield
    for note in getattr(call.excinfo and call.excinfo.value, "__notes__", ()):
        _, called, arguments = note.partition(f": {item.originalname}(")
        if called and "data(...)" not in arguments:
            report.sections.append(("put this below @given to keep it", f"@example({arguments}"))
    return report


@pytest.hookimpl(wrapper=True)
def pytest_pyfunc_call(pyfuncitem: pytest.Function) -> Generator[None, object, object]:
    """With ``--drawn``: a property adds its line to the file."""
    handle = getattr(pyfuncitem.obj, "hypothesis", None)
    file = pyfuncitem.config.getoption("--drawn")
    if file is None or handle is None:
        return (yield)
    inner, digest = handle.inner_test, hashlib.sha256()
    handle.inner_test = _recorded(inner, digest.update)
    try:
        return (yield)
    finally:
        handle.inner_test = inner
        with Path(file).open("a", encoding="utf-8") as lines:
            lines.write(f"{pyfuncitem.nodeid} {digest.hexdigest()}\n")


def _recorded(test: Callable[..., None], record: Callable[[bytes], None]) -> Callable[..., None]:
    from hypothesis.control import current_build_context

    @functools.wraps(test)  # for hypothesis, which draws by the text of a property, it is the same one
    def recorded(*arguments: Any, **keywords: Any) -> None:
        record(repr((arguments[-1:] if arguments else (), sorted(keywords.items()))).encode("utf-8", "surrogatepass"))
        try:
            test(*arguments, **keywords)
        finally:
            record(repr(current_build_context().data.choices).encode("utf-8", "surrogatepass"))

    return recorded

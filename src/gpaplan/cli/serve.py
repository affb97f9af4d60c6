"""``gpaplan serve``: the workbench in a browser, for the person at this machine and nobody else.

The server listens on the loopback interface only. Its address has a secret, and a request without it gets nothing; nor
does one that another page sends (by its origin), or that comes under another name of this machine (by its host), as
when a name of somebody else's has been made to point here.
"""

from __future__ import annotations

import json
import secrets
import webbrowser
from html import escape
from http import HTTPStatus
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import click

from gpaplan import interrupts
from gpaplan.cli import conventions, inputs, options
from gpaplan.cli.inputs import cost_option
from gpaplan.cli.options import argument, flag, option
from gpaplan.errors import UsageError
from gpaplan.limits import Limits
from gpaplan.pages import assemble
from gpaplan.pictures import Look
from gpaplan.tasks.grounding import CostMode
from gpaplan.workbench import Workbench

_LONGEST = 1 << 20
"""Bytes of a question."""
_HEADERS = {
    "Cache-Control": "no-store",
    "Content-Security-Policy": "frame-ancestors 'none'",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Referrer-Policy": "same-origin",
    "X-Content-Type-Options": "nosniff",
}
"""Besides what the page says of itself."""


@options.command("gpaplan serve domain.ppddl gripper-3.ppddl --open")
def command(
    domain_file: Path = argument("DOMAIN"),
    problem_files: tuple[Path, ...] = argument("[PROBLEM]...", nargs=-1),
    gpa_file: Path | None = inputs.gpa_option,
    look: Look = inputs.look_option,
    port: int = option("--port", click.IntRange(0, 65535), "Where to listen; 0: wherever there is room.", 0),
    opens: bool = flag("--open", "Show the page in the browser."),
    cost: CostMode = cost_option,
    limits: Limits = options.limits_options,
) -> int:
    """Open a workbench for a problem: a page that solves it, steps through trials, and answers why and what if.

    Rules that are edited there are checked on all PROBLEMs; the first is the one that is looked at. The page is for
    this machine only. Ctrl-C ends it. Limits are those of each answer.
    """
    automaton = inputs.load_automaton(gpa_file)
    relevance = automaton is not None and automaton.relevance == "on"  # else all is there to be seen
    problems = problem_files or (None,)
    tasks = inputs.ground_all(domain_file, problems, cost, limits=limits, automaton=automaton, relevance=relevance)
    bench = Workbench(tasks, automaton, look, limits, cost)
    try:
        server = Server(bench, port)
    except OSError as error:
        raise UsageError(f"cannot listen on port {port}: {error.strerror};  give another --port, or none") from None
    with server:
        text = f"{tasks[0].problem.name} is on the workbench: {server.address}\nCtrl-C ends it."
        conventions.say({"status": "ok", "address": server.address}, text)
        if opens:
            webbrowser.open(server.address)
        try:
            server.serve_forever()
        except KeyboardInterrupt:  # which is how it ends
            interrupts.taken()
        bench.stop()
    return 0


class Server(ThreadingHTTPServer):
    """What all requests have in common."""

    daemon_threads = True

    def __init__(self, bench: Workbench, port: int) -> None:
        super().__init__(("127.0.0.1", port), _Handler)
        self.bench = bench
        self.token = secrets.token_urlsafe(24)
        self.hosts = [f"{name}:{self.server_port}" for name in ("127.0.0.1", "localhost")]
        name = escape(bench.task.problem.name)
        self.page = assemble("workbench.html", asks=True, title=f"{name}: workbench", name=name).encode()

    @property
    def address(self) -> str:
        """Of the page; it is the secret."""
        return f"http://{self.hosts[0]}/{self.token}/"


class _Handler(BaseHTTPRequestHandler):
    server: Server
    server_version, sys_version = "gpaplan", ""
    timeout = 60

    def do_GET(self) -> None:
        """The page, and nothing else."""
        if self._is_allowed(""):
            self._send(self.server.page, "text/html; charset=utf-8")

    def do_POST(self) -> None:
        """A question of the page."""
        if not self._is_allowed("ask"):
            return
        length = self.headers.get("Content-Length", "")
        if self.headers.get_content_type() != "application/json" or not length.isdecimal() or int(length) > _LONGEST:
            self._refuse(HTTPStatus.BAD_REQUEST)
            return
        try:
            question = json.loads(self.rfile.read(int(length)))
        except (ValueError, RecursionError):
            self._refuse(HTTPStatus.BAD_REQUEST)
            return
        self._send(json.dumps(self.server.bench.answer(question)).encode(), "application/json")

    def _is_allowed(self, name: str) -> bool:
        """Whether the request is from the page, and for a place that there is; else it is refused."""
        server, host = self.server, self.headers.get("Host", "")
        is_ours = self.headers.get("Origin", f"http://{host}") == f"http://{host}"
        is_ours &= self.headers.get("Sec-Fetch-Site", "none") in ("none", "same-origin")
        known = secrets.compare_digest(self.path.encode(), f"/{server.token}/{name}".encode())
        if host in server.hosts and is_ours and known:
            return True
        self._refuse(HTTPStatus.FORBIDDEN)
        return False

    def _refuse(self, status: HTTPStatus) -> None:
        self.close_connection = True
        self._send(b"", "text/plain", status)

    def _send(self, body: bytes, kind: str, status: HTTPStatus = HTTPStatus.OK) -> None:
        self.send_response(status)
        for name, value in {**_HEADERS, "Content-Type": kind, "Content-Length": str(len(body))}.items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, format: str, *args: Any) -> None:
        """Nothing: addresses have the secret."""

"""``gpaplan serve``: who gets an answer, and who gets nothing."""

from __future__ import annotations

import http.client
import json
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest

from gpaplan.benchmarks import generate
from gpaplan.ppddl import write_domain, write_problem


class Serving:
    """A server of a process of its own."""

    def __init__(self, folder: Path, *options: str) -> None:
        benchmark = generate("gripper", 2)
        (folder / "d.ppddl").write_text(write_domain(benchmark.domain), encoding="utf-8")
        (folder / "p.ppddl").write_text(write_problem(benchmark.problem), encoding="utf-8")
        command = [sys.executable, "-m", "gpaplan", "serve", "d.ppddl", "p.ppddl", "--json", *options]
        self.process = subprocess.Popen(command, cwd=folder, stdout=subprocess.PIPE, text=True)
        assert self.process.stdout is not None
        text = ""
        while not text.endswith("}\n"):
            text += self.process.stdout.readline()
        self.address: str = json.loads(text)["address"]
        self.host = urlsplit(self.address).netloc
        self.path = urlsplit(self.address).path

    def request(self, method: str, path: str, body: Any = None, **headers: str) -> tuple[int, bytes, dict[str, str]]:
        connection = http.client.HTTPConnection(self.host, timeout=60)
        given = {"Host": self.host, "Content-Type": "application/json"}
        given |= {name.replace("_", "-"): value for name, value in headers.items()}
        connection.request(method, path, None if body is None else json.dumps(body), given)
        answer = connection.getresponse()
        found = answer.status, answer.read(), dict(answer.getheaders())
        connection.close()
        return found

    def end(self) -> int:
        self.process.send_signal(signal.SIGINT)
        return self.process.wait(60)


@pytest.fixture(scope="module")
def serving(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Serving]:
    found = Serving(tmp_path_factory.mktemp("serving"))
    yield found
    found.end()


QUESTION = {"ask": "begin"}


def test_the_page_and_its_questions_are_answered(serving: Serving) -> None:
    status, body, headers = serving.request("GET", serving.path)
    assert status == 200
    assert b"gripper-2" in body
    assert b"connect-src 'self'" in body
    assert "frame-ancestors 'none'" in headers["Content-Security-Policy"]
    origin = f"http://{serving.host}"
    status, body, _ = serving.request(
        "POST", f"{serving.path}ask", QUESTION, Origin=origin, Sec_Fetch_Site="same-origin"
    )
    assert status == 200
    assert json.loads(body)["problems"] == ["gripper-2"]


@pytest.mark.parametrize(
    "headers",
    [
        {"Host": "evil.example"},
        {"Host": "evil.example:80"},
        {"Origin": "http://evil.example"},
        {"Origin": "null"},
        {"Origin": "http://127.0.0.1:1"},
        {"Sec_Fetch_Site": "cross-site"},
        {"Sec_Fetch_Site": "same-site"},
    ],
    ids=str,
)
@pytest.mark.parametrize(("method", "name"), [("GET", ""), ("POST", "ask")])
def test_other_hosts_and_origins_get_nothing(serving: Serving, headers: dict[str, str], method: str, name: str) -> None:
    status, body, _ = serving.request(method, f"{serving.path}{name}", QUESTION, **headers)
    assert (status, body) == (403, b"")


@pytest.mark.parametrize("path", ["/", "/ask", "/x/", "/x/ask", "//", "/../"])
@pytest.mark.parametrize("method", ["GET", "POST"])
def test_without_the_token_there_is_nothing(serving: Serving, path: str, method: str) -> None:
    status, body, _ = serving.request(method, path, QUESTION)
    assert (status, body) == (403, b"")
    wrong = serving.path[:-2] + ("a" if serving.path[-2] != "a" else "b") + "/"
    assert serving.request("GET", wrong)[:2] == (403, b"")


def test_what_is_no_json_or_too_long_is_refused(serving: Serving) -> None:
    path = f"{serving.path}ask"
    assert serving.request("POST", path, QUESTION, Content_Type="text/plain")[:2] == (400, b"")
    assert serving.request("POST", path, QUESTION, Content_Length="9999999")[:2] == (400, b"")
    assert serving.request("DELETE", path)[0] == 501
    assert json.loads(serving.request("POST", path, [1])[1]).keys() == {"error"}


def test_it_listens_on_the_loopback_interface_only(serving: Serving) -> None:
    name, port = serving.host.split(":")
    assert name == "127.0.0.1"
    with socket.socket() as other:  # which could not be had if the server listened everywhere
        other.bind(("127.0.0.2", int(port)))


def test_ctrl_c_ends_it_in_the_midst_of_solving(tmp_path: Path) -> None:
    found = Serving(tmp_path)
    assert found.request("POST", f"{found.path}ask", {"ask": "solve"})[0] == 200
    assert found.end() == 0


def test_a_port_that_is_taken_is_said(tmp_path: Path) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        folder = Serving(tmp_path)
        folder.end()
        command = [
            sys.executable,
            "-m",
            "gpaplan",
            "serve",
            "d.ppddl",
            "p.ppddl",
            "--port",
            str(taken.getsockname()[1]),
        ]
        done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False, timeout=60)
        assert done.returncode == 31
        assert "give another --port" in done.stderr

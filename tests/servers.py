"""Server processes of our own, on the database of the test: what a test sees through them, clients see."""

import json
import os
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from email.message import Message
from pathlib import Path
from typing import Any

from django.db import connection

READY_SECONDS = 60
PUBLIC = "https://plenum.example"  # The base of the addresses that the servers give out, as behind one proxy.


@dataclass(frozen=True)
class Answer:
    """A response over HTTP."""

    status: int
    headers: Message
    body: bytes

    def json(self) -> Any:
        return json.loads(self.body)


@dataclass(frozen=True)
class Server:
    """A running server."""

    base: str

    def get(self, path: str, **headers: str) -> Answer:
        """Ask for `path`, or an address that a server gave out, with headers (`if_none_match`); follow no redirect."""
        url = self.base + path.removeprefix(PUBLIC)
        named = {name.replace("_", "-").title(): value for name, value in headers.items()}
        return self._send(urllib.request.Request(url, headers=named))

    def post(self, path: str, body: Any) -> Answer:
        data = json.dumps(body).encode()
        return self._send(urllib.request.Request(self.base + path, data, {"Content-Type": "application/json"}))

    def graphql(self, query: str, **variables: Any) -> Any:
        """Return `data`; an error fails the test."""
        answer = self.post("/graphql/", {"query": query, "variables": variables}).json()
        assert "errors" not in answer, answer
        return answer["data"]

    def _send(self, request: urllib.request.Request) -> Answer:
        try:
            with _opener.open(request, timeout=30) as response:
                return Answer(response.status, response.headers, response.read())
        except urllib.error.HTTPError as error:
            return Answer(error.code, error.headers, error.read())


class _Stay(urllib.request.HTTPRedirectHandler):
    def redirect_request(self, *args: Any, **kwargs: Any) -> None:
        return None


_opener = urllib.request.build_opener(urllib.request.ProxyHandler({}), _Stay())


@contextmanager
def serving(count: int = 1, **environment: str) -> Iterator[list[Server]]:
    """Run `count` server processes on the test's database, which must be a transactional test's, and end them after."""
    ports = [_free_port() for _ in range(count)]
    processes = [_start(port, environment) for port in ports]
    try:
        servers = [Server(f"http://127.0.0.1:{port}") for port in ports]
        for server, process in zip(servers, processes, strict=True):
            _wait(server, process)
        yield servers
    finally:
        for process in processes:
            process.terminate()
        for process in processes:
            process.wait(timeout=30)


def _start(port: int, environment: dict[str, str]) -> subprocess.Popen[bytes]:
    parts = connection.settings_dict
    host = parts["HOST"]
    account = f"{parts['USER']}:{parts['PASSWORD'] or ''}"
    url = f"postgresql://{account}@/{parts['NAME']}?host={host}&port={parts['PORT'] or 5432}"
    command = [
        *(sys.executable, "-m", "granian", "--interface", "wsgi", "--host", "127.0.0.1", "--port", str(port)),
        *("--workers", "1", "--blocking-threads", "2", "--no-ws", "--log-level", "warning", "config.wsgi:application"),
    ]
    env = {
        **os.environ,
        "DATABASE_URL": url,
        "PLENUM_ENV": "development",
        "DJANGO_SETTINGS_MODULE": "config.settings",
        "PLENUM_PUBLIC_URL": PUBLIC,
        **environment,
    }
    return subprocess.Popen(command, env=env, cwd=Path(__file__).resolve().parent.parent)


def _wait(server: Server, process: subprocess.Popen[bytes]) -> None:
    end = time.monotonic() + READY_SECONDS
    while time.monotonic() < end:
        assert process.poll() is None, "the server ended"
        try:
            if server.get("/health/live").status == 200:
                return
        except OSError:
            time.sleep(0.05)
    raise AssertionError("the server does not answer")


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])

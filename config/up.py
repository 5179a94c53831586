"""Start everything on one machine, watch it, and end all of it together.

There is no restarting here: when server, worker or database end by themselves, so does the rest, with a sentence that
says which. A service manager restarts the whole.
"""

import errno
import json
import os
import secrets
import signal
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from functools import partial
from types import FrameType

from django.apps import apps
from django.conf import settings
from django.contrib.auth import get_user_model
from django.core.management import call_command
from django.db import DatabaseError, connection
from django.db.migrations.executor import MigrationExecutor

from config import database
from config.address import url_of
from config.children import end_children, start_child

ENDINGS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)
ANSWER_SECONDS = 120
PATIENCE_SECONDS = 12  # A worker ends the job that it is at.

Say = Callable[[str], None]


class UpError(Exception):
    """Plenum cannot start, or cannot go on. The message is one sentence."""


class _Asked(BaseException):
    """Somebody asked us to end."""


def up(*, host: str, port: int, say: Say) -> None:
    """Prepare the database, run server and worker, and return when a signal asked for the end. Raises UpError."""
    children: dict[str, subprocess.Popen[bytes]] = {}
    with _signals(children):
        try:
            _up(host, port, say, children)
        except _Asked:
            say("Stopped.")
        except DatabaseError as error:
            raise UpError(database.explained(error)) from error
        except OSError as error:
            if error.errno == errno.ENOSPC:
                raise UpError("The disk is full: make room and start again; nothing that was saved is lost.") from error
            raise


def _up(host: str, port: int, say: Say, children: dict[str, subprocess.Popen[bytes]]) -> None:
    if _migrations_are_missing():
        say("Applying migrations.")
        call_command("migrate", interactive=False)
    if _is_empty():
        say("Loading the sample publication.")
        call_command("load_publication", str(settings.BASE_DIR / "sample"))
    if settings.PRODUCTION:
        call_command("collectstatic", interactive=False, verbosity=0)
    password = _make_first_account()
    if password:
        say(f"The account of the admin is admin, its password {password} (shown this once).")
    connection.close()
    private = database.published_url(settings.DATA_DIR) == os.environ.get("DATABASE_URL")
    check = partial(_check, children, private=private)
    try:
        say("Starting the server.")
        children["server"] = _start(_server_command(host, port))
        _wait_until_ready(host, port, check)
        children["worker"] = _start(_worker_command())
        url = url_of(host, port)
        say(
            "\nPlenum is up. Ctrl-C stops it.\n"
            f"  Admin      {url}/admin/\n"
            f"  GraphiQL   {url}/graphql/\n"
            f"  REST docs  {url}/api/v1/docs/"
        )
        while True:
            check()
            time.sleep(0.25)
    finally:
        end_children(children.values(), patience_s=PATIENCE_SECONDS)


@contextmanager
def _signals(children: Mapping[str, subprocess.Popen[bytes]]) -> Iterator[None]:
    """Turn the first signal that asks for an end into _Asked; another one ends `children` without patience.

    What they have committed is safe however they end, and so is the database, which its keeper ends.
    """

    def ask(signum: int, frame: FrameType | None) -> None:
        for each in ENDINGS:
            signal.signal(each, hurry)
        raise _Asked

    def hurry(signum: int, frame: FrameType | None) -> None:
        for child in children.values():
            with suppress(ProcessLookupError):
                os.killpg(child.pid, signal.SIGKILL)

    for each in ENDINGS:
        signal.signal(each, ask)
    yield


def _migrations_are_missing() -> bool:
    executor = MigrationExecutor(connection)
    return bool(executor.migration_plan(executor.loader.graph.leaf_nodes()))


def _is_empty() -> bool:
    """Return whether nobody has used this database yet: the first account comes last, so its lack says so too."""
    if get_user_model().objects.filter(is_superuser=True).exists():
        return False
    return not apps.get_model("articles", "Article")._default_manager.exists()


def _make_first_account() -> str | None:
    """Make the account `admin` where no account may do everything, and return its password."""
    accounts = get_user_model().objects
    if accounts.filter(is_superuser=True).exists() or accounts.filter(username="admin").exists():
        return None
    password = secrets.token_urlsafe(12)
    accounts.create_superuser("admin", password=password)
    return password


def _server_command(host: str, port: int) -> list[str]:
    return [
        *(sys.executable, "-m", "granian", "--interface", "wsgi", "--host", host, "--port", str(port)),
        # Persistent connections are one a thread: two processes with two threads keep two cores busy.
        *("--workers", "2", "--blocking-threads", "2", "--blocking-threads-idle-timeout", "600"),
        *("--respawn-failed-workers", "--workers-kill-timeout", "5", "--no-ws", "--log-level", "warning"),
        "config.wsgi:application",
    ]


def _worker_command() -> list[str]:
    return [sys.executable, "manage.py", "procrastinate", "worker", "--shutdown-graceful-timeout", "10"]


def _start(command: list[str]) -> subprocess.Popen[bytes]:
    return start_child(command, env=os.environ | {"PLENUM_UP": "1"}, cwd=settings.BASE_DIR)


def _wait_until_ready(host: str, port: int, check: Callable[[], None]) -> None:
    target = {"0.0.0.0": "127.0.0.1", "::": "[::1]"}.get(host, f"[{host}]" if ":" in host else host)
    until = time.monotonic() + ANSWER_SECONDS
    obstacle = "it does not answer"
    while time.monotonic() < until:
        check()
        try:
            with urllib.request.urlopen(f"http://{target}:{port}/health/ready", timeout=5):
                return
        except urllib.error.HTTPError as error:
            with error:
                obstacle = json.loads(error.read()).get("detail", str(error))
        except OSError:
            pass  # Not listening yet.
        time.sleep(0.1)
    raise UpError(f"The server is not ready after {ANSWER_SECONDS} seconds: {obstacle}")


def _check(children: dict[str, subprocess.Popen[bytes]], *, private: bool) -> None:
    """Raise UpError when a child or the private database has ended."""
    for name, child in children.items():
        if (status := child.poll()) is not None:
            how = f"was killed by {signal.Signals(-status).name}" if status < 0 else f"ended with exit code {status}"
            raise UpError(f"The {name} {how}, so everything was stopped: start again.")
    if private and not database.is_kept(settings.DATA_DIR):
        raise UpError("The database ended, so everything was stopped: start again; nothing that was saved is lost.")

"""What the tests of the private server share: folders, users of the server, and a look at what runs."""

import json
import os
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import psutil
import psycopg

from config import postgres

ROOT = Path(__file__).resolve().parents[2]
USER = """
import sys
from pathlib import Path
from config import database, postgres
try:
    with database.borrowed(Path(sys.argv[1]), tell=lambda sentence: print(sentence, file=sys.stderr)) as loan:
        print(loan.url, flush=True)
        sys.stdin.read()
except postgres.PostgresError as error:
    sys.exit(str(error))
"""


class User:
    """A process that uses the private server of `folder` until it is told to leave."""

    def __init__(self, folder: Path, *, before: list[str] | None = None) -> None:
        self.process = subprocess.Popen(
            [*(before or []), sys.executable, "-c", USER, str(folder)],
            cwd=ROOT,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )

    def url(self) -> str:
        assert self.process.stdout is not None
        line = self.process.stdout.readline().strip()
        assert line, self.leave()[1]
        return line

    def leave(self) -> tuple[int, str]:
        """Return exit code and what was said, once the process has ended."""
        _, said = self.process.communicate()
        return self.process.returncode, said

    def kill(self) -> None:
        self.process.send_signal(signal.SIGKILL)
        self.process.communicate()


@contextmanager
def using(folder: Path, *, before: list[str] | None = None) -> Iterator[User]:
    user = User(folder, before=before)
    try:
        yield user
    finally:
        if user.process.returncode is None:
            user.leave()


def servers(folder: Path) -> list[psutil.Process]:
    """Return every process of PostgreSQL that works under `folder`."""
    found = []
    for process in psutil.process_iter():
        try:
            if process.name().startswith("postgres") and Path(process.cwd()).is_relative_to(folder.resolve()):
                found.append(process)
        except (psutil.Error, OSError):
            continue
    return found


def living(processes: list[psutil.Process]) -> list[psutil.Process]:
    """Return those that have not ended: one that nobody has waited for yet has."""
    found = []
    for process in processes:
        with suppress(psutil.NoSuchProcess):
            if process.is_running() and process.status() != psutil.STATUS_ZOMBIE:
                found.append(process)
    return found


def address(folder: Path) -> dict[str, object]:
    return json.loads((folder / "database.json").read_text())


def wait_until(is_so: Callable[[], bool], *, seconds: float = 20) -> None:
    until = time.monotonic() + seconds
    while not is_so():
        assert time.monotonic() < until, "it did not come true in time"
        time.sleep(0.02)


def write(url: str, value: int) -> None:
    """Commit `value`; the server has acknowledged it when this returns."""
    with psycopg.connect(url) as connection:
        connection.execute("create table if not exists kept (value int)")
        connection.execute("insert into kept values (%s)", [value])


def read(url: str) -> list[int]:
    with psycopg.connect(url) as connection:
        return [value for (value,) in connection.execute("select value from kept order by value")]


def made_folder(at: Path, template: Path) -> Path:
    """Copy the data folder `template`, whose server is stopped, with owners and rights."""
    at.mkdir(parents=True)
    subprocess.run(["cp", "-a", str(template / "postgres"), str(at / "postgres")], check=True)
    return at


def make_template(at: Path) -> Path:
    at.mkdir()
    postgres.create(at / "postgres", throw_away=True)
    return at


def unused_port() -> int:
    import socket

    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def plain_environment(**more: str) -> dict[str, str]:
    """Return an environment in which nobody configured Plenum."""
    named = ("PLENUM_", "DATABASE_URL", "TEST_DATABASE_URL", "DJANGO_", "PORT", "HOST", "PYTEST_")
    return {name: value for name, value in os.environ.items() if not name.startswith(named)} | more


def owner(path: Path) -> tuple[int, int, int]:
    found = path.stat()
    return found.st_uid, found.st_gid, found.st_mode


def remove(folder: Path) -> None:
    shutil.rmtree(folder, ignore_errors=True)

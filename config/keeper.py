"""The process that keeps the private PostgreSQL running while any process uses it: `python -m config.keeper FOLDER LOCK`.

config/database.py starts it and reads its standard output: `told` and a sentence for each long step, then `ready`, or
`failed` and a sentence.
"""

import contextlib
import fcntl
import json
import os
import signal
import sys
import threading
from pathlib import Path
from types import FrameType

from config import postgres

LONGEST_LOG = 10_000_000


def keep(data_dir: Path) -> None:
    """Start the server, say where it listens, and stop it when nobody uses it, when it ends, or on SIGTERM."""
    log = data_dir / "postgres.log"
    if log.exists() and log.stat().st_size > LONGEST_LOG:
        log.replace(data_dir / "postgres.log.1")
    server = postgres.start(data_dir / "postgres", log=log, tell=lambda sentence: print("told", sentence, flush=True))
    address = data_dir / "database.json"
    try:
        _publish(address, server)
        print("ready", flush=True)
        os.dup2(os.open(os.devnull, os.O_WRONLY), 1)  # The reader of our standard output is free to go.
        threading.Thread(target=_end_with, args=[server], daemon=True).start()
        with (data_dir / "database.users").open("a") as users:
            fcntl.flock(users, fcntl.LOCK_EX)  # Granted when nobody shares it any more, and kept while we stop.
            address.unlink(missing_ok=True)
            postgres.stop(server)
    finally:
        # With a signal too: whoever started us wants the server stopped, now.
        address.unlink(missing_ok=True)
        postgres.stop(server)


def _publish(address: Path, server: postgres.Server) -> None:
    whole = address.with_suffix(".new")
    whole.write_text(
        json.dumps(
            {
                "url": server.url,
                "socket_folder": str(server.socket_folder),
                "pid": server.process.pid,
                "keeper": os.getpid(),
            }
        )
    )
    whole.replace(address)


def _end_with(server: postgres.Server) -> None:
    """Interrupt ourselves when the server ends first, so that our end frees the lock and the next user starts another."""
    server.process.wait()
    os.kill(os.getpid(), signal.SIGTERM)


def _leave(signum: int, frame: FrameType | None) -> None:
    signal.signal(signum, signal.SIG_IGN)
    raise SystemExit(0)


if __name__ == "__main__":
    for signum in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
        signal.signal(signum, _leave)
    folder, lock = sys.argv[1:]
    os.set_inheritable(int(lock), False)
    try:
        keep(Path(folder))
    except postgres.PostgresError as error:
        with contextlib.suppress(BrokenPipeError):
            print("failed", error, flush=True)
        sys.exit(1)

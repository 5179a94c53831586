"""Where `manage.py up` listens, and that one `up` alone does on a data folder. Checked before anything is started."""

import errno
import fcntl
import os
import socket
import time
from argparse import ArgumentParser
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import IO

from config.locks import FolderError, locks, make_folder, open_file

ADDRESS_SECONDS = 1  # Whoever holds the lock writes its address at once.


class AddressError(Exception):
    """Plenum cannot listen there. The message is one sentence."""


def add_arguments(parser: ArgumentParser) -> None:
    """Add --host and --port, with what HOST and PORT say as their defaults."""
    parser.add_argument("--host", default=os.environ.get("HOST") or "127.0.0.1", help="$HOST, or 127.0.0.1")
    parser.add_argument("--port", default=os.environ.get("PORT", "8000"), help="$PORT, or 8000")


def wanted(words: Sequence[str]) -> tuple[str, str]:
    """Return host and port that the words after `manage.py up` ask for; Django reads the other words."""
    parser = ArgumentParser(prog="manage.py up", add_help=False)
    add_arguments(parser)
    found, _ = parser.parse_known_args(words)
    return found.host, found.port


def free_port(host: str, port: str) -> int:
    """Return `port` as a number. Raises AddressError where it is none, or taken."""
    if not port.strip():
        raise AddressError("PORT is empty: write a number from 1 to 65535, or leave PORT out for 8000.")
    if not (port.isascii() and port.isdecimal()) or not 0 < int(port) < 65536:
        raise AddressError(f"PORT is {port!r}: write a number from 1 to 65535.")
    try:
        [(family, kind, protocol, _, address), *_] = socket.getaddrinfo(host, int(port), type=socket.SOCK_STREAM)
        with socket.socket(family, kind, protocol) as probe:
            probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            probe.bind(address)
    except UnicodeError as error:
        raise AddressError(f"HOST is {host!r}, which is no name of a host: write one, or an address.") from error
    except OSError as error:
        if error.errno == errno.EADDRINUSE:
            raise AddressError(
                f"Port {port} is in use (by another Plenum?): stop what uses it, or choose another: "
                f"`make run PORT={int(port) % 65535 + 1}`."
            ) from error
        raise AddressError(f"Port {port} of {host} cannot be used: {error.strerror or error}.") from error
    return int(port)


def url_of(host: str, port: int | str) -> str:
    """Return the address for a browser on this machine, without a path."""
    shown = "localhost" if host in ("127.0.0.1", "0.0.0.0", "::", "::1") else host
    return f"http://{f'[{shown}]' if ':' in shown else shown}:{port}"


@contextmanager
def claimed(folder: Path, host: str, port: str) -> Iterator[None]:
    """Be the one `up` on the data folder, at a port that is free. Raises AddressError, and then has made no folder."""
    path = folder / "up.lock"
    try:
        if os.path.exists(path):  # Path.exists raises where the folder may not be looked into.
            # Before the port: a second `make run` wants the same one, and its address helps more.
            with open_file(path) as lock:
                if not locks(lock, fcntl.LOCK_SH):
                    raise _taken(folder, path)
        free_port(host, port)
        make_folder(folder)
        with open_file(path) as lock:
            if not _locks_soon(lock):
                raise _taken(folder, path)
            lock.truncate(0)
            with suppress(OSError):  # Where the disk is full, what is started next says so.
                os.write(lock.fileno(), f"{url_of(host, port)}/\n".encode())
            try:
                yield
            finally:
                with suppress(OSError):
                    lock.truncate(0)
    except FolderError as error:
        raise AddressError(f"The data folder {folder} cannot be used: {error}.") from error


def _locks_soon(lock: IO[str]) -> bool:
    """Lock for ourselves. Another start may be looking at the lock for a moment, which is no reason to refuse."""
    for _ in range(5):
        if locks(lock, fcntl.LOCK_EX):
            return True
        time.sleep(0.02)
    return False


def _taken(folder: Path, path: Path) -> AddressError:
    """Return the sentence about the `up` that holds the lock, which writes its address as soon as it has it."""
    until = time.monotonic() + ADDRESS_SECONDS
    while not (address := path.read_text().strip()) and time.monotonic() < until:
        time.sleep(0.02)
    return AddressError(
        f"Plenum runs already on the data folder {folder}{f', at {address}' if address else ''}: "
        "use that one, stop it first, or set PLENUM_DATA_DIR to another folder."
    )

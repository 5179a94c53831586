"""Files of the data folder, and locks on them that end with their process, however it ends."""

import fcntl
import os
from pathlib import Path
from typing import IO


class FolderError(Exception):
    """The data folder cannot be used. The message says why."""


def make_folder(folder: Path) -> None:
    """Make the data folder where it is missing. Raises FolderError."""
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    except OSError as error:
        raise FolderError(error.strerror or str(error)) from error


def open_file(path: Path) -> IO[str]:
    """Open a file of the data folder for its owner, also where root does it for them. Raises FolderError."""
    try:
        file = path.open("a")
        if os.geteuid() == 0:
            owner = path.parent.stat()
            os.fchown(file.fileno(), owner.st_uid, owner.st_gid)
    except OSError as error:
        raise FolderError(error.strerror or str(error)) from error
    return file


def locks(file: IO[str], kind: int) -> bool:
    """Lock `file` as `kind` (fcntl.LOCK_SH or LOCK_EX) without waiting, and return whether that succeeded."""
    try:
        fcntl.flock(file, kind | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True

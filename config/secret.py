"""The secret key of a machine that was given none."""

import os
import secrets
from pathlib import Path

from django.core.exceptions import ImproperlyConfigured


def kept_secret(folder: Path) -> str:
    """Return the random secret that is kept in `folder`, made at the first call. Raises ImproperlyConfigured."""
    path = folder / "secret"
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        if not path.exists():
            new = folder / f"secret.{os.getpid()}"
            with open(os.open(new, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600), "w") as file:
                file.write(secrets.token_urlsafe(50))
            if os.geteuid() == 0:
                owner = folder.stat()
                os.chown(new, owner.st_uid, owner.st_gid)
            try:
                os.link(new, path)  # Unlike a rename, it leaves the secret of who was faster.
            except FileExistsError:
                pass
            finally:
                new.unlink()
        return path.read_text()
    except OSError as error:
        raise ImproperlyConfigured(f"The secret in {path} cannot be kept: {error.strerror or error}.") from error

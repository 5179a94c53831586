"""The one id of everything: a UUIDv7, so that ids sort by the time they were made."""

from uuid import UUID

from uuid_utils.compat import uuid7 as _uuid7


def uuid7() -> UUID:
    """Return a new UUIDv7, unique across hosts."""
    return _uuid7()


def as_uuid(text: str) -> UUID | None:
    """Return the id that `text` writes in the usual 36 characters, or None. A slug never looks like one."""
    if len(text) != 36:
        return None
    try:
        return UUID(text)
    except ValueError:
        return None

"""What pictures of an export are called in the media library."""

from collections.abc import Callable, Mapping
from urllib.parse import unquote, urlsplit

from articles.moving.items import Picture
from articles.moving.page import Pictured
from core.media.names import numbered, sound_name


class PictureNames:
    """Gives each file one name for ever. `came` has those of earlier runs by file, and whether their bytes came too."""

    def __init__(
        self,
        came: Mapping[str, tuple[str, bool]],
        taken: frozenset[str],
        look: Callable[[Picture], tuple[Pictured, tuple[str, ...]]],
    ) -> None:
        self._came, self._look = came, look
        # In lower case: another one of the name with other letters would be the same file on some disks.
        self._taken = {name.lower() for name in taken}
        self.given: dict[str, tuple[str, Pictured]] = {}

    def take(self, picture: Picture) -> tuple[str, Pictured]:
        """Return the name of a picture, and whether its bytes are at hand ("found") and a picture (else "refused")."""
        key = key_of_picture(picture)
        if key not in self.given:
            self.given[key] = self._name(key, picture)
        return self.given[key]

    def _name(self, key: str, picture: Picture) -> tuple[str, Pictured]:
        state, endings = self._look(picture)
        if key in self._came:
            name, has_file = self._came[key]
            return name, "found" if has_file else state
        if state == "refused":
            return "", state
        wanted = picture.name or sound_name(unquote(urlsplit(key).path) or "image", endings)
        name = next(free for free in numbered(wanted) if free.lower() not in self._taken)
        self._taken.add(name.lower())
        return name, state


def key_of_picture(picture: Picture) -> str:
    """Return what a picture is known by within its site: its file, or its address elsewhere."""
    return picture.file or picture.address

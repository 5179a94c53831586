"""The pictures of an export, looked at and stored."""

from collections.abc import Iterable
from dataclasses import dataclass, field

from django.core.exceptions import ValidationError
from django.core.files.base import File

from articles.markup import Known, parse
from articles.models import ImportedPicture
from articles.moving.items import Picture
from articles.moving.media import Media, endings_of
from articles.moving.naming import key_of_picture
from articles.moving.page import Pictured
from core.media.models import Image
from core.media.services import add_image, register_missing_image, remove_files

LONGEST_ALT, LONGEST_CREDIT, LONGEST_LICENCE, LONGEST_ADDRESS = 400, 200, 80, 500


@dataclass
class Album:
    """The pictures that came from one site, and the folder of the run. `refused` files are found out by decoding."""

    kind: str
    site: str
    media: Media
    refused: set[str] = field(default_factory=set)
    added: list[Image] = field(default_factory=list)
    """Rows that this run made, for a run that fails to take back."""
    _remembered: list[ImportedPicture] = field(default_factory=list)

    def look(self, picture: Picture) -> tuple[Pictured, tuple[str, ...]]:
        """Return whether the bytes of a picture are at hand and a picture, and how a name of it may end."""
        path = self.media.find(picture.path)
        if path is None:
            return "missing", ()
        with path.open("rb") as file:
            endings = endings_of(file.read(64))
        if not endings or key_of_picture(picture) in self.refused:
            return "refused", ()
        return "found", endings

    def fits(self, name: str, picture: Picture) -> bool:
        """Whether the file of a picture is here now, and of the format that its name says."""
        return name.rpartition(".")[2].lower() in self.look(picture)[1]

    def known(self) -> dict[str, tuple[str, bool]]:
        """Return what came before: by file, the name in the library and whether it has its bytes."""
        rows = ImportedPicture.objects.filter(source_kind=self.kind, site=self.site)
        return {
            key: (name, bool(file)) for key, name, file in rows.values_list("source_id", "image__name", "image__file")
        }

    def store(self, name: str, picture: Picture) -> Image | None:
        """Store a picture under its name, or the row of one that is missing, and return it; None: it is none.

        The name can be another one where the library has the same bytes already.
        """
        said = {
            "alt": picture.alt[:LONGEST_ALT],
            "credit": picture.credit[:LONGEST_CREDIT],
            "licence": picture.licence[:LONGEST_LICENCE],
            "source_url": _address(picture.address),
        }
        path = self.media.find(picture.path)
        is_new = not Image.objects.filter(name=name).exists()
        if path is None:
            image = register_missing_image(name=name, **said)
        else:
            try:
                with path.open("rb") as file:
                    image = add_image(File(file), name=name, **said)
            except ValidationError as error:
                if "file" not in error.message_dict:
                    raise
                self.refused.add(key_of_picture(picture))
                return None
        if is_new and image.name == name:
            self.added.append(image)
        return image

    def remember(self, images: Iterable[tuple[str, Image]]) -> None:
        """Write down which picture each file is."""
        rows = [ImportedPicture(source_kind=self.kind, site=self.site, source_id=key, image=i) for key, i in images]
        self._remembered += ImportedPicture.objects.bulk_create(rows, ignore_conflicts=True)

    def take_back(self) -> None:
        """Delete what this run added, files too: it came to nothing."""
        ImportedPicture.objects.filter(pk__in=[row.pk for row in self._remembered]).delete()
        for image in self.added:
            Image.objects.filter(pk=image.pk).delete()
            # At once, and with what the worker has made of it meanwhile.
            remove_files(str(image.pk), image.file.name or "")


def plain_caption(markdown: str) -> str:
    """Return the text of a caption, for reports."""
    return parse(markdown, Known()).text.strip() if markdown else ""


def _address(address: str) -> str:
    return address if address.startswith(("http://", "https://")) and len(address) <= LONGEST_ADDRESS else ""

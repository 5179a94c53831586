"""How images come in: what an upload holds is looked at, written anew, named and stored."""

import hashlib
import re
from collections.abc import Callable, Iterable, Sequence
from datetime import timedelta
from pathlib import PurePosixPath
from typing import Any

from django.conf import settings
from django.core.exceptions import ValidationError
from django.core.files.base import ContentFile
from django.core.files.storage import default_storage
from django.db import IntegrityError, transaction
from django.db.models import Q
from django.db.models.functions import Now
from procrastinate.contrib.django import app

from core.media.models import Image, Rendition
from core.media.names import numbered, sound_name
from core.media.renditions import ENDINGS as RENDITION_ENDINGS
from core.media.renditions import RECIPE, Made, render
from core.media.uploads import ENDINGS, Picture, read_picture

RENDER, REMOVE = "core.media.tasks.render_image", "core.media.tasks.remove_files"
REMOVE_REPLACED = "core.media.tasks.remove_replaced"
REPLACED_STAYS = timedelta(days=30)
"""How long a file that was replaced stays: pages that others keep show it until they are built anew."""
PATIENCE, AFTER_A_FAILURE = timedelta(minutes=1), timedelta(hours=1)
LOOKS = 8
"""How often a free name is looked for when others take names at the same time."""


def add_image(
    upload: Any, *, name: str, alt: str = "", credit: str = "", licence: str = "", source_url: str = ""
) -> Image:
    """Store an upload (bytes, or a file that can be sought) as an image, and return it.

    `name` is the wanted one: where another picture has it, the image becomes `pump-2.png`. The same bytes under the
    same name are the image that is there, and an image of that name whose file was missing gets it.
    Raises ValidationError, codes on `file` (those of `read_picture`) and on the other fields.
    """
    file = ContentFile(upload) if isinstance(upload, bytes) else upload
    said = {"alt": alt, "credit": credit, "licence": licence, "source_url": source_url}
    _check(said)
    uploaded = hash_of(file)
    for row in _series(sound_name(name)).values():
        if row.uploaded_sha256 == uploaded:
            return row  # Known by its bytes, so that they need not be decoded: an import runs again and again.
    try:
        picture = read_picture(file)
    except ValidationError as error:
        raise ValidationError({"file": error}) from None
    sound = sound_name(name, tuple(sorted(ENDINGS[picture.format], key=lambda ending: ending != picture.ending)))

    def settle() -> Image:
        taken = _series(sound)
        if sound in taken and not taken[sound].file:
            return supply_file(taken[sound], picture, uploaded_sha256=uploaded, said=said)
        for row in taken.values():
            if row.sha256 == picture.sha256:
                return row
        image = Image(name=next(free for free in numbered(sound) if free not in taken), **said)
        return save_with_file(image, picture, uploaded_sha256=uploaded)

    return _settled(settle)


def describe_image(pk: Any, *, alt: str) -> bool:
    """Give an image the alternative text that it has none of, and return whether it took it.

    One that is there stays. Raises ValidationError on `alt`.
    """
    _check({"alt": alt})
    return bool(alt) and bool(Image.objects.filter(pk=pk, alt="").update(alt=alt))


def register_missing_image(
    *, name: str, alt: str = "", credit: str = "", licence: str = "", source_url: str = ""
) -> Image:
    """Return the image `name`, made without a file where there is none of that name: somebody supplies it later.

    Raises ValidationError with codes on the fields.
    """
    said = {"alt": alt, "credit": credit, "licence": licence, "source_url": source_url}
    _check(said)
    sound = sound_name(name)

    def settle() -> Image:
        row: Image | None = Image.objects.filter(name=sound).first()
        if row is not None:
            return row
        with transaction.atomic():
            made: Image = Image.objects.create(name=sound, **said)
        return made

    return _settled(settle)


def supply_file(
    image: Image, picture: Picture, *, uploaded_sha256: str = "", said: dict[str, str] | None = None
) -> Image:
    """Give an image a file in place of the one that it has or lacks, and return it.

    What it is called, and who names it, stays. The file that it had, and its renditions, go after `REPLACED_STAYS`.
    `said` fills in what the image does not say yet.
    """
    filled = [name for name, value in (said or {}).items() if value and not getattr(image, name)]
    for name in filled:
        setattr(image, name, (said or {})[name])
    return save_with_file(image, picture, uploaded_sha256=uploaded_sha256, filled=filled)


def save_with_file(image: Image, picture: Picture, *, uploaded_sha256: str = "", filled: Sequence[str] = ()) -> Image:
    """Store the file of an image, save the row (of one that is there: the columns `filled` too), and return it.

    Where the database refuses the row, nothing is left of the file.
    """
    is_new = image._state.adding
    before = (str(image.file), image.sha256)
    columns = file_values(image.pk, image.name, picture, uploaded_sha256=uploaded_sha256)
    for column, value in columns.items():
        setattr(image, column, value)
    try:
        with transaction.atomic():
            if is_new:
                image.save(force_insert=True)
            else:
                image.save(update_fields=[*columns, *filled])
                # Who removed this very file as one that was replaced has done so, or waits for us.
                store_file(image.pk, PurePosixPath(image.name).stem, picture.ending, picture.content)
                if image.sha256 != before[1]:
                    remove_later(image.pk, *before)
            later(RENDER, image_id=str(image.pk))
    except IntegrityError:
        if not Image.objects.filter(file=columns["file"]).exists():
            default_storage.delete(columns["file"])
        raise
    return image


def file_values(pk: Any, name: str, picture: Picture, *, uploaded_sha256: str = "") -> dict[str, Any]:
    """Store the file of an image, and return the columns that tell of it.

    Its address holds the hash of its bytes, so another picture never stands there.
    """
    return {
        "file": store_file(pk, PurePosixPath(name).stem, picture.ending, picture.content),
        "width": picture.width,
        "height": picture.height,
        "sha256": picture.sha256,
        "byte_count": len(picture.content),
        "placeholder": picture.placeholder,
        "uploaded_sha256": uploaded_sha256,
    }


def store_file(pk: Any, stem: str, ending: str, content: bytes) -> str:
    """Store bytes of the image `pk` and return their name in the storage; what is there already is not written."""
    place = f"{folder_of(pk)}/{stem}.{hashlib.sha256(content).hexdigest()[:16]}.{ending}"
    return place if default_storage.exists(place) else default_storage.save(place, ContentFile(content))


def folder_of(pk: Any) -> str:
    """Return the folder of the storage in which all files of the image `pk` lie, and nothing else."""
    return f"images/{pk}"


# Renditions


def recipe() -> str:
    """Return what, beside the file, says what renditions are: the recipe and the widths."""
    return "-".join(str(number) for number in (RECIPE, *sorted(settings.PLENUM_RENDITION_WIDTHS)))


def render_image(pk: Any) -> int:
    """Make the renditions of an image, unless it has them, and return how many were made.

    Nothing is held while it computes: all appear at once, in one transaction, and only if the file is the same still.
    What fails is noted on the image and raised, so that it is tried again.
    """
    image = Image.objects.waiting(recipe()).filter(pk=pk).first()
    if image is None:
        remove_files(str(pk), "")  # Of one that is gone, what a worker that was killed had stored.
        return 0
    by = recipe()

    def store(each: Made) -> str:
        stem = f"{PurePosixPath(image.name).stem}-{each.width}"
        return store_file(image.pk, stem, RENDITION_ENDINGS[each.format], each.content)

    try:
        with default_storage.open(image.file.name) as file:
            made = render(file, settings.PLENUM_RENDITION_WIDTHS)
        rows = [
            Rendition(
                image=image,
                source_sha256=image.sha256,
                format=each.format,
                width=each.width,
                height=each.height,
                byte_count=len(each.content),
                file=store(each),
            )
            for each in made
        ]
    except Exception as error:
        Image.objects.filter(pk=pk, sha256=image.sha256).update(render_error=f"{type(error).__name__}: {error}")
        raise
    with transaction.atomic():
        now = Image.objects.select_for_update().filter(pk=pk).first()
        if now is None or now.sha256 != image.sha256:
            _forget([row.file for row in rows], now)
            return 0
        for each in made:
            store(each)  # What had these very bytes may have been removed meanwhile.
        kept = {(row.format, row.width) for row in rows}
        stale = [row.pk for row in image.renditions.visible(None) if (row.format, row.width) not in kept]
        Rendition.objects.filter(pk__in=stale).delete()
        Rendition.objects.bulk_create(
            rows,
            update_conflicts=True,
            unique_fields=["image", "source_sha256", "format", "width"],
            update_fields=["height", "byte_count", "file"],
        )
        Image.objects.filter(pk=pk).update(rendered=f"{image.sha256[:32]}:{by}", render_error="")
    return len(rows)


def render_what_waits(tell: Callable[[Image, int, str], None] | None = None, *, at_once: bool = False) -> int:
    """Make what is missing of all images, and return how many renditions were made.

    `tell` hears of each image, how many were made, and what failed. What was saved a moment ago has a job of its own,
    and what failed is tried again after an hour; `at_once` takes them too.
    """
    rows = Image.objects.waiting(recipe()).order_by("pk")
    if not at_once:
        rows = rows.filter(
            Q(updated_at__lt=Now() - PATIENCE, render_error="") | Q(updated_at__lt=Now() - AFTER_A_FAILURE)
        )
    total = 0
    for image in list(rows):
        made, failure = 0, ""
        try:
            made = render_image(image.pk)
        except Exception as error:  # One broken file holds up no other; it is noted on its image.
            failure = f"{type(error).__name__}: {error}"
        total += made
        if tell is not None:
            tell(image, made, failure)
    return total


def delete_image(image: Image) -> None:
    """Delete an image; the worker then removes its files. Whether it is used is for the caller to ask."""
    with transaction.atomic():
        place = (str(image.pk), str(image.file))
        image.delete()
        later(REMOVE, image_id=place[0], file=place[1])


def remove_files(pk: str, file: str) -> None:
    """Remove the files of an image that was deleted: all in its folder, and `file` where that lies elsewhere."""
    if Image.objects.filter(pk=pk).exists():
        return
    try:
        _, names = default_storage.listdir(folder_of(pk))
    except FileNotFoundError:
        names = []
    for place in {*(f"{folder_of(pk)}/{name}" for name in names), file} - {""}:
        default_storage.delete(place)


def remove_later(pk: Any, file: str, sha256: str) -> None:
    """Let the worker remove a file that an image has had until now, in `REPLACED_STAYS`; nothing where it had none."""
    if file:
        job = app.configure_task(REMOVE_REPLACED, schedule_in={"days": REPLACED_STAYS.days})
        job.defer(image_id=str(pk), file=file, sha256=sha256)


def remove_replaced(pk: str, file: str, sha256: str) -> None:
    """Remove the file that an image had, and the renditions made from it, unless it has that picture again."""
    with transaction.atomic():
        # Locked, so that whoever brings the picture back waits, and then stores what is gone.
        image = Image.objects.select_for_update().filter(pk=pk).first()
        if image is None or image.sha256 == sha256:
            return
        renditions = image.renditions.filter(source_sha256=sha256)
        files = [file, *renditions.values_list("file", flat=True)]
        renditions.delete()
        _forget(files, image)


def _forget(files: Iterable[str], image: Image | None) -> None:
    """Remove those of `files` that nothing of `image`, which the caller has locked, names; None: it was deleted."""
    kept = set() if image is None else {str(image.file), *image.renditions.values_list("file", flat=True)}
    for place in set(files) - kept - {""}:
        default_storage.delete(place)


def later(task: str, **values: str) -> None:
    """Let the worker do a task, once what is being written is committed."""
    app.configure_task(task).defer(**values)


def hash_of(file: Any) -> str:
    """Return the SHA-256 of a file, which is left at its beginning."""
    digest = hashlib.sha256()
    file.seek(0)
    while part := file.read(1 << 20):
        digest.update(part)
    file.seek(0)
    return digest.hexdigest()


def _check(said: dict[str, str]) -> None:
    """Raise ValidationError for what the columns do not take."""
    Image(name="a.png", **said).clean_fields(exclude={field.name for field in Image._meta.fields} - said.keys())


def _series(name: str) -> dict[str, Image]:
    """Return the images that go by `name`, or by it with a number, whatever they end in."""
    stem = PurePosixPath(name).stem
    rows = Image.objects.filter(name__startswith=stem).order_by("name")
    return {row.name: row for row in rows if re.fullmatch(r"(-\d+)?(\.[^.]*)?", row.name[len(stem) :])}


def _settled(settle: Callable[[], Image]) -> Image:
    """Return what `settle` finds; it looks again when somebody else took the name in between."""
    for _ in range(LOOKS - 1):
        try:
            return settle()
        except IntegrityError:
            continue
    return settle()

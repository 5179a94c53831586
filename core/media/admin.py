"""Images: uploaded once, named once; what stands beside them can be corrected."""

from pathlib import PurePath
from typing import Any

from django import forms
from django.contrib import admin, messages
from django.core.exceptions import ValidationError
from django.http import HttpRequest
from django.urls import path
from django.utils.html import format_html
from django.utils.text import slugify
from unfold.decorators import display

from core.api.admin import NOTHING, RecordAdmin
from core.media.admin_uploads import upload_image
from core.media.models import Image
from core.media.names import NAME
from core.media.services import hash_of, save_with_file
from core.media.uploads import ENDINGS, TAKEN, Picture, read_picture, refuse_ending


class ImageForm(forms.ModelForm):
    """An upload with what must stand beside it."""

    picture: Picture | None = None

    class Meta:
        model = Image
        fields = ["file", "name", "alt", "credit", "licence"]

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        if "name" in self.fields:
            self.fields["name"].required = False
            self.fields["name"].help_text = "The name in bodies: pump.png. Empty: that of the file."
        if "alt" in self.fields:
            self.fields["alt"].required = True
        if "file" in self.fields:
            self.fields["file"].required = True
            self.fields["file"].help_text = f"{TAKEN}, up to 20 MB and 40 million pixels."

    def clean_file(self) -> Any:
        file = self.cleaned_data["file"]
        self.picture = read_picture(file)
        return file

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean() or self.cleaned_data
        if self.picture is None or "name" in self.errors:
            return cleaned
        endings = ENDINGS[self.picture.format]
        uploaded = PurePath(cleaned["file"].name.lower())
        given = uploaded.suffix[1:]
        name = cleaned.get("name") or (
            f"{slugify(uploaded.stem) or 'image'}.{given if given in endings else self.picture.ending}"
        )
        if not NAME.fullmatch(name):
            self.add_error("name", ValidationError("Use letters, digits, dots and hyphens: pump.png.", code="name"))
            return cleaned
        try:
            refuse_ending(name, self.picture)
        except ValidationError as error:
            self.add_error("name", error)
        else:
            cleaned["name"] = name
        return cleaned


@admin.register(Image)
class ImageAdmin(RecordAdmin):
    form = ImageForm
    list_display = ["thumbnail", "name", "alt", "size", "credit", "licence", "created_at"]
    list_display_links = ["thumbnail", "name"]
    list_filter = ["licence"]
    search_fields = ["name", "alt", "credit"]
    empty_sentence = "Upload a picture, and say what a reader who does not see it should know."

    @display(description="Picture")
    def thumbnail(self, row: Image) -> str:
        if not row.file:
            return "File missing"
        return format_html(
            '<img class="plenum-thumbnail" src="{}" alt="" width="{}" height="{}" loading="lazy">',
            row.file.url,
            row.width,
            row.height,
        )

    @display(description="Size")
    def size(self, row: Image) -> str:
        return f"{row.width} × {row.height}" if row.file else NOTHING

    @display(description="Picture")
    def picture(self, row: Image) -> str:
        if not row.file:
            return "File missing"
        return format_html('<img class="plenum-picture" src="{}" alt="{}">', row.file.url, row.alt)

    def get_urls(self) -> list[Any]:
        return [
            path("upload/", self.admin_site.admin_view(upload_image), name="media_image_upload"),
            *super().get_urls(),
        ]

    def get_fields(self, request: HttpRequest, obj: Any = None) -> list[str]:
        if obj is None:
            return ["file", "name", "alt", "credit", "licence"]
        return ["picture", "name", "size", "alt", "credit", "licence", "sha256"]

    def get_readonly_fields(self, request: HttpRequest, obj: Any = None) -> list[str]:
        # Editions show it, and bodies name it: another picture is another image.
        return [] if obj is None else ["picture", "name", "size", "sha256"]

    def save_model(self, request: HttpRequest, obj: Any, form: Any, change: Any) -> None:
        if change:
            super().save_model(request, obj, form, change)
        else:
            save_with_file(obj, form.picture, uploaded_sha256=hash_of(form.cleaned_data["file"]))
        twin = Image.objects.filter(sha256=obj.sha256).exclude(pk=obj.pk).first()
        if not change and twin is not None:
            self.message_user(request, f"The same picture is there already, as {twin.name}.", messages.WARNING)

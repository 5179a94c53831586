"""The form of an image: an upload with what must stand beside it."""

from pathlib import PurePath
from typing import Any

from django import forms
from django.core.exceptions import ValidationError
from django.utils.text import slugify
from unfold.widgets import UnfoldAdminFileFieldWidget

from core.media.models import Image
from core.media.names import NAME
from core.media.uploads import ENDINGS, TAKEN, Picture, read_picture, refuse_ending

LIMITS = f"{TAKEN}, up to 20 MB and 40 million pixels."


class ImageForm(forms.ModelForm):
    """What is typed of an image. `picture` is what the upload holds, if there is one."""

    picture: Picture | None = None
    replacement = forms.FileField(
        required=False,
        label="Another file",
        widget=UnfoldAdminFileFieldWidget,
        help_text=f"Takes the place of the picture wherever it is shown; its old address holds for 30 days. {LIMITS}",
    )

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
            self.fields["file"].help_text = LIMITS

    def clean_file(self) -> Any:
        self.picture = read_picture(self.cleaned_data["file"])
        return self.cleaned_data["file"]

    def clean_replacement(self) -> Any:
        file = self.cleaned_data.get("replacement")
        if file is not None:
            self.picture = read_picture(file)
        return file

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean() or self.cleaned_data
        if self.picture is None or "name" not in self.fields or "name" in self.errors:
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

"""The form of a draft."""

from typing import Any

from django import forms
from django.contrib.postgres.forms import SimpleArrayField
from django.core.exceptions import ValidationError
from unfold.widgets import TEXTAREA_CLASSES, UnfoldAdminTextInputWidget

from articles.admin.corrections import CorrectionsField
from articles.models import Article, DraftAuthor
from articles.services import free_slug
from core.publishing.admin import PlacedForm


class MarkdownField(forms.CharField):
    """A body, to the byte as it is stored: browsers send line ends of their own, and nothing is stripped."""

    def __init__(self, **kwargs: Any) -> None:
        widget = forms.Textarea(
            attrs={
                "class": " ".join([*TEXTAREA_CLASSES, "plenum-markdown"]),
                "rows": 32,
                "spellcheck": "true",
                "data-markdown": "",
            }
        )
        super().__init__(required=False, strip=False, widget=widget, **kwargs)

    def to_python(self, value: Any) -> str:
        return super().to_python(value).replace("\r\n", "\n").replace("\r", "\n")


class ArticleForm(forms.ModelForm):
    """A draft may be as unfinished as it is; submitting is stricter."""

    body = MarkdownField(
        help_text="Markdown. A directive: ::: figure src=pump.png alt=&quot;…&quot; … :::. A quantity: "
        "{{h100-sxm5.power_nameplate_w}}. A citation: [@source-slug]. A link: [text](article:slug)."
    )
    slug = forms.CharField(
        required=False,
        max_length=120,
        help_text="The address. It can change later: the old one redirects. Empty: made from the title.",
        widget=UnfoldAdminTextInputWidget,
    )
    explains = SimpleArrayField(
        forms.CharField(max_length=80),
        required=False,
        help_text="What of the simulator this article explains, between commas: density_kw, method:air.",
        widget=UnfoldAdminTextInputWidget,
    )
    corrections = CorrectionsField(required=False)

    class Meta:
        model = Article
        fields = [
            "title", "slug", "dek", "body", "section", "rung", "image", "tags", "explains", "corrections", "note",
        ]  # fmt: skip

    def clean_slug(self) -> str:
        slug = self.cleaned_data["slug"].lower()
        if slug:
            return slug  # type: ignore[no-any-return]
        if self.instance._state.adding:
            return free_slug(self.cleaned_data.get("title") or "")
        raise ValidationError("An article needs an address.", code="required")

    def clean_explains(self) -> list[str]:
        names = [name.strip() for name in self.cleaned_data["explains"]]
        return [name for name in dict.fromkeys(names) if name]


class DraftAuthorForm(PlacedForm):
    """A row of the byline."""

    class Meta:
        model = DraftAuthor
        fields = ["author", "position"]

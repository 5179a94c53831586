"""The form of a draft."""

from collections.abc import Sequence
from typing import Any

from django import forms
from django.core.exceptions import ValidationError
from django.forms.utils import ErrorDict
from unfold.widgets import TEXTAREA_CLASSES, UnfoldAdminExpandableTextareaWidget, UnfoldAdminTextInputWidget

from articles.admin.corrections import CorrectionsField
from articles.markup import MarkupError
from articles.models import Article, DraftAuthor
from articles.services import free_slug
from core.publishing.admin import PlacedForm

LONGEST_NAME = 80
MISTAKES_SHOWN = 20


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
        return (super().to_python(value) or "").replace("\r\n", "\n").replace("\r", "\n")


class NamesField(forms.CharField):
    """Names between commas, each once."""

    def to_python(self, value: Any) -> Any:
        if isinstance(value, list):
            return value
        names = [name.strip() for name in (value or "").replace("\n", ",").split(",")]
        return [name for name in dict.fromkeys(names) if name]

    def prepare_value(self, value: Any) -> Any:
        return ", ".join(value) if isinstance(value, list) else value

    def validate(self, value: Any) -> None:
        super().validate(value)
        for name in value:
            if len(name) > LONGEST_NAME:
                raise ValidationError(f"“{name[:40]}…” is too long for a name.", code="too_long")


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
    explains = NamesField(
        required=False,
        help_text="What of the simulator this article explains, between commas: density_kw, method:air.",
        widget=UnfoldAdminExpandableTextareaWidget,
    )
    corrections = CorrectionsField(required=False)
    has_made_slug = False

    class Meta:
        model = Article
        fields = [
            "title", "slug", "dek", "body", "section", "rung", "image", "tags", "explains", "corrections", "note",
        ]  # fmt: skip

    def show_mistakes(self, mistakes: Sequence[MarkupError]) -> None:
        """Show on the body what stands in the way of submitting it. It keeps nobody from saving the draft."""
        lines = [f"Line {m.line}, column {m.column}: {m.message}" for m in mistakes[:MISTAKES_SHOWN]]
        if len(mistakes) > MISTAKES_SHOWN:
            lines.append(f"And {len(mistakes) - MISTAKES_SHOWN} more.")
        if lines:
            heading = "The draft is stored as it is. Before it can be submitted, correct:"
            self._errors = ErrorDict({"body": self.error_class([heading, *lines])})

    def clean_slug(self) -> str:
        slug = self.cleaned_data["slug"].lower()
        if slug:
            return slug
        if self.instance._state.adding:
            self.has_made_slug = True
            return free_slug(self.cleaned_data.get("title") or "")
        raise ValidationError("An article needs an address.", code="required")

    def validate_unique(self) -> None:
        """Look at what must be unique, but at an address that we made: who loses it while writing makes another."""
        exclude = self._get_validation_exclusions()  # type: ignore[attr-defined]  # the stubs leave it out
        if self.has_made_slug:
            exclude.add("slug")
        try:
            self.instance.validate_unique(exclude=exclude)
        except ValidationError as error:
            self._update_errors(error)  # type: ignore[attr-defined]


class DraftAuthorForm(PlacedForm):
    """A row of the byline."""

    class Meta:
        model = DraftAuthor
        fields = ["author", "position"]

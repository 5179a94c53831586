"""What the editor of a body asks while somebody writes: how it will look, what is wrong in it, what can be put in."""

from typing import Any
from uuid import UUID

from django.contrib import admin
from django.contrib.staticfiles import finders
from django.core.exceptions import PermissionDenied
from django.forms import Media, Script
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.templatetags.static import static
from django.urls import URLPattern, path, reverse

from articles.checklist import advise
from articles.freezing import read_body
from articles.models import LONGEST_BODY, Article
from articles.moving.pasting import paste
from articles.picking import KINDS, find_picks, ways_of
from articles.previews import preview_of_text
from core.api.ids import uuid7

MOST_PROBLEMS = 100
LONGEST_PASTE = 600_000
"""Characters of HTML. Word needs several times those of its text."""
SCRIPT, STYLE = "editor/editor.js", "editor/style.css"
"""What frontend/admin/build makes. Without them one writes in a plain text area."""


class BodyEditor:
    """The addresses of the editor, as a part of the admin of articles."""

    admin_site: Any

    def editor_urls(self) -> list[URLPattern]:
        view, name = self.admin_site.admin_view, self.verb_name  # type: ignore[attr-defined]
        return [
            path("preview-body/", view(self.preview_body), name=name("preview_body")),
            path("paste/", view(self.paste), name=name("paste")),
            path("pick/", view(self.pick), name=name("pick")),
        ]

    def add_editor(self, request: HttpRequest, context: dict[str, Any]) -> None:
        """Let the editor find the text area, where the form has one and the editor was built."""
        form = context["adminform"].form
        if "body" in form.fields and finders.find(SCRIPT):
            form.fields["body"].widget.attrs |= self._editor_attributes(request)
            context["media"] += Media(css={"all": [STYLE]}, js=[Script(SCRIPT, defer=True)])  # type: ignore[list-item]  # new in Django 5.2

    def _editor_attributes(self, request: HttpRequest) -> dict[str, str]:
        site = self.admin_site.name
        attributes = {
            "data-preview": reverse(f"{site}:articles_article_preview_body"),
            "data-paste": reverse(f"{site}:articles_article_paste"),
            "data-pick": reverse(f"{site}:articles_article_pick"),
            "data-preview-style": static("articles/preview.css"),
        }
        images = self.admin_site._registry.get(KINDS["image"].model)
        if images is not None and images.has_add_permission(request):
            attributes["data-upload"] = reverse(f"{site}:media_image_upload")
        return attributes

    def _refuse_readers(self, request: HttpRequest) -> None:
        if not (self.has_add_permission(request) or self.has_change_permission(request)):  # type: ignore[attr-defined]
            raise PermissionDenied

    def preview_body(self, request: HttpRequest) -> HttpResponse:
        """POST `body`: {html, problems: [{line, column, code, message, level}], problem_count, words, reading_minutes}.

        Line and column count from 1, the column in code points. `level` is error (it stands in the way of submitting)
        or advice. `html=0` leaves the HTML out; `article` is the id of the one that is written, where it has one.
        Nothing is stored.
        """
        if request.method != "POST":
            return JsonResponse(
                {"errors": [{"code": "method_not_allowed", "message": "Send the body by POST."}]}, status=405
            )
        self._refuse_readers(request)
        body = request.POST.get("body", "").replace("\r\n", "\n").replace("\r", "\n")
        if len(body) > LONGEST_BODY:
            message = f"The text has {len(body):,} characters; {LONGEST_BODY:,} are allowed."
            problem = {"line": 1, "column": 1, "code": "max_length", "message": message, "level": "error"}
            return JsonResponse(
                {"html": "", "problems": [problem], "problem_count": 1, "words": None, "reading_minutes": None}
            )
        document, found = read_body(body)
        preview = preview_of_text(name="As typed", body=body, read=(document, found))
        typed = Article(pk=_uuid(request.POST.get("article")) or uuid7(), title="As typed", slug="as-typed", body=body)
        problems = [
            {"line": a.line, "column": a.column, "code": a.code, "message": a.message, "level": a.level}
            for a in advise(typed, document, found)
            if a.field == "body" and a.line  # That there is no text yet, everybody sees.
        ]
        problems.sort(key=lambda problem: problem["level"] == "advice")  # What stands in the way comes first.
        answer = {
            "problems": problems[:MOST_PROBLEMS],
            "problem_count": len(problems),
            "words": preview.word_count,
            "reading_minutes": preview.reading_minutes,
        }
        if request.POST.get("html") != "0":
            answer["html"] = preview.html
        return JsonResponse(answer)

    def paste(self, request: HttpRequest) -> HttpResponse:
        """POST `html`, from a clipboard: {markdown, is_inline, left_out: [{code, count, message}]}. Nothing is stored.

        `notes` is the highest number of a footnote in the body: those that are pasted go on behind it. `is_inline`: the
        Markdown may stand in the middle of a line. More than 600,000 characters, or more Markdown than a body may
        have, is a 400 `max_length`.
        """
        if request.method != "POST":
            return JsonResponse(
                {"errors": [{"code": "method_not_allowed", "message": "Send the HTML by POST."}]}, status=405
            )
        self._refuse_readers(request)
        html, notes = request.POST.get("html", ""), request.POST.get("notes", "")
        if len(html) > LONGEST_PASTE:
            return _too_long(f"What was pasted has {len(html):,} characters of HTML; {LONGEST_PASTE:,} are allowed.")
        pasted = paste(html, notes=int(notes) if notes.isascii() and notes.isdigit() and len(notes) < 7 else 0)
        if len(pasted.markdown) > LONGEST_BODY:
            length = len(pasted.markdown)
            return _too_long(f"What was pasted has {length:,} characters; {LONGEST_BODY:,} are allowed in a text.")
        left_out = [{"code": one.code, "count": one.count, "message": one.message} for one in pasted.left_out]
        return JsonResponse({"markdown": pasted.markdown, "is_inline": pasted.is_inline, "left_out": left_out})

    def pick(self, request: HttpRequest) -> HttpResponse:
        """GET `q` and `kind` (empty: all): {kinds: [{name, label}], picks: […]}; with `kind` and `of`, {ways: […]}.

        Only what this person may view is found: the kinds are those of the models whose lists would open.
        """
        self._refuse_readers(request)
        allowed = [kind for kind, entry in KINDS.items() if _may_view(self.admin_site, entry.model, request)]
        kind = request.GET.get("kind", "")
        if kind and kind not in allowed:
            if kind in KINDS:
                raise PermissionDenied
            message = f"There is no kind “{kind[:40]}”. Known are: {', '.join(KINDS)}."
            return JsonResponse({"errors": [{"code": "unknown_kind", "message": message}]}, status=400)
        if kind and "of" in request.GET:
            return JsonResponse({"ways": [vars(way) for way in ways_of(kind, request.GET["of"])]})
        picks = find_picks(request.GET.get("q", "").replace("\0", ""), kinds=[kind] if kind else allowed)
        kinds = [{"name": name, "label": KINDS[name].label} for name in allowed]
        return JsonResponse({"kinds": kinds, "picks": [pick.as_json() for pick in picks]})


def _too_long(message: str) -> JsonResponse:
    return JsonResponse({"errors": [{"code": "max_length", "message": f"{message} Paste it in parts."}]}, status=400)


def _uuid(value: str | None) -> UUID | None:
    try:
        return UUID(value or "")
    except ValueError:
        return None


def _may_view(site: admin.AdminSite, model: Any, request: HttpRequest) -> bool:
    model_admin = site._registry.get(model)
    return model_admin is not None and model_admin.has_view_or_change_permission(request)

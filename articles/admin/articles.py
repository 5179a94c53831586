"""The life of an article in the admin: its fields and its previews, on the mechanism of core.publishing.admin."""

from collections.abc import Mapping
from datetime import timedelta
from typing import Any

from django import forms
from django.conf import settings
from django.contrib import admin, messages
from django.contrib.auth.models import User
from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseNotAllowed, HttpResponseRedirect
from django.urls import URLPattern, path, reverse
from unfold.admin import TabularInline
from unfold.decorators import display
from unfold.widgets import UnfoldAdminSelectWidget

from articles import services
from articles.admin.editor import BodyEditor
from articles.admin.forms import ArticleForm, DraftAuthorForm
from articles.admin.moved import MovedPages
from articles.checklist import advise
from articles.freezing import check_draft, read_body
from articles.markup import wanted
from articles.models import Article, Author, DraftAuthor, Edition, PreviewLink, Tag
from articles.moved import moved_quantities
from articles.preview_pages import show_preview
from articles.previews import (
    make_link,
    preview_of_draft,
    preview_of_edition,
    preview_of_text,
    revoke_link,
    token_of,
)
from articles.records import find_records
from core.api.instants import show_instant
from core.publishing.admin import DraftedAdmin, Page, PartOfDraft, Remark, Verbs, in_order
from core.publishing.admin.forms import VerbForm
from core.publishing.admin.states import EditionRow, Step


def check_article(article: Article) -> list[Remark]:
    """Return what could be better. Raises ValidationError for what stands in the way of submitting."""
    document, found = read_body(article.body)
    check_draft(article, document)
    return [Remark(str(one), one.line, one.column) for one in advise(article, document, found)]


class ShareForm(VerbForm):
    """Who gets the link sees the page until it expires, or is revoked."""

    lifetime = forms.TypedChoiceField(
        label="How long it holds",
        choices=[("hour", "An hour"), ("1", "A day"), ("7", "A week"), ("30", "30 days")],
        initial="7",
        coerce=lambda days: timedelta(hours=1) if days == "hour" else timedelta(days=int(days)),
        widget=UnfoldAdminSelectWidget,
    )


class AuthorsInline(PartOfDraft, TabularInline):
    model = DraftAuthor
    form = DraftAuthorForm
    verbose_name, verbose_name_plural = "author", "authors, in the order of the byline"
    autocomplete_fields = ["author"]


@admin.register(Article)
class ArticleAdmin(MovedPages, BodyEditor, DraftedAdmin):
    verbs = Verbs(
        kind=services.ARTICLE,
        submit=services.submit_article,
        review=services.review_article,
        publish=services.publish_article,
        cancel=services.cancel_article,
        withdraw=services.withdraw_article,
        restore=services.restore_article,
        duplicate=services.duplicate_article,
        delete=services.delete_article,
        check=check_article,
    )
    subject_pages = {
        **DraftedAdmin.subject_pages,
        "share": Page(
            "Share a preview",
            "Make the link",
            "change",
            ShareForm,
            "A link shows the draft, as it is at that time, to anybody who has it: without an account, until it "
            "expires or is revoked.",
        ),
    }
    edition_pages = {
        **DraftedAdmin.edition_pages,
        "share": Page(
            "Share a preview of edition {number}",
            "Make the link",
            "change",
            ShareForm,
            "A link shows this edition to anybody who has it: without an account, until it expires or is revoked.",
        ),
    }
    form = ArticleForm
    inlines = [AuthorsInline]
    fieldsets = [
        (None, {"fields": ["title", "slug", "dek", "body"]}),
        ("Where it belongs", {"fields": ["section", "rung", "tags", "image", "explains"]}),
        ("Corrections", {"fields": ["corrections"], "description": "What readers are told of what was wrong."}),
        ("For editors", {"fields": ["note"]}),
    ]
    prepopulated_fields = {"slug": ["title"]}
    saves_itself = True
    held_back = ("slug",)
    kept_filled = ("title",)
    autocomplete_fields = ["image", "tags"]
    list_display = ["title_or_slug", "readers", "works", "section", "rung", "byline", "changed"]
    list_filter: Any = [*DraftedAdmin.list_filter, "section", "rung", ("authors", admin.RelatedOnlyFieldListFilter)]
    list_select_related = ["section", "rung"]
    search_fields = ["title", "slug", "dek", "authors__name"]
    search_help_text = "Title, address, dek, author"
    ordering = ["-draft_changed_at", "-id"]
    empty_sentence = "Write the first one: a title and a text are enough to begin."
    change_form_outer_before_template = "admin/articles/before.html"
    change_form_outer_after_template = "admin/articles/around.html"

    # The list

    def get_queryset(self, request: HttpRequest) -> Any:
        return super().get_queryset(request).prefetch_related("authorships__author")

    @display(description="Title", ordering="title")
    def title_or_slug(self, row: Any) -> str:
        return row.title or f"({row.slug})"

    @display(description="Draft changed", ordering="draft_changed_at")
    def changed(self, row: Any) -> Any:
        return show_instant(row.draft_changed_at)

    @display(description="Authors")
    def byline(self, row: Any) -> str:
        return ", ".join(str(authorship.author) for authorship in row.authorships.all())

    # The form

    def get_prepopulated_fields(self, request: HttpRequest, obj: Any = None) -> dict[str, Any]:
        # The address of an article that exists is its readers': it changes when somebody changes it.
        return {} if obj is not None else super().get_prepopulated_fields(request, obj)

    def write(
        self, request: HttpRequest, form: Any, formsets: list[Any], *, subject: Any | None, based_on: int
    ) -> Article:
        data = {name: value for name, value in form.cleaned_data.items() if name in services.DRAFT_FIELDS}
        related = {
            "authors": in_order(formsets, DraftAuthor, "author"),
            "tags": list(form.cleaned_data["tags"]) if "tags" in form.cleaned_data else None,
        }
        by = request.user
        if subject is None:
            subject = services.create_article(by=by, **data)  # type: ignore[arg-type]
            based_on, data = subject.draft_version, {}
        return services.change_article(subject, based_on=based_on, by=by, fields=data, **related)  # type: ignore[arg-type]

    long_fields = ("Body", "Quantities")

    def describe(self, thing: Article | Edition) -> dict[str, Any]:
        content = thing.content if isinstance(thing, Edition) else None
        if content is not None:
            names = {str(author.pk): author.name for author in Author.objects.filter(pk__in=content["author_ids"])}
            tags = Tag.objects.filter(pk__in=content["tag_ids"])
            authors = [names.get(pk, f"(gone: {pk})") for pk in content["author_ids"]]
            texts = {name: content[name] for name in ("title", "slug", "dek", "explains", "corrections", "body")}
            quantities = content["quantities"]
        else:
            authors = [str(row.author) for row in thing.authorships.select_related("author")]
            tags = thing.tags.all()
            texts = {name: getattr(thing, name) for name in ("title", "slug", "dek", "explains", "corrections", "body")}
            quantities = [one.frozen() for one in find_records(wanted(texts["body"])).quantities.values()]
        return {
            "Title": texts["title"].strip(),
            "Address": texts["slug"],
            "Dek": texts["dek"].strip(),
            "Section": str(thing.section or ""),
            "Rung": str(thing.rung or ""),
            "Authors": authors,
            "Tags": sorted(str(tag) for tag in tags),
            "Image": str(thing.image or ""),
            "Explains": list(texts["explains"]),
            "Corrections": [
                f"{row['on']}, {row['gravity']}. It said: {row['said']} It says: {row['says']}"
                for row in texts["corrections"]
            ],
            "Body": texts["body"],
            # The text names its quantities, so one that moved is no change of the text.
            "Quantities": "\n".join(_line_of(one) for one in quantities),
        }

    def context_review(self, request: HttpRequest, subject: Any, edition: Any) -> dict[str, Any]:
        """Add what readers will see: in place of the source where there is nothing to compare it with."""
        context = super().context_review(request, subject, edition)
        context["rendered_template"] = "admin/articles/rendered.html"
        context["read_address"] = self.verb_address("edition", subject, edition.number)
        if "document" in context:
            del context["document"]["Body"]
            context["rendered"] = preview_of_edition(edition).html
        return context

    # Previews

    def get_urls(self) -> list[URLPattern]:
        view = self.admin_site.admin_view
        name = self.verb_name
        return [
            *self.editor_urls(),
            *self.moved_urls(),
            path("preview/", view(self.preview_typed), name=name("preview_new")),
            path("<uuid:object_id>/preview/", view(self.preview_page), name=name("preview")),
            path("<uuid:object_id>/editions/<int:number>/", view(self.edition_page), name=name("edition")),
            path("<uuid:object_id>/links/<uuid:link_id>/revoke/", view(self.revoke_page), name=name("revoke")),
            *super().get_urls(),
        ]

    def preview_typed(self, request: HttpRequest) -> HttpResponse:
        """Show what stands in the form, saved or not."""
        if request.method != "POST":
            return HttpResponseNotAllowed(["POST"])
        if not (self.has_add_permission(request) or self.has_change_permission(request)):
            raise PermissionDenied
        form = self.get_form(request)(request.POST, instance=Article())
        form.is_valid()  # What is wrong elsewhere keeps nobody from seeing the text.
        data = form.cleaned_data
        preview = preview_of_text(
            name="As typed, not saved",
            body=data.get("body", ""),
            title=data.get("title", ""),
            dek=data.get("dek", ""),
            section=str(data.get("section") or ""),
            rung=str(data.get("rung") or ""),
            authors=typed_authors(request),
            image=data.get("image"),
            corrections=data.get("corrections", []),
        )
        return show_preview(request, preview)

    def preview_page(self, request: HttpRequest, object_id: Any) -> HttpResponse:
        """Show the draft: as it is typed (POST), or as it is stored."""
        article = self.subject_or_404(request, object_id)
        if request.method == "POST":
            return self.preview_typed(request)
        return show_preview(request, preview_of_draft(article), back=self._address(article))

    def edition_page(self, request: HttpRequest, object_id: Any, number: int) -> HttpResponse:
        """Show an edition as it was frozen."""
        article = self.subject_or_404(request, object_id)
        edition = self.edition_or_404(article, number)
        return show_preview(request, preview_of_edition(edition), back=self._address(article))

    def _address(self, article: Article) -> str:
        return reverse(f"{self.admin_site.name}:articles_article_change", args=[article.pk])

    def next_steps(self, request: HttpRequest, subject: Any, rows: list[EditionRow]) -> list[Step]:
        steps = super().next_steps(request, subject, rows)
        if self.may("change", request, subject):
            steps.insert(-1 if steps and steps[-1].tone == "danger" else len(steps), self._share_step(subject))
        return steps

    def _share_step(self, subject: Any) -> Step:
        return Step("Share a preview", self.verb_address("share", subject))

    def edition_steps(self, request: HttpRequest, subject: Any, row: EditionRow) -> list[Step]:
        number = row.edition.number
        steps = [Step("Read", self.verb_address("edition", subject, number))]
        steps += super().edition_steps(request, subject, row)
        if self.may("change", request, subject):
            steps.append(Step("Share a preview", self.verb_address("share", subject, number)))
        return steps

    # Links for people without an account

    def run_share(self, by: User, subject: Any, edition: Any, data: dict[str, Any]) -> tuple[str, Any]:
        link = make_link(subject, by=by, lifetime=data["lifetime"], edition=edition)
        return f"The link is at the end of this page. It holds until {show_instant(link.expires_at)}.", subject

    def revoke_page(self, request: HttpRequest, object_id: Any, link_id: Any) -> HttpResponse:
        article = self.subject_or_404(request, object_id)
        if not self.may("change", request, article):
            raise PermissionDenied
        if request.method != "POST":
            return HttpResponseNotAllowed(["POST"])
        link = PreviewLink.objects.filter(article=article, pk=link_id).first()
        if link is None:
            raise Http404("There is no such link.")
        revoke_link(link)
        self.message_user(request, "The link opens nothing any more.", messages.SUCCESS)
        return HttpResponseRedirect(self._address(article))

    def render_change_form(
        self,
        request: HttpRequest,
        context: dict[str, Any],
        add: bool = False,
        change: bool = False,
        form_url: str = "",
        obj: Any = None,
    ) -> HttpResponse:
        self.add_editor(request, context)
        if obj is None:
            context["preview_address"] = reverse(f"{self.admin_site.name}:{self.verb_name('preview_new')}")
        else:
            context["preview_address"] = self.verb_address("preview", obj)
            # An address opens the draft to whoever has it: only those who may make one see one.
            may_share = self.may("change", request, obj)
            links = obj.preview_links.select_related("made_by", "edition") if may_share else []
            context["links"] = [
                (link, request.build_absolute_uri(link_address(link)), site_address(link)) for link in links
            ]
            context["may_share"] = may_share
            context["may_change"] = may_share
            context["moved"] = moved_quantities([obj], kept=True)[obj.pk]
            form = context["adminform"].form
            if not form.is_bound:
                document, found = read_body(obj.body)
                context["checklist"] = advise(obj, document, found)
                context["mistake_count"] = sum(one.level == "error" for one in context["checklist"])
                context["advice_count"] = len(context["checklist"]) - context["mistake_count"]
                if "body" in form.fields:
                    form.show_mistakes(document.errors)
        return super().render_change_form(request, context, add, change, form_url, obj)


def link_address(link: PreviewLink) -> str:
    return reverse("preview", args=[token_of(link)])


def site_address(link: PreviewLink) -> str:
    """Return where the site shows what a link shows; nothing where no site is configured."""
    return str(settings.PLENUM_PREVIEW_URL).replace("{token}", token_of(link))


def typed_authors(request: HttpRequest) -> list[str]:
    """Return the names of the authors in a posted form, whatever else is wrong with it."""
    rows = []
    for n in range(100):
        pk = request.POST.get(f"authorships-{n}-author", "")
        if pk and f"authorships-{n}-DELETE" not in request.POST:
            place = request.POST.get(f"authorships-{n}-position", "")
            rows.append((int(place) if place.isdecimal() and len(place) < 6 else 9999, n, pk))
    wanted = [pk for _, _, pk in sorted(rows)]
    try:
        names = {str(pk): author.name for pk, author in Author.objects.in_bulk(wanted).items()}
    except (ValueError, forms.ValidationError):
        return []
    return [names[pk] for pk in wanted if pk in names]


def _line_of(quantity: Mapping[str, Any]) -> str:
    """Return a frozen quantity as a line: what readers get to see of it, and where it comes from."""
    origin = [quantity["source"], quantity["dated"], quantity["claim_kind"], quantity["confidence"]]
    said = ", ".join(part for part in origin if part)
    return f"{quantity['key']}: {quantity['text']}" + (f" ({said})" if said else "")

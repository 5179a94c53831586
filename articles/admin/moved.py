"""Quantities that moved, in the admin: what readers see, what the records say, and one click to a draft."""

from typing import Any

from django import forms
from django.contrib import messages
from django.core.exceptions import PermissionDenied, ValidationError
from django.core.paginator import Paginator
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseNotAllowed, HttpResponseRedirect
from django.template.response import TemplateResponse
from django.urls import URLPattern, path, reverse
from unfold.widgets import UnfoldAdminTextInputWidget

from articles.models import Article, BoundQuantity
from articles.moved import Renewal, keep_published, moved_articles, moved_quantities, renew_draft
from core.publishing.admin.forms import VerbForm

PER_PAGE = 25


class KeepForm(VerbForm):
    """Why the published value stays."""

    note = forms.CharField(
        label="Why it stays",
        max_length=400,
        help_text="For colleagues. The quantity is listed again when its record moves again.",
        widget=UnfoldAdminTextInputWidget,
    )


class MovedPages:
    """The pages of ArticleAdmin about quantities that moved."""

    def moved_urls(self) -> list[URLPattern]:
        view = self.admin_site.admin_view  # type: ignore[attr-defined]
        return [
            path("moved/", view(self.moved_page), name="articles_article_moved"),
            path("moved/renew/", view(self.renew_page), name="articles_article_renew"),
            path("moved/<int:quantity_id>/keep/", view(self.keep_page), name="articles_article_keep"),
        ]

    def moved_page(self, request: HttpRequest) -> HttpResponse:
        """List the live articles with a quantity that moved."""
        if not self.has_view_or_change_permission(request):  # type: ignore[attr-defined]
            raise PermissionDenied
        page = Paginator(moved_articles(), PER_PAGE).get_page(request.GET.get("p"))
        found = moved_quantities(page.object_list)
        context = {
            **self._around(request, "Quantities that moved"),
            "page": page,
            "entries": [(article, found[article.pk]) for article in page.object_list],
            "may_change": self.has_change_permission(request),  # type: ignore[attr-defined]
        }
        return TemplateResponse(request, "admin/articles/moved.html", context)

    def renew_page(self, request: HttpRequest) -> HttpResponse:
        """Make drafts with the values of today: of one article (`only`), or of those that are ticked."""
        if request.method != "POST":
            return HttpResponseNotAllowed(["POST"])
        if not self.has_change_permission(request):  # type: ignore[attr-defined]
            raise PermissionDenied
        asked = [request.POST["only"]] if "only" in request.POST else request.POST.getlist("articles")
        try:
            articles = list(Article.objects.filter(pk__in=asked[:PER_PAGE]))
        except (ValidationError, ValueError):
            raise Http404("There is no such article.") from None
        renewed = []
        for article in articles:
            if not self.has_change_permission(request, article):  # type: ignore[attr-defined]
                raise PermissionDenied
            try:
                renewed.append(renew_draft(article, by=request.user))  # type: ignore[arg-type]
            except ValidationError as error:
                messages.warning(request, f"{article}: {' '.join(error.messages)}")
        for renewal in renewed:
            self._say(request, renewal)
        if not articles:
            messages.warning(request, "Tick the articles that should get a draft.")
        if len(renewed) == 1 and len(articles) == 1:
            return HttpResponseRedirect(reverse("admin:articles_article_change", args=[renewed[0].article.pk]))
        return HttpResponseRedirect(reverse("admin:articles_article_moved"))

    def _say(self, request: HttpRequest, renewal: Renewal) -> None:
        values = "; ".join(
            f"{moved.quantity.key}: {moved.quantity.text} → {moved.now_text or 'nothing'}"
            for moved in renewal.quantities
        )
        said = f"The draft of {renewal.article} says what the records say ({values}). Submit it for review."
        if renewal.has_other_changes:
            said += " It also holds changes that readers have not seen yet: compare before you submit."
        messages.add_message(request, messages.WARNING if renewal.has_other_changes else messages.SUCCESS, said)

    def keep_page(self, request: HttpRequest, quantity_id: int) -> HttpResponse:
        """Ask why the published value of a quantity stays, and let it stand."""
        quantity = BoundQuantity.objects.select_related("edition__article").filter(pk=quantity_id).first()
        if quantity is None:
            raise Http404("There is no such quantity.")
        article = quantity.edition.article
        if not self.has_change_permission(request, article):  # type: ignore[attr-defined]
            raise PermissionDenied
        form = KeepForm(request.POST if request.method == "POST" else None)
        if form.is_valid():
            try:
                keep_published(
                    quantity,
                    by=request.user,  # type: ignore[arg-type]
                    note=form.cleaned_data["note"],
                    seen=request.POST.get("seen", ""),
                )
            except ValidationError as error:
                form.refuse(error)
            else:
                messages.success(request, f"{quantity} stays as it is published, until its record moves again.")
                return HttpResponseRedirect(reverse("admin:articles_article_moved"))
        moved = [one for one in moved_quantities([article], kept=True)[article.pk] if one.quantity.pk == quantity.pk]
        context = {
            **self._around(request, f"Keep {quantity.text} in {article}"),
            "form": form,
            "article": article,
            "moved": bool(moved),
            "moved_list": moved,
            "seen": moved[0].seen if moved else "",
        }
        return TemplateResponse(request, "admin/articles/keep.html", context)

    def _around(self, request: HttpRequest, title: str) -> dict[str, Any]:
        site = self.admin_site.each_context(request)  # type: ignore[attr-defined]
        return {**site, "title": title, "opts": Article._meta, "media": self.media}  # type: ignore[attr-defined]

"""The pages that ask before something happens: submit, review, publish, cancel, withdraw, restore, compare.

Each is one address with GET (what would happen) and POST (do it, by the service). What a service refuses stands on the
page in its own words.
"""

from collections.abc import Callable
from datetime import UTC, datetime
from typing import Any

from django.contrib import messages
from django.contrib.auth.models import User
from django.core.exceptions import PermissionDenied, ValidationError
from django.db import transaction
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseNotAllowed, HttpResponseRedirect
from django.template.response import TemplateResponse
from django.urls import URLPattern, path, reverse

from core.api.instants import show_instant
from core.publishing.admin.pages import EDITION_PAGES, SUBJECT_PAGES, Page, Remark, Verbs, remarks_of
from core.publishing.comparison import compare
from core.publishing.services import database_now


def with_utc(instant: datetime) -> str:
    """Return an instant on the clock of the request, and in UTC where that is another one."""
    text = show_instant(instant)
    return text if text.endswith(" UTC") else f"{text} ({instant.astimezone(UTC):%H:%M} UTC)"


class VerbPages:
    """The pages, as a part of a ModelAdmin that has `verbs`."""

    verbs: Verbs
    model: Any
    opts: Any
    admin_site: Any
    subject_pages: dict[str, Page] = SUBJECT_PAGES
    edition_pages: dict[str, Page] = EDITION_PAGES

    # Addresses

    def verb_urls(self) -> list[URLPattern]:
        subject = [
            path(f"<uuid:object_id>/{name}/", self._wrapped(self.verb_page, name), name=self.verb_name(name))
            for name in self.subject_pages
        ]
        edition = [
            path(
                f"<uuid:object_id>/editions/<int:number>/{name}/",
                self._wrapped(self.verb_page, name),
                name=self.verb_name(name),
            )
            for name in self.edition_pages
        ]
        return [*subject, *edition]

    def _wrapped(self, view: Callable[..., HttpResponse], name: str) -> Callable[..., HttpResponse]:
        def named(request: HttpRequest, **kwargs: Any) -> HttpResponse:
            return view(request, name, **kwargs)

        return self.admin_site.admin_view(named)

    def verb_name(self, name: str) -> str:
        return f"{self.opts.app_label}_{self.opts.model_name}_{name}"

    def verb_address(self, name: str, subject: Any, number: int | None = None) -> str:
        args = [subject.pk] if number is None else [subject.pk, number]
        return reverse(f"{self.admin_site.name}:{self.verb_name(name)}", args=args)

    # Who may

    def has_review_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return request.user.has_perm(f"{self.opts.app_label}.review_{self.opts.model_name}")

    def has_publish_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return request.user.has_perm(f"{self.opts.app_label}.publish_{self.opts.model_name}")

    def may(self, permission: str, request: HttpRequest, subject: Any) -> bool:
        check = getattr(self, f"has_{permission}_permission")
        allowed = check(request) if permission == "add" else check(request, subject)
        return bool(allowed and self.has_view_or_change_permission(request, subject))  # type: ignore[attr-defined]

    # The page of a verb

    def subject_or_404(self, request: HttpRequest, object_id: Any) -> Any:
        subject = self.get_object(request, str(object_id))  # type: ignore[attr-defined]
        if subject is None:
            raise Http404(f"There is no {self.opts.verbose_name} with this id.")
        if not self.has_view_or_change_permission(request, subject):  # type: ignore[attr-defined]
            raise PermissionDenied
        return subject

    def edition_or_404(self, subject: Any, number: int) -> Any:
        edition = self.verbs.kind.editions_of(subject).filter(number=number).first()
        if edition is None:
            raise Http404(f"There is no edition {number}.")
        return edition

    def verb_page(self, request: HttpRequest, name: str, object_id: Any, number: int | None = None) -> HttpResponse:
        page = self.edition_pages[name] if number is not None else self.subject_pages[name]
        subject = self.subject_or_404(request, object_id)
        if not self.may(page.permission, request, subject):
            raise PermissionDenied
        if request.method not in ("GET", "HEAD", "POST"):
            return HttpResponseNotAllowed(["GET", "HEAD", "POST"])
        edition = self.edition_or_404(subject, number) if number is not None else None
        form = page.form(
            request.POST if request.method == "POST" else None,
            initial={"based_on": getattr(subject, "draft_version", None)},
        )
        if request.method == "POST" and form.is_valid():
            run = getattr(self, f"run_{name}")
            try:
                with transaction.atomic():
                    done, target = run(request.user, subject, edition, form.cleaned_data)
            except ValidationError as error:
                form.refuse(error)
            else:
                self.log_change(request, target, done)  # type: ignore[attr-defined]
                self.message_user(request, done, messages.SUCCESS)  # type: ignore[attr-defined]
                return HttpResponseRedirect(
                    reverse(
                        f"{self.admin_site.name}:{self.opts.app_label}_{self.opts.model_name}_change", args=[target.pk]
                    )
                )
        context = {
            **self._page_context(request, subject),
            "title": page.title.format(number=number),
            "page": page,
            "edition": edition,
            "form": form,
            **getattr(self, f"context_{name}", lambda *_: {})(request, subject, edition),
        }
        return TemplateResponse(request, "admin/publishing/verb.html", context)

    def _page_context(self, request: HttpRequest, subject: Any) -> dict[str, Any]:
        return {
            **self.admin_site.each_context(request),
            "opts": self.opts,
            "original": subject,
            "subject": subject,
            "subtitle": str(subject),
            "back": reverse(
                f"{self.admin_site.name}:{self.opts.app_label}_{self.opts.model_name}_change", args=[subject.pk]
            ),
            "media": self.media,  # type: ignore[attr-defined]
            "now": database_now(),
        }

    # What each does: (what happened, what it happened to)

    def run_submit(self, by: User, subject: Any, edition: None, data: dict[str, Any]) -> tuple[str, Any]:
        edition = self.verbs.submit(subject, by=by, based_on=data["based_on"])
        return f"Edition {edition.number} waits for review.", subject  # type: ignore[attr-defined]

    def run_review(self, by: User, subject: Any, edition: Any, data: dict[str, Any]) -> tuple[str, Any]:
        edition = self.verbs.review(edition, by=by, verdict=data["verdict"], note=data["note"])
        if data["verdict"] == "changes_requested":
            return f"Changes to edition {edition.number} are requested.", subject
        if edition.review_state == "approved":
            return f"Edition {edition.number} is approved, and can be published.", subject
        return f"You approve of edition {edition.number}. It needs one more approval.", subject

    def run_publish(self, by: User, subject: Any, edition: Any, data: dict[str, Any]) -> tuple[str, Any]:
        edition = self.verbs.publish(edition, at=data["at"], by=by)
        if data["at"] is None:
            return f"Edition {edition.number} is live.", subject
        return f"Edition {edition.number} goes live on {with_utc(edition.live.lower)}.", subject

    def run_cancel(self, by: User, subject: Any, edition: Any, data: dict[str, Any]) -> tuple[str, Any]:
        self.verbs.cancel(edition, by=by)
        return f"Edition {edition.number} does not go live.", subject

    def run_withdraw(self, by: User, subject: Any, edition: None, data: dict[str, Any]) -> tuple[str, Any]:
        seen = self.verbs.withdraw(subject, reason=data["reason"], at=data["at"], by=by)
        if data["at"] is None:
            return f"Readers no longer see it. They saw edition {seen.number}.", subject
        return f"Readers see edition {seen.number} until {with_utc(seen.live.upper)}.", subject

    def run_restore(self, by: User, subject: Any, edition: Any, data: dict[str, Any]) -> tuple[str, Any]:
        self.verbs.restore(edition, based_on=data["based_on"], by=by)
        return f"The draft says what edition {edition.number} says. Readers see no change.", subject

    def run_duplicate(self, by: User, subject: Any, edition: None, data: dict[str, Any]) -> tuple[str, Any]:
        if self.verbs.duplicate is None:
            raise Http404("There is nothing to duplicate here.")
        copy = self.verbs.duplicate(subject, by=by)
        return f"This is a copy of “{subject}”, under an address of its own.", copy

    # What each shows beside its question

    def context_submit(self, request: HttpRequest, subject: Any, edition: None) -> dict[str, Any]:
        warnings: list[Remark] = []
        problems: list[Remark] = []
        try:
            warnings = self.verbs.check(subject)
        except ValidationError as error:
            problems = remarks_of(error)
        return {"warnings": warnings, "problems": problems, "is_blocked": bool(problems)}

    def context_review(self, request: HttpRequest, subject: Any, edition: Any) -> dict[str, Any]:
        before = self._edition_before(subject, edition)
        return self._differences(before, edition)

    def context_publish(self, request: HttpRequest, subject: Any, edition: Any) -> dict[str, Any]:
        seen = self.verbs.kind.editions_of(subject).visible(database_now()).first()
        return self._differences(seen, edition) if seen is not None and seen != edition else {}

    def context_restore(self, request: HttpRequest, subject: Any, edition: Any) -> dict[str, Any]:
        return self._differences(subject, edition)

    def _edition_before(self, subject: Any, edition: Any) -> Any:
        """Return what an edition is best compared with: what readers see, else the one before it, else nothing."""
        editions = self.verbs.kind.editions_of(subject)
        seen = editions.visible(database_now()).first()
        if seen is not None and seen != edition:
            return seen
        return editions.filter(number__lt=edition.number).order_by("-number").first()

    def _differences(self, old: Any, new: Any) -> dict[str, Any]:
        if old is None:
            return {"differences": None, "document": self.describe(new)}
        texts = tuple(self.long_fields)
        return {
            "differences": compare(self.describe(old), self.describe(new), texts=texts),
            "old_name": self._name(old),
            "new_name": self._name(new),
        }

    def _name(self, thing: Any) -> str:
        return "the draft" if isinstance(thing, self.model) else f"edition {thing.number}"

    # Comparing

    long_fields: tuple[str, ...] = ("Body",)
    """The fields of `describe` that are compared line by line."""

    def describe(self, thing: Any) -> dict[str, Any]:
        """Return a draft or an edition as fields with what an editor calls them, in order."""
        raise NotImplementedError(type(self).__name__)

    def compare_page(self, request: HttpRequest, object_id: Any) -> HttpResponse:
        subject = self.subject_or_404(request, object_id)
        editions = {str(e.number): e for e in self.verbs.kind.editions_of(subject).order_by("-number")}
        choices = {"draft": subject, **editions}
        chosen = {
            "old": request.GET.get("old") or next(iter(editions), "draft"),
            "new": request.GET.get("new") or "draft",
        }
        missing = [value for value in chosen.values() if value not in choices]
        if missing:
            raise Http404(f"There is no edition {missing[0]}.")
        context = {
            **self._page_context(request, subject),
            "title": "Compare",
            "choices": [(value, self._name(thing)) for value, thing in choices.items()],
            **chosen,
            **self._differences(choices[chosen["old"]], choices[chosen["new"]]),
        }
        return TemplateResponse(request, "admin/publishing/compare.html", context)

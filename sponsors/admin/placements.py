"""Placements: frozen rows with two approvals. To change one is to submit another."""

from typing import Any

from django import forms
from django.contrib import admin, messages
from django.contrib.auth.models import User
from django.core.exceptions import PermissionDenied, ValidationError
from django.db.models import F, QuerySet
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.template.response import TemplateResponse
from django.urls import URLPattern, reverse
from django.utils import timezone
from django.utils.html import format_html_join
from unfold.decorators import display
from unfold.widgets import (
    UnfoldAdminIntegerFieldWidget,
    UnfoldAdminSelectWidget,
    UnfoldAdminTextareaWidget,
    UnfoldAdminTextInputWidget,
    UnfoldAdminURLInputWidget,
)

from core.api.admin import RecordAdmin, ValuesFilter
from core.api.instants import show_instant
from core.media.models import Image
from core.publishing.admin import Page, VerbPages
from core.publishing.admin.forms import LocalTimeField, ReviewForm, VerbForm, the_instant, zone_names
from core.publishing.admin.states import CLOCK, Step
from core.publishing.models import Review
from core.publishing.services import database_now
from sponsors import services
from sponsors.admin.vendors import SuspendForm
from sponsors.models import Placement, Vendor

CLOCK_FACE = {"type": "datetime-local"}


class PlacementForm(VerbForm):
    """A placement as it is submitted: from then on it is frozen."""

    fields_of_errors = {"period": "ends_local"}

    vendor = forms.ModelChoiceField(Vendor.objects.order_by("name"), widget=UnfoldAdminSelectWidget)
    slot = forms.SlugField(
        max_length=60, help_text="Where it appears: sidebar, newsletter-top.", widget=UnfoldAdminTextInputWidget
    )
    lane = forms.IntegerField(
        min_value=0,
        max_value=99,
        initial=0,
        help_text="Of several places in one slot, which.",
        widget=UnfoldAdminIntegerFieldWidget,
    )
    begins_local = LocalTimeField(label="Begins", widget=UnfoldAdminTextInputWidget(attrs=dict(CLOCK_FACE)))
    ends_local = LocalTimeField(label="Ends", widget=UnfoldAdminTextInputWidget(attrs=dict(CLOCK_FACE)))
    zone = forms.ChoiceField(
        label="Time zone",
        choices=lambda: [(name, name.replace("_", " ")) for name in zone_names()],
        help_text="The clock that both times are read from.",
        widget=UnfoldAdminSelectWidget,
    )
    headline = forms.CharField(max_length=120, widget=UnfoldAdminTextInputWidget)
    text = forms.CharField(max_length=400, required=False, widget=UnfoldAdminTextareaWidget(attrs={"rows": 3}))
    address = forms.URLField(
        max_length=500,
        assume_scheme="https",
        help_text="https, on a domain that is proven to be the vendor's.",
        widget=UnfoldAdminURLInputWidget,
    )
    image = forms.ModelChoiceField(Image.objects.all(), required=False, widget=UnfoldAdminSelectWidget)
    label = forms.CharField(
        max_length=40,
        initial="Advertisement",
        help_text="The word that discloses it.",
        widget=UnfoldAdminTextInputWidget,
    )
    paid_by = forms.CharField(max_length=200, widget=UnfoldAdminTextInputWidget)
    on_behalf_of = forms.CharField(max_length=200, required=False, widget=UnfoldAdminTextInputWidget)
    replaces = forms.ModelChoiceField(
        Placement.objects.filter(suspended_at=None),
        required=False,
        help_text="The placement that ends when this one is approved.",
        widget=UnfoldAdminSelectWidget,
    )

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["zone"].initial = timezone.get_current_timezone_name()

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean() or self.cleaned_data
        for name in ("begins", "ends"):
            local, zone = cleaned.pop(f"{name}_local", None), cleaned.get("zone")
            if local is not None and zone:
                try:
                    cleaned[f"{name}_at"] = the_instant(local, zone)
                except ValidationError as error:
                    self.add_error(f"{name}_local", error)
        cleaned.pop("zone", None)
        return cleaned


class StandingFilter(admin.SimpleListFilter):
    """Where a placement stands."""

    title = "standing"
    parameter_name = "standing"

    def lookups(self, request: HttpRequest, model_admin: admin.ModelAdmin) -> list[tuple[str, str]]:
        return [("shown", "Within its period"), ("ahead", "Ahead"), ("over", "Over"), ("suspended", "Suspended")]

    def queryset(self, request: HttpRequest, queryset: QuerySet) -> QuerySet:
        match self.value():
            case "shown":
                return queryset.filter(period__contains=CLOCK, suspended_at=None)
            case "ahead":
                return queryset.filter(period__startswith__gt=CLOCK, suspended_at=None)
            case "over":
                return queryset.filter(period__endswith__lte=CLOCK)
            case "suspended":
                return queryset.exclude(suspended_at=None)
        return queryset


@admin.register(Placement)
class PlacementAdmin(VerbPages, RecordAdmin):
    subject_pages = {
        "review": Page(
            "Review the placement",
            "Give this verdict",
            "review",
            ReviewForm,
            "With the second approval readers see it, within its period. Changes that are asked for end it: the change "
            "is a new placement.",
        ),
        "suspend": Page(
            "Suspend the placement",
            "Suspend it",
            "publish",
            SuspendForm,
            "Readers see it no longer, at once and for good. Its lane is free.",
            "danger",
        ),
    }
    edition_pages: dict[str, Page] = {}
    list_display = ["headline", "vendor", "slot", "lane", "period_shown", "state", "paid_by"]
    list_filter = ["review_state", StandingFilter, ("slot", ValuesFilter)]
    list_select_related = ["vendor"]
    search_fields = ["headline", "vendor__name", "slot", "paid_by"]
    ordering = ["-submitted_at", "-id"]
    fields = [
        "vendor", "slot", "lane", "period_shown", "headline", "text", "address", "image", "label", "paid_by",
        "on_behalf_of", "replaces", "state_in_words", "submitted_by", "submitted_at", "reviews_shown",
    ]  # fmt: skip
    empty_sentence = "A placement is a paid appearance of a vendor, always disclosed, approved by two people."
    change_form_outer_before_template = "admin/publishing/standing.html"

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False  # It is frozen.

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False  # What was shown stays on record.

    def get_urls(self) -> list[URLPattern]:
        return [*self.verb_urls(), *super().get_urls()]

    # Reading

    @display(description="Period", ordering="period")
    def period_shown(self, row: Placement) -> str:
        return f"{show_instant(row.period.lower)} until {show_instant(row.period.upper)}"

    @display(
        description="State",
        ordering="review_state",
        label={"in_review": "warning", "approved": "success", "changes_requested": "danger", "suspended": "danger"},
    )
    def state(self, row: Placement) -> tuple[str, str]:
        if row.suspended_at is not None:
            return "suspended", "Suspended"
        return row.review_state, row.get_review_state_display()

    @display(description="State")
    def state_in_words(self, row: Placement) -> str:
        """Return the state for the page of one placement, where labels are not drawn."""
        return self.state(row)[1]

    @display(description="Reviews")
    def reviews_shown(self, row: Placement) -> str:
        reviews = Review.objects.filter(target_id=row.pk).select_related("reviewer").order_by(F("at").desc())
        lines = ((f"{review}, {show_instant(review.at)}", review.note) for review in reviews)
        return format_html_join("", "<p>{} {}</p>", lines) or "None yet."

    def render_change_form(
        self,
        request: HttpRequest,
        context: dict[str, Any],
        add: bool = False,
        change: bool = False,
        form_url: str = "",
        obj: Any = None,
    ) -> HttpResponse:
        if obj is not None:
            steps = []
            if obj.review_state == Placement.ReviewState.IN_REVIEW and self.may("review", request, obj):
                steps.append(Step("Review", self.verb_address("review", obj), "primary"))
            if obj.suspended_at is None and self.may("publish", request, obj):
                steps.append(Step("Suspend", self.verb_address("suspend", obj), "danger"))
            context["steps"] = steps
        return super().render_change_form(request, context, add, change, form_url, obj)

    # Submitting

    def add_view(
        self, request: HttpRequest, form_url: str = "", extra_context: dict[str, Any] | None = None
    ) -> HttpResponse:
        if not self.has_add_permission(request):
            raise PermissionDenied
        form = PlacementForm(request.POST if request.method == "POST" else None)
        if request.method == "POST" and form.is_valid():
            try:
                placement = services.submit_placement(by=request.user, **form.cleaned_data)  # type: ignore[arg-type]
            except ValidationError as error:
                form.refuse(error)
            else:
                self.log_addition(request, placement, "Submitted for review.")
                self.message_user(request, "The placement waits for two approvals.", messages.SUCCESS)
                return HttpResponseRedirect(reverse("admin:sponsors_placement_change", args=[placement.pk]))
        context = {
            **self.admin_site.each_context(request),
            "opts": self.opts,
            "title": "Submit a placement",
            "page": Page("", "Submit for review", "add", PlacementForm, "It is frozen as it is submitted."),
            "form": form,
            "media": self.media,
            "back": reverse("admin:sponsors_placement_changelist"),
        }
        return TemplateResponse(request, "admin/publishing/verb.html", context)

    # Verbs

    def run_review(self, by: User, subject: Any, edition: None, data: dict[str, Any]) -> tuple[str, Any]:
        placement = services.review_placement(subject, by=by, verdict=data["verdict"], note=data["note"])
        if placement.review_state == Placement.ReviewState.APPROVED:
            return "It is approved: readers see it within its period.", placement
        if placement.review_state == Placement.ReviewState.CHANGES_REQUESTED:
            return "Changes are requested: the change is a new placement.", placement
        return "You approve of it. It needs one more approval.", placement

    def run_suspend(self, by: User, subject: Any, edition: None, data: dict[str, Any]) -> tuple[str, Any]:
        return "It is suspended.", services.suspend_placement(subject, reason=data["reason"], by=by)

    def context_review(self, request: HttpRequest, subject: Any, edition: None) -> dict[str, Any]:
        return {
            "document": {
                "Vendor": subject.vendor,
                "Slot": f"{subject.slot}, lane {subject.lane}",
                "Period": self.period_shown(subject),
                "Headline": subject.headline,
                "Text": subject.text,
                "Address": subject.address,
                "Image": subject.image,
                "Label": subject.label,
                "Paid by": subject.paid_by,
                "On behalf of": subject.on_behalf_of,
                "Now": show_instant(database_now()),
            }
        }

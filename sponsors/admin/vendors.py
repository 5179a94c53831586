"""Vendors: drafts with two approvals, and the domains that are proven to be theirs."""

from typing import Any

from django import forms
from django.contrib import admin
from django.contrib.auth.models import User
from django.http import HttpRequest, HttpResponse
from unfold.admin import TabularInline
from unfold.widgets import (
    UnfoldAdminCheckboxSelectMultipleWidget,
    UnfoldAdminSelectWidget,
    UnfoldAdminTextareaWidget,
    UnfoldAdminTextInputWidget,
    UnfoldAdminURLInputWidget,
)

from core.api.admin import ValuesFilter
from core.publishing.admin import DraftedAdmin, Page, PartOfDraft, PlacedForm, Remark, Verbs, in_order
from core.publishing.admin.forms import VerbForm
from core.publishing.admin.states import EditionRow, Step
from sponsors import services
from sponsors.freezing import freeze
from sponsors.models import UNVERIFIABLE, Vendor, VendorDomain, VendorEdition, VendorSection


def check_vendor(vendor: Vendor) -> list[Remark]:
    """Return what is missing but may be. Raises ValidationError for what stands in the way of submitting."""
    content = freeze(vendor).content
    asked = (("description", "description"), ("country", "country"), ("section_ids", "section"))
    return [Remark(f"It has no {word}.") for name, word in asked if not content[name]]


class VendorForm(forms.ModelForm):
    homepage = forms.URLField(
        required=False,
        max_length=500,
        assume_scheme="https",
        help_text="https, on a domain that is proven to be theirs.",
        widget=UnfoldAdminURLInputWidget,
    )
    unverified = forms.MultipleChoiceField(
        required=False,
        label="Not checked",
        choices=[(name, name.replace("_", " ").capitalize()) for name in UNVERIFIABLE],
        help_text="What nobody checked against a source; readers are told.",
        widget=UnfoldAdminCheckboxSelectMultipleWidget,
    )

    class Meta:
        model = Vendor
        fields = [
            "name", "slug", "description", "role", "homepage", "country", "city", "company_status", "parent",
            "manufacturer", "unverified", "note",
        ]  # fmt: skip

    def clean_slug(self) -> str:
        return self.cleaned_data["slug"].lower()


class VendorSectionForm(PlacedForm):
    class Meta:
        model = VendorSection
        fields = ["section", "position"]


class SectionsInline(PartOfDraft, TabularInline):
    model = VendorSection
    form = VendorSectionForm
    verbose_name, verbose_name_plural = "section", "sections, the main one first"


class ProofForm(VerbForm):
    domain = forms.CharField(
        label="Domain",
        help_text="The domain, or any host on it: www.example.com.",
        widget=UnfoldAdminTextInputWidget,
    )
    proof = forms.ChoiceField(label="How we know", choices=VendorDomain.Proof.choices, widget=UnfoldAdminSelectWidget)
    source = forms.CharField(
        label="What was seen, where and when", max_length=500, widget=UnfoldAdminTextareaWidget(attrs={"rows": 3})
    )


class SuspendForm(VerbForm):
    reason = forms.CharField(
        label="Reason",
        required=False,
        help_text="It stays with the editions and placements, for editors.",
        widget=UnfoldAdminTextareaWidget(attrs={"rows": 3}),
    )


@admin.register(Vendor)
class VendorAdmin(DraftedAdmin):
    verbs = Verbs(
        kind=services.VENDOR,
        submit=services.submit_vendor,
        review=services.review_vendor,
        publish=services.publish_vendor,
        cancel=services.cancel_vendor,
        withdraw=services.withdraw_vendor,
        restore=services.restore_vendor,
        delete=services.delete_vendor,
        check=check_vendor,
    )
    subject_pages = {
        **{name: page for name, page in DraftedAdmin.subject_pages.items() if name != "duplicate"},
        "prove": Page(
            "Record a domain",
            "Record it",
            "publish",
            ProofForm,
            "Links of a vendor lead to a domain that somebody has shown to be theirs. What is recorded stays.",
        ),
        "suspend": Page(
            "Suspend",
            "Suspend the vendor",
            "publish",
            SuspendForm,
            "Readers no longer find it nor any of its placements, at once and for good: each needs two approvals anew.",
            "danger",
        ),
    }
    form = VendorForm
    inlines = [SectionsInline]
    fieldsets = [
        (None, {"fields": ["name", "slug", "description", "role", "homepage", "unverified"]}),
        ("The company", {"fields": ["country", "city", "company_status", "parent", "manufacturer"]}),
        ("For editors", {"fields": ["note"]}),
    ]
    prepopulated_fields = {"slug": ["name"]}
    autocomplete_fields = ["parent", "manufacturer"]
    list_display = ["name", "readers", "works", "role", "country", "domains_shown"]
    list_filter: Any = [*DraftedAdmin.list_filter, "role", "sections", ("country", ValuesFilter)]
    search_fields = ["name", "slug", "city", "domains__domain"]
    search_help_text = "Name, address, city, domain"
    long_fields = ("Description",)
    empty_sentence = "A vendor is an entry of the directory. Two people who did not write it approve of it."
    change_form_outer_after_template = "admin/sponsors/around.html"

    # Reading

    def get_queryset(self, request: HttpRequest) -> Any:
        return super().get_queryset(request).prefetch_related("domains")

    @admin.display(description="Proven domains")
    def domains_shown(self, row: Any) -> str:
        return ", ".join(domain.domain for domain in row.domains.all())

    def get_prepopulated_fields(self, request: HttpRequest, obj: Any = None) -> dict[str, Any]:
        return {} if obj is not None else super().get_prepopulated_fields(request, obj)

    def describe(self, thing: Vendor | VendorEdition) -> dict[str, Any]:
        rows = thing.section_rows if isinstance(thing, VendorEdition) else thing.draft_sections
        return {
            "Name": thing.name.strip(),
            "Address": thing.slug,
            "Description": thing.description.strip(),
            "Role": thing.get_role_display(),
            "Homepage": thing.homepage.strip(),
            "Sections": [str(row.section) for row in rows.select_related("section").order_by("position", "id")],
            "Country": thing.country,
            "City": thing.city.strip(),
            "Status": thing.get_company_status_display(),
            "Parent": str(thing.parent or ""),
            "Manufacturer": str(thing.manufacturer or ""),
            "Not checked": sorted(set(thing.unverified)),
        }

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
            context["domains"] = obj.domains.select_related("proven_by")
            if self.has_publish_permission(request, obj):
                context["prove_address"] = self.verb_address("prove", obj)
        return super().render_change_form(request, context, add, change, form_url, obj)

    def next_steps(self, request: HttpRequest, subject: Any, rows: list[EditionRow]) -> list[Step]:
        steps = super().next_steps(request, subject, rows)
        if self.may("publish", request, subject):
            steps.append(Step("Suspend", self.verb_address("suspend", subject), "danger"))
        return steps

    # Writing

    def write(
        self, request: HttpRequest, form: Any, formsets: list[Any], *, subject: Any | None, based_on: int
    ) -> Vendor:
        data = {name: value for name, value in form.cleaned_data.items() if name in services.DRAFT_FIELDS}
        sections = in_order(formsets, VendorSection, "section")
        if subject is None:
            return services.create_vendor(by=request.user, sections=sections or [], **data)  # type: ignore[arg-type]
        return services.change_vendor(subject, based_on=based_on, by=request.user, fields=data, sections=sections)  # type: ignore[arg-type]

    def run_prove(self, by: User, subject: Any, edition: None, data: dict[str, Any]) -> tuple[str, Any]:
        record = services.prove_domain(subject, data["domain"], source=data["source"], by=by, proof=data["proof"])
        return f"{record.domain} is recorded as theirs.", subject

    def run_suspend(self, by: User, subject: Any, edition: None, data: dict[str, Any]) -> tuple[str, Any]:
        ended = services.suspend_vendor(subject, reason=data["reason"], by=by)
        return f"It is suspended, and {len(ended)} placement{'s' * (len(ended) != 1)} with it.", subject

"""Sources, and facts with the claims that were made of them."""

from collections.abc import Iterable
from decimal import Decimal
from fractions import Fraction
from hashlib import sha256
from typing import Any
from uuid import UUID

from django import forms
from django.contrib import admin
from django.core.exceptions import ObjectDoesNotExist, ValidationError
from django.db import models, transaction
from django.db.models import Count, QuerySet
from django.http import HttpRequest
from django.urls import NoReverseMatch, reverse
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString
from unfold.admin import StackedInline
from unfold.decorators import display
from unfold.views import ChangeList
from unfold.widgets import UnfoldAdminTextInputWidget

from core.api.admin import ValuesFilter
from core.api.admin_history import TrackedAdmin
from core.api.record_kinds import model_of
from core.facts.models import Claim, Fact, Source
from core.facts.services import choose_claim, notify, settle_choices, unchoose_claim
from core.facts.units import same_quantity


def differing(claims: Iterable[Claim]) -> list[Claim]:
    """Return one claim for each quantity that is claimed, of the kinds of claim of which there are several; else none.

    It is what `Claim.objects.conflicts()` says of one fact: nameplate and measured are two things.
    """
    by_kind: dict[str, dict[tuple[str, Fraction], Claim]] = {}
    for claim in claims:
        by_kind.setdefault(claim.claim_kind, {}).setdefault(same_quantity(claim.value, claim.unit), claim)
    return [claim for kind in by_kind.values() if len(kind) > 1 for claim in kind.values()]


def shown_value(fact: Fact) -> SafeString | str:
    """Return the value in use, and all others where the claims differ. `claims` and `chosen` should be loaded."""
    in_use = str(fact.chosen) if fact.chosen else "—"
    others = [str(claim) for claim in differing(fact.claims.all()) if claim.pk != fact.chosen_id]
    others = [value for value in dict.fromkeys(others) if value != in_use]
    if not others:
        return in_use
    return format_html('{}<br><span class="plenum-conflict">Conflict: {}</span>', in_use, " · ".join(others))


@admin.register(Source)
class SourceAdmin(TrackedAdmin):
    list_display = ["title", "publisher", "dated", "claim_count", "licence"]
    ordering = ["slug"]
    list_filter = [("publisher", ValuesFilter)]
    search_fields = ["title", "publisher", "slug"]
    prepopulated_fields = {"slug": ["publisher", "title"]}
    fields = ["title", "slug", "publisher", "dated", "address", "licence"]
    empty_sentence = "A source is a document with a publisher and a date. Numbers are only as good as theirs."

    def get_queryset(self, request: HttpRequest) -> QuerySet:
        return super().get_queryset(request).annotate(claim_count=Count("claims"))

    @display(description="Claims", ordering="claim_count")
    def claim_count(self, row: Any) -> int:
        return row.claim_count


class FactForm(forms.ModelForm):
    """A fact names its subject by slug; which claim is in use is chosen among its own."""

    subject = forms.SlugField(
        required=False,
        label="Subject",
        help_text="The slug of the device, installation, vendor or section. Empty: the fact stands alone.",
        widget=UnfoldAdminTextInputWidget,
    )

    class Meta:
        model = Fact
        fields = ["label", "slug", "subject_kind", "subject", "field", "chosen"]

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        if not self.instance._state.adding:
            del self.fields["subject"]  # Declared fields are in every form, also where no page shows them.
        if "chosen" in self.fields:
            chosen: Any = self.fields["chosen"]
            chosen.queryset = Claim.objects.filter(fact=self.instance.pk).select_related("source")
            chosen.label = "Claim in use"
            chosen.label_from_instance = described
            chosen.empty_label = "The most confident, of these the oldest"

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean() or self.cleaned_data
        if "subject" not in self.fields:
            return cleaned
        kind, slug = cleaned.get("subject_kind", ""), cleaned.get("subject", "")
        self.instance.subject_id = None
        if kind and not slug:
            self.add_error("subject", ValidationError("Which one? Write its slug.", code="required"))
        elif slug and not kind:
            self.add_error("subject_kind", ValidationError("Say what kind of thing this is.", code="required"))
        elif kind:
            model = model_of(kind)
            try:
                self.instance.subject_id = model._default_manager.get(slug=slug).pk
            except (ObjectDoesNotExist, AttributeError):
                self.add_error("subject", ValidationError(f"There is no {kind} “{slug}”.", code="unknown_subject"))
        return cleaned


def described(claim: Any) -> str:
    """Return a claim with all that an editor chooses by."""
    dated = f", {claim.dated}" if claim.dated else ""
    kind, confidence = claim.get_claim_kind_display().lower(), claim.get_confidence_display().lower()
    return f"{claim}, {kind}, {confidence}{dated}: {claim.source}"


class ClaimForm(forms.ModelForm):
    """A claim, its value without the zeros that the column adds."""

    class Meta:
        model = Claim
        fields = ["value", "unit", "claim_kind", "confidence", "source", "dated", "note"]

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        if isinstance(value := self.initial.get("value"), Decimal):
            self.initial["value"] = Decimal(f"{value.normalize():f}")


class ClaimInline(StackedInline):
    model = Claim
    form = ClaimForm
    fields = [("value", "unit"), ("claim_kind", "confidence"), "source", ("dated", "note")]
    autocomplete_fields = ["source"]
    extra = 0


class ConflictFilter(admin.SimpleListFilter):
    """Facts of which sources say different things."""

    title = "conflict"
    parameter_name = "conflict"

    def lookups(self, request: HttpRequest, model_admin: admin.ModelAdmin) -> list[tuple[str, str]]:
        return [("yes", "Claims differ"), ("unclaimed", "No claim")]

    def queryset(self, request: HttpRequest, queryset: QuerySet) -> QuerySet:
        if self.value() == "unclaimed":
            return queryset.filter(claims=None)
        if self.value() == "yes":
            return queryset.filter(pk__in=Fact.objects.all().in_conflict(True).values("pk"))
        return queryset


def named_by(model: type[models.Model]) -> list[str]:
    """Return the relations of a model that cannot be null: its name may be made of theirs."""
    return [field.name for field in model._meta.fields if field.is_relation and not field.null]


class FactChangeList(ChangeList):
    """Loads the names of the subjects of one page with one statement a kind."""

    def get_results(self, request: HttpRequest) -> None:
        super().get_results(request)
        by_kind: dict[str, set[UUID]] = {}
        for fact in self.result_list:
            if fact.subject_id is not None:
                by_kind.setdefault(fact.subject_kind, set()).add(fact.subject_id)
        found: dict[UUID, Any] = {}
        for kind, ids in by_kind.items():
            model = model_of(kind)
            if model is not None:
                # A name may be made of two records: a device bears its manufacturer's.
                found |= model._default_manager.select_related(*named_by(model)).in_bulk(ids)
        for fact in self.result_list:
            fact.subject_name = str(found.get(fact.subject_id, "")) if fact.subject_id else ""


@admin.register(Fact)
class FactAdmin(TrackedAdmin):
    form = FactForm
    inlines = [ClaimInline]
    list_display = ["label", "subject_shown", "field", "value_shown", "claim_count"]
    list_filter = [ConflictFilter, "subject_kind", ("chosen__confidence", ValuesFilter)]
    list_select_related = ["chosen"]
    search_fields = ["label", "slug", "field"]
    prepopulated_fields = {"slug": ["label"]}
    empty_sentence = "A fact is one quantity of one subject, with a claim from each source that speaks of it."
    history_parts = {Claim: "fact"}

    # Reading

    def get_queryset(self, request: HttpRequest) -> QuerySet:
        return super().get_queryset(request).select_related("chosen").prefetch_related("claims")

    def get_changelist(self, request: HttpRequest, **kwargs: Any) -> type[ChangeList]:
        return FactChangeList

    @display(description="Subject", ordering="subject_kind")
    def subject_shown(self, row: Any) -> str:
        return getattr(row, "subject_name", "") or row.get_subject_kind_display()

    @display(description="Value")
    def value_shown(self, row: Any) -> str:
        return shown_value(row)

    @display(description="Claims")
    def claim_count(self, row: Any) -> int:
        return len(row.claims.all())

    @display(description="Subject")
    def subject_link(self, row: Any) -> str:
        """Link to what the fact is about, where it has a page."""
        model = model_of(row.subject_kind)
        subject = model._default_manager.filter(pk=row.subject_id).first() if model is not None else None
        if subject is None:
            return "None: it stands alone"
        options = subject._meta
        try:
            address = reverse(f"admin:{options.app_label}_{options.model_name}_change", args=[subject.pk])
        except NoReverseMatch:
            return str(subject)
        return format_html('<a class="text-link" href="{}">{}</a> ({})', address, subject, options.verbose_name)

    @display(description="What the sources say")
    def conflict_shown(self, row: Any) -> str:
        """Show both values where the claims differ."""
        claims = differing(row.claims.select_related("source"))
        if not claims:
            return "They agree."
        return format_html_join("", '<p class="plenum-conflict">{}</p>', ((described(claim),) for claim in claims))

    # Writing

    def get_fields(self, request: HttpRequest, obj: Any = None) -> list[str]:
        if obj is None:
            return ["label", "slug", "subject_kind", "subject", "field"]
        return ["label", "slug", "subject_link", "field", "chosen", "conflict_shown"]

    def get_readonly_fields(self, request: HttpRequest, obj: Any = None) -> list[str]:
        # What prose and devices know a fact by stays: another quantity is another fact.
        return [] if obj is None else ["subject_link", "field", "conflict_shown"]

    def version_of(self, obj: Any) -> str:
        """A claim that somebody added meanwhile is a change of the fact too."""
        claims = [f"{claim.pk}{claim}{claim.confidence}" for claim in Claim.objects.filter(fact=obj).order_by("pk")]
        return f"{obj.updated_at.isoformat()} {hash_of(claims)}"

    def save_related(self, request: HttpRequest, form: Any, formsets: list[Any], change: bool) -> None:
        super().save_related(request, form, formsets, change)
        fact = Fact.objects.get(pk=form.instance.pk)
        if "chosen" in form.changed_data:
            chosen = form.cleaned_data["chosen"]
            if chosen is not None and Claim.objects.filter(pk=chosen.pk).exists():
                fact = choose_claim(fact, chosen)
            else:
                fact = unchoose_claim(fact)
        settle_choices([fact])

    @transaction.atomic
    def delete_model(self, request: HttpRequest, obj: Any) -> None:
        super().delete_model(request, obj)
        notify([obj])

    @transaction.atomic
    def delete_queryset(self, request: HttpRequest, queryset: QuerySet) -> None:
        facts = list(queryset)
        super().delete_queryset(request, queryset)
        notify(facts)


def hash_of(parts: list[str]) -> str:
    """Return a short text that differs where `parts` differ."""
    return sha256("\n".join(parts).encode()).hexdigest()[:16]

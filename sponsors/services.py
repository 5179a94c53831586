"""What an editor can ask for, of the directory and the placements in it. Each verb is one function.

How a vendor becomes public is the mechanism of core.publishing. A placement is one frozen row with two approvals.
"""

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any
from uuid import UUID

from django.contrib.auth.models import User
from django.core.exceptions import ValidationError
from django.db import transaction
from django.db.backends.postgresql.psycopg_any import DateTimeTZRange

from catalog.models import Section
from core.media.models import Image
from core.publishing import services as publishing
from core.publishing.canonical import sha256_of
from core.publishing.happenings import Happening, Verb, tell
from core.publishing.models import Reference, Review
from core.publishing.references import refuse_used
from core.publishing.rules import RULES, holding
from sponsors.domains import registrable_domain
from sponsors.freezing import freeze, freeze_all, placement_content, proven_address
from sponsors.models import Placement, Vendor, VendorDomain, VendorEdition, VendorSection

VENDOR = publishing.Kind("vendor", VendorEdition, "vendor", approvals=2, independent=True)

DRAFT_FIELDS = (
    "name", "slug", "description", "role", "homepage", "country", "city", "company_status", "parent", "manufacturer",
    "unverified", "note",
)  # fmt: skip


@transaction.atomic
def create_vendor(*, by: User, name: str, slug: str, sections: Sequence[Section] = (), **fields: Any) -> Vendor:
    """Begin an entry with its draft, and return it. Raises ValidationError of the fields."""
    _refuse_unknown(fields)
    vendor = Vendor(name=name, slug=slug, draft_writer_ids=[by.pk], **fields)
    vendor.full_clean()
    vendor.save(force_insert=True)
    _set_sections(vendor, sections)
    return vendor


def change_vendor(
    vendor: Vendor,
    *,
    based_on: int,
    by: User,
    fields: Mapping[str, Any] = {},
    sections: Sequence[Section] | None = None,
) -> Vendor:
    """Write into the draft, if nobody else has since version `based_on`, and return it. Readers see nothing of it.

    `sections` are in order, the main one first; None leaves them. Raises StaleDraft, or ValidationError of the fields.
    """
    _refuse_unknown(fields)
    related = []
    if sections is not None:
        related.append(lambda drafts: [0] if _set_sections(drafts[0], sections) else [])
    return publishing.change_draft(vendor, based_on=based_on, by=by, fields=fields, related=related)  # type: ignore[no-any-return]


def _refuse_unknown(fields: Mapping[str, Any]) -> None:
    unknown = set(fields) - set(DRAFT_FIELDS)
    if unknown:
        raise ValueError(f"A vendor has no {', '.join(sorted(unknown))}.")


def _set_sections(draft: Vendor, sections: Sequence[Section]) -> bool:
    wanted = list(dict.fromkeys(section.pk for section in sections))
    if list(draft.draft_sections.order_by("position", "id").values_list("section_id", flat=True)) == wanted:
        return False
    draft.draft_sections.all().delete()
    VendorSection.objects.bulk_create(
        VendorSection(vendor=draft, section_id=pk, position=n) for n, pk in enumerate(wanted)
    )
    return True


def prove_domain(
    vendor: Vendor, domain: str, *, source: str, by: User, proof: str = VendorDomain.Proof.SOURCE
) -> VendorDomain:
    """Record that `domain` (or the host given) is the vendor's, as `source` shows, and return the record.

    What was recorded before stands. Raises ValidationError: `source_missing`, `not_a_domain`, `lookalike_domain`.
    """
    if not source.strip():
        raise ValidationError({"source": ValidationError("Say what shows that it is theirs.", code="source_missing")})
    try:
        name = registrable_domain(domain)
    except ValidationError as error:
        raise ValidationError({"domain": error}) from error
    record = VendorDomain(vendor=vendor, domain=name, proof=proof, source=source.strip(), proven_by_id=by.pk)
    record.clean_fields()
    found, _ = VendorDomain.objects.get_or_create(
        vendor=vendor, domain=name, defaults={"proof": record.proof, "source": record.source, "proven_by_id": by.pk}
    )
    return found


def submit_vendor(vendor: Vendor, *, by: User, based_on: int | None = None) -> VendorEdition:
    """Freeze the draft as an edition in review, and return it.

    A homepage is https on a domain that is proven to be theirs; who has none has no link. Raises StaleDraft where the
    draft is no longer of the version `based_on`; ValidationError: `required` on name or slug; on homepage
    `homepage_not_https`, `domain_not_proven`, `not_an_address`, `not_a_domain`, `lookalike_domain`.
    """
    return publishing.submit(VENDOR, vendor, by=by, freeze=freeze, based_on=based_on)  # type: ignore[no-any-return]


def submit_vendors(vendors: Sequence[Vendor], *, by: User, anew: bool = True) -> list[VendorEdition]:
    """Freeze drafts as editions in review, and return them; `anew` is that of core.publishing.services.submit_all.

    Raises BatchRefused, of what `submit_vendor` raises.
    """
    return publishing.submit_all(VENDOR, vendors, by=by, freeze=freeze_all, anew=anew)


def review_vendor(edition: VendorEdition, *, by: User, verdict: str, note: str = "") -> VendorEdition:
    """Approve of an edition (`approved`), or ask for changes (`changes_requested`, with a note), and return it.

    It is approved when two people have who are neither its writers nor each other. Raises ValidationError
    `own_edition`, and the others of core.publishing.services.review.
    """
    return publishing.review(VENDOR, edition, by=by, verdict=verdict, note=note)  # type: ignore[no-any-return]


def review_vendors(editions: Sequence[VendorEdition], *, by: User, verdict: str, note: str = "") -> list[VendorEdition]:
    """Give one verdict on editions, and return them. Raises BatchRefused, of what `review_vendor` raises."""
    return publishing.review_all(VENDOR, editions, by=by, verdict=verdict, note=note)


def publish_vendor(
    edition: VendorEdition,
    *,
    at: datetime | None = None,
    published_at: datetime | None = None,
    by: User | None = None,
) -> VendorEdition:
    """Make `edition` what readers see from `at` (timezone-aware; None: now) on, and return it."""
    return publishing.publish(VENDOR, edition, at=at, published_at=published_at, by=by)  # type: ignore[no-any-return]


def publish_vendors(editions: Sequence[VendorEdition], *, by: User | None = None) -> list[VendorEdition]:
    """Make editions what readers see from now on, and return them.

    Raises BatchRefused, of what `publish_vendor` raises.
    """
    return publishing.publish_all(VENDOR, editions, published_at=[None] * len(editions), by=by)


def cancel_vendor(edition: VendorEdition, *, by: User | None = None) -> VendorEdition:
    """Cancel a scheduled publication; what readers see now goes on."""
    return publishing.cancel(VENDOR, edition, by=by)  # type: ignore[no-any-return]


def withdraw_vendor(
    vendor: Vendor, *, reason: str, at: datetime | None = None, by: User | None = None
) -> VendorEdition:
    """Hide the entry from readers from `at` (None: now) on, and return the edition that they no longer see.

    Its placements are not shown meanwhile; they come back with it.
    """
    return publishing.withdraw(VENDOR, vendor, reason=reason, at=at, by=by)  # type: ignore[no-any-return]


@transaction.atomic
def suspend_vendor(vendor: Vendor, *, reason: str, by: User | None = None) -> list[Placement]:
    """Take the entry and all its placements from readers, at once and for good, and return the placements it ended.

    What was scheduled is cancelled. To come back, each needs two approvals anew. Raises ValidationError
    `reason_missing`.
    """
    _refuse_blank(reason)
    vendor = publishing.lock(vendor)
    now = publishing.database_now()
    for edition in vendor.editions.filter(live__startswith__gt=now).order_by("-live"):
        cancel_vendor(edition, by=by)
    if vendor.editions.visible(now).exists():
        withdraw_vendor(vendor, reason=reason, by=by)
    standing = vendor.placements.filter(suspended_at=None).order_by("id")
    return [suspend_placement(placement, reason=reason, by=by) for placement in standing]


@transaction.atomic
def restore_vendor(edition: VendorEdition, *, based_on: int, by: User) -> Vendor:
    """Copy an edition into the draft, and return it. It publishes nothing; the slug and the note of the draft stay."""
    copied = ("name", "description", "role", "homepage", "country", "city", "company_status", "parent", "manufacturer")
    sections = Section.objects.in_bulk(edition.content["section_ids"])
    return change_vendor(
        edition.vendor,
        based_on=based_on,
        by=by,
        fields={**{name: getattr(edition, name) for name in copied}, "unverified": list(edition.unverified)},
        sections=[sections[UUID(pk)] for pk in edition.content["section_ids"]],
    )


@transaction.atomic
def delete_vendor(vendor: Vendor) -> None:
    """Delete an entry that readers never saw. Raises ValidationError `was_published`, `is_used`."""
    vendor = publishing.lock(vendor)
    if vendor.editions.exclude(live=None).exists():
        raise ValidationError("Readers have seen it or are about to; withdraw it instead.", code="was_published")
    owned = [
        *vendor.vendor_children.all(),
        *(edition.vendor for edition in vendor.vendoredition_children.select_related("vendor")),
    ]
    refuse_used(
        [vendor.pk],
        *(f"Placement: {placement}" for placement in vendor.placements.all()),
        *(f"Vendor: {other}" for other in owned),
    )
    Reference.objects.filter(holder_kind="vendor", holder_id=vendor.pk).delete()
    vendor.editions.all().delete()
    vendor.delete()


PLACEMENT_APPROVALS = 2

PLACEMENT_RULES: dict[str, tuple[str | None, str, str]] = {
    **RULES,
    "sponsors_placement_one_a_lane": ("period", "slot_taken", "This lane of the slot is booked then."),
    "placement_frozen": (None, "placement_frozen", "A placement is frozen; submit another one."),
    "placement_over": ("period", "period_passed", "Its period has passed."),
    "placement_picture": ("image", "image_changed", "The image changed meanwhile; submit it again."),
}


@transaction.atomic
def submit_placement(
    vendor: Vendor,
    *,
    by: User,
    slot: str,
    begins_at: datetime,
    ends_at: datetime,
    headline: str,
    address: str,
    paid_by: str,
    lane: int = 0,
    text: str = "",
    image: Image | None = None,
    label: str = "Advertisement",
    on_behalf_of: str = "",
    writers: Sequence[User] = (),
    replaces: Placement | None = None,
) -> Placement:
    """Freeze a placement and book its lane from `begins_at` until `ends_at` (timezone-aware), and return it in review.

    `writers` are the accounts that wrote it beside the one that submits. One that `replaces` another books when it is
    approved; the other ends then. Raises ValidationError: `period_order`, `period_passed` and `slot_taken` on period,
    `address_not_https`, `domain_not_proven` and the like on address, `other_vendor` on replaces, those of the fields.
    """
    vendor = publishing.lock(vendor)
    if ends_at <= begins_at:
        raise ValidationError({"period": ValidationError("It ends before it begins.", code="period_order")})
    if ends_at <= publishing.database_now():
        raise ValidationError({"period": ValidationError("That period has passed.", code="period_passed")})
    if replaces is not None and replaces.vendor_id != vendor.pk:
        raise ValidationError({"replaces": ValidationError("That one is another vendor's.", code="other_vendor")})
    leads_to = proven_address(vendor, address, field="address")
    placement = Placement(
        vendor=vendor,
        slot=slot,
        lane=lane,
        period=DateTimeTZRange(begins_at, ends_at),
        headline=headline.strip(),
        text=text.strip(),
        address=leads_to.url,
        domain=leads_to.domain,
        image=image,
        picture=picture_of(image),
        label=label.strip(),
        paid_by=paid_by.strip(),
        on_behalf_of=on_behalf_of.strip(),
        writer_ids=sorted({by.pk, *(writer.pk for writer in writers)}),
        submitted_by_id=by.pk,
        replaces=replaces,
    )
    placement.sha256 = sha256_of(placement_content(placement))
    placement.full_clean()
    with holding(PLACEMENT_RULES):
        placement.save(force_insert=True)
    _tell(placement, "submitted", by=by)
    return placement


def picture_of(image: Image | None) -> dict[str, Any] | None:
    """Return what of an image is frozen into a placement: the file that people look at when they approve."""
    if image is None:
        return None
    if not image.file:
        raise ValidationError(
            {"image": ValidationError(f"The file of {image.name} is missing: supply it first.", code="file_missing")}
        )
    return {
        "file": image.file.name,
        "sha256": image.sha256,
        "width": image.width,
        "height": image.height,
        "alt": image.alt,
    }


@transaction.atomic
def review_placement(placement: Placement, *, by: User, verdict: str, note: str = "") -> Placement:
    """Give a verdict on a placement, and return it. With the second approval readers see it, within its period.

    Changes that are asked for end it, and free its lane: a change is a new placement. Raises ValidationError:
    `note_missing`, `own_placement` (a writer's approval does not count), `not_in_review`, `period_passed`,
    `slot_taken`.
    """
    placement = _lock_placement(placement)
    if placement.review_state != Placement.ReviewState.IN_REVIEW or placement.suspended_at is not None:
        raise ValidationError("This placement is not in review.", code="not_in_review")
    if verdict == Review.Verdict.CHANGES_REQUESTED and not note.strip():
        raise ValidationError({"note": ValidationError("Say what should change.", code="note_missing")})
    if verdict == Review.Verdict.APPROVED and by.pk in placement.writer_ids:
        raise ValidationError("You wrote a part of it; somebody else approves it.", code="own_placement")
    now = publishing.database_now()
    Review.objects.create(
        kind="placement",
        target_id=placement.pk,
        sha256=placement.sha256,
        verdict=verdict,
        note=note.strip(),
        reviewer_id=by.pk,
        at=now,
    )
    if verdict == Review.Verdict.CHANGES_REQUESTED:
        placement.review_state = Placement.ReviewState.CHANGES_REQUESTED
        placement.save(update_fields=["review_state"])
        _tell(placement, "changes_requested", by=by, note=note)
    elif placement_approvals(placement) >= PLACEMENT_APPROVALS:
        replaced = placement.replaces
        if replaced is not None and replaced.suspended_at is None:
            suspend_placement(replaced, reason=f"Replaced by {placement.pk}.", by=by)
        placement.review_state = Placement.ReviewState.APPROVED
        placement.approved_at = now
        with holding(PLACEMENT_RULES):
            placement.save(update_fields=["review_state", "approved_at"])
        _tell(placement, "approved", by=by, note=note)
    return placement


def placement_approvals(placement: Placement) -> int:
    """Return how many people who are not its writers approve of a placement; 0 where somebody asks for changes."""
    return publishing.approvals_of("placement", placement.pk, placement.sha256, placement.writer_ids)


@transaction.atomic
def suspend_placement(placement: Placement, *, reason: str, by: User | None = None) -> Placement:
    """Take a placement from readers now and for good, and return it. Its lane is free.

    Raises ValidationError: `reason_missing`, `already_suspended`.
    """
    _refuse_blank(reason)
    placement = _lock_placement(placement)
    if placement.suspended_at is not None:
        raise ValidationError("It is suspended already.", code="already_suspended")
    placement.suspended_at = publishing.database_now()
    placement.suspended_reason = reason.strip()
    with holding(PLACEMENT_RULES):
        placement.save(update_fields=["suspended_at", "suspended_reason"])
    _tell(placement, "withdrawn", by=by, note=reason)
    return placement


def _tell(placement: Placement, verb: Verb, *, by: User | None, note: str = "") -> None:
    writers = tuple(placement.writer_ids)
    tell([Happening(verb, placement, placement.pk, None, by, writer_ids=writers, excluded_ids=writers, note=note)])


def _lock_placement(placement: Placement) -> Placement:
    """Lock the vendor, then the placement, for this transaction: the order in which the triggers do."""
    publishing.lock(placement.vendor)
    return Placement.objects.select_for_update(of=("self",)).select_related("vendor", "replaces").get(pk=placement.pk)


def _refuse_blank(reason: str) -> None:
    if not reason.strip():
        raise ValidationError({"reason": ValidationError("Say why.", code="reason_missing")})

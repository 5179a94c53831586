"""Vendors, brought in by the verbs of the directory: draft, proof of the domain, two approvals, publication."""

from collections.abc import Iterable, Sequence
from functools import partial
from typing import Any

from django.contrib.auth.models import User
from django.core.exceptions import ValidationError

from articles.importing import records
from articles.importing.desk import Desk
from articles.importing.existing import subjects_at
from articles.importing.tally import refusals_of
from catalog.importing.problems import Refusal
from catalog.models import Manufacturer, Section
from core.publishing.batches import accepted
from sponsors.domains import registrable_domain
from sponsors.models import Vendor, VendorEdition
from sponsors.services import (
    change_vendor,
    create_vendor,
    prove_domain,
    publish_vendors,
    review_vendors,
    submit_vendors,
)


def store_vendors(found: Iterable[records.Vendor], desk: Desk) -> None:
    """Bring in vendors, parents before their children, and publish what is not live yet."""
    found = list(found)
    ordered, refusals = parents_first(found)
    desk.tally.refusals += refusals
    slugs = {record.slug for record in found} | {record.parent for record in found}
    rows = subjects_at(VendorEdition, slugs)
    sections = {row.slug: row for row in Section.objects.all()}
    makers = {row.slug: row for row in Manufacturer.objects.filter(slug__in=[r.manufacturer for r in found])}
    written: list[tuple[records.Vendor, Vendor]] = []
    for record in ordered:
        row = rows.get(record.slug)
        if row is not None and not desk.may_write(row, record.slug, record.place):
            continue
        values = {
            "description": record.description,
            "role": record.role,
            "homepage": record.homepage,
            "country": record.country,
            "city": record.city,
            "company_status": record.company_status,
            "parent": rows.get(record.parent),
            "manufacturer": makers.get(record.manufacturer),
            "unverified": list(record.unverified),
            "note": record.note,
        }
        try:
            vendor = _write_draft(row, record, values, [sections[slug] for slug in record.sections], desk)
            _prove(vendor, record, desk)
        except ValidationError as error:
            desk.tally.refusals += refusals_of(error, record.place)
        else:
            rows[record.slug] = vendor
            written.append((record, vendor))
    _publish(written, desk)


def parents_first(found: Iterable[records.Vendor]) -> tuple[list[records.Vendor], list[Refusal]]:
    """Return vendors so that each follows its parent, and a refusal for each that would own itself."""
    waiting = list(found)
    here = {record.slug for record in waiting}
    ordered: list[records.Vendor] = []
    done: set[str] = set()
    while ready := [record for record in waiting if record.parent not in here - done]:
        ordered += ready
        done |= {record.slug for record in ready}
        waiting = [record for record in waiting if record.slug not in done]
    refusals = [
        Refusal(record.place.file, record.place.line, "parent", "own_parent", f"{record.slug} would own itself.")
        for record in waiting
    ]
    return ordered, refusals


def _write_draft(
    row: Vendor | None, record: records.Vendor, values: dict[str, Any], sections: list[Section], desk: Desk
) -> Vendor:
    if row is None:
        desk.tally.count("vendors", "created")
        return create_vendor(by=desk.writer, name=record.name, slug=record.slug, sections=sections, **values)
    version = row.draft_version
    fields = {"name": record.name, **values}
    row = change_vendor(row, based_on=version, by=desk.writer, fields=fields, sections=sections)
    desk.tally.count("vendors", "unchanged" if row.draft_version == version else "changed")
    return row


def _prove(vendor: Vendor, record: records.Vendor, desk: Desk) -> None:
    """Record whose domain it is, on an editor's word and not the importer's."""
    if record.domain and not vendor.domains.filter(domain=registrable_domain(record.domain)).exists():
        prove_domain(vendor, record.domain, source=record.domain_source, by=desk.approvers[0])
        desk.tally.count("domains", "created")


def _publish(written: list[tuple[records.Vendor, Vendor]], desk: Desk) -> None:
    """Submit what is not live yet, let two people approve, and publish."""

    def refuse(item: tuple[records.Vendor, Any], error: ValidationError) -> None:
        desk.tally.refusals += refusals_of(error, item[0].place)

    submitted = accepted(
        written,
        # What it holds is live, or was withdrawn by an editor: either way that content was decided on.
        lambda some: submit_vendors([vendor for _, vendor in some], by=desk.writer, anew=False),
        refused=refuse,
    )
    waiting = [(record, edition) for (record, _), edition in submitted if edition.live is None]
    for person in desk.approvers[:2]:
        reviewed = accepted(waiting, partial(_approve, by=person), refused=refuse)
        waiting = [(record, edition) for (record, _), edition in reviewed]
    published = accepted(waiting, lambda some: publish_vendors([edition for _, edition in some]), refused=refuse)
    if published:
        desk.tally.count("vendors", "published", len(published))


def _approve(some: Sequence[tuple[records.Vendor, VendorEdition]], *, by: User) -> list[VendorEdition]:
    return review_vendors([edition for _, edition in some], by=by, verdict="approved")

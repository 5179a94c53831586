"""How a draft of a vendor becomes the document of an edition, and what the document of a placement is."""

from collections.abc import Sequence
from typing import Any

from django.core.exceptions import ValidationError

from core.api.representations import InstantField
from core.publishing.batches import Refusals
from core.publishing.models import Reference
from core.publishing.services import Frozen
from sponsors.domains import Address, read_address
from sponsors.models import Placement, Vendor, VendorEdition, VendorEditionSection


def proven_address(vendor: Vendor, text: str, *, field: str) -> Address:
    """Return the https address that `text` writes, on a domain that is proven to be the vendor's.

    Raises ValidationError on `field`: `domain_not_proven`, and those of sponsors.domains.read_address.
    """
    address = read_address(text, field=field)
    if not vendor.domains.filter(domain=address.domain).exists():
        raise ValidationError(
            {
                field: ValidationError(
                    f"Nobody has shown that {address.domain} is theirs; record how we know first.",
                    code="domain_not_proven",
                )
            }
        )
    return address


def _content(draft: Vendor) -> dict[str, Any]:
    """Return what an edition of the draft says. Its domain is known once the homepage has been looked at."""
    return {
        "name": draft.name.strip(),
        "slug": draft.slug,
        "description": draft.description.strip(),
        "role": draft.role,
        "homepage": draft.homepage.strip(),
        "domain": None,
        "country": draft.country,
        "city": draft.city.strip(),
        "company_status": draft.company_status,
        "parent_id": str(draft.parent_id) if draft.parent_id else None,
        "manufacturer_id": str(draft.manufacturer_id) if draft.manufacturer_id else None,
        "section_ids": [str(row.section_id) for row in draft.draft_sections.order_by("position", "id")],
        "unverified": sorted(set(draft.unverified)),
    }


def freeze(draft: Vendor) -> Frozen:
    """Return the edition that `draft` would be now. Raises ValidationError on what is missing, and on the homepage."""
    content = _content(draft)
    problems = {
        name: ValidationError(f"A vendor needs a {name}.", code="required")
        for name in ("name", "slug")
        if not content[name]
    }
    if problems:
        raise ValidationError(problems)
    if content["homepage"]:
        content["homepage"], content["domain"] = proven_address(draft, draft.homepage, field="homepage")
    columns = {name: value for name, value in content.items() if name not in ("slug", "section_ids")}

    def rows(edition: VendorEdition) -> list[VendorEditionSection]:
        return [
            VendorEditionSection(edition=edition, section_id=pk, position=n)
            for n, pk in enumerate(content["section_ids"])
        ]

    references = [
        Reference(role=role, target_kind=kind, target_id=pk)
        for role, kind, pk in (
            ("parent", "vendor", draft.parent_id),
            ("manufacturer", "manufacturer", draft.manufacturer_id),
        )
        if pk is not None
    ]
    return Frozen(content, columns, references, rows)


def freeze_all(drafts: Sequence[Vendor]) -> list[Frozen]:
    """Return the editions that drafts would be now. Raises BatchRefused, of what `freeze` raises."""
    refusals = Refusals()
    frozen = []
    for position, draft in enumerate(drafts):
        with refusals.of(position):
            frozen.append(freeze(draft))
    refusals.stop()
    return frozen


def placement_content(placement: Placement) -> dict[str, Any]:
    """Return all that readers get of a placement: what its hash is of (`sponsors_placement_content` in SQL)."""
    instant = InstantField().to_representation
    return {
        "slot": placement.slot,
        "lane": placement.lane,
        "begins_at": instant(placement.period.lower),
        "ends_at": instant(placement.period.upper),
        "vendor_id": str(placement.vendor_id),
        "headline": placement.headline,
        "text": placement.text,
        "address": placement.address,
        "domain": placement.domain,
        "picture": placement.picture,
        "label": placement.label,
        "paid_by": placement.paid_by,
        "on_behalf_of": placement.on_behalf_of,
    }

"""Valid people, vendors and placements, made through the services. A test names only the fields it is about."""

from datetime import datetime, timedelta
from itertools import count
from typing import Any

from django.contrib.auth.models import User

from catalog.models import Section
from core.media.models import Image
from core.publishing.services import database_now
from sponsors import services
from sponsors.models import Placement, Vendor, VendorEdition

_numbers = count(1)


def make_person(**fields: Any) -> User:
    """Save an account that cannot log in."""
    user = User(**{"username": f"person-{next(_numbers)}", **fields})
    user.set_unusable_password()
    user.save()
    return user


def make_section(**fields: Any) -> Section:
    n = next(_numbers)
    return Section.objects.create(**{"slug": f"section-{n}", "name": f"Section {n}", "position": 1000 + n, **fields})


def make_image(**fields: Any) -> Image:
    n = next(_numbers)
    return Image.objects.create(
        **{
            "name": f"image-{n}.png",
            "file": f"images/image-{n}.png",
            "width": 640,
            "height": 480,
            "sha256": f"{n:064x}",
            "alt": f"Image {n}",
            **fields,
        }
    )


def make_vendor(*, by: User | None = None, domain: str = "example.com", **fields: Any) -> Vendor:
    """Save a draft whose homepage is on `domain`, which is proven."""
    n = next(_numbers)
    by = by or make_person()
    defaults = {"name": f"Vendor {n}", "slug": f"vendor-{n}", "homepage": f"https://www.{domain}/{n}"}
    vendor = services.create_vendor(by=by, **{**defaults, **fields})
    services.prove_domain(vendor, domain, source="landscape.yml, 2026-08-07", by=by)
    return vendor


def submit(vendor: Vendor, *, by: User | None = None) -> VendorEdition:
    return services.submit_vendor(vendor, by=by or make_person())


def approve(edition: VendorEdition) -> VendorEdition:
    """Let two people who wrote nothing of it approve of an edition."""
    for _ in range(2):
        edition = services.review_vendor(edition, by=make_person(), verdict="approved")
    return edition


def make_live_vendor(*, at: datetime | None = None, **fields: Any) -> Vendor:
    """Save a vendor that readers see, from `at` (None: now) on."""
    vendor = make_vendor(**fields)
    services.publish_vendor(approve(submit(vendor)), at=at)
    return vendor


def change(vendor: Vendor, **fields: Any) -> Vendor:
    """Write into the draft as it is now."""
    vendor.refresh_from_db()
    return services.change_vendor(vendor, based_on=vendor.draft_version, by=make_person(), fields=fields)


def republish(vendor: Vendor, *, at: datetime | None = None, **fields: Any) -> VendorEdition:
    """Change a vendor and make that what readers see."""
    return services.publish_vendor(approve(submit(change(vendor, **fields))), at=at)


def make_placement(*, vendor: Vendor | None = None, days: int = 1, **fields: Any) -> Placement:
    """Save a placement in review, for a period of `days` that began an hour ago."""
    n = next(_numbers)
    begins_at = fields.pop("begins_at", None) or database_now() - timedelta(hours=1)
    defaults = {
        "by": make_person(),
        "slot": f"slot-{n}",
        "begins_at": begins_at,
        "ends_at": begins_at + timedelta(days=days),
        "headline": f"Headline {n}",
        "address": "https://www.example.com/offer",
        "paid_by": "Example Corporation",
    }
    return services.submit_placement(vendor or make_live_vendor(), **{**defaults, **fields})


def approve_placement(placement: Placement) -> Placement:
    for _ in range(2):
        placement = services.review_placement(placement, by=make_person(), verdict="approved")
    return placement


def make_live_placement(**fields: Any) -> Placement:
    """Save a placement that readers see, if its period has begun."""
    return approve_placement(make_placement(**fields))

"""Bylines, accounts that approve, and vendors."""

from articles.importing.fields import Fields
from articles.importing.records import Author, Person, Vendor
from sponsors.models import UNVERIFIABLE, CompanyStatus, Role

AUTHOR_KEYS = ("slug", "name", "bio", "homepage")
PERSON_KEYS = ("username", "name", "groups")
VENDOR_KEYS = (
    "slug", "name", "description", "role", "company_status", "parent", "manufacturer", "sections", "homepage",
    "domain", "country", "city", "unverified", "note",
)  # fmt: skip


def read_author(entry: Fields) -> Author:
    return Author(
        place=entry.place,
        slug=entry.slug("slug", required=True),
        name=entry.text("name", required=True),
        bio=entry.text("bio", longest=2000),
        homepage=entry.text("homepage", longest=500),
    )


def read_person(entry: Fields) -> Person:
    return Person(
        place=entry.place,
        username=entry.slug("username", required=True),
        name=entry.text("name", longest=150, required=True),
        groups=entry.texts("groups"),
    )


def read_vendor(entry: Fields) -> Vendor:
    domain = entry.mapping("domain", ("name", "source"))
    sections = entry.slugs("sections", kind="section")
    if not sections:
        entry.refuse("sections", "required", "A vendor works in at least one section.")
    unverified = entry.texts("unverified")
    for name in unverified:
        if name not in UNVERIFIABLE:
            entry.refuse("unverified", "unknown_key", f"{name} is no field of a vendor.")
    return Vendor(
        place=entry.place,
        slug=entry.slug("slug", required=True),
        name=entry.text("name", required=True),
        description=entry.text("description", longest=2000, required=True),
        role=entry.choice("role", Role.values, required=True),
        company_status=entry.choice("company_status", CompanyStatus.values),
        parent=entry.slug("parent", kind="vendor"),
        manufacturer=entry.slug("manufacturer", kind="manufacturer"),
        sections=sections,
        homepage=_https(entry),
        domain=domain.text("name", longest=253, required=True) if domain else "",
        domain_source=domain.text("source", longest=500, required=True) if domain else "",
        country=_country(entry),
        city=entry.text("city"),
        unverified=unverified,
        note=entry.text("note", longest=2000),
    )


def _https(entry: Fields) -> str:
    address = entry.text("homepage", longest=500)
    if address and not address.startswith("https://"):
        entry.refuse("homepage", "homepage_not_https", "The address of a vendor has to begin with https://.")
    return address


def _country(entry: Fields) -> str:
    code = entry.text("country", longest=2)
    if code and not (len(code) == 2 and code.isascii() and code.isupper()):
        entry.refuse("country", "not_a_country", f"“{code}” is no code of two capital letters (ISO 3166-1).")
    return code

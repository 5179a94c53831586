"""The questions that the directory answers."""

import strawberry

from core.api import parameters
from core.api.errors import bad_request
from core.api.graphql.connections import DEFAULT_FIRST, After, Connection, First, Slug, root_page, text
from core.api.graphql.context import Info
from core.api.graphql.nodes import find_item, find_moved
from sponsors.countries import countries
from sponsors.graphql.types import MOVED, PLACEMENTS, VENDORS, Placement, Vendor, VendorOrder
from sponsors.models import CompanyStatus, Role


@strawberry.type
class Query:
    @strawberry.field(
        description="One vendor. At an address that it once had it answers too: compare its slug, and redirect."
    )
    def vendor(self, info: Info, slug: str | None = None, id: strawberry.ID | None = None) -> Vendor | None:  # noqa: A002
        return find_item(VENDORS, info.context, slug=slug, id=id) or find_moved(MOVED, info.context, slug)

    @strawberry.field(description="The directory.")
    def vendors(
        self,
        info: Info,
        section: Slug = None,
        role: str | None = None,
        company_status: str | None = None,
        country: str | None = None,
        manufacturer: Slug = None,
        parent: Slug = None,
        domain: str | None = None,
        search: str | None = None,
        order_by: VendorOrder = VendorOrder.NAME,
        first: First = DEFAULT_FIRST,
        after: After = None,
    ) -> Connection[Vendor]:
        if country is not None and country not in countries():
            raise bad_request("country", "not_a_country", "country is two capital letters of ISO 3166-1.")
        filters = {
            "section": text("section", section),
            "role": _choice("role", role, Role.values),
            "company_status": _choice("companyStatus", company_status, CompanyStatus.values),
            "country": country,
            "manufacturer": text("manufacturer", manufacturer),
            "parent": text("parent", parent),
            "domain": text("domain", domain),
            "search": text("search", search),
        }
        return root_page(VENDORS, info, first=first, after=after, filters=filters, order=order_by)

    @strawberry.field(
        description="What is shown now, for whose money. Show each with its `disclosure` and `rel`.",
        metadata={"kinds": ("placement", "vendor")},
    )
    def placements(
        self,
        info: Info,
        slot: str | None = None,
        vendor: Slug = None,
        first: First = DEFAULT_FIRST,
        after: After = None,
    ) -> Connection[Placement]:
        filters = {"slot": text("slot", slot), "vendor": text("vendor", vendor)}
        return root_page(PLACEMENTS, info, first=first, after=after, filters=filters)


def _choice(name: str, value: str | None, choices: list[str]) -> str | None:
    return None if value is None else parameters.one_of(*choices)(name, value)

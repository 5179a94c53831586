"""One of everything that is public: with every field filled, and with every field that may be empty empty."""

from catalog.models import DeviceComponent, Rung
from core.media.models import Rendition
from simulator.models import Scenario, ScenarioDrift
from sponsors.services import suspend_placement
from tests.factories import (
    make_author,
    make_device,
    make_fact,
    make_installation,
    make_live_article,
    make_next_edition,
    make_section,
    make_source,
    make_tag,
)
from tests.sponsors.factories import make_image, make_live_placement, make_live_vendor


def make_full() -> None:
    """Make rows in which each public field holds something."""
    image = make_image(credit="M. Lind", licence="CC BY 4.0", placeholder="data:image/webp;base64,UklGRg==")
    for form in ("webp", "jpeg"):
        Rendition.objects.create(
            image=image, source_sha256=image.sha256, format=form, width=320, height=240, byte_count=9,
            file=f"images/{image.pk}/image-320.{form}",
        )  # fmt: skip
    source = make_source(
        slug="guide", publisher="Acme", dated="2026", address="https://acme.example/guide", licence="CC0-1.0"
    )
    device = make_device(
        slug="dgx", section=make_section(), part_number="007", device_kind="server", description="Eight accelerators.",
        comments="Heavy.", is_full_depth=True, is_powered=True, is_whole_rack=True, airflow="front-to-rear",
        subdevice_role="parent", licence="CC0-1.0",
    )  # fmt: skip
    for field, value, unit in [
        ("u_height", "8.0", "U"), ("weight_kg", "287.6", "lb"), ("power_typical_w", "8.4005", "kW"),
        ("power_idle_w", "1500", "W"), ("heat_to_liquid_fraction", "0.87", ""), ("airflow_m3_h", "1105", "CFM"),
        ("cooling_capacity_w", "250", "kW"), ("gpu_count", "8", ""), ("gpu_tdp_w", "700", "W"),
    ]:  # fmt: skip
        make_fact((value, unit), subject=device, field=field)
    DeviceComponent.objects.create(
        device=device, component_kind="power-ports", name="01", label="A", type="iec-60320-c20", position=1,
        maximum_draw_w="3300", allocated_draw_w="2500.5",
    )  # fmt: skip
    fact = make_fact(("10.2", "kW"), ("10.4", "kW"), subject=device)
    fact.claims.update(note="As printed.", dated="2025", claim_kind="nameplate")
    site = make_installation(
        slug="site", operator="Acme", place="Memphis", country="US", status="operating",
        rung=Rung.objects.get(slug="campus"), description="Large.",
    )  # fmt: skip
    make_fact(("150", "MW"), subject=site, field="power_w")
    scenario = Scenario.objects.create(
        slug="four-racks", title="Four", description="Of them.", input={"items": [{"device": "dgx", "quantity": 4}]},
        result={"power": {"density_kw": 40.8}, "warnings": [{"code": "x"}]}, engine_version="1",
    )  # fmt: skip
    author = make_author(bio="Writes.", homepage="https://lind.example/", image=image)
    tag = make_tag()
    vendor = make_live_vendor(
        description="Makes racks.", country="NO", city="Oslo", company_status="active", parent=make_live_vendor(),
        manufacturer=device.manufacturer, sections=[make_section()], unverified=["city"],
    )  # fmt: skip
    make_fact(("12", "MW"), subject=vendor, field="power_w")
    make_live_placement(vendor=vendor, text="Look.", image=image, on_behalf_of="Acme")
    suspend_placement(make_live_placement(vendor=vendor), reason="It leads elsewhere.")
    linked = make_live_article(slug="linked")
    body = (
        "## Power\n\nIt draws {{dgx.power_nameplate_w}} [@guide], see [that](article:linked).[^n]\n\n"
        "[^n]: At nameplate.\n\n::: device slug=dgx\n:::\n\n"
        f"![A rack]({image.name})\n"
    )
    moved = {"quantity": "density_kw", "unit": "kW", "was": 41, "now": 40, "since": "2026-11-30T09:00:00.000000Z"}
    ScenarioDrift.objects.create(
        scenario=scenario,
        engine_version="2",
        since="2026-11-30T09:00:00Z",
        data={
            "engine_version_was": "1", "engine_version_now": "2", "since": "2026-11-30T09:00:00.000000Z",
            "moved": [moved], "outcomes": [], "warnings_gone": [], "warnings_new": [], "problem": None, "problems": [],
        },
    )  # fmt: skip
    article = make_live_article(
        slug="old-address", body=body, section=make_section(), rung=Rung.objects.get(slug="rack"), image=image,
        authors=[author], tags=[tag], explains=["density_kw"],
        corrections=[{"said": "10 kW", "says": "10.2 kW", "on": "2026-11-30", "gravity": "minor"}],
    )  # fmt: skip
    make_next_edition(article, slug="new-address")
    assert source.slug in article.body
    assert linked.slug in article.body


def make_bare() -> None:
    """Make rows in which each public field that may be empty is."""
    device = make_device()
    DeviceComponent.objects.create(device=device, component_kind="interfaces", name="eth0", position=1)
    make_fact()
    make_installation()
    make_source()
    make_author()
    make_tag()
    Scenario.objects.create(slug="bare", title="Bare", input={}, result={}, engine_version="1")
    make_live_placement(vendor=make_live_vendor())
    article = make_live_article(slug="bare-old", dek="")
    make_next_edition(article, slug="bare-new")

"""Rows of every model that the admin lists, different from each other in all that a list shows."""

from itertools import count

from django.contrib.auth.models import Group, User

from articles.models import Article, Author, Tag
from catalog.models import Device, DeviceComponent, Installation, Manufacturer, ModuleType, RackType, Rung, Section
from core.facts.models import Fact, Source
from core.media.models import Image
from simulator.models import Scenario
from sponsors.models import Placement, Vendor
from tests import factories
from tests.sponsors import factories as directory

_number = count(1)


def _section() -> None:
    n = next(_number)
    Section.objects.create(slug=f"more-{n}", name=f"More {n}", position=100 + n)


def _rung() -> None:
    n = next(_number)
    Rung.objects.create(slug=f"step-{n}", name=f"Step {n}", position=100 + n, min_w=n, max_w=n + 1)


def _manufacturer() -> Manufacturer:
    n = next(_number)
    return Manufacturer.objects.create(slug=f"maker-{n}", name=f"Maker {n}")


def _device() -> None:
    device = factories.make_device(manufacturer=_manufacturer(), section=Section.objects.first())
    factories.make_fact(("700", "W"), ("650", "W"), subject=device)
    DeviceComponent.objects.create(device=device, component_kind="interfaces", name="1", position=1)


def _module_type() -> None:
    n = next(_number)
    ModuleType.objects.create(slug=f"module-{n}", model=f"Module {n}", manufacturer=_manufacturer())


def _rack_type() -> None:
    n = next(_number)
    RackType.objects.create(slug=f"rack-{n}", model=f"Rack {n}", manufacturer=_manufacturer())


def _installation() -> None:
    site = factories.make_installation(rung=Rung.objects.first(), country="NO")
    factories.make_fact(("40", "MW"), subject=site, field="power_mw")


def _fact() -> None:
    n = next(_number)
    subject = factories.make_device(manufacturer=_manufacturer()) if n % 2 else factories.make_installation()
    factories.make_fact(("700", "W"), ("0.8", "kW"), subject=subject)


def _source() -> None:
    factories.make_fact(("1", "W"))


def _article() -> None:
    authors = [factories.make_author(), factories.make_author()]
    article = factories.make_live_article(
        authors=authors, tags=[factories.make_tag()], section=Section.objects.first(), rung=Rung.objects.first()
    )
    factories.make_next_edition(article, title="Again")


def _scenario() -> None:
    n = next(_number)
    Scenario.objects.create(slug=f"run-{n}", title=f"Run {n}", input={}, result={}, engine_version="1")


def _vendor() -> None:
    vendor = directory.make_live_vendor(country="NO")
    directory.change(vendor, city="Oslo")


def _group() -> None:
    Group.objects.create(name=f"group-{next(_number)}").user_set.add(factories.make_person())


def _user() -> None:
    factories.make_person().groups.add(Group.objects.create(name=f"group-{next(_number)}"))


MAKERS = {
    Article: _article,
    Author: lambda: factories.make_live_article(authors=[factories.make_author()]),
    Device: _device,
    Fact: _fact,
    Group: _group,
    Image: directory.make_image,
    Installation: _installation,
    Manufacturer: lambda: factories.make_device(manufacturer=_manufacturer()),
    ModuleType: _module_type,
    Placement: directory.make_placement,
    RackType: _rack_type,
    Rung: _rung,
    Scenario: _scenario,
    Section: _section,
    Source: _source,
    Tag: lambda: factories.make_live_article(tags=[factories.make_tag()]),
    User: _user,
    Vendor: _vendor,
}

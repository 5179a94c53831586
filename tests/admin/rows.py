"""Rows of every model that the admin lists, different from each other in all that a list shows."""

from itertools import count

from django.contrib.auth.models import Group, User
from django.db import connection
from procrastinate.contrib.django.models import ProcrastinateJob

from articles.models import Article, Author, Tag
from catalog.models import Device, DeviceComponent, Installation, Manufacturer, ModuleType, RackType, Rung, Section
from core.facts.models import Fact, Source
from core.media.models import Image
from simulator.models import Scenario
from sponsors.models import Placement, Vendor
from tests import factories
from tests.sponsors import factories as directory

_number = count(1)

# What belongs to one row alone is made for each: bylines, claims, components. What rows point to is shared: a list
# that asks for it row by row asks as often either way.


def _person() -> User:
    return User.objects.get_or_create(username="maker", defaults={"is_staff": True})[0]


def _maker() -> Manufacturer:
    return Manufacturer.objects.get_or_create(slug="maker", defaults={"name": "Maker"})[0]


def _author() -> Author:
    return Author.objects.get_or_create(slug="ines", defaults={"name": "Ines"})[0]


def _article_with(**fields) -> None:
    """Make a draft, and of each fifth an edition that is live."""
    make = factories.make_article if next(_number) % 5 else factories.make_live_article
    make(by=_person(), **fields)


def _section() -> None:
    n = next(_number)
    Section.objects.create(slug=f"more-{n}", name=f"More {n}", position=100 + n)


def _rung() -> None:
    n = next(_number)
    Rung.objects.create(slug=f"step-{n}", name=f"Step {n}", position=100 + n, min_w=n, max_w=n + 1)


def _manufacturer() -> None:
    n = next(_number)
    manufacturer = Manufacturer.objects.create(slug=f"maker-{n}", name=f"Maker {n}")
    factories.make_device(manufacturer=manufacturer)


def _device() -> None:
    device = factories.make_device(manufacturer=_maker(), section=Section.objects.first())
    factories.make_fact(("700", "W"), ("650", "W"), subject=device)
    DeviceComponent.objects.create(device=device, component_kind="interfaces", name="1", position=1)


def _module_type() -> None:
    n = next(_number)
    ModuleType.objects.create(slug=f"module-{n}", model=f"Module {n}", manufacturer=_maker())


def _rack_type() -> None:
    n = next(_number)
    RackType.objects.create(slug=f"rack-{n}", model=f"Rack {n}", manufacturer=_maker())


def _installation() -> None:
    site = factories.make_installation(rung=Rung.objects.first(), country="NO")
    factories.make_fact(("40", "MW"), subject=site, field="power_mw")


def _fact() -> None:
    n = next(_number)
    subject = factories.make_device(manufacturer=_maker()) if n % 2 else factories.make_installation()
    factories.make_fact(("700", "W"), ("0.8", "kW"), subject=subject)


def _source() -> None:
    factories.make_fact(("1", "W"))


def _article() -> None:
    _article_with(
        authors=[_author()], tags=[factories.make_tag()], section=Section.objects.first(), rung=Rung.objects.first()
    )


def _scenario() -> None:
    n = next(_number)
    Scenario.objects.create(slug=f"run-{n}", title=f"Run {n}", input={}, result={}, engine_version="1")


def _vendor() -> None:
    vendor = directory.make_vendor(by=_person(), country="NO")
    directory.approve(directory.submit(vendor, by=_person()))


def _placement() -> None:
    vendor = Vendor.objects.first() or directory.make_vendor(by=_person())
    directory.make_placement(vendor=vendor, by=_person())


def _group() -> None:
    Group.objects.create(name=f"group-{next(_number)}").user_set.add(_person())


def _user() -> None:
    n = next(_number)
    User.objects.create(username=f"somebody-{n}").groups.add(Group.objects.create(name=f"group-{n}"))


def _job() -> None:
    with connection.cursor() as cursor:  # Django may only read jobs; a trigger writes their events.
        cursor.execute("insert into procrastinate_jobs (task_name, queue_name) values ('plenum.check', 'default')")


MAKERS = {
    Article: _article,
    Author: lambda: _article_with(authors=[factories.make_author()]),
    Device: _device,
    Fact: _fact,
    Group: _group,
    Image: directory.make_image,
    Installation: _installation,
    Manufacturer: _manufacturer,
    ModuleType: _module_type,
    Placement: _placement,
    ProcrastinateJob: _job,
    RackType: _rack_type,
    Rung: _rung,
    Scenario: _scenario,
    Section: _section,
    Source: _source,
    Tag: lambda: _article_with(tags=[factories.make_tag()]),
    User: _user,
    Vendor: _vendor,
}

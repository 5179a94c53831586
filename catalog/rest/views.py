"""The catalogue over REST."""

from django.db import models

from catalog.models import Device, Installation, Manufacturer, Rung, Section
from catalog.rest import serializers
from core.api import parameters
from core.api.keyset import BY_SLUG, Order, id_key, number_key
from core.facts.rest import read_quantity
from core.feed.views import Filter, ItemView, ListView

BY_POSITION = {"position": Order((number_key("position"), id_key()))}
TEXT = models.TextField()
NUMBER = models.DecimalField(max_digits=30, decimal_places=9)


class SectionList(ListView):
    """The six sections."""

    representation = serializers.SectionRepresentation
    source = staticmethod(Section.objects.visible)
    kinds = ("section",)
    orders = BY_POSITION


class SectionItem(ItemView):
    """One section."""

    representation = serializers.SectionRepresentation
    source = staticmethod(Section.objects.visible)
    kinds = ("section",)


class ScaleList(ListView):
    """The scale: the five rungs from chip to grid, with the power that things on each draw."""

    representation = serializers.RungRepresentation
    source = staticmethod(Rung.objects.visible)
    kinds = ("rung",)
    orders = BY_POSITION


class RungItem(ItemView):
    """One rung of the scale."""

    representation = serializers.RungRepresentation
    source = staticmethod(Rung.objects.visible)
    kinds = ("rung",)


class ManufacturerList(ListView):
    """Who makes devices."""

    representation = serializers.ManufacturerRepresentation
    source = staticmethod(Manufacturer.objects.visible)
    kinds = ("manufacturer",)
    orders = BY_SLUG


class ManufacturerItem(ItemView):
    """One manufacturer."""

    representation = serializers.ManufacturerRepresentation
    source = staticmethod(Manufacturer.objects.visible)
    kinds = ("manufacturer",)


def _range(column: str, unit: str) -> dict[str, Filter]:
    """Return the two filters of a quantity: `power_gte=100kW` finds a device of 0.1 MW."""
    return {
        "_gte": Filter(
            read_quantity(unit),
            lambda rows, p: rows.filter(**{f"{column}__gte": p}),
            NUMBER,
            f"At least; a bare number is in {unit}.",
        ),
        "_lte": Filter(
            read_quantity(unit),
            lambda rows, p: rows.filter(**{f"{column}__lte": p}),
            NUMBER,
            f"At most; a bare number is in {unit}.",
        ),
    }


def _quantities(**columns: tuple[str, str]) -> dict[str, Filter]:
    return {name + end: f for name, (column, unit) in columns.items() for end, f in _range(column, unit).items()}


class DeviceList(ListView):
    """Device types, with the quantities in use."""

    representation = serializers.DeviceSummary
    source = staticmethod(Device.objects.visible)
    kinds = ("device", "manufacturer", "section")
    orders = BY_SLUG
    filters = {
        "manufacturer": Filter(parameters.read_text, lambda rows, p: rows.filter(manufacturer__slug=p), TEXT, "Slug."),
        "section": Filter(parameters.read_text, lambda rows, p: rows.filter(section__slug=p), TEXT, "Slug."),
        "device_kind": Filter(
            parameters.read_text, lambda rows, p: rows.filter(device_kind=p), TEXT, "server, switch, rack…"
        ),
        "search": Filter(
            parameters.read_text,
            lambda rows, p: rows.matching(p),
            TEXT,
            "Words of the model, the part number or the description.",
        ),
        **_quantities(
            power=("power_nameplate_w", "W"),
            weight=("weight_kg", "kg"),
            height=("u_height", "U"),
            airflow=("airflow_m3_h", "m3/h"),
        ),
    }


class DeviceItem(ItemView):
    """One device type with its facts, ports and bays."""

    representation = serializers.DeviceRepresentation
    source = staticmethod(Device.objects.visible)
    kinds = ("device", "manufacturer", "section", "fact", "source")


class InstallationList(ListView):
    """Real sites and systems."""

    representation = serializers.InstallationSummary
    source = staticmethod(Installation.objects.visible)
    kinds = ("installation", "rung")
    orders = BY_SLUG
    filters = {
        "country": Filter(parameters.read_text, lambda rows, p: rows.filter(country=p), TEXT, "ISO 3166-1 alpha-2."),
        "rung": Filter(parameters.read_text, lambda rows, p: rows.filter(rung__slug=p), TEXT, "Slug."),
        "status": Filter(parameters.one_of(*Installation.Status.values), lambda rows, p: rows.filter(status=p), TEXT),
    }


class InstallationItem(ItemView):
    """One installation with its facts."""

    representation = serializers.InstallationRepresentation
    source = staticmethod(Installation.objects.visible)
    kinds = ("installation", "rung", "fact", "source")

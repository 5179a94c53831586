"""The catalogue over REST."""

from collections.abc import Callable
from typing import Any

from django.db import models

from catalog.models import Device, Installation, Manufacturer, Rung, Section
from catalog.quantities import INSTALLATION as INSTALLATION_QUANTITIES
from catalog.rest import serializers
from core.api import parameters
from core.api.keyset import BY_SLUG, Order, id_key, number_key
from core.facts.rest import quantity_filters
from core.facts.shown import IN_UNITS
from core.feed.views import Filter, ItemView, ListView

BY_POSITION = {"position": Order((number_key("position"), id_key()))}
TEXT = models.TextField()


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


def _column(name: str, column: str, unit: str) -> dict[str, Filter]:
    """Return the two filters of a column: what is asked is rounded as the column is, so that 100 CFM finds itself."""
    places: Any = Device._meta.get_field(column)
    return quantity_filters(
        name, unit, lambda rows, end, value: rows.filter(**{f"{column}__{end}": value}), places.decimal_places
    )


def _stated(measures: str) -> Callable[[Any, str, Any], Any]:
    return lambda rows, comparison, value: rows.stating(measures, comparison, value)


class DeviceList(ListView):
    """Device types, with the quantities in use."""

    choices = IN_UNITS
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
        **_column("power", "power_nameplate_w", "W"),
        **_column("typical_power", "power_typical_w", "W"),
        **_column("weight", "weight_kg", "kg"),
        **_column("height", "u_height", "U"),
        **_column("airflow", "airflow_m3_h", "m3/h"),
    }


class DeviceItem(ItemView):
    """One device type with its facts, ports and bays."""

    choices = IN_UNITS
    representation = serializers.DeviceRepresentation
    source = staticmethod(Device.objects.visible)
    kinds = ("device", "manufacturer", "section", "fact", "source")


class InstallationList(ListView):
    """Real sites and systems.

    The power of one is the greatest that a fact of it states in use, and so are its energy, weight and airflow.
    """

    representation = serializers.InstallationSummary
    source = staticmethod(Installation.objects.visible)
    kinds = ("installation", "rung", "fact")
    orders = BY_SLUG
    filters = {
        "country": Filter(parameters.read_text, lambda rows, p: rows.filter(country=p), TEXT, "ISO 3166-1 alpha-2."),
        "rung": Filter(parameters.read_text, lambda rows, p: rows.filter(rung__slug=p), TEXT, "Slug."),
        "status": Filter(parameters.one_of(*Installation.Status.values), lambda rows, p: rows.filter(status=p), TEXT),
        **{
            name: one
            for quantity, (measures, unit) in INSTALLATION_QUANTITIES.items()
            for name, one in quantity_filters(quantity, unit, _stated(measures)).items()
        },
    }


class InstallationItem(ItemView):
    """One installation with its facts."""

    choices = IN_UNITS
    representation = serializers.InstallationRepresentation
    source = staticmethod(Installation.objects.visible)
    kinds = ("installation", "rung", "fact", "source")

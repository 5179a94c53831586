"""What the public reads of the catalogue."""

from rest_framework import serializers

from catalog.models import Device, DeviceComponent, Installation, Manufacturer, Rung, Section
from core.api.representations import Many, NumberField, Representation
from core.facts.models import Fact
from core.facts.rest import FactRepresentation
from core.facts.shown import QuantityText


class SectionRepresentation(Representation):
    class Meta:
        model = Section
        fields = ["id", "slug", "name", "description", "position", "created_at", "updated_at"]


class SectionBrief(Representation):
    class Meta:
        model = Section
        fields = ["id", "slug", "name"]


class RungRepresentation(Representation):
    class Meta:
        model = Rung
        fields = ["id", "slug", "name", "description", "position", "min_w", "max_w", "created_at", "updated_at"]


class RungBrief(Representation):
    class Meta:
        model = Rung
        fields = ["id", "slug", "name"]


class ManufacturerRepresentation(Representation):
    class Meta:
        model = Manufacturer
        fields = ["id", "slug", "name", "created_at", "updated_at"]


class ManufacturerBrief(Representation):
    class Meta:
        model = Manufacturer
        fields = ["id", "slug", "name"]


class WeightRepresentation(serializers.Serializer):
    """A weight as its source gives it."""

    value = NumberField(source="weight", allow_null=True)
    unit = serializers.CharField(source="weight_unit")


class TextsRepresentation(serializers.Serializer):
    """The quantities of a device as people read them, in the units that were asked for; else the weight as entered."""

    height = QuantityText("u_height", const="U")
    weight = QuantityText("weight", "weight_unit")
    power_nameplate = QuantityText("power_nameplate_w", const="W")
    power_typical = QuantityText("power_typical_w", const="W")
    power_idle = QuantityText("power_idle_w", const="W")
    airflow = QuantityText("airflow_m3_h", const="m3/h")
    cooling_capacity = QuantityText("cooling_capacity_w", const="W")
    gpu_tdp = QuantityText("gpu_tdp_w", const="W")


class ComponentRepresentation(Representation):
    class Meta:
        model = DeviceComponent
        fields = ["component_kind", "name", "label", "type", "maximum_draw_w", "allocated_draw_w"]


_DEVICE = [
    "id", "slug", "manufacturer", "model", "part_number", "device_kind", "section", "description",
    "u_height", "is_full_depth", "is_whole_rack", "is_powered", "airflow", "subdevice_role",
    "weight_kg", "weight_as_entered",
    "power_nameplate_w", "power_typical_w", "power_idle_w", "heat_to_liquid_fraction", "airflow_m3_h",
    "cooling_capacity_w", "gpu_count", "gpu_tdp_w", "texts", "licence", "created_at", "updated_at",
]  # fmt: skip


class DeviceSummary(Representation):
    """A device in a list. A quantity that nobody states is null: unknown, not zero."""

    manufacturer = ManufacturerBrief()
    section = SectionBrief(allow_null=True)
    weight_as_entered = WeightRepresentation(source="*")
    texts = TextsRepresentation(source="*")

    class Meta:
        model = Device
        fields = _DEVICE


class DeviceRepresentation(DeviceSummary):
    """A device with its facts (who says so) and its ports and bays."""

    facts = Many(
        FactRepresentation,
        lambda at, outer: (
            Fact.objects.visible(at).filter(subject_kind="device", subject_id=outer).order_by("field", "id")
        ),
    )
    components = Many(
        ComponentRepresentation,
        lambda at, outer: DeviceComponent.objects.filter(device=outer).order_by("component_kind", "position", "id"),
    )

    class Meta:
        model = Device
        fields = [*_DEVICE, "comments", "facts", "components"]


class InstallationSummary(Representation):
    rung = RungBrief(allow_null=True)

    class Meta:
        model = Installation
        fields = [
            "id", "slug", "name", "operator", "place", "country", "status", "rung", "description",
            "created_at", "updated_at",
        ]  # fmt: skip


class InstallationRepresentation(InstallationSummary):
    """A site or system; each of its numbers is a fact with its source."""

    facts = Many(
        FactRepresentation,
        lambda at, outer: (
            Fact.objects.visible(at).filter(subject_kind="installation", subject_id=outer).order_by("field", "id")
        ),
    )

    class Meta:
        model = Installation
        fields = [*InstallationSummary.Meta.fields, "facts"]

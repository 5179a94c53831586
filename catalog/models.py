"""What the publication speaks about: sections, rungs, manufacturers, device, module and rack types, installations."""

from django.contrib.postgres.indexes import GinIndex
from django.contrib.postgres.search import SearchVector, SearchVectorField
from django.db import models
from django.db.models.functions import Now

from catalog.querysets import CatalogQuerySet, DeviceQuerySet, InstallationQuerySet
from core.api.fields import IdField, PublicSlugField, slug_constraints
from core.api.history import keep_history


class Catalogued(models.Model):
    """What every public record of the catalogue has."""

    id = IdField()
    created_at = models.DateTimeField(db_default=Now(), editable=False)
    updated_at = models.DateTimeField(db_default=Now(), editable=False)

    objects = CatalogQuerySet.as_manager()

    class Meta:
        abstract = True


@keep_history
class Section(Catalogued):
    """The subject of an article, a device, a vendor: compute, power, cooling, network, storage, facilities."""

    slug = PublicSlugField(unique=True)
    name = models.CharField(max_length=80)
    description = models.TextField(blank=True, default="")
    position = models.PositiveSmallIntegerField(unique=True)

    class Meta:
        ordering = ["position"]
        constraints = slug_constraints("section")

    def __str__(self) -> str:
        return self.name


@keep_history
class Rung(Catalogued):
    """A step of the scale from chip to grid, with the power that things on it draw."""

    slug = PublicSlugField(unique=True)
    name = models.CharField(max_length=80)
    description = models.TextField(blank=True, default="")
    position = models.PositiveSmallIntegerField(unique=True)
    min_w = models.DecimalField("from, W", max_digits=20, decimal_places=3)
    max_w = models.DecimalField("to, W", max_digits=20, decimal_places=3)

    class Meta:
        ordering = ["position"]
        constraints = [
            *slug_constraints("rung"),
            models.CheckConstraint(condition=models.Q(min_w__lt=models.F("max_w")), name="rung_range_rises"),
        ]

    def __str__(self) -> str:
        return self.name


@keep_history
class Manufacturer(Catalogued):
    slug = PublicSlugField(unique=True)
    name = models.CharField(max_length=200)

    class Meta:
        ordering = ["slug"]
        constraints = slug_constraints("manufacturer")

    def __str__(self) -> str:
        return self.name


class WeightUnit(models.TextChoices):
    KG = "kg", "kg"
    G = "g", "g"
    LB = "lb", "lb"
    OZ = "oz", "oz"


class Weighed(models.Model):
    """A weight as it was entered, and in kilograms."""

    weight = models.DecimalField(max_digits=14, decimal_places=6, null=True, blank=True)
    weight_unit = models.CharField(max_length=2, choices=WeightUnit.choices, blank=True, default="")
    weight_kg = models.DecimalField(max_digits=20, decimal_places=12, null=True, blank=True)

    class Meta:
        abstract = True


@keep_history
class Device(Catalogued, Weighed):
    """A device type, not a serial number.

    The quantities (height, weight, powers, …) are the claims in use of the device's facts, written by
    `catalog.services.apply_facts` and by nothing else; null is unknown.
    """

    slug = PublicSlugField(unique=True)
    manufacturer = models.ForeignKey(Manufacturer, on_delete=models.PROTECT, related_name="devices")
    model = models.CharField(max_length=200)
    part_number = models.CharField(max_length=120, blank=True, default="")
    device_kind = models.SlugField(
        max_length=40, blank=True, default="", help_text="server, switch, storage, rack, pdu…"
    )
    section = models.ForeignKey(Section, null=True, blank=True, on_delete=models.SET_NULL, related_name="devices")
    description = models.CharField(max_length=400, blank=True, default="")
    comments = models.TextField(blank=True, default="")
    is_full_depth = models.BooleanField(null=True, blank=True)
    is_whole_rack = models.BooleanField(default=False)
    is_powered = models.BooleanField(null=True, blank=True)
    airflow = models.CharField(
        max_length=20, blank=True, default="", help_text="front-to-rear, rear-to-front, passive…"
    )
    subdevice_role = models.CharField(max_length=10, blank=True, default="", help_text="parent, child, or neither.")
    u_height = models.DecimalField("height, U", max_digits=6, decimal_places=2, null=True, blank=True)
    power_nameplate_w = models.DecimalField(
        "nameplate power, W", max_digits=14, decimal_places=3, null=True, blank=True
    )
    power_typical_w = models.DecimalField("typical power, W", max_digits=14, decimal_places=3, null=True, blank=True)
    power_idle_w = models.DecimalField("idle power, W", max_digits=14, decimal_places=3, null=True, blank=True)
    heat_to_liquid_fraction = models.DecimalField(
        "share of heat to liquid", max_digits=5, decimal_places=4, null=True, blank=True
    )
    airflow_m3_h = models.DecimalField("airflow, m³/h", max_digits=14, decimal_places=6, null=True, blank=True)
    cooling_capacity_w = models.DecimalField(
        "cooling capacity, W", max_digits=14, decimal_places=3, null=True, blank=True
    )
    gpu_count = models.PositiveIntegerField("accelerators", null=True, blank=True)
    gpu_tdp_w = models.DecimalField("accelerator TDP, W", max_digits=10, decimal_places=3, null=True, blank=True)
    licence = models.CharField(
        max_length=80, blank=True, default="", help_text="Of the record, where it was imported: CC0-1.0."
    )
    extra = models.JSONField(default=dict, blank=True, help_text="What a source says that has no column.")
    search = models.GeneratedField(
        expression=SearchVector("model", "part_number", "slug", weight="A", config="simple")
        + SearchVector("description", "comments", weight="C", config="english"),
        output_field=SearchVectorField(),
        db_persist=True,
    )

    objects = DeviceQuerySet.as_manager()  # type: ignore[misc]  # Its rows can be narrowed by words, too.

    class Meta:
        ordering = ["slug"]
        constraints = [
            *slug_constraints("device"),
            models.UniqueConstraint(fields=["manufacturer", "model"], name="device_one_model"),
            models.CheckConstraint(
                condition=models.Q(weight_kg=None) | models.Q(weight_kg__gte=0), name="device_weight_positive"
            ),
            models.CheckConstraint(
                condition=models.Q(heat_to_liquid_fraction=None) | models.Q(heat_to_liquid_fraction__range=(0, 1)),
                name="device_liquid_fraction",
            ),
        ]
        indexes = [
            GinIndex(fields=["search"], name="device_search"),
            models.Index(fields=["power_nameplate_w"], name="device_power"),
        ]

    def __str__(self) -> str:
        return f"{self.manufacturer} {self.model}"


class Component(models.Model):
    """A port, bay or outlet of a device or module type. Names are text, also where they look like numbers."""

    id = IdField()
    component_kind = models.SlugField(max_length=30, help_text="power-ports, interfaces, module-bays…")
    name = models.CharField(max_length=120)
    label = models.CharField(max_length=120, blank=True, default="")
    type = models.CharField(max_length=80, blank=True, default="")
    position = models.PositiveIntegerField()
    maximum_draw_w = models.DecimalField(max_digits=14, decimal_places=3, null=True, blank=True)
    allocated_draw_w = models.DecimalField(max_digits=14, decimal_places=3, null=True, blank=True)
    extra = models.JSONField(default=dict, blank=True)

    class Meta:
        abstract = True

    def __str__(self) -> str:
        return f"{self.component_kind} {self.name}"


class DeviceComponent(Component):
    device = models.ForeignKey(Device, on_delete=models.CASCADE, related_name="components")

    class Meta:
        ordering = ["component_kind", "position", "id"]
        constraints = [
            models.UniqueConstraint(fields=["device", "component_kind", "name"], name="device_component_name")
        ]


@keep_history
class ModuleType(Catalogued, Weighed):
    """A part that is put into a bay: a power supply, a line card."""

    slug = PublicSlugField(unique=True, max_length=200)
    manufacturer = models.ForeignKey(Manufacturer, on_delete=models.PROTECT, related_name="module_types")
    model = models.CharField(max_length=200)
    part_number = models.CharField(max_length=120, blank=True, default="")
    description = models.CharField(max_length=400, blank=True, default="")
    comments = models.TextField(blank=True, default="")
    airflow = models.CharField(max_length=20, blank=True, default="")
    licence = models.CharField(max_length=80, blank=True, default="")
    extra = models.JSONField(default=dict, blank=True)

    class Meta:
        ordering = ["slug"]
        constraints = [
            *slug_constraints("module_type"),
            models.UniqueConstraint(fields=["manufacturer", "model"], name="module_type_one_model"),
        ]

    def __str__(self) -> str:
        return f"{self.manufacturer} {self.model}"


class ModuleComponent(Component):
    module_type = models.ForeignKey(ModuleType, on_delete=models.CASCADE, related_name="components")

    class Meta:
        ordering = ["component_kind", "position", "id"]
        constraints = [
            models.UniqueConstraint(fields=["module_type", "component_kind", "name"], name="module_component_name")
        ]


@keep_history
class RackType(Catalogued, Weighed):
    """A cabinet or frame that devices are mounted in."""

    slug = PublicSlugField(unique=True, max_length=200)
    manufacturer = models.ForeignKey(Manufacturer, on_delete=models.PROTECT, related_name="rack_types")
    model = models.CharField(max_length=200)
    description = models.CharField(max_length=1000, blank=True, default="")
    comments = models.TextField(blank=True, default="")
    form_factor = models.CharField(max_length=40, blank=True, default="")
    width_in = models.PositiveSmallIntegerField("rail width, inch", null=True, blank=True)
    u_height = models.DecimalField("height, U", max_digits=6, decimal_places=2, null=True, blank=True)
    outer_width_mm = models.DecimalField(max_digits=10, decimal_places=3, null=True, blank=True)
    outer_depth_mm = models.DecimalField(max_digits=10, decimal_places=3, null=True, blank=True)
    outer_height_mm = models.DecimalField(max_digits=10, decimal_places=3, null=True, blank=True)
    max_weight_kg = models.DecimalField(max_digits=20, decimal_places=12, null=True, blank=True)
    licence = models.CharField(max_length=80, blank=True, default="")
    extra = models.JSONField(default=dict, blank=True)

    class Meta:
        ordering = ["slug"]
        constraints = [
            *slug_constraints("rack_type"),
            models.UniqueConstraint(fields=["manufacturer", "model"], name="rack_type_one_model"),
        ]

    def __str__(self) -> str:
        return f"{self.manufacturer} {self.model}"


@keep_history
class Installation(Catalogued):
    """A real site or system: a campus, a supercomputer. Its numbers are facts, each with its source."""

    class Status(models.TextChoices):
        OPERATING = "operating", "Operating"
        BUILDING = "building", "Building"
        PLANNED = "planned", "Planned"
        RETIRED = "retired", "Retired"

    slug = PublicSlugField(unique=True)
    name = models.CharField(max_length=200)
    operator = models.CharField(max_length=200, blank=True, default="")
    place = models.CharField(max_length=200, blank=True, default="")
    country = models.CharField(max_length=2, blank=True, default="", help_text="ISO 3166-1 alpha-2.")
    status = models.CharField(max_length=12, choices=Status.choices, blank=True, default="")
    rung = models.ForeignKey(Rung, null=True, blank=True, on_delete=models.SET_NULL, related_name="installations")
    description = models.TextField(blank=True, default="")

    objects = InstallationQuerySet.as_manager()  # type: ignore[misc]  # Its rows can be narrowed by their facts.

    class Meta:
        ordering = ["slug"]
        constraints = slug_constraints("installation")

    def __str__(self) -> str:
        return self.name

"""The catalogue: what the publication speaks about."""

from collections.abc import Iterable
from typing import Any

from django.contrib import admin
from django.db import transaction
from django.db.models import Count, QuerySet
from django.http import HttpRequest, HttpResponse
from django.urls import reverse
from unfold.admin import TabularInline
from unfold.contrib.filters.admin import AutocompleteSelectFilter
from unfold.decorators import display

from catalog.models import (
    Device,
    DeviceComponent,
    Installation,
    Manufacturer,
    ModuleComponent,
    ModuleType,
    RackType,
    Rung,
    Section,
)
from core.api.admin import ValuesFilter, number
from core.api.admin_history import TrackedAdmin
from core.facts.admin import described, differing
from core.facts.models import Fact

QUANTITIES = [
    number(name, label)
    for name, label in (
        ("u_height", "Height, U"),
        ("weight_kg", "Weight, kg"),
        ("power_nameplate_w", "Nameplate power, W"),
        ("power_typical_w", "Typical power, W"),
        ("power_idle_w", "Idle power, W"),
        ("heat_to_liquid_fraction", "Share of heat to liquid"),
        ("airflow_m3_h", "Airflow, m³/h"),
        ("cooling_capacity_w", "Cooling capacity, W"),
        ("gpu_count", "Accelerators"),
        ("gpu_tdp_w", "Accelerator TDP, W"),
    )
]
HEIGHT, WEIGHT, NAMEPLATE, TYPICAL = QUANTITIES[:4]


class HasFacts:
    """Shows the facts of a record below its form, each with its claims. They are deleted with it."""

    subject_kind: str
    change_form_outer_after_template = "admin/catalog/facts.html"

    def render_change_form(
        self, request: HttpRequest, context: dict[str, Any], *args: Any, obj: Any = None, **kwargs: Any
    ) -> HttpResponse:
        if obj is not None and request.user.has_perm("facts.view_fact"):
            facts = (
                Fact.objects.of(self.subject_kind, obj.pk)
                .select_related("chosen")
                .prefetch_related("claims__source")
                .order_by("field", "slug")
            )
            context["facts"] = [
                {
                    "fact": fact,
                    "claims": [(described(claim), claim.pk == fact.chosen_id) for claim in fact.claims.all()],
                    "is_contested": bool(differing(fact.claims.all())),
                }
                for fact in facts
            ]
            if request.user.has_perm("facts.add_fact"):
                context["add_fact_address"] = (
                    f"{reverse('admin:facts_fact_add')}?subject_kind={self.subject_kind}&subject={obj.slug}"
                )
        return super().render_change_form(request, context, *args, obj=obj, **kwargs)  # type: ignore[misc]

    def facts_of(self, objs: Iterable[Any]) -> QuerySet[Fact]:
        return Fact.objects.filter(subject_kind=self.subject_kind, subject_id__in=[obj.pk for obj in objs])

    def ids_that_go(self, objs: Any) -> list[Any]:
        return [*super().ids_that_go(objs), *self.facts_of(objs).values_list("pk", flat=True)]  # type: ignore[misc]

    @transaction.atomic
    def delete_model(self, request: HttpRequest, obj: Any) -> None:
        self.facts_of([obj]).delete()
        super().delete_model(request, obj)  # type: ignore[misc]

    @transaction.atomic
    def delete_queryset(self, request: HttpRequest, queryset: QuerySet) -> None:
        self.facts_of(queryset).delete()
        super().delete_queryset(request, queryset)  # type: ignore[misc]


class ReadOnlyInline(TabularInline):
    """Rows that an import wrote."""

    extra = 0
    per_page = 50
    show_change_link = False
    fields = readonly_fields = [
        "component_kind",
        "name",
        "label",
        "type",
        number("maximum_draw_w", "Maximum draw, W"),
        number("allocated_draw_w", "Allocated draw, W"),
    ]
    verbose_name, verbose_name_plural = "component", "components, as imported"

    def has_add_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False

    has_change_permission = has_delete_permission = has_add_permission


class HasComponents:
    """Shows the components of a type, where an import brought any."""

    def get_inlines(self, request: HttpRequest, obj: Any) -> list[Any]:
        return list(self.inlines) if obj is not None and obj.components.exists() else []  # type: ignore[attr-defined]


class DeviceComponents(ReadOnlyInline):
    model = DeviceComponent


class ModuleComponents(ReadOnlyInline):
    model = ModuleComponent


@admin.register(Section)
class SectionAdmin(HasFacts, TrackedAdmin):
    subject_kind = "section"
    list_display = ["position", "name", "slug", "description"]
    list_display_links = ["name"]
    search_fields = ["name", "slug"]
    prepopulated_fields = {"slug": ["name"]}
    fields = ["name", "slug", "description", "position"]
    empty_sentence = "A section is the subject of articles, devices and vendors."


@admin.register(Rung)
class RungAdmin(TrackedAdmin):
    list_display = ["position", "name", "slug", number("min_w", "From, W"), number("max_w", "To, W")]
    list_display_links = ["name"]
    search_fields = ["name", "slug"]
    prepopulated_fields = {"slug": ["name"]}
    fields = ["name", "slug", "description", "position", ("min_w", "max_w")]
    empty_sentence = "A rung is a step of the scale from chip to grid."


@admin.register(Manufacturer)
class ManufacturerAdmin(TrackedAdmin):
    ordering = ["slug"]
    list_display = ["name", "slug", "device_count"]
    search_fields = ["name", "slug"]
    prepopulated_fields = {"slug": ["name"]}
    fields = ["name", "slug"]
    empty_sentence = "Importing devices makes their manufacturers; you can also add one here."

    def get_queryset(self, request: HttpRequest) -> QuerySet:
        return super().get_queryset(request).annotate(device_count=Count("devices"))

    @display(description="Devices", ordering="device_count")
    def device_count(self, row: Any) -> int:
        return row.device_count


class UnknownFilter(admin.SimpleListFilter):
    """Devices of which something is unknown."""

    title = "unknown"
    parameter_name = "unknown"

    def lookups(self, request: HttpRequest, model_admin: admin.ModelAdmin) -> list[tuple[str, str]]:
        return [
            ("power_nameplate_w", "Nameplate power"),
            ("power_typical_w", "Typical power"),
            ("weight_kg", "Weight"),
            ("u_height", "Height"),
            ("section", "Section"),
        ]

    def queryset(self, request: HttpRequest, queryset: QuerySet) -> QuerySet:
        names = dict(self.lookups(request, None))  # type: ignore[arg-type]
        return queryset.filter(**{str(self.value()): None}) if self.value() in names else queryset


@admin.register(Device)
class DeviceAdmin(HasComponents, HasFacts, TrackedAdmin):
    subject_kind = "device"
    list_display = [
        "model", "manufacturer", "device_kind", "section", HEIGHT, NAMEPLATE, TYPICAL, WEIGHT,
    ]  # fmt: skip
    list_filter = [
        "section",
        ("device_kind", ValuesFilter),
        ("manufacturer", AutocompleteSelectFilter),
        UnknownFilter,
        "is_whole_rack",
    ]
    list_select_related = ["manufacturer", "section"]
    search_fields = ["model", "part_number", "slug", "manufacturer__name"]
    search_help_text = "Model, part number, slug, manufacturer"
    autocomplete_fields = ["manufacturer"]
    inlines = [DeviceComponents]
    readonly_fields = [*QUANTITIES, "extra"]
    fieldsets = [
        (None, {"fields": ["manufacturer", "model", "slug", "part_number", "section", "device_kind", "description"]}),
        (
            "Quantities",
            {
                "fields": QUANTITIES,
                "description": "The claims in use of the facts below; they change with the facts. Nothing: unknown.",
            },
        ),
        ("Form", {"fields": ["is_full_depth", "is_whole_rack", "is_powered", "airflow", "subdevice_role"]}),
        ("Where it comes from", {"fields": ["comments", "licence", "extra"]}),
    ]
    empty_sentence = "Import the device-type library (manage.py import_devices), or add a device by hand."

    def get_prepopulated_fields(self, request: HttpRequest, obj: Any = None) -> dict[str, Any]:
        return {"slug": ["model"]} if obj is None else {}


@admin.register(ModuleType)
class ModuleTypeAdmin(HasComponents, TrackedAdmin):
    list_display = ["model", "manufacturer", "part_number", WEIGHT, "airflow"]
    list_filter = [("manufacturer", AutocompleteSelectFilter)]
    list_select_related = ["manufacturer"]
    search_fields = ["model", "part_number", "slug", "manufacturer__name"]
    autocomplete_fields = ["manufacturer"]
    inlines = [ModuleComponents]
    readonly_fields = [WEIGHT, "extra"]
    fields = [
        "manufacturer", "model", "slug", "part_number", "description", "comments", "airflow", WEIGHT, "licence",
        "extra",
    ]  # fmt: skip
    empty_sentence = "A module type is a part that is put into a bay. Importing a device-type library brings them."


@admin.register(RackType)
class RackTypeAdmin(TrackedAdmin):
    list_display = [
        "model", "manufacturer", "form_factor", HEIGHT, "width_in", number("max_weight_kg", "Carries, kg"),
    ]  # fmt: skip
    list_filter = ["form_factor", ("manufacturer", AutocompleteSelectFilter)]
    list_select_related = ["manufacturer"]
    search_fields = ["model", "slug", "manufacturer__name"]
    autocomplete_fields = ["manufacturer"]
    readonly_fields = [WEIGHT, "extra"]
    fields = [
        "manufacturer", "model", "slug", "description", "comments", "form_factor", "width_in", "u_height",
        "outer_width_mm", "outer_depth_mm", "outer_height_mm", "max_weight_kg", WEIGHT, "licence", "extra",
    ]  # fmt: skip
    empty_sentence = "A rack type is a cabinet that devices are mounted in. Importing a library brings them."


@admin.register(Installation)
class InstallationAdmin(HasFacts, TrackedAdmin):
    subject_kind = "installation"
    list_display = ["name", "operator", "place", "country", "status", "rung"]
    list_filter = ["status", "rung", ("country", ValuesFilter)]
    list_select_related = ["rung"]
    search_fields = ["name", "slug", "operator", "place"]
    prepopulated_fields = {"slug": ["name"]}
    fields = ["name", "slug", "operator", "place", "country", "status", "rung", "description"]
    empty_sentence = "An installation is a real site or system. Its numbers are facts, each with its source."

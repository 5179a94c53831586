"""How the catalogue changes."""

from collections.abc import Iterable
from decimal import Decimal
from typing import Any
from uuid import UUID

from django.db import transaction

from catalog.models import Device, WeightUnit
from catalog.quantities import DEVICE
from core.facts.models import Fact
from core.facts.services import value_in


@transaction.atomic
def apply_facts(device_ids: Iterable[UUID]) -> int:
    """Write the claims in use into the columns of these devices, and return how many devices changed.

    A quantity without a claim is null: unknown. A device whose columns are right already is not written.
    """
    ids = list(device_ids)
    facts = Fact.objects.filter(subject_kind="device", subject_id__in=ids, field__in=DEVICE).select_related("chosen")
    in_use = columns_in_use(facts)
    names = [*DEVICE, "weight", "weight_unit"]
    changed = []
    for device in Device.objects.select_for_update().filter(pk__in=ids):
        wanted = {name: in_use.get(device.pk, {}).get(name, "" if name == "weight_unit" else None) for name in names}
        differing = [name for name, value in wanted.items() if not _same(getattr(device, name), value)]
        for name in differing:
            setattr(device, name, wanted[name])
        if differing:
            changed.append(device)
    Device.objects.bulk_update(changed, names, batch_size=200)
    return len(changed)


def columns_in_use(facts: Iterable[Fact]) -> dict[UUID, dict[str, Any]]:
    """Return the columns that the chosen claims of `facts` make, by device, at the precision that the columns have."""
    in_use: dict[UUID, dict[str, Any]] = {}
    for fact in facts:
        if fact.field in DEVICE and fact.chosen is not None and fact.subject_id is not None:
            columns = in_use.setdefault(fact.subject_id, {})
            # A finer value than the column holds would differ from what is stored for ever.
            places = getattr(Device._meta.get_field(fact.field), "decimal_places", 0)
            columns[fact.field] = round(value_in(fact.chosen, DEVICE[fact.field].unit), places)
            if fact.field == "weight_kg" and fact.chosen.unit in WeightUnit.values:
                columns |= {"weight": fact.chosen.value, "weight_unit": fact.chosen.unit}
    return in_use


def _same(stored: Any, wanted: Any) -> bool:
    if stored is None or wanted is None or isinstance(wanted, str):
        return bool(stored == wanted)
    return Decimal(stored) == Decimal(wanted)

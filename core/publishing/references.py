"""Where is this used: what the table of references, and foreign keys, say of a record.

The table holds what editions, drafts and scenarios name; the database refuses to delete what stands in it
(`publishing_refuse_used`). Foreign keys hold the rest: the sources of claims, the pictures of placements.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any
from uuid import UUID

from django.core.exceptions import ValidationError
from django.db import models

from core.api.record_kinds import model_of
from core.publishing.models import BaseEdition, Drafted, Reference
from core.publishing.services import database_now

MOST_USES = 200
"""As many are shown of what names a record."""

STATES = ("live", "scheduled", "draft", "in review", "once live", "earlier edition")


@dataclass
class Use:
    """Something that uses a record: of what kind, which, and where of it (`STATES`; none where it has no editions)."""

    kind: str
    pk: Any
    record: models.Model | None
    states: list[str] = field(default_factory=list)

    @property
    def name(self) -> str:
        return str(self.record if self.record is not None else self.pk)


def users_of(ids: Iterable[Any]) -> list[Use]:
    """Return each thing that names one of the records `ids`: article, vendor, scenario; without their states."""
    rows = _naming(ids).values_list("holder_kind", "holder_id").distinct().order_by("holder_kind", "holder_id")
    holders: dict[str, list[UUID]] = {}
    for kind, pk in rows:
        holders.setdefault(kind, []).append(pk)
    return [use for kind, pks in holders.items() for use in _load(kind, pks)]


def uses_of(ids: Iterable[Any]) -> list[str]:
    """Return a line for each thing that names one of the records `ids`."""
    return [f"{use.kind.capitalize()}: {use.name}" for use in users_of(ids)]


def refuse_used(ids: Iterable[Any], *others: str) -> None:
    """Raise ValidationError `is_used`, by name, while something names one of the records `ids`, or is of `others`."""
    uses = list(dict.fromkeys([*others, *uses_of(ids)]))
    if uses:
        raise ValidationError(f"It is in use: {'; '.join(uses)}.", code="is_used")


def unused(rows: models.QuerySet[Any]) -> models.QuerySet[Any]:
    """Return those of `rows` that nothing names and no foreign key keeps."""
    key = models.OuterRef("pk")
    rows = rows.exclude(models.Exists(Reference.objects.filter(target_id=key).exclude(holder_id=key)))
    for relation in rows.model._meta.get_fields(include_hidden=True):
        if isinstance(relation, models.ManyToOneRel) and relation.on_delete is models.PROTECT:
            holder: Any = relation.related_model
            rows = rows.exclude(models.Exists(holder._default_manager.filter(**{relation.field.name: key})))
    return rows


def where_used(objs: Sequence[models.Model], ids: Iterable[Any]) -> list[Use]:
    """Return what uses one of the records `objs`, or what goes with them (`ids`, theirs too): the likeliest first.

    Statements grow with the kinds that use it and not with the rows. `MOST_USES` are looked at, of each relation.
    """
    found: dict[tuple[str, Any], Use] = {}
    editions: dict[str, dict[tuple[Any, Any], None]] = {}
    rows = _naming(ids).order_by("holder_kind", "-id").values_list("holder_kind", "holder_id", "edition_id")
    for kind, pk, edition_id in rows[: MOST_USES * 5]:
        editions.setdefault(kind, {})[pk, edition_id] = None
    for kind, pairs in editions.items():
        states = _states(kind, [edition_id for _, edition_id in pairs if edition_id is not None])
        uses = {use.pk: use for use in _load(kind, list(dict.fromkeys(pk for pk, _ in pairs))[:MOST_USES])}
        for pk, edition_id in pairs:
            state = states.get(edition_id, "") if edition_id is not None else _state_without(kind)
            if pk in uses and state and state not in uses[pk].states:
                uses[pk].states.append(state)
        found |= {(kind, pk): use for pk, use in uses.items()}
    for record in _holding(objs):
        kind = str(record._meta.model_name)
        use = found.setdefault((kind, record.pk), Use(kind, record.pk, record))
        if isinstance(record, Drafted) and "draft" not in use.states:
            use.states.append("draft")
    for use in found.values():
        use.states.sort(key=STATES.index)
    return sorted(found.values(), key=lambda use: (use.kind, [STATES.index(state) for state in use.states], use.name))


def _naming(ids: Iterable[Any]) -> models.QuerySet[Reference]:
    return Reference.objects.filter(target_id__in=list(ids)).exclude(holder_id=models.F("target_id"))


def _load(kind: str, ids: Sequence[Any]) -> list[Use]:
    """Return the holders. What has gone since is named by its id."""
    model = model_of(kind)
    found = model._default_manager.in_bulk(ids) if model is not None else {}
    return [Use(kind, pk, found.get(pk)) for pk in ids]


def _state_without(kind: str) -> str:
    """Return where a holder names something that no edition of it does: in its draft, where it has one."""
    model = model_of(kind)
    return "draft" if model is not None and issubclass(model, Drafted) else ""


def _states(kind: str, edition_ids: Sequence[Any]) -> dict[Any, str]:
    model = model_of(kind)
    if not edition_ids or model is None or not issubclass(model, Drafted):
        return {}
    edition: Any = model._meta.get_field("editions").related_model
    now = database_now()
    rows = edition.objects.filter(pk__in=edition_ids).values_list("pk", "live", "review_state")
    return {pk: _state(live, review_state, now) for pk, live, review_state in rows}


def _state(live: Any, review_state: str, now: datetime) -> str:
    if live is None:
        return "earlier edition" if review_state == BaseEdition.ReviewState.SUPERSEDED else "in review"
    if live.lower > now:
        return "scheduled"
    return "live" if live.upper is None or live.upper > now else "once live"


def _holding(objs: Sequence[models.Model]) -> list[models.Model]:
    """Return the records that hold one of `objs` by a foreign key that keeps it. What editions hold, references say."""
    found: list[models.Model] = []
    if not objs:
        return found
    for relation in type(objs[0])._meta.get_fields(include_hidden=True):
        if not isinstance(relation, models.ManyToOneRel) or relation.on_delete is not models.PROTECT:
            continue
        holder: Any = relation.related_model
        names = {one.name for one in holder._meta.fields}
        if issubclass(holder, BaseEdition) or names & {"edition", "quantity"}:
            continue
        parent = next(
            (
                one.name
                for one in holder._meta.fields
                if one.is_relation and one.remote_field.on_delete is models.CASCADE
            ),
            None,
        )
        rows = holder._default_manager.filter(**{f"{relation.field.name}__in": [obj.pk for obj in objs]})
        rows = rows.select_related(*([parent] if parent else [])).order_by("pk")[:MOST_USES]
        found += [getattr(row, parent) if parent else row for row in rows]
    return found

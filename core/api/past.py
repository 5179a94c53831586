"""What became of a record, for a person to read: its events, each as what changed from what to what, and by whom."""

import difflib
import json
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from decimal import Decimal
from typing import Any

from django.contrib.auth import get_user_model
from django.db.models import Field, Model, OuterRef, QuerySet, Subquery, Value

from core.api.admin import LONG_TEXT, NOTHING, plain_number
from core.api.history import BEGIN

Parts = Mapping[type[Model], str]
"""The models whose rows are parts of a record, each with the foreign key that leads to it: {Claim: "fact"}."""

WORDS = {"insert": "added", "update": "changed", "delete": "deleted", BEGIN: "stood so when this history began"}


@dataclass(frozen=True)
class Step:
    """One field, from what to what. `lines` is a diff of longer texts."""

    label: str
    before: str
    after: str
    lines: Sequence[str] = ()


@dataclass(frozen=True)
class Entry:
    """One event. `part` says which part of the record it was, and is empty for the record itself."""

    at: datetime
    who: str
    what: str
    part: str
    steps: list[Step]


@dataclass
class _Change:
    """An event, the one of the same row before it, and the fields that differ between them."""

    event: Any
    before: Any
    is_part: bool
    fields: list["Field[Any, Any]"] = field(default_factory=list)


def events_of(model: type[Model], pk: Any, parts: Parts) -> QuerySet[Any, tuple[datetime, int, int]]:
    """Return (instant, place of the table, number in the table) of what became of a record and its parts, newest first.

    The place is 0 for the record's own table, then the parts in their order.
    """
    found: QuerySet[Any, tuple[datetime, int, int]] | None = None
    for place, (tracked, key) in enumerate({model: "pgh_obj", **parts}.items()):
        events = _events(tracked).filter(**{key: pk}).annotate(pgh_place=Value(place))
        rows = events.order_by().values_list("pgh_created_at", "pgh_place", "pgh_id")
        found = rows if found is None else found.union(rows, all=True)
    assert found is not None
    return found.order_by("-pgh_created_at", "-pgh_place", "-pgh_id")


def entries(model: type[Model], rows: Iterable[tuple[datetime, int, int]], parts: Parts) -> list[Entry]:
    """Return rows of `events_of` as entries, in their order. The number of statements does not grow with the rows."""
    rows = list(rows)
    loaded: dict[tuple[int, int], _Change] = {}
    for place, (tracked, key) in enumerate({model: "", **parts}.items()):
        numbers = [number for _, row_place, number in rows if row_place == place]
        for change in _changes(tracked, numbers, key):
            loaded[place, change.event.pk] = change
    changes = [loaded[place, number] for _, place, number in rows]
    accounts = get_user_model()._default_manager.in_bulk(
        {_context(each.event).get("user") for each in changes} - {None}
    )
    names = _names(changes)
    return [_entry(change, accounts, names) for change in changes]


def _events(tracked: Any) -> QuerySet[Any]:
    return tracked.pgh_event_model._base_manager.all()  # type: ignore[no-any-return]


def _changes(tracked: Any, numbers: list[int], key: str) -> list[_Change]:
    """Return what these events of a table changed, but for `key`: it leads from a part to the record of the page."""
    if not numbers:
        return []
    earlier = _events(tracked).filter(pgh_obj=OuterRef("pgh_obj"), pgh_id__lt=OuterRef("pgh_id")).order_by("-pgh_id")
    events = _events(tracked).annotate(pgh_before=Subquery(earlier.values("pgh_id")[:1])).in_bulk(numbers)
    befores = events | _events(tracked).in_bulk({event.pgh_before for event in events.values()} - {None, *events})
    kept = [each for each in tracked.pgh_event_model._meta.fields if not each.name.startswith("pgh_")]
    told = [each for each in kept if each.name != key]
    changes = []
    for event in events.values():
        change = _Change(event, befores.get(event.pgh_before) if event.pgh_label == "update" else None, bool(key))
        change.fields = [each for each in told if _differs(each, change)]
        changes.append(change)
    return changes


def _differs(each: "Field[Any, Any]", change: _Change) -> bool:
    value = getattr(change.event, each.attname)
    if change.before is not None:
        return bool(value != getattr(change.before, each.attname))
    return value not in (None, "", {}, [])  # What was never filled in says nothing of a row that came or went.


def _context(event: Any) -> dict[str, Any]:
    return event.pgh_context or {}


# Names


Names = dict[type[Model], dict[Any, str]]


def _names(changes: Iterable[_Change]) -> Names:
    """Return the names of the records that the changed fields lead to, also of those that are gone."""
    wanted: dict[type[Model], set[Any]] = defaultdict(set)
    for change in changes:
        for each in change.fields:
            if each.is_relation:
                values = {getattr(row, each.attname) for row in (change.before, change.event) if row is not None}
                wanted[each.related_model] |= values - {None}  # type: ignore[index]
    return {model: _names_of(model, ids) for model, ids in wanted.items()}


def _names_of(model: Any, ids: set[Any]) -> dict[Any, str]:
    # The name of a record may be made of those that it cannot be without: a device bears its manufacturer's.
    needed = [each.name for each in model._meta.fields if each.is_relation and not each.null]
    names = {pk: str(row) for pk, row in model._default_manager.select_related(*needed).in_bulk(ids).items()}
    gone = ids - names.keys()
    if gone and hasattr(model, "pgh_event_model"):
        last = _events(model).filter(pgh_obj__in=gone).order_by("pgh_obj_id", "-pgh_id").distinct("pgh_obj_id")
        names |= {event.pgh_obj_id: f"{_as_record(model, event)} (deleted)" for event in last}
    return names


def _as_record(tracked: Any, event: Any) -> Model:
    """Return the record as an event holds it, which may be no longer, or not so."""
    kept = [each.attname for each in event._meta.fields if not each.name.startswith("pgh_")]
    record: Model = tracked(pk=event.pgh_obj_id, **{name: getattr(event, name) for name in kept})
    return record


# Words


def _entry(change: _Change, accounts: Mapping[Any, Any], names: Names) -> Entry:
    event, tracked = change.event, change.event.pgh_tracked_model
    part = f"{tracked._meta.verbose_name} {_as_record(tracked, event)}" if change.is_part else ""
    steps = [_step(each, change, names) for each in change.fields]
    return Entry(event.pgh_created_at, _who(_context(event), accounts), WORDS[event.pgh_label], part, steps)


def _who(context: dict[str, Any], accounts: Mapping[Any, Any]) -> str:
    said = []
    if "user" in context:
        account = accounts.get(context["user"])
        said.append(f"account {context['user']}, since deleted" if account is None else account.get_username())
    if "command" in context:
        said.append(f"manage.py {context['command']}")
    return ", ".join(said) or "no account: the database itself"


def _step(each: "Field[Any, Any]", change: _Change, names: Names) -> Step:
    stored = _shown(each, getattr(change.event, each.attname), names)
    before = NOTHING if change.before is None else _shown(each, getattr(change.before, each.attname), names)
    after = stored
    if change.event.pgh_label == "delete":
        before, after = stored, NOTHING
    lines: list[str] = []
    if max(len(before), len(after)) > LONG_TEXT or "\n" in before + after:
        old, new = ("" if text == NOTHING else text for text in (before, after))
        lines = list(difflib.unified_diff(old.splitlines(), new.splitlines(), "before", "after", lineterm="", n=1))
    return Step(str(each.verbose_name), before, after, lines)


def _shown(each: "Field[Any, Any]", value: Any, names: Names) -> str:
    if value in (None, "", {}, []):
        return NOTHING
    if each.is_relation:
        return names[each.related_model].get(value, str(value))  # type: ignore[index]
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, Decimal | int):
        return plain_number(value)
    if isinstance(value, dict | list):
        text = json.dumps(value, ensure_ascii=False, sort_keys=True)
        return text if len(text) <= LONG_TEXT else json.dumps(value, ensure_ascii=False, indent=1, sort_keys=True)
    return str(dict(each.flatchoices or ()).get(value, value))

"""The history of a record: triggers write an event with each change of its row, by whatever statement it was changed.

An event holds the row as it became (as it was, when it was deleted), the instant, and who was named then. It can only
be inserted. Nothing public reads it: what the public sees of a change is the feed (`core.feed`).

Ports, bays and outlets keep no history: one import brings tens of thousands of them, nobody edits them by hand, and the
file that they came from is named by the claims of their device.
"""

import json
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, TypeVar
from uuid import uuid4

import pghistory
from django.db import connection, migrations, models
from psycopg.pq import TransactionStatus

# `pgh_obj_id` is the id; the others are what the database makes of the rest.
NOT_KEPT = ("id", "created_at", "updated_at", "search", "measures", "base_value")
BEGIN = "begin"

_Model = TypeVar("_Model", bound=type[models.Model])

ASK = "select current_setting('pghistory.context_id', true), current_setting('pghistory.context_metadata', true)"
SET = "select set_config('pghistory.context_id', %s, false), set_config('pghistory.context_metadata', %s, false)"


def keep_history(model: _Model) -> _Model:
    """Keep the history of `model` in a table of its own (a decorator). A change that changes nothing is no event.

    Who it was stands in the event itself, not in a table of contexts that all writers of one would have to share.
    """
    tracked: _Model = pghistory.track(
        pghistory.InsertEvent(),
        pghistory.UpdateEvent(),
        pghistory.DeleteEvent(),
        exclude=list(NOT_KEPT),
        obj_field=pghistory.ObjForeignKey(related_name="+"),  # No relation leads from a public record to its past.
        context_field=pghistory.ContextJSONField(),
        append_only=True,
        meta={"default_permissions": ()},  # Who may see a record may see its history, and nobody may change it.
    )(model)
    return tracked


@contextmanager
def attributed(**who: Any) -> Iterator[None]:
    """Name who writes: `user` (the id of an account), `url`, `command`. Every event written meanwhile holds it.

    Inside of another it adds to what that one says. It is a decorator too: `@attributed(command="import_devices")`.
    pghistory's own context puts its variables in front of each statement, and a prepared statement cannot hold two. So
    they are set for the session here, once, and set back at the end.
    """
    with connection.cursor() as cursor:
        cursor.execute(ASK)
        before = [value or "" for value in cursor.fetchone()]
        outer = json.loads(before[1]) if before[1] else {}
        cursor.execute(SET, [before[0] or str(uuid4()), json.dumps({**outer, **who})])
    try:
        yield
    finally:
        _set_back(before)


def _set_back(before: list[str]) -> None:
    if connection.connection is None or connection.connection.closed:
        return  # The variables ended with the connection.
    if connection.connection.info.transaction_status == TransactionStatus.INERROR:
        return  # What is about to roll back takes them with it.
    with connection.cursor() as cursor:
        cursor.execute(SET, before)


def begin_history(*names: str) -> migrations.RunPython:
    """Return the operation that writes how the rows of these models stand, where they have no history yet.

    An event says what became of a row; what it was before is in the event before. A row that is older than the
    triggers needs this first one. `names` are those of the events: "catalog.DeviceEvent".
    """

    def begin(apps: Any, schema_editor: Any) -> None:
        for name in names:
            _begin(apps.get_model(name), schema_editor)

    return migrations.RunPython(begin, migrations.RunPython.noop)


def _begin(event: type[models.Model], schema_editor: Any) -> None:
    """Insert the first events. Not by the ORM, which would carry each row through Python."""
    subject: Any = event._meta.get_field("pgh_obj").related_model
    quote = schema_editor.quote_name
    columns = ", ".join(quote(field.column) for field in event._meta.fields if not field.name.startswith("pgh_"))
    schema_editor.execute(
        f"insert into {quote(event._meta.db_table)} (pgh_created_at, pgh_label, pgh_obj_id, {columns}) "
        f"select clock_timestamp(), '{BEGIN}', id, {columns} from {quote(subject._meta.db_table)} as subject "
        f"where not exists (select from {quote(event._meta.db_table)} as event where event.pgh_obj_id = subject.id) "
        "order by id"
    )

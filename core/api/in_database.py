"""The functions and triggers of PostgreSQL, kept as the code has them: each `migrate` brings them up to date.

A migration makes them first, of SQL that lies in living modules (`core/facts/unit_sql.py`, `core/feed/triggers.py`). A
database that has run the migration would never hear of a change there. So after every `migrate` the definitions are
read out of the operations of all migrations that were applied, the last of each name counts, and what the database has
otherwise is made again. What it was made of stands in its comment, as a hash.

A name may change its body, not its parameters or what it returns: that takes a migration that drops it before. So do
constraints, types, and rows that a migration wrote: nothing here makes them again.
"""

import hashlib
import re
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from django.apps import apps
from django.conf import settings
from django.db import connections
from django.db.backends.utils import CursorWrapper
from django.db.migrations import Migration, RunSQL
from django.db.migrations.loader import MigrationLoader
from django.db.migrations.operations.base import Operation
from django.db.transaction import atomic
from django.db.utils import Error

Name = tuple[str, str]
"""("function", its name), or ("trigger", its name on its table)."""

_LOCK = 7206441

_STATEMENT = re.compile(
    r"create\s+(?:or\s+replace\s+)?function\s+(?P<function>\w+)\s*\([^$]*?\$\$(?P<body>.*?)\$\$\s*(?:;|\Z)"
    r"|create\s+(?:constraint\s+)?trigger\s+(?P<trigger>\w+)\s[^;]*?\son\s+(?P<table>\w+)\s[^;]*(?:;|\Z)"
    r"|drop\s+function\s+(?:if\s+exists\s+)?(?P<gone_function>\w+)"
    r"|drop\s+trigger\s+(?:if\s+exists\s+)?(?P<gone_trigger>\w+)\s+on\s+(?P<gone_table>\w+)",
    re.IGNORECASE | re.DOTALL,
)

_FUNCTIONS = """
select proname, prosrc, coalesce(obj_description(oid, 'pg_proc'), ''), count(*) over (partition by proname)
from pg_proc where pronamespace = current_schema()::regnamespace and proname = any (%s)
"""
_TRIGGERS = """
select tgname || ' on ' || relname, coalesce(obj_description(pg_trigger.oid, 'pg_trigger'), '')
from pg_trigger join pg_class on pg_class.oid = tgrelid
where relnamespace = current_schema()::regnamespace and not tgisinternal
"""
_TABLES = "select relname from pg_class where relnamespace = current_schema()::regnamespace and relkind in ('r', 'p')"

# The stored columns that PostgreSQL generates by some functions: table, column, type, expression, and one of the
# columns that the expression reads, by which an update makes it anew.
_GENERATED = """
select made.adrelid::regclass::text, quote_ident(own.attname), format_type(own.atttypid, own.atttypmod),
       pg_get_expr(made.adbin, made.adrelid), (
           select min(quote_ident(read.attname)) from pg_depend, pg_attribute read
           where classid = 'pg_attrdef'::regclass and objid = made.oid and refclassid = 'pg_class'::regclass
             and refobjid = made.adrelid and read.attrelid = made.adrelid and read.attnum = refobjsubid
             and read.attgenerated = '')
from pg_attrdef made join pg_attribute own on own.attrelid = made.adrelid and own.attnum = made.adnum
where own.attgenerated = 's' and exists (
    select from pg_depend join pg_proc on pg_proc.oid = refobjid
    where classid = 'pg_attrdef'::regclass and objid = made.oid and refclassid = 'pg_proc'::regclass
      and pronamespace = current_schema()::regnamespace and proname = any (%s))
order by 1, 2
"""


def bring_up_to_date(using: str = "default", **kwargs: Any) -> list[Name]:
    """Make again what the database has otherwise than the code, and return the names (a receiver of post_migrate).

    Stored columns that such functions generate follow. Raises an Error of the database, with a note of what to do,
    where a function changed its parameters or its result.
    """
    connection = connections[using]
    definitions = definitions_of(MigrationLoader(connection))
    with atomic(using), connection.cursor() as cursor:
        cursor.execute("select pg_advisory_xact_lock(%s)", [_LOCK])
        different = outdated(definitions, cursor)
        # A function may call one that is made after it.
        cursor.execute("set local check_function_bodies = off")
        for name in different:
            _make(name, definitions[name], cursor)
        _generate_again(_with_callers({name for kind, name in different if kind == "function"}, definitions), cursor)
    return different


def definitions_of(loader: MigrationLoader) -> dict[Name, str]:
    """Return the statement that makes each function and trigger, functions first, of the applied migrations."""
    found: dict[Name, str] = {}
    for node in _in_order(loader):
        for sql in _sql_of(node.operations):
            for match in _STATEMENT.finditer(sql):
                if match["function"]:
                    found["function", match["function"]] = match[0].rstrip(";")
                elif match["trigger"]:
                    found["trigger", f"{match['trigger']} on {match['table']}"] = match[0].rstrip(";")
                elif match["gone_function"]:
                    found.pop(("function", match["gone_function"]), None)
                else:
                    found.pop(("trigger", f"{match['gone_trigger']} on {match['gone_table']}"), None)
    return dict(sorted(found.items(), key=lambda item: item[0][0]))


def outdated(definitions: dict[Name, str], cursor: CursorWrapper) -> list[Name]:
    """Return the names that the database has not, or has otherwise than `definitions`."""
    marks: dict[Name, str] = {}
    cursor.execute(_FUNCTIONS, [[name for kind, name in definitions if kind == "function"]])
    for name, body, comment, count in cursor.fetchall():
        # A function that was replaced by hand kept its comment; one that has a namesake is of two minds.
        is_whole = count == 1 and f"$${body}$$" in definitions["function", name]
        marks["function", name] = comment if is_whole else ""
    cursor.execute(_TRIGGERS)
    marks |= {("trigger", name): comment for name, comment in cursor.fetchall()}
    cursor.execute(_TABLES)
    tables = {name for (name,) in cursor.fetchall()}
    return [
        (kind, name)
        for (kind, name), sql in definitions.items()
        # The triggers of a table that a migration dropped went with it, and no statement says so.
        if marks.get((kind, name)) != _mark(sql) and (kind == "function" or name.partition(" on ")[2] in tables)
    ]


def _in_order(loader: MigrationLoader) -> Iterator[Migration]:
    """Yield each applied migration of ours after those that it depends on. Packages keep theirs as they like."""
    ours = {app.label for app in apps.get_app_configs() if _is_ours(Path(app.path))}
    seen: set[tuple[str, str]] = set()
    for leaf in sorted(loader.graph.leaf_nodes()):
        for node in loader.graph.forwards_plan(leaf):
            if node not in seen and node in loader.applied_migrations and node[0] in ours:
                yield loader.graph.nodes[node]
            seen.add(node)


def _is_ours(folder: Path) -> bool:
    return folder.is_relative_to(settings.BASE_DIR) and "site-packages" not in folder.parts


def _sql_of(operations: Iterable[Operation]) -> Iterator[str]:
    for operation in operations:
        if isinstance(operation, RunSQL):
            # Several statements may be a list, or pairs with parameters; only texts make functions.
            yield from [operation.sql] if isinstance(operation.sql, str) else filter(_is_text, operation.sql)
        yield from _sql_of(getattr(operation, "database_operations", []))


def _is_text(statement: Any) -> bool:
    return isinstance(statement, str)


def _make(name: Name, sql: str, cursor: CursorWrapper) -> None:
    kind, called = name
    if kind == "trigger":
        cursor.execute(f"drop trigger if exists {called}")
        cursor.execute(sql)
    else:
        try:
            cursor.execute(re.sub(r"^create\s+(or\s+replace\s+)?", "create or replace ", sql, flags=re.IGNORECASE))
        except Error as error:
            error.add_note(f"Where {called}() changed its parameters or its result, a migration has to drop it first.")
            raise
    cursor.execute(f"comment on {kind} {called} is '{_mark(sql)}'")


def _mark(sql: str) -> str:
    return f"As the code has it: {hashlib.sha256(sql.encode()).hexdigest()[:32]}"


def _with_callers(names: set[str], definitions: dict[Name, str]) -> list[str]:
    """Return `names` and the functions that call any of them, directly or not."""
    while True:
        called = re.compile(rf"\b({'|'.join(map(re.escape, names))})\(") if names else None
        more = {n for (kind, n), sql in definitions.items() if kind == "function" and called and called.search(sql)}
        if more <= names:
            return sorted(names)
        names = names | more


def _generate_again(functions: list[str], cursor: CursorWrapper) -> None:
    """Let stored columns that `functions` generate hold what these say now.

    Without the triggers of ours: no record changed, only what this release makes of it, and its tags are its own.
    """
    cursor.execute(_GENERATED, [functions])
    for table, column, kind, expression, read in cursor.fetchall():
        differs = f"{column} is distinct from ({expression})::{kind}"
        cursor.execute(f"select exists (select from {table} where {differs})")
        if cursor.fetchone() == (True,):
            cursor.execute(f"alter table {table} disable trigger user")
            cursor.execute(f"update {table} set {read} = {read} where {differs}")
            cursor.execute(f"alter table {table} enable trigger user")

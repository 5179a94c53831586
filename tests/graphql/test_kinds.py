"""The ETag of a registered document counts the versions of every kind whose tables its answer was read from."""

import re

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from graphql import parse

from config.schema import schema
from core.api.graphql.kinds import kinds_of
from tests.graphql.asking import data_of
from tests.graphql.hidden import make_shown_and_hidden
from tests.graphql.test_leaks import KNOWN, OTHERS
from tests.graphql.walking import Walk, introspected

pytestmark = pytest.mark.django_db

EDITIONS = {"articles_edition": "article", "sponsors_vendoredition": "vendor", "sponsors_placement": "placement"}
"""Tables whose changes are announced when a range opens or closes."""
FROZEN = {
    "articles_authorship",
    "articles_tagging",
    "articles_citation",
    "articles_boundquantity",
    "publishing_reference",
    "sponsors_vendoreditionsection",
}
"""Rows that belong to an edition and never change under it."""
JOINED = {"sponsors_vendor", "articles_article"}
"""Identities, of which only the id is read."""
FOLLOWING = {"publishing_redirect"}
"""Rows that follow from the editions of their kind; the test below holds the kinds of who reads them all."""
CLOCK = {"feed_epoch", "feed_instant", "feed_version"}


def announced() -> dict[str, str]:
    """Return the tables that triggers announce row by row, with their kinds, as the database knows them."""
    with connection.cursor() as cursor:
        cursor.execute(
            "select tgrelid::regclass::text, encode(tgargs, 'escape') from pg_trigger "
            "join pg_proc on pg_proc.oid = tgfoid where proname = 'feed_announce'"
        )
        return {table: arguments.split("\\000")[0] for table, arguments in cursor.fetchall()}


def test_a_document_depends_on_the_kinds_of_all_tables_it_reads(client):
    make_shown_and_hidden()
    kinds = announced() | EDITIONS
    walk = Walk(introspected(client), first=2)
    missing, asked = [], 0
    for root in walk.roots():
        if root.name in OTHERS:
            continue
        for way in set(walk.ways(root, 1)):
            query = f"{{ {walk.call(root, 1, way, KNOWN.get(root.name, ''))} }}"
            with CaptureQueriesContext(connection) as queries:
                data_of(client, query)
            tables = {table for q in queries for table in re.findall(r'"([a-z]+_[a-z_]+)"(?!\.)', q["sql"])}
            tables &= set(connection.introspection.table_names())
            read = {kinds[table] for table in tables - FROZEN - JOINED - FOLLOWING - CLOCK}
            asked += 1
            if read - kinds_of(schema._schema, parse(query)):
                missing.append((root.name, way, read - kinds_of(schema._schema, parse(query))))
    assert missing == []
    assert asked > 80


def test_redirects_depend_on_what_they_lead_to():
    assert kinds_of(schema._schema, parse("{ redirects { edges { node { from to } } } }")) == {"article", "vendor"}

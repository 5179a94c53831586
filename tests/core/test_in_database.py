"""What of the code lives in the database: `migrate` brings a database that exists up to the code of today."""

import pytest
from django.core.management import call_command
from django.db import IntegrityError, connection, transaction
from django.db.migrations.loader import MigrationLoader
from django.db.utils import Error

from articles.models import BoundQuantity
from core.api.in_database import definitions_of, outdated
from core.facts.models import Claim
from core.feed.models import Change
from core.feed.moment import read_moment
from tests.factories import make_fact, make_live_article

pytestmark = pytest.mark.django_db


def run(sql, *params):
    with connection.cursor() as cursor:
        cursor.execute(sql, params or None)
        return cursor.fetchall() if cursor.description else []


def differences():
    with connection.cursor() as cursor:
        return outdated(definitions_of(MigrationLoader(connection)), cursor)


def body_of(function):
    return run("select prosrc from pg_proc where proname = %s", function)[0][0]


def migrate():
    call_command("migrate", verbosity=0, interactive=False)


def test_a_database_that_was_migrated_has_what_the_code_has():
    assert differences() == []


def test_every_function_and_trigger_of_ours_is_known():
    """But for those of django-pgtrigger and procrastinate, which keep their own."""
    definitions = definitions_of(MigrationLoader(connection))
    functions = run(
        "select proname from pg_proc where pronamespace = 'public'::regnamespace"
        " and proname !~ '^(_?pgtrigger|_pgh|procrastinate)_'"
        " and prolang in (select oid from pg_language where lanname in ('sql', 'plpgsql'))"
    )
    triggers = run(
        "select tgname || ' on ' || tgrelid::regclass from pg_trigger"
        " where not tgisinternal and tgname !~ '^(_?pgtrigger|_pgh|procrastinate)_'"
    )

    names = [("function", name) for (name,) in functions] + [("trigger", name) for (name,) in triggers]
    assert sorted(names) == sorted(definitions)


def test_a_release_that_knows_another_unit_reaches_what_is_stored():
    """Before it, a kilowatt measured itself. The claims and the frozen quantities follow, and no reader is told."""
    make_fact(("500", "kW"), slug="hall-power")
    make_live_article(body="It draws {{fact:hall-power}}.\n")
    now = body_of("facts_in_base")
    run(
        "create or replace function facts_in_base(p_value numeric, p_unit text) returns numeric"
        " language sql immutable parallel safe as $$" + now.replace("when 'kW' then 1000 ", "") + "$$"
    )
    run("set constraints all immediate")
    for table in ("facts_claim", "articles_boundquantity"):
        run(f"alter table {table} disable trigger user")
        run(f"update {table} set unit = unit")
        run(f"alter table {table} enable trigger user")
    assert (Claim.objects.get().base_value, BoundQuantity.objects.get().base_value) == (500, 500)
    before, changes = read_moment(), Change.objects.count()

    migrate()

    assert (body_of("facts_in_base"), differences()) == (now, [])
    assert (Claim.objects.get().base_value, BoundQuantity.objects.get().base_value) == (500_000, 500_000)
    assert (read_moment().versions, Change.objects.count()) == (before.versions, changes)
    with pytest.raises(IntegrityError), transaction.atomic():  # The triggers are on again.
        run("update articles_boundquantity set unit = unit")


def test_a_release_that_changed_a_trigger_or_that_lost_one_has_it_again():
    made = run("select pg_get_triggerdef(oid) from pg_trigger where tgname = 'articles_edition_guard'")
    run("drop trigger articles_edition_guard on articles_edition")
    run(made[0][0].replace("('1', 'anybody')", "('0', 'anybody')"))
    run("drop trigger feed_instant_late on feed_instant")
    assert set(differences()) == {
        ("trigger", "articles_edition_guard on articles_edition"),
        ("trigger", "feed_instant_late on feed_instant"),
    }

    migrate()

    assert run("select pg_get_triggerdef(oid) from pg_trigger where tgname = 'articles_edition_guard'") == made
    assert run("select tgdeferrable from pg_trigger where tgname = 'feed_instant_late'") == [(True,)]
    assert differences() == []


def test_triggers_of_a_table_that_a_migration_dropped_went_with_it():
    run("drop table simulator_scenariodrift cascade")

    migrate()

    assert differences() == []


def test_a_function_that_changed_its_parameters_says_what_to_do():
    run("drop function articles_report_number(jsonb, text)")
    run("create function articles_report_number(report jsonb, name text) returns numeric language sql as 'select 1.0'")

    with pytest.raises(Error) as error, transaction.atomic():
        migrate()

    assert error.value.__notes__ == [
        "Where articles_report_number() changed its parameters or its result, a migration has to drop it first."
    ]


def test_a_second_migrate_makes_nothing_again():
    with connection.cursor() as cursor:
        cursor.execute("select xmin::text from pg_proc where proname = 'facts_in_base'")
        before = cursor.fetchall()

    migrate()

    assert run("select xmin::text from pg_proc where proname = 'facts_in_base'") == before

"""What a test that commits leaves behind, taken away: the rows of the beginning are put back, in one statement.

Django would truncate every table and make the seeds anew, which costs a second a test. The rows that migrations and
their handlers made are kept in a schema of their own; all tables are emptied and filled from there, with triggers off,
so that nothing of it is a change that the feed tells of. That takes a superuser: with another account, Django flushes.
"""

from django.db import connection
from django.test import TransactionTestCase

KEEP = """
create schema kept;
do $$
declare name text; is_empty boolean;
begin
    for name in select tablename from pg_tables where schemaname = 'public' and tablename <> 'django_migrations' loop
        execute format('select not exists (select 1 from public.%I)', name) into is_empty;
        if not is_empty then
            execute format('create table kept.%I as table public.%I', name, name);
        end if;
    end loop;
end $$;

create function kept.put_back() returns void language plpgsql as $$
declare name text; columns text; is_empty boolean;
begin
    set local session_replication_role = replica;
    for name in select tablename from pg_tables where schemaname = 'public' and tablename <> 'django_migrations' loop
        execute format('select not exists (select 1 from public.%I)', name) into is_empty;
        if not is_empty then
            execute format('delete from public.%I', name);
        end if;
    end loop;
    for name in select tablename from pg_tables where schemaname = 'kept' loop
        select string_agg(quote_ident(attname), ', ' order by attnum) into columns from pg_attribute
            where attrelid = format('public.%I', name)::regclass and attnum > 0 and not attisdropped
                and attgenerated = '';
        execute format(
            'insert into public.%I (%s) overriding system value select %s from kept.%I', name, columns, columns, name
        );
    end loop;
end $$;
"""


def keep_rows() -> None:
    """Remember the rows of this database, and let tests that commit end by putting them back."""
    with connection.cursor() as cursor:
        cursor.execute("select rolsuper from pg_roles where rolname = current_user")
        if not cursor.fetchone()[0]:
            return
        cursor.execute(KEEP)
    TransactionTestCase._fixture_teardown = _put_back  # type: ignore[method-assign]


def _put_back(self: TransactionTestCase) -> None:
    with connection.cursor() as cursor:
        cursor.execute("select kept.put_back()")

"""The triggers that tell the feed what changed: statement triggers, so that bulk updates and raw SQL count too.

A migration of an app attaches them to its tables: `operations = [announce("catalog_device", "device")]`.
"""

from django.db import migrations

FUNCTIONS = """
-- One more in the version of a kind. Exact under late commits, and no two writers wait for each other.
create function feed_bump(p_kind text) returns void language sql as $$
    insert into feed_version (kind, xid, n) values (p_kind, pg_current_xact_id(), 1)
    on conflict (kind, xid) do nothing;
$$;

create function feed_write(p_kind text, p_id uuid, p_change_kind text, p_reason text) returns void
language sql as $$
    insert into feed_change (xid, at, kind, object_id, change_kind, reason)
    values (pg_current_xact_id(), clock_timestamp(), p_kind, p_id, p_change_kind, p_reason);
$$;

-- For a table whose rows are public as they are. Arguments: kind, the column with the id of the record (a child names
-- its parent's). An update that changes nothing is no change.
create function feed_announce() returns trigger language plpgsql as $$
declare
    v_kind text := tg_argv[0];
    v_column text := tg_argv[1];
    v_own boolean := v_column = 'id';
    v_ids uuid[];
    v_id uuid;
begin
    if tg_op = 'INSERT' then
        execute format('select array_agg(distinct %1$I) from new_rows where %1$I is not null', v_column) into v_ids;
    elsif tg_op = 'DELETE' then
        execute format('select array_agg(distinct %1$I) from old_rows where %1$I is not null', v_column) into v_ids;
    else
        execute format(
            'select array_agg(distinct moved.id) from (
                select unnest(array[o.%I, n.%I]) as id
                from old_rows o full join new_rows n on n.id = o.id
                where to_jsonb(n) - ''updated_at'' is distinct from to_jsonb(o) - ''updated_at''
            ) as moved where moved.id is not null', v_column, v_column) into v_ids;
    end if;
    if v_ids is null then
        return null;
    end if;
    perform feed_bump(v_kind);
    foreach v_id in array v_ids loop
        perform feed_write(
            v_kind, v_id,
            case when tg_op = 'DELETE' and v_own then 'tombstone' else 'upsert' end,
            case when tg_op = 'DELETE' and v_own then 'deleted' else 'saved' end);
    end loop;
    return null;
end $$;

-- `updated_at` is the database's word, so that no path can forget it, and it moves only when something changed.
-- `search` is generated after this trigger, from columns that are compared.
create function feed_touch() returns trigger language plpgsql as $$
begin
    if to_jsonb(new) - array['updated_at', 'search'] is distinct from to_jsonb(old) - array['updated_at', 'search'] then
        new.updated_at := clock_timestamp();
    else
        new.updated_at := old.updated_at;
    end if;
    return new;
end $$;

-- A bound can pass before the transaction that wrote or removed it commits. Those who read in between have the tag of
-- that instant already, so such a commit moves the version too. It fires at the end of the transaction; the second is
-- for what the commit itself takes.
create function feed_instant_late() returns trigger language plpgsql as $$
declare
    v_instant feed_instant := case when tg_op = 'DELETE' then old else new end;
begin
    if v_instant.at <= clock_timestamp() + interval '1 second' then
        perform feed_bump(v_instant.kind);
    end if;
    return null;
end $$;
create constraint trigger feed_instant_late after insert or delete on feed_instant
    deferrable initially deferred for each row execute function feed_instant_late();

-- TRUNCATE tells no row trigger what went. Only a test database may say plenum.allow_truncate = on.
create function feed_refuse_truncate() returns trigger language plpgsql as $$
begin
    if coalesce(current_setting('plenum.allow_truncate', true), '') <> 'on' then
        raise exception 'Delete from %, so that the change feed hears of it; TRUNCATE is refused.', tg_table_name
            using errcode = '23514', constraint = 'feed_no_truncate';
    end if;
    return null;
end $$;
"""

DROP_FUNCTIONS = """
drop function feed_refuse_truncate();
drop trigger feed_instant_late on feed_instant;
drop function feed_instant_late();
drop function feed_touch();
drop function feed_announce();
drop function feed_write(text, uuid, text, text);
drop function feed_bump(text);
"""


def announce(table: str, kind: str, *, id_column: str = "id", touch: bool = False) -> migrations.RunSQL:
    """Announce each change of `table` as one of `kind`; `touch` keeps its `updated_at` too.

    `id_column` names the record when the table is a part of it: a claim announces its fact (`fact_id`).
    """
    args = f"'{kind}', '{id_column}'"
    sql = f"""
create trigger {table}_announce_insert after insert on {table} referencing new table as new_rows
    for each statement execute function feed_announce({args});
create trigger {table}_announce_update after update on {table} referencing old table as old_rows new table as new_rows
    for each statement execute function feed_announce({args});
create trigger {table}_announce_delete after delete on {table} referencing old table as old_rows
    for each statement execute function feed_announce({args});
create trigger {table}_no_truncate before truncate on {table}
    for each statement execute function feed_refuse_truncate();
"""
    reverse = f"""
drop trigger {table}_announce_insert on {table};
drop trigger {table}_announce_update on {table};
drop trigger {table}_announce_delete on {table};
drop trigger {table}_no_truncate on {table};
"""
    if touch:
        sql += f"create trigger {table}_touch before update on {table} for each row execute function feed_touch();\n"
        reverse += f"drop trigger {table}_touch on {table};\n"
    return migrations.RunSQL(sql, reverse)

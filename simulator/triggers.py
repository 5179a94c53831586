"""The triggers by which a change of the catalogue asks for scenarios to be checked, in the transaction of the change.

Statement triggers, so that imports and raw SQL count. A check that is due is a row that is only inserted: no two
writers wait for each other, and whoever checks deletes just the rows that it saw before it began, so a change that
commits late is checked late and never lost. The job for the worker is of the same transaction too, one for each; where
this database has no such queue, the worker finds the rows within a minute.
"""

from django.db import migrations

FUNCTION = """
create function simulator_ask_checks() returns trigger language plpgsql as $$
declare
    v_column text := tg_argv[0];
    v_kind text := tg_argv[1];
    v_changed text := format('new_rows n where n.%I is not null', v_column);
    v_ids uuid[];
    v_slugs text[] := '{}';
    v_scenarios uuid[];
begin
    if tg_op = 'DELETE' then
        execute format('select array_agg(distinct %I) from old_rows', v_column) into v_ids;
    else
        if tg_op = 'UPDATE' then
            v_changed := 'new_rows n join old_rows o on o.id = n.id '
                || 'where to_jsonb(n) - ''updated_at'' is distinct from to_jsonb(o) - ''updated_at''';
        end if;
        execute format('select array_agg(distinct n.%I) from %s', v_column, v_changed) into v_ids;
        -- What was renamed or added may be what a scenario waits for.
        if v_column = 'id' then
            execute format('select coalesce(array_agg(n.slug), ''{}'') from %s', v_changed) into v_slugs;
        end if;
    end if;
    if v_ids is null then
        return null;
    end if;
    select array_agg(distinct holder_id) into v_scenarios from publishing_reference
    where holder_kind = 'scenario' and target_kind = v_kind
      and (target_id = any (v_ids) or target_key = any (v_slugs));
    if v_scenarios is null then
        return null;
    end if;
    insert into simulator_duecheck (scenario_id, at) select unnest(v_scenarios), clock_timestamp();
    if current_setting('plenum.checks_asked', true) is distinct from pg_current_xact_id()::text
       and to_regtype('procrastinate_job_to_defer_v1') is not null then
        perform set_config('plenum.checks_asked', pg_current_xact_id()::text, true);
        execute 'select procrastinate_defer_jobs_v1(array[row(
            ''simulator'', ''simulator.tasks.check_scenarios'', 0, null, null, ''{}'', null
        )::procrastinate_job_to_defer_v1])';
    end if;
    return null;
end $$;
"""
DROP_FUNCTION = "drop function simulator_ask_checks()"


def ask_checks(table: str, kind: str, *, id_column: str = "id") -> migrations.RunSQL:
    """Let each change of `table` ask for a check of the scenarios that name its records: of `kind`, by `id_column`."""
    args = f"'{id_column}', '{kind}'"
    sql = f"""
create trigger {table}_ask_checks_insert after insert on {table} referencing new table as new_rows
    for each statement execute function simulator_ask_checks({args});
create trigger {table}_ask_checks_update after update on {table} referencing old table as old_rows new table as new_rows
    for each statement execute function simulator_ask_checks({args});
create trigger {table}_ask_checks_delete after delete on {table} referencing old table as old_rows
    for each statement execute function simulator_ask_checks({args});
"""
    reverse = f"""
drop trigger {table}_ask_checks_insert on {table};
drop trigger {table}_ask_checks_update on {table};
drop trigger {table}_ask_checks_delete on {table};
"""
    return migrations.RunSQL(sql, reverse)

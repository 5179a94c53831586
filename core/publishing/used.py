"""What is used stays: the database refuses to delete what a reference names, whatever statement asks."""

from django.db import migrations

FUNCTION = """
create function publishing_refuse_used() returns trigger language plpgsql as $$
declare
    v_kinds text;
begin
    select string_agg(distinct holder_kind, ', ' order by holder_kind) into v_kinds
    from publishing_reference where target_id = old.id and holder_id <> old.id;
    if v_kinds is not null then
        raise exception 'It is in use, so it stays; it is named by: %.', v_kinds
            using errcode = '23514', constraint = 'is_used', table = tg_table_name;
    end if;
    return old;
end $$;
"""
DROP_FUNCTION = "drop function publishing_refuse_used()"


def keep_used(table: str) -> migrations.RunSQL:
    """Refuse to delete a row of `table` while something names it."""
    return migrations.RunSQL(
        f"create trigger {table}_keep_used before delete on {table} "
        "for each row execute function publishing_refuse_used()",
        f"drop trigger {table}_keep_used on {table}",
    )

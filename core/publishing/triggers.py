"""What the database itself holds of publishing. A migration attaches it to the table of a kind of edition."""

from django.db import migrations

GUARD_EDITION = """
-- Arguments: approvals needed; 'independent' where a writer's own approval does not count.
create or replace function publishing_guard_edition() returns trigger language plpgsql as $$
declare
    v_excluded int[];
    v_open text[] := array['live', 'review_state', 'published_at', 'withdrawn_reason'];
begin
    if tg_op = 'DELETE' then
        if old.live is not null or old.published_at is not null then
            raise exception 'An edition that was published stays.'
                using errcode = '23514', constraint = 'edition_frozen';
        end if;
        return old;
    end if;
    if tg_op = 'INSERT' then
        if new.live is not null or new.review_state <> 'in_review' then
            raise exception 'An edition begins in review.'
                using errcode = '23514', constraint = 'edition_begins_in_review';
        end if;
        if new.sha256 <> publishing_sha256(new.content) then
            raise exception 'That is not the hash of its content.'
                using errcode = '23514', constraint = 'edition_hash';
        end if;
        if new.submitted_by_id <> all (new.writer_ids) then
            raise exception 'Who submits an edition is one of its writers.'
                using errcode = '23514', constraint = 'edition_writers';
        end if;
        return new;
    end if;
    -- Generated columns are made after this trigger, from columns that are compared.
    v_open := v_open || array(
        select attname::text from pg_attribute where attrelid = tg_relid and attgenerated <> ''
    );
    if to_jsonb(new) - v_open
       is distinct from to_jsonb(old) - v_open then
        raise exception 'An edition is frozen; submit another one.'
            using errcode = '23514', constraint = 'edition_frozen';
    end if;
    if new.live is distinct from old.live then
        perform publishing_check_live(old.live, new.live);
    end if;
    if new.published_at is distinct from old.published_at and lower(old.live) < now() then
        raise exception 'It was published at %; that cannot be changed.', old.published_at
            using errcode = '23514', constraint = 'live_history';
    end if;
    if new.live is not null and (old.live is null or lower(new.live) is distinct from lower(old.live)) then
        v_excluded := case when tg_argv[1] = 'independent' then new.writer_ids else '{}' end;
        if publishing_approvals(new.id, new.sha256, v_excluded) < tg_argv[0]::int then
            raise exception 'It needs % approvals of exactly this edition.', tg_argv[0]
                using errcode = '23514', constraint = 'approvals_missing';
        end if;
        if new.published_at is null then
            raise exception 'A live edition has an instant of publication.'
                using errcode = '23514', constraint = 'published_at_missing';
        end if;
    end if;
    return new;
end $$;
"""

FUNCTIONS = (
    """
-- Exclusion constraints need a range on both sides; these make one of an id and of a slug, without any extension.
create type uuidrange as range (subtype = uuid);
create type slugrange as range (subtype = text, collation = "C");

-- How many people's last word on this exact content is "approved". Nobody in p_excluded counts. If the last word of
-- anybody is "changes requested", nothing counts.
create function publishing_approvals(p_target uuid, p_sha256 text, p_excluded int[]) returns integer
language sql stable as $$
    with last as (
        select distinct on (reviewer_id) reviewer_id, verdict
        from publishing_review where target_id = p_target and sha256 = p_sha256
        order by reviewer_id, at desc, id desc
    )
    select case when bool_or(verdict = 'changes_requested') then 0
                else count(*) filter (where verdict = 'approved' and reviewer_id <> all (p_excluded)) end::integer
    from last;
$$;

-- The canonical form of a document, and its hash: the same as core/publishing/canonical.py gives. With it no row can
-- claim a hash that is not that of its content.
create function publishing_canonical(p_document jsonb) returns text language plpgsql immutable as $$
begin
    case jsonb_typeof(p_document)
        when 'object' then
            return '{' || coalesce((
                select string_agg(
                    to_jsonb(key)::text || ':' || publishing_canonical(value), ',' order by key collate "C")
                from jsonb_each(p_document)), '') || '}';
        when 'array' then
            return '[' || coalesce((
                select string_agg(publishing_canonical(item.value), ',' order by item.n)
                from jsonb_array_elements(p_document) with ordinality as item(value, n)), '') || ']';
        else
            return p_document::text;
    end case;
end $$;
create function publishing_sha256(p_document jsonb) returns text language sql immutable as $$
    select encode(sha256(convert_to(publishing_canonical(p_document), 'UTF8')), 'hex');
$$;

create function publishing_review_guard() returns trigger language plpgsql as $$
begin
    raise exception 'A review stands as it was given; give another one.'
        using errcode = '23514', constraint = 'review_frozen';
end $$;
create trigger publishing_review_frozen before update or delete on publishing_review
    for each row execute function publishing_review_guard();

-- Refuses what would make a range of live time untrue. Bounds may be set from the beginning of the transaction on;
-- what has been is history.
create function publishing_check_live(p_old tstzrange, p_new tstzrange) returns void language plpgsql as $$
begin
    if p_new is not null and (isempty(p_new) or lower(p_new) is null or lower_inf(p_new)
            or not isfinite(lower(p_new)) or not lower_inc(p_new) or upper_inc(p_new)
            or (upper(p_new) is not null and not isfinite(upper(p_new)))) then
        raise exception 'A live range begins at an instant and is half open.'
            using errcode = '23514', constraint = 'live_range_shape';
    end if;
    if p_old is not null and lower(p_old) < now() then
        if p_new is null or lower(p_new) <> lower(p_old) then
            raise exception 'It has been live since %; that cannot be undone.', lower(p_old)
                using errcode = '23514', constraint = 'live_history';
        end if;
        if upper(p_old) is not null and upper(p_old) < now() then
            raise exception 'It was withdrawn at %; that cannot be changed.', upper(p_old)
                using errcode = '23514', constraint = 'live_history';
        end if;
    elsif p_new is not null and lower(p_new) < now() then
        raise exception 'It cannot have been live before now.'
            using errcode = '23514', constraint = 'live_history';
    end if;
    if p_new is not null and upper(p_new) is not null and upper(p_new) < now()
            and (p_old is null or upper(p_old) is distinct from upper(p_new)) then
        raise exception 'It cannot have been withdrawn before now.'
            using errcode = '23514', constraint = 'live_history';
    end if;
end $$;

"""
    + GUARD_EDITION
    + """
-- The rows that belong to an edition are frozen once readers could see it. Arguments: table of editions, column.
create function publishing_guard_join() returns trigger language plpgsql as $$
declare
    v_row jsonb := case when tg_op = 'DELETE' then to_jsonb(old) else to_jsonb(new) end;
    v_published boolean;
begin
    if tg_op = 'UPDATE' then
        raise exception 'An edition is frozen; submit another one.'
            using errcode = '23514', constraint = 'edition_frozen';
    end if;
    execute format('select live is not null or published_at is not null from %I where id = $1', tg_argv[0])
        using (v_row ->> tg_argv[1])::uuid into v_published;
    if v_published then
        raise exception 'An edition that was published stays.'
            using errcode = '23514', constraint = 'edition_frozen';
    end if;
    return case when tg_op = 'DELETE' then old else new end;
end $$;

-- Tells the feed when what is public changes, and notes the bounds that lie ahead. Arguments: kind, subject column.
create function publishing_announce() returns trigger language plpgsql as $$
declare
    v_kind text := tg_argv[0];
    v_moment timestamptz := clock_timestamp();
    v_row record;
begin
    delete from feed_instant using new_rows n where source_id = n.id and at > v_moment;
    execute format(
        'insert into feed_instant (kind, object_id, source_id, at, opens, announced)
         select %L, n.%I, n.id, bound.at, bound.opens, false from new_rows n,
            lateral (values (lower(n.live), true), (upper(n.live), false)) as bound(at, opens)
         where bound.at > $1', v_kind, tg_argv[1]) using v_moment;
    for v_row in execute format(
        'select n.%1$I as subject, exists (select from %2$I e where e.%1$I = n.%1$I and e.live @> $1) as is_live
         from new_rows n join old_rows o on o.id = n.id
         group by n.%1$I
         having bool_or(coalesce(n.live @> $1, false) <> coalesce(o.live @> $1, false))
         order by 1', tg_argv[1], tg_table_name) using v_moment
    loop
        perform feed_bump(v_kind);
        perform feed_write(v_kind, v_row.subject,
            case when v_row.is_live then 'upsert' else 'tombstone' end,
            case when v_row.is_live then 'published' else 'withdrawn' end);
    end loop;
    return null;
end $$;
"""
)

DROP_FUNCTIONS = """
drop function publishing_announce();
drop function publishing_guard_join();
drop function publishing_guard_edition();
drop function publishing_check_live(tstzrange, tstzrange);
drop trigger publishing_review_frozen on publishing_review;
drop function publishing_review_guard();
drop function publishing_sha256(jsonb);
drop function publishing_canonical(jsonb);
drop function publishing_approvals(uuid, text, int[]);
drop type slugrange;
drop type uuidrange;
"""


def guard_editions(table: str, kind: str, subject: str, *, approvals: int, independent: bool) -> migrations.RunSQL:
    """Guard the editions of a kind: frozen, reviewed, at most one live a subject and a slug, announced.

    `subject` is the column of the identity. `independent`: a writer's approval of the own edition does not count.
    The constraints look at the end of each statement, so that one statement can close a range and open the next.
    """
    who = "independent" if independent else "anybody"
    return migrations.RunSQL(
        f"""
alter table {table} add constraint {table}_one_live
    exclude using gist (uuidrange({subject}, {subject}, '[]') with &&, live with &&)
    deferrable initially immediate;
alter table {table} add constraint {table}_one_slug
    exclude using gist (slugrange(slug::text, slug::text, '[]') with &&, live with &&)
    deferrable initially immediate;
create trigger {table}_guard before insert or update or delete on {table}
    for each row execute function publishing_guard_edition('{approvals}', '{who}');
create trigger {table}_announce after update on {table} referencing old table as old_rows new table as new_rows
    for each statement execute function publishing_announce('{kind}', '{subject}');
create trigger {table}_no_truncate before truncate on {table}
    for each statement execute function feed_refuse_truncate();
""",
        f"""
drop trigger {table}_no_truncate on {table};
drop trigger {table}_announce on {table};
drop trigger {table}_guard on {table};
alter table {table} drop constraint {table}_one_slug;
alter table {table} drop constraint {table}_one_live;
""",
    )


def guard_joins(table: str, editions: str, *, column: str = "edition_id") -> migrations.RunSQL:
    """Freeze the rows that belong to an edition, such as its bylines, once readers could see it."""
    return migrations.RunSQL(
        f"create trigger {table}_guard before insert or update or delete on {table}"
        f" for each row execute function publishing_guard_join('{editions}', '{column}')",
        f"drop trigger {table}_guard on {table}",
    )

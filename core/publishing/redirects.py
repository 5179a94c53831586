"""Where old addresses lead, kept by triggers as ranges of time: a table that follows from the editions and no more.

A slug at which something was live leads to where that stands today; so does an old address that an import brought. An
address that is in use again leads nowhere, and no chain arises, since each row names the slug that is live in its
range. A scheduled rename is a row whose range begins then, so its redirect needs no worker.
"""

from django.db import migrations

FUNCTIONS = """
create function publishing_uuid7() returns uuid language sql volatile as $$
    select encode(set_bit(set_bit(overlay(uuid_send(gen_random_uuid())
        placing substring(int8send((extract(epoch from clock_timestamp()) * 1000)::bigint) from 3) from 1 for 6),
        52, 1), 53, 1), 'hex')::uuid;
$$;

alter table publishing_redirect add constraint publishing_redirect_one_target
    exclude using gist ((slugrange(kind || ' ' || address, kind || ' ' || address, '[]')) with &&, live with &&)
    deferrable initially immediate;
"""

DROP_FUNCTIONS = """
alter table publishing_redirect drop constraint publishing_redirect_one_target;
drop function publishing_uuid7();
"""

_NO_ADDRESSES = "select null::uuid as subject, null::text as path, null::timestamptz as kept_at where false"


def keep_redirects(table: str, kind: str, subject: str, *, addresses: str | None = None) -> migrations.RunSQL:
    """Let the editions in `table` keep the redirects of their kind; `subject` is the column of the identity.

    `addresses` is the table of old addresses: columns `subject`, path, created_at. A new one of what is live is
    announced as a change of that.
    """
    old = f"select {subject} as subject, path, created_at as kept_at from {addresses}" if addresses else _NO_ADDRESSES
    sql = f"""
-- Where p_address leads, and when. Whoever stood there last comes first: what it leaves open goes to the one before.
create function {table}_leads(p_address text) returns table (subject_id uuid, slug text, live tstzrange)
language plpgsql as $$
declare
    v_slug text := ltrim(p_address, '/');
    v_taken tstzmultirange;
    v_claim tstzmultirange;
    v_stand record;
begin
    select coalesce(range_agg(e.live), '{{}}') into v_taken from {table} e where e.slug = v_slug and e.live is not null;
    for v_stand in
        select e.{subject} as subject, lower(e.live) as since, upper(e.live) as until from {table} e
        where e.slug = p_address and e.live is not null
        union all
        select kept.subject, kept.kept_at, kept.kept_at from ({old}) as kept where kept.path = p_address
        order by since desc, subject
    loop
        continue when v_stand.until is null;
        select coalesce(range_agg(e.live), '{{}}') * tstzmultirange(tstzrange(v_stand.until, null)) - v_taken
        into v_claim from {table} e
        where e.{subject} = v_stand.subject and e.live is not null and e.slug <> v_slug;
        return query
            select v_stand.subject, e.slug::text, part
            from {table} e, lateral unnest(v_claim * tstzmultirange(e.live)) as part
            where e.{subject} = v_stand.subject and e.live is not null;
        v_taken := v_taken + v_claim;
    end loop;
end $$;

-- Makes the rows of some addresses true again, and returns whether what readers see now has changed. A row that goes on
-- keeps its id; one that has begun only ends, so that whoever saw it hears of its end.
create function {table}_redirect(p_addresses text[]) returns boolean language plpgsql as $$
declare
    v_moment timestamptz := clock_timestamp();
    v_address text;
    v_changed boolean := false;
    v_now boolean;
begin
    for v_address in select distinct a from unnest(p_addresses) as a order by 1 loop
        -- Two articles that share an address can change at once: the second waits, and sees what the first did.
        if 1 < (select count(distinct e.{subject}) from {table} e where e.slug = ltrim(v_address, '/')) then
            perform pg_advisory_xact_lock(hashtextextended('{kind} ' || v_address, 7206433));
        end if;
        with truth as materialized (
            select subject_id, slug, part as live from (
                select subject_id, slug, range_agg(live) as parts from {table}_leads(v_address) group by 1, 2
            ) as merged, lateral unnest(parts) as part
        ), gone as (
            delete from publishing_redirect r where r.kind = '{kind}' and r.address = v_address and not exists (
                select from truth t
                where t.subject_id = r.subject_id and t.slug = r.slug and lower(t.live) = lower(r.live))
            returning r.live
        ), moved as (
            update publishing_redirect r set live = t.live from truth t
            where r.kind = '{kind}' and r.address = v_address and t.subject_id = r.subject_id and t.slug = r.slug
              and lower(t.live) = lower(r.live) and t.live <> r.live
            returning t.live
        ), made as (
            insert into publishing_redirect (id, kind, subject_id, address, slug, live)
            select publishing_uuid7(), '{kind}', t.subject_id, v_address, t.slug, t.live from truth t
            where not exists (
                select from publishing_redirect r where r.kind = '{kind}' and r.address = v_address
                and t.subject_id = r.subject_id and t.slug = r.slug and lower(t.live) = lower(r.live))
            returning live
        )
        select bool_or(lower(live) <= v_moment) into v_now
        from (select * from gone union all select * from moved union all select * from made) as written;
        v_changed := v_changed or coalesce(v_now, false);
    end loop;
    return v_changed;
end $$;

create function {table}_redirect_editions() returns trigger language plpgsql as $$
declare
    v_subjects uuid[];
begin
    select array_agg(distinct n.{subject}) into v_subjects
    from new_rows n join old_rows o on o.id = n.id where n.live is distinct from o.live;
    if v_subjects is null then
        return null;
    end if;
    perform {table}_redirect(array(
        with stood as (
            select e.slug::text as slug from {table} e where e.{subject} = any (v_subjects) and e.live is not null
            union
            select n.slug::text from new_rows n join old_rows o on o.id = n.id where n.live is distinct from o.live
        )
        select slug from stood
        union
        select kept.path from ({old}) as kept
        where kept.subject = any (v_subjects) or kept.path in (select '/' || slug from stood)
    ));
    return null;
end $$;
create trigger {table}_redirect after update on {table}
    referencing old table as old_rows new table as new_rows
    for each statement execute function {table}_redirect_editions();
select {table}_redirect(array(
    select slug::text from {table} where live is not null union select kept.path from ({old}) as kept));
"""
    reverse = f"""
delete from publishing_redirect where kind = '{kind}';
drop trigger {table}_redirect on {table};
drop function {table}_redirect_editions();
drop function {table}_redirect(text[]);
drop function {table}_leads(text);
"""
    if addresses:
        sql += f"""
create function {addresses}_redirect() returns trigger language plpgsql as $$
declare
    v_paths text[];
    v_subject uuid;
begin
    if tg_op = 'INSERT' then
        select array_agg(path) into v_paths from new_rows;
    elsif tg_op = 'DELETE' then
        select array_agg(path) into v_paths from old_rows;
    else
        select array_agg(path) into v_paths from (select path from new_rows union select path from old_rows) as written;
    end if;
    if not {table}_redirect(v_paths) then
        return null;
    end if;
    perform feed_bump('{kind}');
    for v_subject in
        select distinct r.subject_id from publishing_redirect r
        where r.kind = '{kind}' and r.address = any (v_paths) and r.live @> clock_timestamp() order by 1
    loop
        perform feed_write('{kind}', v_subject, 'upsert', 'saved');
    end loop;
    return null;
end $$;
"""
        for verb, tables in {
            "insert": "new table as new_rows",
            "update": "old table as old_rows new table as new_rows",
            "delete": "old table as old_rows",
        }.items():
            sql += (
                f"create trigger {addresses}_redirect_{verb} after {verb} on {addresses} referencing {tables} "
                f"for each statement execute function {addresses}_redirect();\n"
            )
        sql += (
            f"create trigger {addresses}_no_truncate before truncate on {addresses} "
            "for each statement execute function feed_refuse_truncate();\n"
        )
        drops = [f"drop trigger {addresses}_redirect_{verb} on {addresses};" for verb in ("insert", "update", "delete")]
        drops += [f"drop trigger {addresses}_no_truncate on {addresses};", f"drop function {addresses}_redirect();"]
        reverse = "\n".join(drops) + reverse
    return migrations.RunSQL(sql, reverse)

"""What the database itself holds of vendors and placements, beside what core/publishing holds of every edition."""

CONSTRAINTS = """
-- A link leads by https to the domain, or a host in it, and to no port or account of it.
create function sponsors_is_on(p_address text, p_domain text) returns boolean language sql immutable as $$
    select p_address ~ '^https://[a-z0-9.-]+([/?#][^[:space:][:cntrl:]]*)?$'
       and ('.' || substring(p_address from '^https://([a-z0-9.-]+)')) like '%.' || p_domain;
$$;

alter table sponsors_vendoredition
    add constraint sponsors_vendoredition_homepage check (
        case when homepage = '' then domain is null else domain is not null and sponsors_is_on(homepage, domain) end),
    add constraint sponsors_vendoredition_domain foreign key (vendor_id, domain)
        references sponsors_vendordomain (vendor_id, domain);

-- Null, empty and unbounded ranges walk past an exclusion constraint, so none of them gets in.
alter table sponsors_placement
    add constraint sponsors_placement_period check (
        not isempty(period) and not lower_inf(period) and not upper_inf(period)
        and isfinite(lower(period)) and isfinite(upper(period)) and lower_inc(period) and not upper_inc(period)),
    add constraint sponsors_placement_slot check (slot ~ '^[-a-z0-9]+$'),
    add constraint sponsors_placement_address check (sponsors_is_on(address, domain)),
    add constraint sponsors_placement_domain foreign key (vendor_id, domain)
        references sponsors_vendordomain (vendor_id, domain);

-- Who submits a placement books its lane, until somebody asks for changes or it is suspended. A placement that
-- replaces another books when it is approved, and the other ends then.
alter table sponsors_placement add constraint sponsors_placement_one_a_lane
    exclude using gist (
        slugrange(slot::text, slot::text, '[]') with &&, int4range(lane::int, lane::int, '[]') with &&,
        period with &&)
    where (suspended_at is null
           and (approved_at is not null or (review_state = 'in_review' and replaces_id is null)));
"""

DROP_CONSTRAINTS = """
alter table sponsors_placement
    drop constraint sponsors_placement_one_a_lane,
    drop constraint sponsors_placement_domain,
    drop constraint sponsors_placement_address,
    drop constraint sponsors_placement_slot,
    drop constraint sponsors_placement_period;
alter table sponsors_vendoredition
    drop constraint sponsors_vendoredition_domain,
    drop constraint sponsors_vendoredition_homepage;
drop function sponsors_is_on(text, text);
"""

GUARDS = """
-- People approve of `content`, readers get the columns and the sections: they are the same.
create function sponsors_check_edition() returns trigger language plpgsql as $$
begin
    if tg_op = 'INSERT' then
        if new.content - 'section_ids' is distinct from jsonb_build_object(
                'name', new.name, 'slug', new.slug, 'description', new.description, 'role', new.role,
                'homepage', new.homepage, 'domain', new.domain, 'country', new.country, 'city', new.city,
                'company_status', new.company_status, 'parent_id', new.parent_id,
                'manufacturer_id', new.manufacturer_id, 'unverified', to_jsonb(new.unverified)) then
            raise exception 'The columns of an edition say what its content says.'
                using errcode = '23514', constraint = 'edition_columns';
        end if;
    elsif new.live is not null and old.live is null and new.content -> 'section_ids' is distinct from (
            select coalesce(jsonb_agg(section_id order by position), '[]')
            from sponsors_vendoreditionsection where edition_id = new.id) then
        raise exception 'The sections of an edition are those of its content.'
            using errcode = '23514', constraint = 'edition_columns';
    end if;
    return new;
end $$;
create trigger sponsors_vendoredition_check before insert or update on sponsors_vendoredition
    for each row execute function sponsors_check_edition();

-- All that readers get of a placement.
create function sponsors_placement_content(p sponsors_placement) returns jsonb language sql stable as $$
    select jsonb_build_object(
        'slot', p.slot, 'lane', p.lane,
        'begins_at', to_char(lower(p.period) at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"'),
        'ends_at', to_char(upper(p.period) at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"'),
        'vendor_id', p.vendor_id, 'headline', p.headline, 'text', p.text, 'address', p.address, 'domain', p.domain,
        'picture', p.picture, 'label', p.label, 'paid_by', p.paid_by, 'on_behalf_of', p.on_behalf_of);
$$;

create function sponsors_guard_placement() returns trigger language plpgsql as $$
declare
    v_open constant text[] := array['review_state', 'approved_at', 'suspended_at', 'suspended_reason'];
begin
    if tg_op = 'DELETE' then
        if old.approved_at is not null then
            raise exception 'A placement that was approved stays.'
                using errcode = '23514', constraint = 'placement_frozen';
        end if;
        return old;
    end if;
    if tg_op = 'INSERT' then
        if new.review_state <> 'in_review' or new.approved_at is not null or new.suspended_at is not null then
            raise exception 'A placement begins in review.'
                using errcode = '23514', constraint = 'placement_begins_in_review';
        end if;
        if new.submitted_by_id <> all (new.writer_ids) then
            raise exception 'Who submits a placement is one of its writers.'
                using errcode = '23514', constraint = 'placement_writers';
        end if;
        if new.picture is distinct from (
                select jsonb_build_object(
                    'file', file, 'sha256', sha256, 'width', width, 'height', height, 'alt', alt)
                from media_image where id = new.image_id) then
            raise exception 'The picture is the image as it is.'
                using errcode = '23514', constraint = 'placement_picture';
        end if;
        if new.sha256 <> publishing_sha256(sponsors_placement_content(new)) then
            raise exception 'That is not the hash of its content.'
                using errcode = '23514', constraint = 'placement_hash';
        end if;
        return new;
    end if;
    if to_jsonb(new) - v_open is distinct from to_jsonb(old) - v_open
            or (old.approved_at is not null and new.approved_at is distinct from old.approved_at)
            or (old.suspended_at is not null and (new.suspended_at is distinct from old.suspended_at
                or new.suspended_reason <> old.suspended_reason or new.review_state <> old.review_state))
            or (old.review_state = 'changes_requested' and new.review_state <> old.review_state) then
        raise exception 'A placement is frozen; submit another one.'
            using errcode = '23514', constraint = 'placement_frozen';
    end if;
    if new.approved_at is not null and old.approved_at is null then
        if new.suspended_at is not null then
            raise exception 'It is suspended.' using errcode = '23514', constraint = 'placement_frozen';
        end if;
        if publishing_approvals(new.id, new.sha256, new.writer_ids) < 2 then
            raise exception 'It needs two approvals of exactly this placement.'
                using errcode = '23514', constraint = 'approvals_missing';
        end if;
        if upper(new.period) <= clock_timestamp() then
            raise exception 'Its period has passed.' using errcode = '23514', constraint = 'placement_over';
        end if;
    end if;
    -- Whoever writes says now, and not some instant of the past: what readers saw is history.
    if (new.approved_at is distinct from old.approved_at and new.approved_at not between now() and clock_timestamp())
            or (new.suspended_at is distinct from old.suspended_at
                and new.suspended_at not between now() and clock_timestamp()) then
        raise exception 'It is approved or suspended now.'
            using errcode = '23514', constraint = 'placement_instant';
    end if;
    return new;
end $$;
create trigger sponsors_placement_guard before insert or update or delete on sponsors_placement
    for each row execute function sponsors_guard_placement();
create trigger sponsors_placement_no_truncate before truncate on sponsors_placement
    for each statement execute function feed_refuse_truncate();
"""

DROP_GUARDS = """
drop trigger sponsors_placement_no_truncate on sponsors_placement;
drop trigger sponsors_placement_guard on sponsors_placement;
drop function sponsors_guard_placement();
drop function sponsors_placement_content(sponsors_placement);
drop trigger sponsors_vendoredition_check on sponsors_vendoredition;
drop function sponsors_check_edition();
"""

ANNOUNCEMENTS = """
-- When readers see a placement: the same as PlacementQuerySet.visible. `p_live` is when its vendor is live.
create function sponsors_placement_shown(
    p_period tstzrange, p_approved_at timestamptz, p_suspended_at timestamptz, p_live tstzmultirange
) returns tstzmultirange language sql immutable as $$
    select case when p_approved_at is null or p_live is null then '{}'::tstzmultirange
                else tstzmultirange(p_period * tstzrange(p_approved_at, p_suspended_at)) * p_live end;
$$;

create function sponsors_vendor_live(p_vendor uuid) returns tstzmultirange language sql stable as $$
    select range_agg(live) from sponsors_vendoredition where vendor_id = p_vendor and live is not null;
$$;

-- Notes the bounds that lie ahead, and tells the feed what changed by the instant p_moment.
create function sponsors_tell_placement(
    p_kind text, p_id uuid, p_was tstzmultirange, p_is tstzmultirange, p_moment timestamptz
) returns void language plpgsql as $$
begin
    delete from feed_instant where source_id = p_id and at > p_moment;
    insert into feed_instant (kind, object_id, source_id, at, opens, announced)
    select p_kind, p_id, p_id, bound.at, bound.opens, false
    from unnest(p_is) as span, lateral (values (lower(span), true), (upper(span), false)) as bound(at, opens)
    where bound.at > p_moment;
    if (p_was @> p_moment) <> (p_is @> p_moment) then
        perform feed_bump(p_kind);
        perform feed_write(p_kind, p_id,
            case when p_is @> p_moment then 'upsert' else 'tombstone' end,
            case when p_is @> p_moment then 'published' else 'withdrawn' end);
    end if;
end $$;

-- A placement and its vendor change one after the other: each locks the vendor before it looks at the other's rows.
create function sponsors_announce_placement() returns trigger language plpgsql as $$
declare
    v_moment timestamptz;
begin
    perform from sponsors_vendor where id in (select vendor_id from new_rows) order by id for no key update;
    v_moment := clock_timestamp();
    perform sponsors_tell_placement(
        tg_argv[0], n.id,
        sponsors_placement_shown(o.period, o.approved_at, o.suspended_at, sponsors_vendor_live(o.vendor_id)),
        sponsors_placement_shown(n.period, n.approved_at, n.suspended_at, sponsors_vendor_live(n.vendor_id)),
        v_moment)
    from (select * from new_rows order by id) as n join old_rows o on o.id = n.id
    where (n.approved_at, n.suspended_at) is distinct from (o.approved_at, o.suspended_at);
    return null;
end $$;
create trigger sponsors_placement_announce after update on sponsors_placement
    referencing old table as old_rows new table as new_rows
    for each statement execute function sponsors_announce_placement('placement');

create function sponsors_announce_vendor_placements() returns trigger language plpgsql as $$
declare
    v_moved uuid[];
    v_moment timestamptz;
begin
    select array_agg(distinct n.vendor_id) into v_moved
    from new_rows n join old_rows o on o.id = n.id where n.live is distinct from o.live;
    if v_moved is null then
        return null;
    end if;
    perform from sponsors_vendor where id = any (v_moved) order by id for no key update;
    v_moment := clock_timestamp();
    perform sponsors_tell_placement(
        tg_argv[0], p.id,
        sponsors_placement_shown(p.period, p.approved_at, p.suspended_at, was.live),
        sponsors_placement_shown(p.period, p.approved_at, p.suspended_at, sponsors_vendor_live(p.vendor_id)),
        v_moment)
    from (select * from sponsors_placement
          where vendor_id = any (v_moved) and approved_at is not null and upper(period) > v_moment
          order by id) as p,
        lateral (
            select range_agg(e.live) as live from (
                select o.live from old_rows o where o.vendor_id = p.vendor_id
                union all
                select t.live from sponsors_vendoredition t
                where t.vendor_id = p.vendor_id and t.id not in (select id from old_rows)
            ) as e where e.live is not null
        ) as was;
    return null;
end $$;
create trigger sponsors_vendoredition_placements after update on sponsors_vendoredition
    referencing old table as old_rows new table as new_rows
    for each statement execute function sponsors_announce_vendor_placements('placement');
"""

DROP_ANNOUNCEMENTS = """
drop trigger sponsors_vendoredition_placements on sponsors_vendoredition;
drop function sponsors_announce_vendor_placements();
drop trigger sponsors_placement_announce on sponsors_placement;
drop function sponsors_announce_placement();
drop function sponsors_tell_placement(text, uuid, tstzmultirange, tstzmultirange, timestamptz);
drop function sponsors_vendor_live(uuid);
drop function sponsors_placement_shown(tstzrange, timestamptz, timestamptz, tstzmultirange);
"""

-- A total costs less: the items that are shared with somebody stand in a narrow table by whom they are shared with, together with what a total asks of them. Until now
-- every total fetched the whole rows of all items that the caller sees beyond the public ones.

create table portal_private.shared_item (
  principal integer not null,
  resource_id integer not null,
  resource_type text not null,
  obstacles integer not null
);
alter table portal_private.shared_item enable row level security;
-- Everything that is counted stands in the index. Nobody is told of an item twice, so it is no constraint, which would have to be looked at for every row.
create index shared_item_of on portal_private.shared_item (principal, resource_type, resource_id, obstacles);

create function portal_private.after_shared() returns trigger
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
begin
  if tg_op <> 'INSERT' then
    delete from portal_private.shared_item s
     where s.principal = any (old.viewers) and s.resource_type = old.resource_type and s.resource_id = old.id;
  end if;
  if tg_op <> 'DELETE' then
    insert into portal_private.shared_item (principal, resource_id, resource_type, obstacles)
      select v, new.id, new.resource_type, new.obstacles from unnest(new.viewers) v;
  end if;
  return null;
end
$$;
create trigger shared_insert after insert on portal.resource
  for each row when (new.viewers <> '{}') execute function portal_private.after_shared();
create trigger shared_delete after delete on portal.resource
  for each row when (old.viewers <> '{}') execute function portal_private.after_shared();
create trigger shared_update after update on portal.resource
  for each row when ((old.viewers <> '{}' or new.viewers <> '{}')
    and (old.id, old.viewers, old.obstacles, old.resource_type) is distinct from (new.id, new.viewers, new.obstacles, new.resource_type))
  execute function portal_private.after_shared();

-- As in 0038, and what is shared with whom.
create or replace function portal_private.recount() returns void
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
begin
  lock table portal.resource, portal.resource_keyword, portal.resource_region in share mode;
  delete from portal_private.tally;
  delete from portal_private.facet_tally;
  delete from portal_private.shared_item;
  insert into portal_private.tally (is_public, obstacles, resource_type, items)
    select c.is_public, c.obstacles, c.resource_type, c.items from portal_private.counted_items() c;
  insert into portal_private.facet_tally (facet, key, is_open, items)
    select c.facet, c.key, c.is_open, c.items from portal_private.counted_facets() c;
  -- In the order in which they are read.
  insert into portal_private.shared_item (principal, resource_id, resource_type, obstacles)
    select v, r.id, r.resource_type, r.obstacles from portal.resource r, unnest(r.viewers) v order by 1, 3, 2;
end
$$;
-- The totals are right as they are; whoever changes items waits since the triggers were made.
insert into portal_private.shared_item (principal, resource_id, resource_type, obstacles)
  select v, r.id, r.resource_type, r.obstacles from portal.resource r, unnest(r.viewers) v order by 1, 3, 2;

-- As in 0038; `shared items` are those of the table above.
create or replace function portal.wrong_totals()
returns table (facet text, wrong bigint, key text, kept bigint, counted bigint)
language plpgsql stable security definer set search_path = pg_catalog, pg_temp rows 6 as $$
begin
  return query with
  kept_items as (
    select t.is_public, t.obstacles, t.resource_type, sum(t.items)::bigint as items
      from portal_private.tally t group by t.is_public, t.obstacles, t.resource_type
  ), kept_facets as (
    select t.facet, t.key, t.is_open, sum(t.items)::bigint as items
      from portal_private.facet_tally t group by t.facet, t.key, t.is_open
  ), both_ as (
    select 'items' as facet, coalesce(k.resource_type, c.resource_type) as key,
           coalesce(k.items, 0) as kept, coalesce(c.items, 0) as counted
      from kept_items k full join portal_private.counted_items() c
        on k.is_public = c.is_public and k.obstacles = c.obstacles and k.resource_type = c.resource_type
    union all
    select coalesce(k.facet, c.facet), coalesce(k.key, c.key), coalesce(k.items, 0), coalesce(c.items, 0)
      from kept_facets k full join portal_private.counted_facets() c
        on k.facet = c.facet and k.key = c.key and k.is_open = c.is_open
    union all
    select 'shared items', s.resource_id::text, sum(s.kept), sum(s.counted)
      from (select k.principal, k.resource_id, k.resource_type, k.obstacles, 1 as kept, 0 as counted from portal_private.shared_item k
            union all
            select v, r.id, r.resource_type, r.obstacles, 0, 1 from portal.resource r, unnest(r.viewers) v) s
     group by s.principal, s.resource_id, s.resource_type, s.obstacles
  )
  select b.facet, count(*), (array_agg(b.key order by b.key))[1], (array_agg(b.kept order by b.key))[1],
         (array_agg(b.counted order by b.key))[1]
    from both_ b where b.kept <> b.counted group by b.facet order by b.facet;
end
$$;

-- As in 0037. An item may be shared with several of the caller's principals. The plan is the same for all callers (0126), and reads nothing but the index.
create or replace function portal.visible_count(of_type text default null, without integer default 0) returns bigint
language plpgsql stable security definer set search_path = pg_catalog, pg_temp set plan_cache_mode = force_generic_plan set enable_bitmapscan = off set enable_seqscan = off as $$
declare
  who portal_private.caller := portal_private.who();
  stopped integer[];
  counted bigint;
  beyond bigint;
  doubtful integer[];
begin
  if who.admin then
    return (select coalesce(sum(t.items), 0) from portal_private.tally t
             where t.obstacles & (32 | without) = 0 and (of_type is null or t.resource_type = of_type));
  end if;
  select coalesce(sum(t.items), 0), array_agg(distinct t.obstacles) filter (where t.obstacles & who.rules <> 0)
    into counted, stopped
    from portal_private.tally t
   where t.is_public and t.obstacles & without = 0 and (of_type is null or t.resource_type = of_type);
  if stopped is not null then
    counted := counted - (select count(*) from portal.resource r
                           where r.is_public and r.obstacles = any (stopped) and (of_type is null or r.resource_type = of_type)
                             and not portal_private.excuses(who, r.id, r.owner_id, r.private_group, r.obstacles));
  end if;
  if of_type is null then
    select count(distinct s.resource_id) filter (where s.obstacles & who.rules = 0),
           array_agg(distinct s.resource_id) filter (where s.obstacles & who.rules <> 0)
      into beyond, doubtful
      from portal_private.shared_item s where s.principal = any (who.principals) and s.obstacles & without = 0;
  else
    select count(distinct s.resource_id) filter (where s.obstacles & who.rules = 0),
           array_agg(distinct s.resource_id) filter (where s.obstacles & who.rules <> 0)
      into beyond, doubtful
      from portal_private.shared_item s
     where s.principal = any (who.principals) and s.resource_type = of_type and s.obstacles & without = 0;
  end if;
  if doubtful is not null then
    beyond := beyond + (select count(*) from portal.resource r
                         where r.id = any (doubtful)
                           and portal_private.excuses(who, r.id, r.owner_id, r.private_group, r.obstacles));
  end if;
  return counted + beyond;
end
$$;

revoke all on all functions in schema portal_private from public;

-- What the whole catalogue can be narrowed by, kept like the tally: how many items that everybody sees there are of each type,
-- category, owner, keyword and region. Only the few others that the caller sees are counted when it asks.

create table portal_private.facet_tally (
  facet text not null,
  key text not null,
  items bigint not null
) with (fillfactor = 50);
create index facet_tally_key on portal_private.facet_tally (facet, key);
alter table portal_private.facet_tally enable row level security;

create function portal_private.count_facet(of_facet text, of_key text, more bigint) returns void
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  free tid;
begin
  if of_key is null then
    return;
  end if;
  select t.ctid into free from portal_private.facet_tally t where t.facet = of_facet and t.key = of_key
   limit 1 for update skip locked;
  if found then
    update portal_private.facet_tally t set items = t.items + more where t.ctid = free;
  else
    insert into portal_private.facet_tally (facet, key, items) values (of_facet, of_key, more);
  end if;
end
$$;

-- An item that is public and has nothing in its way is seen by everybody, whatever the switches say.
create function portal_private.after_open_items() returns trigger
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  was_open boolean := tg_op <> 'INSERT' and old.is_public and old.obstacles = 0;
  is_open boolean := tg_op <> 'DELETE' and new.is_public and new.obstacles = 0;
begin
  if was_open then
    perform portal_private.count_facet('resource_type', old.resource_type, -1);
    perform portal_private.count_facet('category', old.category_id::text, -1);
    perform portal_private.count_facet('owner', old.owner_id::text, -1);
  end if;
  if is_open then
    perform portal_private.count_facet('resource_type', new.resource_type, 1);
    perform portal_private.count_facet('category', new.category_id::text, 1);
    perform portal_private.count_facet('owner', new.owner_id::text, 1);
  end if;
  -- A new item has no keywords and regions yet; one that goes has them for the last time.
  if tg_op <> 'INSERT' and was_open <> is_open then
    perform portal_private.count_facet('keywords', k.keyword_id::text, case when is_open then 1 else -1 end)
       from portal.resource_keyword k where k.resource_id = old.id;
    perform portal_private.count_facet('regions', k.region_id::text, case when is_open then 1 else -1 end)
       from portal.resource_region k where k.resource_id = old.id;
  end if;
  if tg_op = 'DELETE' then
    return old;
  end if;
  return null;
end
$$;
create trigger faceted_insert after insert on portal.resource
  for each row when (new.is_public and new.obstacles = 0) execute function portal_private.after_open_items();
create trigger faceted_update after update on portal.resource
  for each row when ((old.is_public and old.obstacles = 0, old.resource_type, old.category_id, old.owner_id)
    is distinct from (new.is_public and new.obstacles = 0, new.resource_type, new.category_id, new.owner_id))
  execute function portal_private.after_open_items();
-- Before, and last of those in the alphabet: then nobody refuses it any more, and what hangs on the item is still there.
create trigger zz_faceted_delete before delete on portal.resource
  for each row when (old.is_public and old.obstacles = 0) execute function portal_private.after_open_items();

-- The item is held, so that it does not open or close meanwhile; where it is gone, it has counted this already.
create function portal_private.after_part() returns trigger
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  part jsonb;
  is_open boolean;
begin
  if tg_op = 'DELETE' then
    part := to_jsonb(old);
  else
    part := to_jsonb(new);
  end if;
  select r.is_public and r.obstacles = 0 into is_open
    from portal.resource r where r.id = (part ->> 'resource_id')::integer for no key update;
  if is_open then
    perform portal_private.count_facet(tg_argv[0], part ->> tg_argv[1], case when tg_op = 'DELETE' then -1 else 1 end);
  end if;
  return null;
end
$$;
create trigger faceted after insert or delete on portal.resource_keyword
  for each row execute function portal_private.after_part('keywords', 'keyword_id');
create trigger faceted after insert or delete on portal.resource_region
  for each row execute function portal_private.after_part('regions', 'region_id');

-- Both tallies anew, from what there is.
create function portal_private.recount() returns void
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
begin
  lock table portal.resource, portal.resource_keyword, portal.resource_region in share mode;
  delete from portal_private.tally;
  delete from portal_private.facet_tally;
  insert into portal_private.tally (is_public, obstacles, resource_type, items)
    select r.is_public, r.obstacles, r.resource_type, count(*) from portal.resource r
     group by r.is_public, r.obstacles, r.resource_type;
  insert into portal_private.facet_tally (facet, key, items)
    select case when grouping(r.resource_type) = 0 then 'resource_type'
                when grouping(r.category_id) = 0 then 'category' else 'owner' end,
           coalesce(r.resource_type, r.category_id::text, r.owner_id::text), count(*)
      from portal.resource r where r.is_public and r.obstacles = 0
     group by grouping sets (r.resource_type, r.category_id, r.owner_id)
    having coalesce(r.resource_type, r.category_id::text, r.owner_id::text) is not null;
  insert into portal_private.facet_tally (facet, key, items)
    select 'keywords', k.keyword_id::text, count(*)
      from portal.resource_keyword k join portal.resource r on r.id = k.resource_id
     where r.is_public and r.obstacles = 0 group by k.keyword_id;
  insert into portal_private.facet_tally (facet, key, items)
    select 'regions', k.region_id::text, count(*)
      from portal.resource_region k join portal.resource r on r.id = k.resource_id
     where r.is_public and r.obstacles = 0 group by k.region_id;
end
$$;
select portal_private.recount();

-- portal.facet_counts over everything that the caller sees.
create function portal.facet_counts_of_all(facets text[], top integer)
returns table (facet text, value text, label text, items bigint, "values" bigint)
language plpgsql stable security definer set search_path = pg_catalog, pg_temp
  set work_mem = '32MB' set max_parallel_workers_per_gather = 0 set jit = off rows 50 as $$
declare
  who portal_private.caller := portal_private.who();
  obstructed integer[] := array(select distinct t.obstacles from portal_private.tally t where t.obstacles <> 0);
begin
  return query with
  -- Of what not everybody sees, what the caller sees. Administrators are shown what is shared with nobody, too.
  beyond as materialized (
    select r.id, r.resource_type, r.category_id, r.owner_id
      from (select * from portal.resource x where x.viewers && who.principals and not who.admin
            union all
            select * from portal.resource x where not x.is_public and who.admin
            union all
            select * from portal.resource x where x.is_public and x.obstacles = any (obstructed)) r
     where portal_private.shown(who, r.id, r.owner_id, r.private_group, r.is_public, r.viewers, r.obstacles)
  ), counted as (
    select t.facet, t.key, t.items from portal_private.facet_tally t where t.facet = any (facets)
    union all
    select case when grouping(b.resource_type) = 0 then 'resource_type'
                when grouping(b.category_id) = 0 then 'category' else 'owner' end,
           coalesce(b.resource_type, b.category_id::text, b.owner_id::text), count(*)
      from beyond b group by grouping sets (b.resource_type, b.category_id, b.owner_id)
    union all
    select 'keywords', k.keyword_id::text, count(*)
      from beyond b join portal.resource_keyword k on k.resource_id = b.id where 'keywords' = any (facets) group by k.keyword_id
    union all
    select 'regions', k.region_id::text, count(*)
      from beyond b join portal.resource_region k on k.resource_id = b.id where 'regions' = any (facets) group by k.region_id
  ), summed as (
    select c.facet, c.key, sum(c.items)::bigint as items
      from counted c where c.facet = any (facets) and c.key is not null group by c.facet, c.key having sum(c.items) > 0
  ), ranked as (
    select s.facet, case when s.facet = 'resource_type' then s.key end as word,
           case when s.facet <> 'resource_type' then s.key::integer end as id, s.items,
           count(*) over (partition by s.facet) as all_values,
           row_number() over (partition by s.facet order by s.items desc,
             case when s.facet = 'resource_type' then s.key end,
             case when s.facet <> 'resource_type' then s.key::integer end) as place
      from summed s
  )
  select n.facet, coalesce(n.word, a.username, g.identifier, w.slug, p.code),
         coalesce(n.word, nullif(btrim(a.first_name || ' ' || a.last_name), ''), a.username, nullif(g.description, ''),
                  g.identifier, w.name, p.name),
         n.items, n.all_values
    from ranked n
    left join portal.account a on n.facet = 'owner' and a.id = n.id
    left join portal.category g on n.facet = 'category' and g.id = n.id
    left join portal.keyword w on n.facet = 'keywords' and w.id = n.id
    left join portal.region p on n.facet = 'regions' and p.id = n.id
   where n.place <= top
   order by n.facet, n.place;
end
$$;

revoke all on function portal.facet_counts_of_all(text[], integer) from public;
grant execute on function portal.facet_counts_of_all(text[], integer) to survest_anon, survest_user, survest_admin;
revoke all on all functions in schema portal_private from public;

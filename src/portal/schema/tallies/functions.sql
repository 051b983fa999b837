-- Of each facet the `top` most frequent keys, as they are shown.
create or replace function portal_private.top_facets(facets text[], keys text[], counts bigint[], top integer)
returns table (facet text, value text, label text, items bigint, "values" bigint)
language plpgsql stable set search_path = pg_catalog, pg_temp rows 50 as $$
begin
  return query
  with known as (
    select k.facet, k.items, case when k.facet = 'resource_type' then k.key end as word,
           case when k.facet <> 'resource_type' then k.key::integer end as id
      from unnest(facets, keys, counts) k(facet, key, items)
  ), ranked as (
    select k.*, count(*) over (partition by k.facet) as all_values,
           row_number() over (partition by k.facet order by k.items desc, k.word, k.id) as place
      from known k
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

-- `hits` are ids of items; those that the caller cannot see count for nothing. Of each facet the `top` most frequent values. Items are looked up one by one, by one
-- plan for all callers: to read tables from front to back is quicker only where two thirds of a catalogue are hits.
create or replace function portal.facet_counts(facets text[], hits integer[], top integer)
returns table (facet text, value text, label text, items bigint, "values" bigint)
language plpgsql stable security definer set search_path = pg_catalog, pg_temp
  set enable_seqscan = off set plan_cache_mode = force_generic_plan set work_mem = '32MB' set jit = off rows 50 as $$
#variable_conflict use_column
declare
  who portal_private.caller := portal_private.who();
  seen integer[];
  types text[];
  categories integer[];
  owners integer[];
  known record;
begin
  select array_agg(r.id), array_agg(r.resource_type), array_agg(r.category_id), array_agg(r.owner_id) into seen, types, categories, owners
    from unnest(hits) h(id) cross join lateral (select * from portal.resource x where x.id = h.id offset 0) r
   where portal_private.shown(who, r.id, r.owner_id, r.private_group, r.is_public, r.viewers, r.obstacles);
  select array_agg(c.facet) as facets, array_agg(c.key) as keys, array_agg(c.items) as counts into known from (
    select 'resource_type' as facet, u.key, count(*) as items from unnest(types) u(key) where 'resource_type' = any (facets) group by u.key
    union all
    select 'category', u.key::text, count(*) from unnest(categories) u(key) where 'category' = any (facets) and u.key is not null group by u.key
    union all
    select 'owner', u.key::text, count(*) from unnest(owners) u(key) where 'owner' = any (facets) and u.key is not null group by u.key
    union all
    select 'keywords', k.keyword_id::text, count(*) from unnest(seen) s(id) join portal.resource_keyword k on k.resource_id = s.id
     where 'keywords' = any (facets) group by k.keyword_id
    union all
    select 'regions', k.region_id::text, count(*) from unnest(seen) s(id) join portal.resource_region k on k.resource_id = s.id
     where 'regions' = any (facets) group by k.region_id) c;
  return query select t.* from portal_private.top_facets(known.facets, known.keys, known.counts, top) t;
end
$$;

create or replace function portal_private.count_items(of_public boolean, of_obstacles integer, of_type text, more bigint) returns void
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  free tid;
begin
  select t.ctid into free from portal_private.tally t
   where t.is_public = of_public and t.obstacles = of_obstacles and t.resource_type = of_type
   limit 1 for update skip locked;
  if found then
    update portal_private.tally t set items = t.items + more where t.ctid = free;
  else
    insert into portal_private.tally (is_public, obstacles, resource_type, items)
      values (of_public, of_obstacles, of_type, more);
  end if;
end
$$;

-- How many items the caller sees, of one type or of all; `without`: only those that have none of these obstacles (2 not published, 8 not
-- approved). The same number as `select count(*) from portal.resource`: of the public items only those are looked at that have something in
-- their way, and of the others only those that are shared with the caller. An item may be shared with several of the caller's principals. One
-- plan for all callers, which reads nothing but the index.
create or replace function portal.visible_count(of_type text default null, without integer default 0) returns bigint
language plpgsql stable security definer set search_path = pg_catalog, pg_temp set plan_cache_mode = force_generic_plan set plan_cache_mode = force_generic_plan set enable_bitmapscan = off set enable_seqscan = off as $$
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

create or replace function portal_private.openness(is_public boolean, obstacles integer) returns boolean
language sql immutable parallel safe
return case when obstacles & 32 = 0 then is_public and obstacles = 0 end;

create or replace function portal_private.count_facet(of_facet text, of_key text, of_open boolean, more bigint) returns void
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  free tid;
begin
  if of_key is null or of_open is null then
    return;
  end if;
  select t.ctid into free from portal_private.facet_tally t
   where t.facet = of_facet and t.key = of_key and t.is_open = of_open
   limit 1 for update skip locked;
  if found then
    update portal_private.facet_tally t set items = t.items + more where t.ctid = free;
  else
    insert into portal_private.facet_tally (facet, key, is_open, items) values (of_facet, of_key, of_open, more);
  end if;
end
$$;

create or replace function portal_private.count_faces(item portal.resource, more bigint) returns void
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  is_open boolean := portal_private.openness(item.is_public, item.obstacles);
begin
  perform portal_private.count_facet('resource_type', item.resource_type, is_open, more);
  perform portal_private.count_facet('category', item.category_id::text, is_open, more);
  perform portal_private.count_facet('owner', item.owner_id::text, is_open, more);
end
$$;

create or replace function portal_private.count_parts(item portal.resource, more bigint) returns void
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  is_open boolean := portal_private.openness(item.is_public, item.obstacles);
begin
  perform portal_private.count_facet('keywords', k.keyword_id::text, is_open, more)
     from portal.resource_keyword k where k.resource_id = item.id;
  perform portal_private.count_facet('regions', k.region_id::text, is_open, more)
     from portal.resource_region k where k.resource_id = item.id;
end
$$;

-- Once for all rows of a statement. Keywords and regions of a new item come later.
create or replace function portal_private.after_items() returns trigger
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  more integer := case tg_op when 'INSERT' then 1 else -1 end;
begin
  perform portal_private.count_items(c.is_public, c.obstacles, c.resource_type, more * count(*))
     from changed c group by c.is_public, c.obstacles, c.resource_type;
  if tg_op = 'DELETE' then
    delete from portal_private.shared_item s using changed c
     where s.principal = any (c.viewers) and s.resource_type = c.resource_type and s.resource_id = c.id;
    return null;
  end if;
  perform portal_private.count_facet(f.facet, f.key, portal_private.openness(c.is_public, c.obstacles), count(*))
     from changed c
    cross join lateral (values ('resource_type', c.resource_type), ('category', c.category_id::text), ('owner', c.owner_id::text)) f(facet, key)
    group by f.facet, f.key, portal_private.openness(c.is_public, c.obstacles);
  insert into portal_private.shared_item (principal, resource_id, resource_type, obstacles)
    select v, c.id, c.resource_type, c.obstacles from changed c, unnest(c.viewers) v;
  return null;
end
$$;

-- Row by row: only rows that count elsewhere than before.
create or replace function portal_private.after_item_counts_elsewhere() returns trigger
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
begin
  if (old.is_public, old.obstacles, old.resource_type) is distinct from (new.is_public, new.obstacles, new.resource_type) then
    perform portal_private.count_items(old.is_public, old.obstacles, old.resource_type, -1);
    perform portal_private.count_items(new.is_public, new.obstacles, new.resource_type, 1);
  end if;
  if (old.is_public, old.obstacles, old.resource_type, old.category_id, old.owner_id)
     is distinct from (new.is_public, new.obstacles, new.resource_type, new.category_id, new.owner_id) then
    perform portal_private.count_faces(old, -1), portal_private.count_faces(new, 1);
    if portal_private.openness(old.is_public, old.obstacles)
       is distinct from portal_private.openness(new.is_public, new.obstacles) then
      perform portal_private.count_parts(old, -1), portal_private.count_parts(new, 1);
    end if;
  end if;
  if (old.viewers, old.obstacles, old.resource_type) is distinct from (new.viewers, new.obstacles, new.resource_type) then
    delete from portal_private.shared_item s
     where s.principal = any (old.viewers) and s.resource_type = old.resource_type and s.resource_id = old.id;
    insert into portal_private.shared_item (principal, resource_id, resource_type, obstacles)
      select v, new.id, new.resource_type, new.obstacles from unnest(new.viewers) v;
  end if;
  return null;
end
$$;

-- The item is held, so that it does not open or close meanwhile; where it is gone, it has counted this already.
create or replace function portal_private.after_part() returns trigger
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
  select portal_private.openness(r.is_public, r.obstacles) into is_open
    from portal.resource r where r.id = (part ->> 'resource_id')::integer for no key update;
  perform portal_private.count_facet(tg_argv[0], part ->> tg_argv[1], is_open,
                                     case when tg_op = 'DELETE' then -1 else 1 end);
  return null;
end
$$;

-- What the rows say that both tallies should.
create or replace function portal_private.counted_items()
returns table (is_public boolean, obstacles integer, resource_type text, items bigint)
language sql stable rows 50 as $$
  select r.is_public, r.obstacles, r.resource_type, count(*) from portal.resource r
                group by r.is_public, r.obstacles, r.resource_type
$$;

create or replace function portal_private.counted_facets() returns table (facet text, key text, is_open boolean, items bigint)
language sql stable rows 500 as $$
  select c.facet, c.key, c.is_open, count(*)
    from (select f.facet, f.key, portal_private.openness(r.is_public, r.obstacles) as is_open
            from portal.resource r
           cross join lateral (values ('resource_type', r.resource_type), ('category', r.category_id::text),
                                      ('owner', r.owner_id::text)) f(facet, key)
          union all
          select 'keywords', k.keyword_id::text, portal_private.openness(r.is_public, r.obstacles)
            from portal.resource_keyword k join portal.resource r on r.id = k.resource_id
          union all
          select 'regions', k.region_id::text, portal_private.openness(r.is_public, r.obstacles)
            from portal.resource_region k join portal.resource r on r.id = k.resource_id) c
   where c.key is not null and c.is_open is not null
   group by c.facet, c.key, c.is_open
$$;

-- Makes all tallies anew: totals, facets, and what is shared with whom.
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

-- What differs between the tallies and what is counted; `shared items` are those of portal_private.shared_item. Nothing: they are right.
create or replace function portal.wrong_totals()
returns table (facet text, wrong bigint, key text, kept bigint, counted bigint)
language sql stable security definer set search_path = pg_catalog, pg_temp rows 6 as $$
  with
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
    from both_ b where b.kept <> b.counted group by b.facet order by b.facet
$$;

-- Puts them right.
create or replace function portal.recount_totals() returns void
language sql security definer set search_path = pg_catalog, pg_temp as $$
  select portal_private.recount()
$$;

-- Of everything that the caller sees: how many items there are of each kind.
create or replace function portal_private.item_counts(who portal_private.caller, facets text[])
returns table (facet text, key text, items bigint)
language plpgsql stable rows 500 as $$
declare
  obstructed integer[] := array(select distinct t.obstacles from portal_private.tally t where t.is_public and t.obstacles <> 0);
begin
  if who.admin then
    return query select t.facet, t.key, sum(t.items)::bigint from portal_private.facet_tally t
                  where t.facet = any (facets) group by t.facet, t.key having sum(t.items) > 0;
    return;
  end if;
  return query with
  -- What not everybody sees, but the caller.
  beyond as materialized (
    select r.id, r.resource_type, r.category_id, r.owner_id
      from (select * from portal.resource x where x.viewers && who.principals
            union all
            select * from portal.resource x where x.is_public and x.obstacles = any (obstructed)) r
     where portal_private.shown(who, r.id, r.owner_id, r.private_group, r.is_public, r.viewers, r.obstacles)
  ), counted as (
    select t.facet, t.key, t.items from portal_private.facet_tally t where t.is_open and t.facet = any (facets)
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
  )
  select c.facet, c.key, sum(c.items)::bigint
    from counted c where c.facet = any (facets) and c.key is not null group by c.facet, c.key having sum(c.items) > 0;
end
$$;

-- The same of one facet, as an object of ids and numbers: to be asked once per statement.
create or replace function portal.item_counts(facet text) returns jsonb
language plpgsql stable security definer set search_path = pg_catalog, pg_temp
  set work_mem = '32MB' set max_parallel_workers_per_gather = 0 set jit = off as $$
begin
  return (select coalesce(jsonb_object_agg(c.key, c.items), '{}')
            from portal_private.item_counts(portal_private.who(), array[facet]) c);
end
$$;

-- Words and owners of items that the caller sees. Whoever sees an item sees these of it: what is counted needs no further proof.
create or replace function portal.seen_keywords() returns setof portal.keyword
language plpgsql stable security definer set search_path = pg_catalog, pg_temp rows 500 as $$
begin
  return query select w.* from portal_private.item_counts(portal_private.who(), '{keywords}') c
                 join portal.keyword w on w.id = c.key::integer;
end
$$;

create or replace function portal.seen_owners() returns setof portal.account
language plpgsql stable security definer set search_path = pg_catalog, pg_temp rows 500 as $$
begin
  return query select a.* from portal_private.item_counts(portal_private.who(), '{owner}') c
                 join portal.account a on a.id = c.key::integer;
end
$$;

-- portal.facet_counts over everything that the caller sees.
create or replace function portal.facet_counts_of_all(facets text[], top integer)
returns table (facet text, value text, label text, items bigint, "values" bigint)
language plpgsql stable security definer set search_path = pg_catalog, pg_temp
  set work_mem = '32MB' set max_parallel_workers_per_gather = 0 set jit = off rows 50 as $$
declare
  known record;
begin
  select array_agg(c.facet) as facets, array_agg(c.key) as keys, array_agg(c.items) as counts into known
    from portal_private.item_counts(portal_private.who(), facets) c;
  return query select t.* from portal_private.top_facets(known.facets, known.keys, known.counts, top) t;
end
$$;

grant execute on function
  portal.wrong_totals(), portal.recount_totals()
  to survest_authenticator;

grant execute on function
  portal.visible_count(text,integer), portal.item_counts(text), portal.seen_keywords(), portal.seen_owners(),
  portal.facet_counts_of_all(text[],integer), portal.facet_counts(text[],integer[],integer)
  to survest_anon, survest_user, survest_admin;

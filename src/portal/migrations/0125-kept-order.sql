-- A page of a search that is kept costs what of it has changed and what of it is not for everybody, and no longer a look at all of its hits: they are kept in the
-- order of a page, by type, those first that everybody sees, so that the first of them are the page and the others only have to be counted.

-- Where hits of a type that everybody sees (`part_open`), or not everybody, begin and end in `ids` and its companions; in each part they stand as on a page: what fits
-- best first, then what was changed last. Null: kept before there was an order.
alter table portal_private.kept_search
  add column part_types text[],
  add column part_open boolean[],
  add column part_starts integer[],
  add column part_ends integer[];

-- In SQL, a page of a search that is kept, as rows of `search_page`; $1 is who asks, $2 how many are skipped, $3 how many are wanted. Null: it is not kept, or too much
-- was written since. Hits with facts or words that were written since, and hits that not everybody sees, are looked up; of the others everybody sees the same.
create function portal_private.kept_page_sql(words text[], of_types text[], skipped bigint, wanted integer) returns text
language plpgsql stable set search_path = pg_catalog, pg_temp as $$
declare
  most constant integer := 500;
  statement text := portal_private.hits_sql(words);
  asked_for bytea := sha256(convert_to(statement, 'UTF8'));
  kept record;
  worded integer[];
  changed integer[];
  moved integer[];
  first bigint;
  last integer;
  is_counted text := 'false';
  counted bigint := 0;
  shown text := '';
  others text := '';
begin
  select k.snapshot, k.part_types, k.part_open, k.part_starts, k.part_ends into kept
    from portal_private.kept_search k where k.asked = asked_for and k.cluster = portal_private.cluster();
  if kept.part_types is null then
    return null;
  end if;
  worded := portal_private.written_since(kept.snapshot, most + 1);
  changed := portal_private.facts_since(kept.snapshot, most + 1);
  if cardinality(worded) > most or cardinality(changed) > most then
    return null;
  end if;
  moved := worded || changed;
  for i in 1 .. cardinality(kept.part_types) loop
    continue when kept.part_types[i] <> all (of_types);
    first := kept.part_starts[i];
    last := kept.part_ends[i];
    if kept.part_open[i] then
      counted := counted + last - first + 1;
      is_counted := is_counted || format(' or m.n between %s and %s', first, last);
      -- Those that have changed may be missing from the beginning.
      last := least(last, first + least(skipped, 2147483647) + wanted + cardinality(moved) - 1);
      shown := shown || format('select unnest(k.ids[%1$s:%2$s]) as id, unnest(k.ranks[%1$s:%2$s]) as rank, unnest(k.updated[%1$s:%2$s]) as updated from k union all ', first, last);
    else
      others := others || format('select u.id, u.rank from (select unnest(k.ids[%1$s:%2$s]) as id, unnest(k.ranks[%1$s:%2$s]) as rank from k) u where u.id <> all (%3$L::integer[]) union all ',
                                 first, last, moved);
    end if;
  end loop;
  if cardinality(worded) > 0 then
    others := others || format('select h.resource_id as id, h.rank from (%s and t.resource_id = any (%L::integer[])) h union all ', statement, worded);
  end if;
  return format('with k as materialized (select x.ids, x.ranks, x.updated from portal_private.kept_search x where x.asked = %1$L::bytea),
    moved as materialized (
      select u.id, u.rank, u.n from (select unnest(k.ids) as id, unnest(k.ranks) as rank, generate_subscripts(k.ids, 1) as n from k where %2$L) u
       where u.id = any (%3$L::integer[])),
    seen as materialized (
      select r.id, o.rank, r.last_updated as updated
        from (%4$s select m.id, m.rank from moved m where m.id <> all (%5$L::integer[])) o join portal.resource r on r.id = o.id
       where portal_private.shown($1, r.id, r.owner_id, r.private_group, r.is_public, r.viewers, r.obstacles)%6$s),
    page as (
      select s.id, s.rank, s.updated
        from (select u.id, u.rank, u.updated from (%7$s select null::integer as id, null::real as rank, null::timestamptz as updated where false) u where u.id <> all (%3$L::integer[])
              union all table seen) s
       order by s.rank desc, s.updated desc, s.id desc offset $2 limit $3)
    select p.id, row_number() over (order by p.rank desc, p.updated desc, p.id desc), n.total
      from (select %8$s - (select count(*) from moved m where %9$s) + (select count(*) from seen) as total) n left join page p on true
     where n.total > 0',
    asked_for, cardinality(moved) > 0, moved, others, worded,
    case when of_types is null then '' else format(' and r.resource_type = any (%L::text[])', of_types) end, shown, counted, is_counted);
end
$$;

create or replace function portal.search_page(words text[], types text[], skipped bigint, most integer) returns table (id integer, place bigint, total bigint)
language plpgsql stable security definer set search_path = pg_catalog, pg_temp rows 100 as $$
declare
  who portal_private.caller := portal_private.who();
  page text := portal_private.kept_page_sql(words, types, skipped, most);
  hits text;
begin
  if page is null then
    hits := portal_private.candidates_sql(words, types, null, null);
  else
    return query execute page using who, skipped, most;
    if found then
      return;
    end if;
    hits := portal_private.looked_up_sql(portal_private.similar_hits_sql(words));
  end if;
  for attempt in 1 .. 2 loop
    exit when hits is null;
    return query execute portal_private.seen_sql(hits, types) || ',
      page as (select s.id, s.rank, s.updated from seen s order by s.rank desc, s.updated desc, s.id desc offset $2 limit $3)
      select p.id, row_number() over (order by p.rank desc, p.updated desc, p.id desc), n.total
        from (select count(*) as total from seen) n left join page p on true where n.total > 0'
      using who, skipped, most;
    if found then
      return;
    end if;
    exit when page is not null;
    hits := portal_private.looked_up_sql(portal_private.similar_hits_sql(words));
  end loop;
  return query select null::integer, null::bigint, 0::bigint;
end
$$;

-- As in 0123, in the order of a page.
create or replace function portal.keep_search(words text[]) returns boolean
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  statement text := portal_private.hits_sql(words);
  asked_for bytea := sha256(convert_to(statement, 'UTF8'));
  known portal_private.kept_search;
  made integer;
  oldest xid8;
begin
  if portal_private.cluster() is null or not pg_try_advisory_xact_lock(hashtextextended('portal kept searches', 0)) then
    return false;
  end if;
  select k.* into known from portal_private.kept_search k where k.asked = asked_for and k.cluster = portal_private.cluster();
  if found and cardinality(portal_private.written_since(known.snapshot, 50)) < 50
     and cardinality(portal_private.facts_since(known.snapshot, 50)) < 50 then
    -- Those that nobody asks for any more go first.
    update portal_private.kept_search k set kept = now() where k.asked = asked_for and k.kept < now() - interval '5 minutes';
    return false;
  end if;
  -- Numbers of another cluster would be in the future for ever.
  update portal_private.search_text t set body = t.body
   where t.resource_id = any (array(select w.resource_id from portal_private.search_text w
                                     where w.written >= pg_snapshot_xmax(pg_current_snapshot()) limit 1000));
  execute 'insert into portal_private.kept_search (asked, cluster, snapshot, hits, ids, ranks, is_open, types, categories, extents, updated,
      part_types, part_open, part_starts, part_ends)
    with found as materialized (
      select r.id, h.rank, r.is_public and r.obstacles = 0 as is_open, r.resource_type as type, coalesce(r.category_id, 0) as category,
             r.ll_bbox_polygon::box as extent, r.last_updated as updated
        from (' || statement || ' limit 500001) h join portal.resource r on r.id = h.resource_id
       order by type, is_open desc, rank desc, updated desc, id desc
    ), parts as (
      select p.type, p.is_open, min(p.n) as start, max(p.n) as stop
        from (select f.type, f.is_open, row_number() over () as n from found f) p group by p.type, p.is_open
    )
    select $1, $2, pg_current_snapshot(), f.*, p.*
      from (select count(*) as hits, array_agg(f.id) as ids, array_agg(f.rank), array_agg(f.is_open), array_agg(f.type), array_agg(f.category),
                   array_agg(f.extent), array_agg(f.updated) from found f) f
           cross join (select array_agg(p.type), array_agg(p.is_open), array_agg(p.start), array_agg(p.stop) from parts p) p
     where f.hits between 1 and 500000
    on conflict (asked) do update set cluster = excluded.cluster, snapshot = excluded.snapshot, hits = excluded.hits, ids = excluded.ids,
      ranks = excluded.ranks, is_open = excluded.is_open, types = excluded.types, categories = excluded.categories, extents = excluded.extents,
      updated = excluded.updated, part_types = excluded.part_types, part_open = excluded.part_open, part_starts = excluded.part_starts,
      part_ends = excluded.part_ends, kept = now()' using asked_for, portal_private.cluster();
  get diagnostics made = row_count;
  if made = 0 then
    return false;
  end if;
  -- Some 60 MB at most.
  delete from portal_private.kept_search k
   where k.asked in (select x.asked from (select o.asked, row_number() over (order by o.kept desc, o.asked) as place,
                                                 sum(o.hits) over (order by o.kept desc, o.asked) as hits
                                            from portal_private.kept_search o) x
                      where x.place > 200 or x.hits > 1000000);
  -- What all that is kept has seen. Whoever changes several items is not waited for, nor made to wait; and by their values, so that what is noted at this
  -- moment is not lost.
  oldest := (select min(pg_snapshot_xmin(k.snapshot)) from portal_private.kept_search k where k.cluster = portal_private.cluster());
  delete from portal_private.facts_written f
   where (f.resource_id, f.written) in (
     select l.resource_id, l.written
       from (select o.resource_id, o.written from portal_private.facts_written o
              where o.written < oldest or o.written >= pg_snapshot_xmax(pg_current_snapshot()) limit 10000) o
       join portal_private.facts_written l on l.resource_id = o.resource_id and l.written = o.written
        for update of l skip locked);
  return true;
end
$$;

revoke all on all functions in schema portal_private from public;

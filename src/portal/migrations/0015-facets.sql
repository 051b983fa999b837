-- How many of the items found have which type, topic, keyword, region and owner: what a person narrows a search by. Everything told
-- here follows from the items being seen (whoever sees an item sees its owner and its words), so that is held against the rule once
-- and the rest is counted with the definer's rights; under policies every keyword would be proved row by row.

-- `hits` are ids of items; those that the caller cannot see count for nothing. Of each facet the `top` most frequent values. Planned
-- anew each time, because few hits are looked up one by one and many are read through; workers would take the processors that other
-- requests need.
create function portal.facet_counts(facets text[], hits integer[], top integer)
returns table (facet text, value text, label text, items bigint, "values" bigint)
language plpgsql stable security definer set search_path = pg_catalog, pg_temp
  set work_mem = '32MB' set max_parallel_workers_per_gather = 0 set jit = off rows 50 as $$
declare
  who portal_private.caller := portal_private.who();
  -- `offset 0` keeps the planner from reading the whole table for a tenth of it.
  found constant text := case when cardinality(hits) < 25000 then
    'unnest($2) h(id) cross join lateral (select * from portal.resource x where x.id = h.id offset 0) r'
    else 'unnest($2) h(id) join portal.resource r on r.id = h.id' end;
begin
  return query execute
    'with seen as materialized (
      select r.id, r.resource_type, r.category_id, r.owner_id from ' || found || '
       where portal_private.shown($1, r.id, r.owner_id, r.private_group, r.is_public, r.viewers, r.obstacles)
    ), counted as (
      -- One pass for the three that the item itself has.
      select case when grouping(s.resource_type) = 0 then ''resource_type''
                  when grouping(s.category_id) = 0 then ''category'' else ''owner'' end as facet,
             coalesce(s.category_id, s.owner_id) as key, s.resource_type as word, count(*) as items
        from seen s group by grouping sets (s.resource_type, s.category_id, s.owner_id)
      union all
      select ''keywords'', k.keyword_id, null, count(*)
        from seen s join portal.resource_keyword k on k.resource_id = s.id where ''keywords'' = any ($3) group by k.keyword_id
      union all
      select ''regions'', k.region_id, null, count(*)
        from seen s join portal.resource_region k on k.resource_id = s.id where ''regions'' = any ($3) group by k.region_id
    ), ranked as (
      select c.facet, c.key, c.word, c.items, count(*) over (partition by c.facet) as all_values,
             row_number() over (partition by c.facet order by c.items desc, c.word, c.key) as place
        from counted c
       where c.facet = any ($3) and (c.key is not null or c.word is not null)
    )
    select n.facet, coalesce(n.word, a.username, g.identifier, w.slug, p.code),
           coalesce(n.word, nullif(btrim(a.first_name || '' '' || a.last_name), ''''), a.username, nullif(g.description, ''''),
                    g.identifier, w.name, p.name),
           n.items, n.all_values
      from ranked n
      left join portal.account a on n.facet = ''owner'' and a.id = n.key
      left join portal.category g on n.facet = ''category'' and g.id = n.key
      left join portal.keyword w on n.facet = ''keywords'' and w.id = n.key
      left join portal.region p on n.facet = ''regions'' and p.id = n.key
     where n.place <= $4
     order by n.facet, n.place'
    using who, hits, facets, top;
end
$$;

revoke all on function portal.facet_counts(text[], integer[], integer) from public;
grant execute on function portal.facet_counts(text[], integer[], integer) to survest_anon, survest_user, survest_admin;

-- A search that is kept is planned once per connection, and no longer in every request: to write its statement and to plan it took longer than to run it. What has
-- changed since it was kept is found among its hits without a look at all of them. What it answers is the same.

-- What 0001 says of helpers holds for these, too: in plpgsql, and with the search path of whoever calls them.
create or replace function portal_private.like_pattern(word text) returns text
language plpgsql immutable as $$
begin
  return '%' || replace(replace(replace(lower(word collate portal.people), '\', '\\'), '%', '\%'), '_', '\_') || '%';
end
$$;

-- A word in these configurations, or as the beginning of one.
create function portal_private.word_query(word text, configs text[]) returns tsquery
language plpgsql stable as $$
declare
  low text := lower(word collate portal.people);
  part text;
  config text;
  asked tsquery;
  stemmed tsquery;
begin
  -- `e-mail` is three words to the parser; all of them are wanted.
  foreach part in array tsvector_to_array(to_tsvector('simple', low)) loop
    asked := case when asked is null then to_tsquery('simple', quote_literal(part) || ':*')
                  else asked && to_tsquery('simple', quote_literal(part) || ':*') end;
  end loop;
  foreach config in array configs loop
    stemmed := plainto_tsquery(config::regconfig, low);
    if numnode(stemmed) > 0 then
      asked := case when asked is null then stemmed else asked || stemmed end;
    end if;
  end loop;
  return asked;
end
$$;

-- Of the languages that items are written in.
create function portal_private.word_configs() returns text[]
language plpgsql stable as $$
begin
  return array(select c.name from portal_private.search_config c where c.name <> 'simple');
end
$$;

create or replace function portal_private.word_query(word text) returns tsquery
language plpgsql stable set search_path = pg_catalog, pg_temp as $$
begin
  return portal_private.word_query(word, portal_private.word_configs());
end
$$;

-- What a search looks for: every word, in the index (null: it is none) or in the text; all of them for the rank; and the beginning of a title.
create type portal_private.search_terms as (
  queries tsquery[],
  patterns text[],
  asked tsquery,
  beginning text
);

create function portal_private.terms_of(words text[]) returns portal_private.search_terms
language plpgsql stable as $$
declare
  terms portal_private.search_terms;
  configs text[] := portal_private.word_configs();
  queries tsquery[] := '{}';
  patterns text[] := '{}';
  word text;
  one tsquery;
  asked tsquery;
begin
  foreach word in array words loop
    one := portal_private.word_query(word, configs);
    asked := case when asked is null then one when one is null then asked else asked || one end;
    queries := array_append(queries, one);
    patterns := array_append(patterns, portal_private.like_pattern(word));
  end loop;
  terms := row(queries, patterns, asked, substr(portal_private.like_pattern(array_to_string(words, ' ')), 2));
  return terms;
end
$$;

-- As in 0114.
create function portal_private.hits_sql(terms portal_private.search_terms) returns text
language plpgsql stable as $$
declare
  condition text := 'true';
begin
  for i in 1 .. cardinality(terms.patterns) loop
    condition := condition || format(' and (%st.body like %L)',
      case when terms.queries[i] is null then '' else format('t.vector @@ %L::tsquery or ', terms.queries[i]::text) end, terms.patterns[i]);
  end loop;
  -- A title that begins with what was typed comes before all others.
  return format('select t.resource_id, (coalesce(ts_rank(''{0.1, 0.2, 0.6, 1}''::real[], t.vector, %L::tsquery), 0) + case when t.body like %L then 1 else 0 end)::real as rank
    from portal_private.search_text t where %s', terms.asked::text, terms.beginning, condition);
end
$$;

create or replace function portal_private.hits_sql(words text[]) returns text
language plpgsql stable set search_path = pg_catalog, pg_temp as $$
begin
  return portal_private.hits_sql(portal_private.terms_of(words));
end
$$;

create or replace function portal_private.cluster() returns bigint
language plpgsql stable as $$
begin
  if has_function_privilege('pg_catalog.pg_control_system()'::regprocedure, 'execute') then
    return (pg_control_system()).system_identifier;
  end if;
  return null;
end
$$;

-- `ids` in the order of their numbers, and where in `ids` each of them is.
lock table portal_private.kept_search in access exclusive mode;
delete from portal_private.kept_search;
alter table portal_private.kept_search
  add column sorted integer[] not null,
  add column places integer[] not null;
alter table portal_private.kept_search alter column sorted set storage external, alter column places set storage external;

-- Of items that were written since a search was kept: which of them were hits, and at which place (whatever has become of them), and which are hits now, with their
-- rank. Those whose words are the same (`changed`) have the rank that is kept; of the others the words are looked at.
create function portal_private.moved_hits(asked_for bytea, terms portal_private.search_terms, rewritten integer[], changed integer[],
  out ids integer[], out ranks real[], out places integer[])
language plpgsql stable as $$
begin
  select array_agg(h.id), array_agg(h.rank), array_agg(h.place) into ids, ranks, places
    from (select case when m.id <> all (rewritten) then m.id end as id, m.ranks[m.place] as rank, m.place
            from (select w.id, k.ranks, k.places[w.at] as place
                    -- Unpacked once, and not by each look.
                    from (select x.sorted || '{}'::integer[] as sorted, x.places || '{}'::integer[] as places, x.ranks || '{}'::real[] as ranks
                            from portal_private.kept_search x where x.asked = asked_for offset 0) k
                   cross join lateral (select u.id, width_bucket(u.id, k.sorted) as at
                                         from (select unnest(rewritten) as id union select unnest(changed)) u offset 0) w
                   where w.at > 0 and k.sorted[w.at] = w.id) m
          union all
          select t.resource_id,
                 (coalesce(ts_rank('{0.1, 0.2, 0.6, 1}'::real[], t.vector, terms.asked), 0) + case when t.body like terms.beginning then 1 else 0 end)::real,
                 null
            from portal_private.search_text t
           where t.resource_id = any (rewritten)
             and not exists (select from unnest(terms.queries, terms.patterns) w(query, pattern)
                              where (t.vector @@ w.query or t.body like w.pattern) is not true)) h;
end
$$;

-- Hits that are not kept, or of which too much has changed, are looked for by a statement that is made and planned for them; `is_known`: these words are none of
-- what the caller sees, only similar ones are looked for.
create function portal_private.search_page_anew(who portal_private.caller, words text[], types text[], skipped bigint, most integer, is_known boolean)
returns table (id integer, place bigint, total bigint)
language plpgsql stable set search_path = pg_catalog, pg_temp set enable_seqscan = on set plan_cache_mode = auto rows 100 as $$
declare
  hits text := case when not is_known then portal_private.candidates_sql(words, types, null, null) end;
begin
  for attempt in case when is_known then 2 else 1 end .. 2 loop
    if attempt = 2 then
      hits := portal_private.looked_up_sql(portal_private.similar_hits_sql(words));
    end if;
    exit when hits is null;
    return query execute portal_private.seen_sql(hits, types) || ',
      page as (select s.id, s.rank, s.updated from seen s order by s.rank desc, s.updated desc, s.id desc offset $2 limit $3)
      select p.id, row_number() over (order by p.rank desc, p.updated desc, p.id desc), n.total
        from (select count(*) as total from seen) n left join page p on true where n.total > 0'
      using who, skipped, most;
    if found then
      return;
    end if;
  end loop;
  return query select null::integer, null::bigint, 0::bigint;
end
$$;

-- Hits of a search that is kept: those with facts or words that were written since, and those that not everybody sees, are looked up; of the others everybody sees
-- the same.
create or replace function portal.search_page(words text[], types text[], skipped bigint, most integer) returns table (id integer, place bigint, total bigint)
language plpgsql stable security definer set search_path = pg_catalog, pg_temp set enable_seqscan = off set plan_cache_mode = force_generic_plan rows 100 as $$
#variable_conflict use_column
declare
  most_moved constant integer := 500;
  who portal_private.caller := portal_private.who();
  terms portal_private.search_terms := portal_private.terms_of(words);
  asked_for bytea := sha256(convert_to(portal_private.hits_sql(terms), 'UTF8'));
  kept record;
  worded integer[];
  changed integer[];
  moved integer[];
  moved_ids integer[];
  moved_ranks real[];
  moved_places integer[];
  first bigint;
  last integer;
  counted bigint := 0;
  open_starts integer[] := '{}';
  open_ends integer[] := '{}';
  head_ids integer[] := '{}';
  head_ranks real[] := '{}';
  head_updated timestamptz[] := '{}';
  other_ids integer[] := '{}';
  other_ranks real[] := '{}';
begin
  select k.snapshot, k.ids, k.ranks, k.updated, k.part_types, k.part_open, k.part_starts, k.part_ends into kept
    from portal_private.kept_search k where k.asked = asked_for and k.cluster = portal_private.cluster();
  if kept.snapshot is not null then
    select array(select t.resource_id from portal_private.search_text t
                  where t.written >= pg_snapshot_xmin(kept.snapshot) and not pg_visible_in_snapshot(t.written, kept.snapshot)
                  order by t.written limit most_moved + 1),
           array(select f.resource_id from portal_private.facts_written f
                  where f.written >= pg_snapshot_xmin(kept.snapshot) and not pg_visible_in_snapshot(f.written, kept.snapshot)
                  order by f.written limit most_moved + 1)
      into worded, changed;
  end if;
  if kept.snapshot is null or greatest(cardinality(worded), cardinality(changed)) > most_moved then
    return query select p.* from portal_private.search_page_anew(who, words, types, skipped, most, false) p;
    return;
  end if;
  moved := worded || changed;
  if cardinality(moved) > 0 then
    select m.ids, m.ranks, m.places into moved_ids, moved_ranks, moved_places from portal_private.moved_hits(asked_for, terms, worded, changed) m;
  end if;
  for i in 1 .. cardinality(kept.part_types) loop
    continue when kept.part_types[i] <> all (types);
    first := kept.part_starts[i];
    last := kept.part_ends[i];
    if kept.part_open[i] then
      counted := counted + last - first + 1;
      open_starts := open_starts || first::integer;
      open_ends := open_ends || last;
      -- Those that have changed may be missing from the beginning.
      last := least(last, first + least(skipped, 2147483647) + most + cardinality(moved) - 1);
      head_ids := head_ids || kept.ids[first:last];
      head_ranks := head_ranks || kept.ranks[first:last];
      head_updated := head_updated || kept.updated[first:last];
    else
      other_ids := other_ids || kept.ids[first:last];
      other_ranks := other_ranks || kept.ranks[first:last];
    end if;
  end loop;
  return query
    with seen as materialized (
      select r.id, o.rank, r.last_updated as updated
        from (select u.id, u.rank from (select unnest(other_ids) as id, unnest(other_ranks) as rank) u where u.id not in (select unnest(moved))
              union all select unnest(moved_ids), unnest(moved_ranks)) o
        join portal.resource r on r.id = o.id
       where portal_private.shown(who, r.id, r.owner_id, r.private_group, r.is_public, r.viewers, r.obstacles)
         and (types is null or r.resource_type = any (types))
    ), page as (
      select s.id, s.rank, s.updated
        from (select u.id, u.rank, u.updated
                from (select unnest(head_ids) as id, unnest(head_ranks) as rank, unnest(head_updated) as updated) u where u.id not in (select unnest(moved))
              union all table seen) s
       order by s.rank desc, s.updated desc, s.id desc offset skipped limit most
    )
    select p.id, row_number() over (order by p.rank desc, p.updated desc, p.id desc), n.total
      from (select counted + (select count(*) from seen)
                   - (select count(*) from unnest(moved_places) m(place) join unnest(open_starts, open_ends) o(first, last) on m.place between o.first and o.last) as total) n
      left join page p on true
     where n.total > 0;
  if not found then
    return query select p.* from portal_private.search_page_anew(who, words, types, skipped, most, true) p;
  end if;
end
$$;
drop function portal_private.kept_page_sql(text[], text[], bigint, integer);

-- As `search_page_anew`.
create function portal_private.search_hits_anew(who portal_private.caller, words text[], of_types text[], of_categories text[], boxes double precision[], is_known boolean)
returns table (id integer, rank real)
language plpgsql stable set search_path = pg_catalog, pg_temp set enable_seqscan = on set plan_cache_mode = auto rows 100 as $$
declare
  hits text;
  is_found boolean := false;
begin
  if not is_known then
    return query execute portal_private.seen_sql(portal_private.candidates_sql(words, of_types, of_categories, boxes)) || ' select s.id, s.rank from seen s' using who;
    if found then
      return;
    end if;
  end if;
  -- Similar words are for who sees nothing that has these words, of whatever type and wherever it is.
  if num_nonnulls(of_types, of_categories, boxes) > 0 then
    execute portal_private.seen_sql(portal_private.candidates_sql(words, null, null, null)) || ' select exists (select from seen)' into is_found using who;
  end if;
  hits := portal_private.looked_up_sql(portal_private.similar_hits_sql(words));
  if hits is not null and not is_found then
    return query execute portal_private.seen_sql(hits) || ' select s.id, s.rank from seen s' using who;
  end if;
end
$$;

create or replace function portal.search_hits(words text[], of_types text[], of_categories text[], boxes double precision[])
returns table (id integer, rank real)
language plpgsql stable security definer set search_path = pg_catalog, pg_temp set enable_seqscan = off set plan_cache_mode = force_generic_plan rows 100 as $$
#variable_conflict use_column
declare
  most_moved constant integer := 500;
  who portal_private.caller := portal_private.who();
  terms portal_private.search_terms := portal_private.terms_of(words);
  asked_for bytea := sha256(convert_to(portal_private.hits_sql(terms), 'UTF8'));
  kept record;
  worded integer[];
  changed integer[];
  moved integer[];
  moved_ids integer[];
  moved_ranks real[];
  areas box[];
  category integer;
  found_at integer[] := '{}';
  kept_ids integer[];
  kept_ranks real[];
  kept_open boolean[];
  kept_types text[];
  kept_extents box[];
begin
  select k.snapshot, k.ids, k.ranks, k.is_open, k.types, k.categories, k.extents into kept
    from portal_private.kept_search k where k.asked = asked_for and k.cluster = portal_private.cluster();
  if kept.snapshot is not null then
    select array(select t.resource_id from portal_private.search_text t
                  where t.written >= pg_snapshot_xmin(kept.snapshot) and not pg_visible_in_snapshot(t.written, kept.snapshot)
                  order by t.written limit most_moved + 1),
           array(select f.resource_id from portal_private.facts_written f
                  where f.written >= pg_snapshot_xmin(kept.snapshot) and not pg_visible_in_snapshot(f.written, kept.snapshot)
                  order by f.written limit most_moved + 1)
      into worded, changed;
  end if;
  if kept.snapshot is null or greatest(cardinality(worded), cardinality(changed)) > most_moved then
    return query select h.* from portal_private.search_hits_anew(who, words, of_types, of_categories, boxes, false) h;
    return;
  end if;
  moved := worded || changed;
  if cardinality(moved) > 0 then
    select m.ids, m.ranks into moved_ids, moved_ranks from portal_private.moved_hits(asked_for, terms, worded, changed) m;
  end if;
  if boxes is not null then
    areas := array(select box(point(boxes[i], boxes[i + 1]), point(boxes[i + 2], boxes[i + 3])) from generate_series(1, cardinality(boxes), 4) i);
  end if;
  if of_categories is null and boxes is null then
    return query
      with f as materialized (
        select u.id, u.rank, u.is_open
          from (select unnest(k.ids) as id, unnest(k.ranks) as rank, unnest(k.is_open) as is_open, unnest(case when of_types is not null then k.types end) as type
                  from portal_private.kept_search k where k.asked = asked_for) u
         where (of_types is null or u.type = any (of_types)) and u.id not in (select unnest(moved))
      )
      select f.id, f.rank from f where f.is_open
      union all
      select r.id, o.rank
        from (select f.id, f.rank from f where not f.is_open union all select unnest(moved_ids), unnest(moved_ranks)) o
        join portal.resource r on r.id = o.id
       where portal_private.shown(who, r.id, r.owner_id, r.private_group, r.is_public, r.viewers, r.obstacles);
  else
    -- Places first: of arrays in variables, what is at a place is found at once.
    if of_categories is null then
      found_at := array(
        select u.place from (select unnest(kept.extents) as extent, generate_subscripts(kept.ids, 1) as place) u
         -- What has no extent of its own may have another one.
         where u.extent && any (areas) or u.extent is null);
    else
      foreach category in array array(select c.id from portal.category c where c.identifier = any (of_categories) or lower(c.identifier) = any (of_categories)) loop
        found_at := found_at || array_positions(kept.categories, category);
      end loop;
      kept_extents := case when boxes is not null then kept.extents end;
    end if;
    kept_ids := kept.ids;
    kept_ranks := kept.ranks;
    kept_open := kept.is_open;
    kept_types := case when of_types is not null then kept.types end;
    return query
      with f as materialized (
        select kept_ids[u.place] as id, kept_ranks[u.place] as rank, kept_open[u.place] as is_open
          from (select unnest(found_at) as place) u
         where (of_types is null or kept_types[u.place] = any (of_types))
           and (kept_extents is null or kept_extents[u.place] && any (areas) or kept_extents[u.place] is null)
           and kept_ids[u.place] not in (select unnest(moved))
      )
      select f.id, f.rank from f where f.is_open
      union all
      select r.id, o.rank
        from (select f.id, f.rank from f where not f.is_open union all select unnest(moved_ids), unnest(moved_ranks)) o
        join portal.resource r on r.id = o.id
       where portal_private.shown(who, r.id, r.owner_id, r.private_group, r.is_public, r.viewers, r.obstacles);
  end if;
  if not found then
    return query select h.* from portal_private.search_hits_anew(who, words, of_types, of_categories, boxes, true) h;
  end if;
end
$$;

-- As in 0125, with the hits in the order of their numbers.
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
      part_types, part_open, part_starts, part_ends, sorted, places)
    with found as materialized (
      select r.id, h.rank, r.is_public and r.obstacles = 0 as is_open, r.resource_type as type, coalesce(r.category_id, 0) as category,
             r.ll_bbox_polygon::box as extent, r.last_updated as updated
        from (' || statement || ' limit 500001) h join portal.resource r on r.id = h.resource_id
       order by type, is_open desc, rank desc, updated desc, id desc
    ), parts as (
      select p.type, p.is_open, min(p.n) as start, max(p.n) as stop
        from (select f.type, f.is_open, row_number() over () as n from found f) p group by p.type, p.is_open
    ), sorted as (
      select array_agg(s.id order by s.id) as ids, array_agg(s.n order by s.id) as places
        from (select f.id, (row_number() over ())::integer as n from found f) s
    )
    select $1, $2, pg_current_snapshot(), f.*, p.*, s.*
      from (select count(*) as hits, array_agg(f.id) as ids, array_agg(f.rank), array_agg(f.is_open), array_agg(f.type), array_agg(f.category),
                   array_agg(f.extent), array_agg(f.updated) from found f) f
           cross join (select array_agg(p.type), array_agg(p.is_open), array_agg(p.start), array_agg(p.stop) from parts p) p
           cross join sorted s
     where f.hits between 1 and 500000
    on conflict (asked) do update set cluster = excluded.cluster, snapshot = excluded.snapshot, hits = excluded.hits, ids = excluded.ids,
      ranks = excluded.ranks, is_open = excluded.is_open, types = excluded.types, categories = excluded.categories, extents = excluded.extents,
      updated = excluded.updated, part_types = excluded.part_types, part_open = excluded.part_open, part_starts = excluded.part_starts,
      part_ends = excluded.part_ends, sorted = excluded.sorted, places = excluded.places, kept = now()' using asked_for, portal_private.cluster();
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

-- As in 0124, with fewer statements to begin.
create or replace function portal_private.who() returns portal_private.caller
language plpgsql stable parallel safe as $$
declare
  claimed integer := portal_private.claimed_account();
  is_admin boolean := portal_private.caller_role() = 'survest_admin';
  me integer;
  is_superuser boolean;
  is_staff boolean;
  groups integer[];
  -- In a statement of its own, without parameters: it has one plan, whoever is the first to ask.
  is_on text[] := array(select s.name from portal.setting s where s.value);
begin
  if claimed is not null then
    select d.account_id, d.is_superuser, d.is_staff, array(select -g.group_id from portal.group_member g where g.account_id = claimed)
      into me, is_superuser, is_staff, groups
      from portal.account_detail d where d.account_id = claimed and d.is_active;
    is_admin := is_admin and coalesce(is_superuser, false);
  end if;
  return row(
    me, is_admin, is_admin or coalesce(is_staff, false), is_admin or 'READ_ONLY' <> all (is_on),
    case when me is null then '{-1}' else array[me, -1, -2] || groups end,
    case when is_admin then 32
         when me is null then 32 | 64 | ('ADMIN_MODERATE_UPLOADS' = any (is_on))::integer | ('RESOURCE_PUBLISHING' = any (is_on))::integer * 2
                                      | ('GROUP_PRIVATE_RESOURCES' = any (is_on))::integer * 4
         else 32 | 64 | (is_on @> '{ADMIN_MODERATE_UPLOADS, RESOURCE_PUBLISHING}')::integer * 8 | ('GROUP_PRIVATE_RESOURCES' = any (is_on))::integer * 16
    end)::portal_private.caller;
end
$$;

-- As in 0120; that the portal is read-only is known of whoever asks, but for administrators.
create or replace function portal.item_stamps(resources integer[]) returns table (resource_id integer, stamp text, is_placed boolean)
language plpgsql stable parallel safe security definer set search_path = pg_catalog, pg_temp set enable_seqscan = off set plan_cache_mode = force_generic_plan rows 100 as $$
declare
  who portal_private.caller := portal_private.who();
  asking integer[] := who.principals || 0;
  is_read_only boolean := case when who.admin then portal.setting_on('READ_ONLY') else not who.writable end;
begin
  return query
    select r.id,
           row(r.stamp, p.stamp, (select w.stamp from portal_private.words_stamp w where w.is_one), is_read_only,
               portal_private.allowed(who, r.resource_type,
                 (select bit_or(x.perms) from portal_private.resource_grant x
                   where x.resource_id = r.id and x.principal = any (asking))),
               o.*,
               case when r.poc_id <> r.owner_id then (select a from portal.account a where a.id = r.poc_id) end,
               case when r.metadata_author_id <> r.owner_id then (select a from portal.account a where a.id = r.metadata_author_id) end,
               case when r.group_id is not null then
                 (select g.slug from portal.user_group g
                   where g.id = r.group_id and (g.access <> 'private' or portal_private.sees_group(who, g))) end)::text,
           r.resource_type = 'map' and r.srid = 'EPSG:4326' and (r.bbox_polygon is null or r.ll_bbox_polygon is null)
      from unnest(resources) with ordinality as wanted (id, n)
      join portal.resource r on r.id = wanted.id
      left join portal_private.parts_stamp p on p.resource_id = r.id
      left join portal.account o on o.id = r.owner_id
     where portal_private.shown(who, r.id, r.owner_id, r.private_group, r.is_public, r.viewers, r.obstacles)
     order by wanted.n;
end
$$;

-- As in 0123, facet by facet: those that nobody asks for have nothing to begin.
create or replace function portal_private.facet_counts_of_few(facets text[], hits integer[], top integer)
returns table (facet text, value text, label text, items bigint, "values" bigint)
language plpgsql stable set search_path = pg_catalog, pg_temp set enable_seqscan = off set plan_cache_mode = force_generic_plan rows 50 as $$
#variable_conflict use_column
declare
  who portal_private.caller := portal_private.who();
  seen integer[];
  types text[];
  categories integer[];
  owners integer[];
begin
  select array_agg(r.id), array_agg(r.resource_type), array_agg(r.category_id), array_agg(r.owner_id) into seen, types, categories, owners
    from unnest(hits) h(id) cross join lateral (select * from portal.resource x where x.id = h.id offset 0) r
   where portal_private.shown(who, r.id, r.owner_id, r.private_group, r.is_public, r.viewers, r.obstacles);
  if 'category' = any (facets) then
    return query
      select 'category', g.identifier, coalesce(nullif(g.description, ''), g.identifier), n.items, n.all_values
        from (select u.key, count(*) as items, count(*) over () as all_values from unnest(categories) u(key)
               where u.key is not null group by u.key order by 2 desc, 1 limit top) n
        left join portal.category g on g.id = n.key
       order by n.items desc, n.key;
  end if;
  if 'keywords' = any (facets) then
    return query
      select 'keywords', w.slug, w.name, n.items, n.all_values
        from (select k.keyword_id as key, count(*) as items, count(*) over () as all_values
                from unnest(seen) s(id) join portal.resource_keyword k on k.resource_id = s.id group by 1 order by 2 desc, 1 limit top) n
        left join portal.keyword w on w.id = n.key
       order by n.items desc, n.key;
  end if;
  if 'owner' = any (facets) then
    return query
      select 'owner', a.username, coalesce(nullif(btrim(a.first_name || ' ' || a.last_name), ''), a.username), n.items, n.all_values
        from (select u.key, count(*) as items, count(*) over () as all_values from unnest(owners) u(key)
               where u.key is not null group by u.key order by 2 desc, 1 limit top) n
        left join portal.account a on a.id = n.key
       order by n.items desc, n.key;
  end if;
  if 'regions' = any (facets) then
    return query
      select 'regions', p.code, p.name, n.items, n.all_values
        from (select k.region_id as key, count(*) as items, count(*) over () as all_values
                from unnest(seen) s(id) join portal.resource_region k on k.resource_id = s.id group by 1 order by 2 desc, 1 limit top) n
        left join portal.region p on p.id = n.key
       order by n.items desc, n.key;
  end if;
  if 'resource_type' = any (facets) then
    return query
      select 'resource_type', u.word, u.word, count(*), count(*) over () from unnest(types) u(word) group by u.word order by count(*) desc, u.word limit top;
  end if;
end
$$;

revoke all on all functions in schema portal_private from public;

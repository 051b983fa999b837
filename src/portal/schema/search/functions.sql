-- What is searched is in lower case in the same manner.
create or replace function portal_private.after_text() returns trigger
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
begin
  insert into portal_private.search_text (resource_id, body)
    values (new.id, lower((new.title || e'\n' || new.abstract) collate portal.people))
    on conflict (resource_id) do update set body = excluded.body where search_text.body <> excluded.body;
  perform portal_private.index_text(array[new.id]);
  return null;
end
$$;

-- Ids of items the caller sees in whose title or abstract every word occurs, in any case. A word holds no wildcard.
create or replace function portal.search_ids(words text[]) returns setof integer
language plpgsql stable security definer set search_path = pg_catalog, pg_temp rows 1000 as $$
declare
  word text;
  condition text := '';
begin
  foreach word in array words loop
    condition := condition || format(' and t.body like %L',
      '%' || replace(replace(replace(lower(word collate portal.people), '\', '\\'), '%', '\%'), '_', '\_') || '%');
  end loop;
  return query execute
    'select r.id from portal_private.search_text t join portal.resource r on r.id = t.resource_id
      where portal_private.shown($1, r.id, r.owner_id, r.private_group, r.is_public, r.viewers, r.obstacles)' || condition
    using portal_private.who();
end
$$;

-- The same as a full-text search: whole words, "phrases", or, -not.
create or replace function portal.fulltext_ids(query text) returns setof integer
language plpgsql stable security definer set search_path = pg_catalog, pg_temp rows 1000 as $$
declare
  who portal_private.caller := portal_private.who();
begin
  return query
    select r.id from portal_private.search_text t join portal.resource r on r.id = t.resource_id
     where t.words @@ websearch_to_tsquery('simple', lower(query collate portal.people))
       and portal_private.shown(who, r.id, r.owner_id, r.private_group, r.is_public, r.viewers, r.obstacles);
end
$$;

-- Ids of items the caller sees whose extent meets one of the boxes, four numbers each (xmin, ymin, xmax, ymax; WGS 84). For
-- databases where `&&` may not use an index under policies; where it may, a plain condition does the same.
do $extent$
declare
  gis text := (select n.nspname from pg_catalog.pg_extension e join pg_catalog.pg_namespace n on n.oid = e.extnamespace
                where e.extname = 'postgis');
begin
  execute pg_catalog.format($f$
    create or replace function portal.extent_ids(boxes double precision[]) returns setof integer
    language plpgsql stable security definer set search_path = pg_catalog, pg_temp rows 1000 as $b$
    declare
      who portal_private.caller := portal_private.who();
    begin
      return query
        select distinct r.id
          from (select %1$I.st_makeenvelope(boxes[i], boxes[i + 1], boxes[i + 2], boxes[i + 3], 4326)
                  from generate_series(1, coalesce(cardinality(boxes), 0), 4) i) b(box)
          join portal.resource r on r.ll_bbox_polygon operator(%1$I.&&) b.box and %1$I.st_intersects(r.ll_bbox_polygon, b.box)
         where portal_private.shown(who, r.id, r.owner_id, r.private_group, r.is_public, r.viewers, r.obstacles);
    end
    $b$
  $f$, gis);
end
$extent$;

-- ISO 639-2 code → configuration that this server has; the plain one for all others.
create or replace function portal_private.search_config_of(language text) returns text
language sql stable set search_path = pg_catalog, pg_temp
return coalesce((select c.cfgname::text from pg_ts_config c
  where c.cfgnamespace = 'pg_catalog'::regnamespace and c.cfgname = case language
    when 'eng' then 'english' when 'deu' then 'german' when 'ger' then 'german' when 'fra' then 'french' when 'fre' then 'french'
    when 'spa' then 'spanish' when 'ita' then 'italian' when 'por' then 'portuguese' when 'nld' then 'dutch' when 'dut' then 'dutch'
    when 'dan' then 'danish' when 'swe' then 'swedish' when 'nor' then 'norwegian' when 'nob' then 'norwegian' when 'nno' then 'norwegian'
    when 'fin' then 'finnish' when 'hun' then 'hungarian' when 'ron' then 'romanian' when 'rum' then 'romanian' when 'rus' then 'russian'
    when 'tur' then 'turkish' when 'ell' then 'greek' when 'gre' then 'greek' when 'ara' then 'arabic' when 'cat' then 'catalan'
    when 'eus' then 'basque' when 'baq' then 'basque' when 'gle' then 'irish' when 'ind' then 'indonesian' when 'lit' then 'lithuanian'
    when 'hin' then 'hindi' when 'nep' then 'nepali' when 'srp' then 'serbian' when 'tam' then 'tamil' when 'yid' then 'yiddish'
    when 'hye' then 'armenian' when 'arm' then 'armenian' when 'est' then 'estonian' end), 'simple');

-- `river` → `  r`, ` ri`, `riv`, `ive`, `ver`, `er `.
create or replace function portal_private.grams(word text) returns text[]
language sql immutable set search_path = pg_catalog, pg_temp
return array(select distinct substr('  ' || word || ' ', i, 3) from generate_series(1, length(word) + 1) i);

create or replace function portal_private.index_text(ids integer[]) returns void
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
begin
  update portal_private.search_text t
     set terms = n.terms, worded = false,
         -- As it is written and as it is stemmed: the first finds what is only begun to be typed.
         vector = setweight(to_tsvector('simple', n.title), 'A') || setweight(to_tsvector(n.config, n.title), 'A')
               || setweight(to_tsvector('simple', n.terms), 'B') || setweight(to_tsvector(n.config, n.terms), 'B')
               || setweight(to_tsvector('simple', n.about), 'C') || setweight(to_tsvector(n.config, n.about), 'C')
    from (
      select r.id, lower(r.title collate portal.people) as title, portal_private.search_config_of(r.language)::regconfig as config,
             lower(left(r.abstract, 50000) collate portal.people) as about,
             lower(concat_ws(e'\n',
               (select string_agg(k.name, e'\n') from portal.resource_keyword x join portal.keyword k on k.id = x.keyword_id
                 where x.resource_id = r.id),
               (select string_agg(k.alt_label || coalesce(e'\n' || (select string_agg(l.value, e'\n') from jsonb_each_text(k.labels) l), ''), e'\n')
                  from portal.resource_tkeyword x join portal.thesaurus_keyword k on k.id = x.keyword_id where x.resource_id = r.id),
               -- Its name alone: the description of a category has words for things that an item in it need not have.
               (select regexp_replace(c.identifier, '([a-z])([A-Z])', '\1 \2', 'g') from portal.category c where c.id = r.category_id),
               (select string_agg(g.name, e'\n') from portal.resource_region x join portal.region g on g.id = x.region_id
                 where x.resource_id = r.id),
               (select string_agg(concat_ws(e'\n', a.attribute, replace(a.attribute, '_', ' '), a.attribute_label), e'\n')
                  from (select * from portal.attribute a where a.resource_id = r.id order by a.id limit 300) a)
             ) collate portal.people) as terms
        from portal.resource r where r.id = any (ids)) n
   where t.resource_id = n.id;
end
$$;

-- Items whose words are not in the dictionary yet, some at a time, and those that a release wrote that did not know of it. Words that no item
-- has any more go. How many items there were.
create or replace function portal.fill_search() returns integer
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  due integer[] := array(select t.resource_id from portal_private.search_text t where not t.worded
                           order by t.resource_id limit 500 for update skip locked);
  old text[];
begin
  perform portal_private.index_text(array(select t.resource_id from portal_private.search_text t
                                           where t.resource_id = any (due) and t.vector is null));
  insert into portal_private.search_config
    select distinct portal_private.search_config_of(r.language) as name from portal.resource r where r.id = any (due)
     order by name on conflict do nothing;
  -- In one order, so that two copies of the program wait for each other at most.
  insert into portal_private.search_word (word, grams)
    select w.lexeme, portal_private.grams(w.lexeme)
      from (select distinct u.lexeme from portal_private.search_text t cross join unnest(t.vector) u
             where t.resource_id = any (due) and length(u.lexeme) between 4 and 30 and u.lexeme ~ '^[[:alpha:]]+$') w
     where not exists (select from portal_private.search_word s where s.word = w.lexeme)
     order by w.lexeme
    on conflict do nothing;
  update portal_private.search_text t set worded = true where t.resource_id = any (due);
  if cardinality(due) = 0 then
    old := array(select w.word from portal_private.search_word w where w.checked < now() - interval '1 day'
                  order by w.checked limit 500 for update skip locked);
    delete from portal_private.search_word w
     where w.word = any (old)
       and not exists (select from portal_private.search_text t where t.vector @@ to_tsquery('simple', quote_literal(w.word)));
    update portal_private.search_word w set checked = now() where w.word = any (old);
  end if;
  return cardinality(due);
end
$$;

-- Once for all rows of a statement: a layer has hundreds of attributes.
create or replace function portal_private.after_terms() returns trigger
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
begin
  perform portal_private.index_text(array(select distinct c.resource_id from changed c));
  return null;
end
$$;

create or replace function portal_private.word_query(word text) returns tsquery
language plpgsql stable set search_path = pg_catalog, pg_temp as $$
begin
  return portal_private.word_query(word, portal_private.word_configs());
end
$$;

-- A word in these configurations, or as the beginning of one.
create or replace function portal_private.word_query(word text, configs text[]) returns tsquery
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

-- Words of items that are like the one that was typed: as alike as the best of them, or nearly.
create or replace function portal_private.similar_words(typed text) returns text[]
language plpgsql stable set search_path = pg_catalog, pg_temp as $$
declare
  low text := lower(left(typed, 30) collate portal.people);
  wanted text[] := portal_private.grams(low);
begin
  if length(low) < 4 then
    return '{}';
  end if;
  return array(
    with alike as (
      select w.word, c.common::real / (cardinality(w.grams) + cardinality(wanted) - c.common) as likeness
        from portal_private.search_word w
        cross join lateral (select count(*) as common from unnest(w.grams) g where g = any (wanted)) c
       where w.grams && wanted and length(w.word) between length(low) - 2 and length(low) + 3)
    select a.word from alike a
     where a.likeness >= 0.3 and a.likeness >= (select max(likeness) from alike) - 0.1
     order by a.likeness desc, a.word limit 10);
end
$$;

-- Every word, or one of them, replaced by those that it is like. Null: one is like none.
create or replace function portal_private.similar_query(words text[], every boolean) returns tsquery
language plpgsql stable set search_path = pg_catalog, pg_temp as $$
declare
  word text;
  candidate text;
  near tsquery;
  asked tsquery;
begin
  foreach word in array words loop
    near := portal_private.word_query(word);
    foreach candidate in array portal_private.similar_words(word) loop
      near := case when near is null then portal_private.word_query(candidate) else near || portal_private.word_query(candidate) end;
    end loop;
    if near is null then
      return null;
    end if;
    asked := case when asked is null then near when every then asked && near else asked || near end;
  end loop;
  return asked;
end
$$;

create or replace function portal.search_hits(words text[]) returns table (id integer, rank real)
language plpgsql stable security definer set search_path = pg_catalog, pg_temp rows 1000 as $$
begin
  return query select h.id, h.rank from portal.search_hits(words, null, null, null) h;
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

-- Where the words stand in items that the caller sees: those of title and abstract as they are written there, and the terms (keywords, category,
-- regions, attributes) that have one. `exact`: nothing was guessed.
create or replace function portal.search_matches(words text[], ids integer[]) returns jsonb
language plpgsql stable security definer set search_path = pg_catalog, pg_temp as $$
declare
  who portal_private.caller := portal_private.who();
  seen integer[] := array(select r.id from portal.resource r where r.id = any (ids[1:100])
    and portal_private.shown(who, r.id, r.owner_id, r.private_group, r.is_public, r.viewers, r.obstacles));
  patterns text[] := '{}';
  queries tsquery[] := '{}';
  asked tsquery;
  one tsquery;
  word text;
  exact boolean;
begin
  foreach word in array words loop
    one := portal_private.word_query(word);
    asked := case when asked is null then one when one is null then asked else asked || one end;
    patterns := patterns || portal_private.like_pattern(word);
    queries := queries || coalesce(one, '');
  end loop;
  exact := exists (select from portal_private.search_text t where t.resource_id = any (seen)
    and (select bool_and(coalesce(t.vector @@ w.query, false) or t.body like w.pattern) from unnest(queries, patterns) w(query, pattern)));
  if not exact then
    asked := portal_private.similar_query(words, false);
  end if;
  return jsonb_build_object('exact', exact, 'matches', coalesce((
    select jsonb_agg(jsonb_build_object('pk', r.id::text, 'words', m.words, 'terms', m.terms))
      from portal.resource r
      join portal_private.search_text t on t.resource_id = r.id
      cross join lateral (select portal_private.search_config_of(r.language)::regconfig as name) config
      cross join lateral (select
        (select coalesce(jsonb_agg(distinct lower(h.word[1])), '[]')
           from regexp_matches(
             ts_headline(config.name, left(r.title || e'\n' || portal.plain_text(r.abstract), 20000), asked, e'HighlightAll=true, StartSel=\x02, StopSel=\x03'),
             e'\x02([^\x03]{1,100})\x03', 'g') h(word)) as words,
        (select coalesce(jsonb_agg(distinct l.line), '[]')
           from (select l.line from regexp_split_to_table(t.terms, e'\n') l(line)
                  where to_tsvector('simple', l.line) @@ asked or to_tsvector(config.name, l.line) @@ asked limit 5) l) as terms) m
     where r.id = any (seen) and asked is not null), '[]'));
end
$$;

create or replace function portal_private.hits_sql(words text[]) returns text
language plpgsql stable set search_path = pg_catalog, pg_temp as $$
begin
  return portal_private.hits_sql(portal_private.terms_of(words));
end
$$;

-- As in 0114.
create or replace function portal_private.hits_sql(terms portal_private.search_terms) returns text
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

-- The same for words that are like those of the search. Null: one of them is like none.
create or replace function portal_private.similar_hits_sql(words text[]) returns text
language plpgsql stable set search_path = pg_catalog, pg_temp as $$
declare
  asked tsquery := portal_private.similar_query(words, true);
begin
  return case when asked is not null then format('select t.resource_id, ts_rank(''{0.1, 0.2, 0.6, 1}''::real[], t.vector, %1$L::tsquery) as rank
    from portal_private.search_text t where t.vector @@ %1$L::tsquery', asked::text) end;
end
$$;

-- The ids of a page, the best first and the newest of equals, each with the number of all that were found; where the page has none, one row
-- without an id. `types`: of these alone; null: of all. Hits of a search that is kept: those with facts or words that were written since, and
-- those that not everybody sees, are looked up; of the others everybody sees the same.
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

create or replace function portal_private.note_written() returns trigger
language plpgsql set search_path = pg_catalog, pg_temp as $$
begin
  new.written := pg_current_xact_id();
  return new;
end
$$;

-- Null where nobody says which cluster it is: then nothing is kept.
create or replace function portal_private.cluster() returns bigint
language plpgsql stable as $$
begin
  if has_function_privilege('pg_catalog.pg_control_system()'::regprocedure, 'execute') then
    return (pg_control_system()).system_identifier;
  end if;
  return null;
end
$$;

-- Items whose text was written by transactions that a snapshot does not see, `most` of them. By the index, whatever is known of the values in it.
create or replace function portal_private.written_since(since pg_snapshot, most integer) returns integer[]
language plpgsql stable set search_path = pg_catalog, pg_temp set enable_seqscan = off set plan_cache_mode = force_generic_plan as $$
begin
  return array(select t.resource_id from portal_private.search_text t
                where t.written >= pg_snapshot_xmin(since) and not pg_visible_in_snapshot(t.written, since)
                order by t.written limit most);
end
$$;

-- For the service: keeps what a search finds, unless that is done and little was written since. Whether it was kept now.
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

create or replace function portal_private.note_facts() returns trigger
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
begin
  insert into portal_private.facts_written as f (resource_id, written) values (old.id, pg_current_xact_id())
    on conflict (resource_id) do update set written = excluded.written where f.written <> excluded.written;
  return null;
end
$$;

-- Items with facts that were written by transactions that a snapshot does not see, `most` of them.
create or replace function portal_private.facts_since(since pg_snapshot, most integer) returns integer[]
language plpgsql stable set search_path = pg_catalog, pg_temp set enable_seqscan = off set plan_cache_mode = force_generic_plan as $$
begin
  return array(select f.resource_id from portal_private.facts_written f
                where f.written >= pg_snapshot_xmin(since) and not pg_visible_in_snapshot(f.written, since)
                order by f.written limit most);
end
$$;

-- Hits as `candidates_sql` has them, of which nothing is known but that they were found.
create or replace function portal_private.looked_up_sql(hits text) returns text
language sql immutable
return 'select h.resource_id as id, h.rank, null::timestamptz as updated, false as is_open from (' || hits || ') h';

-- In SQL, what a search by words finds: `id`, `rank`, `updated`, and whether it `is_open`: then it is there and everybody sees it. Others are to be looked
-- up, `updated` included. Hits may be left out that are not of these types, categories (their identifiers, or these in small letters) and boxes; null: all.
create or replace function portal_private.candidates_sql(words text[], of_types text[], of_categories text[], boxes double precision[]) returns text
language plpgsql stable set search_path = pg_catalog, pg_temp as $$
declare
  most constant integer := 500;
  statement text := portal_private.hits_sql(words);
  unkept text := portal_private.looked_up_sql(statement);
  asked_for bytea := sha256(convert_to(statement, 'UTF8'));
  since pg_snapshot := (select k.snapshot from portal_private.kept_search k where k.asked = asked_for and k.cluster = portal_private.cluster());
  worded integer[];
  changed integer[];
  columns text := 'unnest(k.ids) as id, unnest(k.ranks) as rank, unnest(k.updated) as updated, unnest(k.is_open) as is_open';
  narrowed text := '';
  kept text;
begin
  if since is null then
    return unkept;
  end if;
  worded := portal_private.written_since(since, most + 1);
  if cardinality(worded) > most then
    return unkept;
  end if;
  changed := portal_private.facts_since(since, most + 1);
  if of_types is not null then
    columns := columns || ', unnest(k.types) as type';
    narrowed := narrowed || format(' and u.type = any (%L::text[])', of_types);
  end if;
  if of_categories is not null then
    columns := columns || ', unnest(k.categories) as category';
    narrowed := narrowed || format(' and u.category = any (%L::integer[])', array(
      select c.id from portal.category c where c.identifier = any (of_categories) or lower(c.identifier) = any (of_categories)));
  end if;
  if boxes is not null then
    columns := columns || ', unnest(k.extents) as extent';
    -- What has no extent of its own may have another one.
    narrowed := narrowed || format(' and (u.extent && any (%L::box[]) or u.extent is null)', array(
      select box(point(boxes[i], boxes[i + 1]), point(boxes[i + 2], boxes[i + 3])) from generate_series(1, cardinality(boxes), 4) i));
  end if;
  kept := ' from (select ' || columns || format(' from portal_private.kept_search k where k.asked = %L::bytea) u', asked_for);
  if cardinality(changed) > most then
    -- So much has changed that all of them are looked up.
    kept := 'select u.id, u.rank, u.updated, false as is_open' || kept || ' where true';
  elsif cardinality(changed) = 0 then
    kept := 'select u.id, u.rank, u.updated, u.is_open' || kept || ' where true' || narrowed;
  else
    kept := format('select u.id, u.rank, u.updated, u.is_open and not (u.id = any (%1$L::integer[])) as is_open%2$s where (u.id = any (%1$L::integer[]) or true%3$s)',
                   changed, kept, narrowed);
  end if;
  return case when cardinality(worded) = 0 then kept
              else format('%1$s and not (u.id = any (%2$L::integer[])) union all %3$s', kept, worded, portal_private.looked_up_sql(
                     format('%1$s and t.resource_id = any (%2$L::integer[])', statement, worded))) end;
end
$$;

-- Those of the candidates that the caller ($1) sees, and that are of these types: `seen` (id, rank, updated). Null: there are none to look for.
create or replace function portal_private.seen_sql(candidates text, of_types text[] default null) returns text
language sql immutable
return 'with f as materialized (' || candidates || '),
  seen as materialized (
    select f.id, f.rank, f.updated from f where f.is_open
    union all
    select r.id, f.rank, r.last_updated from f join portal.resource r on r.id = f.id
     where not f.is_open and portal_private.shown($1, r.id, r.owner_id, r.private_group, r.is_public, r.viewers, r.obstacles)'
  || case when of_types is null then '' else format(' and r.resource_type = any (%L::text[])', of_types) end || ')';

-- Of the languages that items are written in.
create or replace function portal_private.word_configs() returns text[]
language plpgsql stable as $$
begin
  return array(select c.name from portal_private.search_config c where c.name <> 'simple');
end
$$;

create or replace function portal_private.terms_of(words text[]) returns portal_private.search_terms
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

-- Of items that were written since a search was kept: which of them were hits, and at which place (whatever has become of them), and which are hits now, with their
-- rank. Those whose words are the same (`changed`) have the rank that is kept; of the others the words are looked at.
create or replace function portal_private.moved_hits(asked_for bytea, terms portal_private.search_terms, rewritten integer[], changed integer[],
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
create or replace function portal_private.search_page_anew(who portal_private.caller, words text[], types text[], skipped bigint, most integer, is_known boolean)
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

-- As `search_page_anew`.
create or replace function portal_private.search_hits_anew(who portal_private.caller, words text[], of_types text[], of_categories text[], boxes double precision[], is_known boolean)
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

-- So far these went only when another search was kept (0128), and stayed where nobody searched.
create or replace function portal.sweep_facts() returns integer
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  oldest xid8;
  gone integer;
begin
  -- Whoever keeps a search holds it: what its snapshot does not see yet is not taken away under it.
  perform pg_advisory_xact_lock(hashtextextended('portal kept searches', 0));
  oldest := coalesce((select min(pg_snapshot_xmin(k.snapshot)) from portal_private.kept_search k where k.cluster = portal_private.cluster()),
                     pg_snapshot_xmin(pg_current_snapshot()));
  delete from portal_private.facts_written f
   where f.resource_id in (select o.resource_id from portal_private.facts_written o
                            where o.written < oldest or o.written >= pg_snapshot_xmax(pg_current_snapshot())
                            for update skip locked)
     and (f.written < oldest or f.written >= pg_snapshot_xmax(pg_current_snapshot()));
  get diagnostics gone = row_count;
  return gone;
end
$$;

grant execute on function
  portal.fill_search(), portal.keep_search(text[]), portal.sweep_facts()
  to survest_authenticator;

grant execute on function
  portal.search_ids(text[]), portal.fulltext_ids(text), portal.extent_ids(double precision[]), portal.search_hits(text[]),
  portal.search_matches(text[],integer[]), portal.search_page(text[],text[],bigint,integer),
  portal.search_hits(text[],text[],text[],double precision[])
  to survest_anon, survest_user, survest_admin;

-- Ids of items the caller sees in whose title or abstract every word occurs, in any case. A word holds no wildcard.
create or replace function portal.search_ids(words text[]) returns setof integer
language plpgsql stable security definer set search_path = pg_catalog, pg_temp rows 1000 as $$
declare
  word text;
  condition text := '';
begin
  foreach word in array words loop
    condition := condition || format('t.body like %L and ', portal_private.like_pattern(word));
  end loop;
  return query execute 'select t.resource_id from portal_private.search_item t where ' || condition || portal_private.seen_sql()
    using portal_private.who();
end
$$;

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

-- Everything that is asked of these items, made anew. Text is in lower case, in the same manner as what is searched for.
create or replace function portal_private.index_text(ids integer[]) returns void
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
begin
  insert into portal_private.search_item as t (resource_id, resource_type, category_id, extent, updated, is_open, body, terms, vector)
    select n.id, n.resource_type, n.category_id, coalesce(n.ll_bbox_polygon::box, box '(1000,1000),(-1000,-1000)'), n.last_updated, n.is_public and n.obstacles = 0,
           n.low_title || e'\n' || n.low_abstract, n.terms,
           -- As it is written and as it is stemmed: the first finds what is only begun to be typed.
           setweight(to_tsvector('simple', n.low_title), 'A') || setweight(to_tsvector(n.config, n.low_title), 'A')
             || setweight(to_tsvector('simple', n.terms), 'B') || setweight(to_tsvector(n.config, n.terms), 'B')
             || setweight(to_tsvector('simple', n.low_abstract), 'C') || setweight(to_tsvector(n.config, n.low_abstract), 'C')
      from (
        select r.*, lower(r.title collate portal.people) as low_title, lower(r.abstract collate portal.people) as low_abstract,
               portal_private.search_config_of(r.language)::regconfig as config,
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
    on conflict (resource_id) do update
      set (resource_type, category_id, extent, updated, is_open, body, terms, vector, worded)
        = (excluded.resource_type, excluded.category_id, excluded.extent, excluded.updated, excluded.is_open, excluded.body, excluded.terms,
           excluded.vector, false);
end
$$;

-- The row of an item has changed.
create or replace function portal_private.after_item_searched() returns trigger
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
begin
  if (old.title, old.abstract, old.language, old.category_id) is distinct from (new.title, new.abstract, new.language, new.category_id) then
    perform portal_private.index_text(array[new.id]);
  else
    update portal_private.search_item t
       set (resource_type, extent, updated, is_open) = (new.resource_type, coalesce(new.ll_bbox_polygon::box, box '(1000,1000),(-1000,-1000)'), new.last_updated, new.is_public and new.obstacles = 0)
     where t.resource_id = new.id;
  end if;
  return null;
end
$$;

-- What hangs on items has changed; once for all rows of a statement, for a layer has hundreds of attributes. The items are held, in one order: nobody changes
-- their rows meanwhile.
create or replace function portal_private.after_terms() returns trigger
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  ids integer[];
begin
  select array_agg(h.id) into ids
    from (select r.id from portal.resource r where r.id in (select c.resource_id from changed c) order by r.id for no key update) h;
  perform portal_private.index_text(ids);
  return null;
end
$$;

-- Enters the words of items that are not in the dictionary yet, some items at a time. Words that no item has any more go. How many items there were.
create or replace function portal.fill_search() returns integer
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  due integer[] := array(select t.resource_id from portal_private.search_item t where not t.worded
                           order by t.resource_id limit 500 for update skip locked);
  old text[];
begin
  insert into portal_private.search_config
    select distinct portal_private.search_config_of(r.language) as name from portal.resource r where r.id = any (due)
     order by name on conflict do nothing;
  -- In one order, so that two copies of the program wait for each other at most.
  insert into portal_private.search_word (word, grams)
    select w.lexeme, portal_private.grams(w.lexeme)
      from (select distinct u.lexeme from portal_private.search_item t cross join unnest(t.vector) u
             where t.resource_id = any (due) and length(u.lexeme) between 4 and 30 and u.lexeme ~ '^[[:alpha:]]+$') w
     where not exists (select from portal_private.search_word s where s.word = w.lexeme)
     order by w.lexeme
    on conflict do nothing;
  update portal_private.search_item t set worded = true where t.resource_id = any (due);
  if cardinality(due) = 0 then
    old := array(select w.word from portal_private.search_word w where w.checked < now() - interval '1 day'
                  order by w.checked limit 500 for update skip locked);
    delete from portal_private.search_word w
     where w.word = any (old)
       and not exists (select from portal_private.search_item t where t.vector @@ to_tsquery('simple', quote_literal(w.word)));
    update portal_private.search_word w set checked = now() where w.word = any (old);
  end if;
  return cardinality(due);
end
$$;

-- A word in the languages that items are written in, or as the beginning of one.
create or replace function portal_private.word_query(word text) returns tsquery
language plpgsql stable set search_path = pg_catalog, pg_temp as $$
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
  for config in select c.name from portal_private.search_config c where c.name <> 'simple' loop
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
  exact := exists (select from portal_private.search_item t where t.resource_id = any (seen)
    and (select bool_and(coalesce(t.vector @@ w.query, false) or t.body like w.pattern) from unnest(queries, patterns) w(query, pattern)));
  if not exact then
    asked := portal_private.similar_query(words, false);
  end if;
  return jsonb_build_object('exact', exact, 'matches', coalesce((
    select jsonb_agg(jsonb_build_object('pk', r.id::text, 'words', m.words, 'terms', m.terms))
      from portal.resource r
      join portal_private.search_item t on t.resource_id = r.id
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

-- Who asks ($1) sees the item of the row `t`: those that are open to everybody are known, the others are looked up.
create or replace function portal_private.seen_sql() returns text
language sql immutable
return '(t.is_open or (select portal_private.shown($1, r.id, r.owner_id, r.private_group, r.is_public, r.viewers, r.obstacles)
    from portal.resource r where r.id = t.resource_id))';

-- In SQL: items with all of these words that the caller ($1) sees, as `id`, `rank` and `updated`, but for those that are not of these types, categories (their
-- identifiers, or these in small letters) and boxes; null: of all. `is_guess`: with words like these; null where one is like none.
create or replace function portal_private.hits_sql(words text[], is_guess boolean, of_types text[], of_categories text[], boxes double precision[])
returns text
language plpgsql stable set search_path = pg_catalog, pg_temp as $$
declare
  word text;
  one tsquery;
  asked tsquery;
  condition text := '';
  bonus text := '0';
begin
  if is_guess then
    asked := portal_private.similar_query(words, true);
    if asked is null then
      return null;
    end if;
    condition := format('t.vector @@ %L::tsquery and ', asked::text);
  else
    foreach word in array words loop
      one := portal_private.word_query(word);
      asked := case when asked is null then one when one is null then asked else asked || one end;
      condition := condition || format('(%st.body like %L) and ',
        case when one is null then '' else format('t.vector @@ %L::tsquery or ', one::text) end, portal_private.like_pattern(word));
    end loop;
    -- A title that begins with what was typed comes before all others.
    bonus := format('case when t.body like %L then 1 else 0 end', substr(portal_private.like_pattern(array_to_string(words, ' ')), 2));
  end if;
  if of_types is not null then
    condition := condition || format('t.resource_type = any (%L::text[]) and ', of_types);
  end if;
  if of_categories is not null then
    condition := condition || format('t.category_id = any (%L::integer[]) and ',
      array(select c.id from portal.category c where c.identifier = any (of_categories) or lower(c.identifier) = any (of_categories)));
  end if;
  if boxes is not null then
    condition := condition || '(' || (
      select string_agg(format('t.extent && %L::box', box(point(boxes[i], boxes[i + 1]), point(boxes[i + 2], boxes[i + 3]))), ' or ')
        from generate_series(1, cardinality(boxes), 4) i) || ') and ';
  end if;
  return format('select t.resource_id as id, (coalesce(ts_rank(''{0.1, 0.2, 0.6, 1}''::real[], t.vector, %L::tsquery), 0) + %s)::real as rank, t.updated
    from portal_private.search_item t where ', asked::text, bonus) || condition || portal_private.seen_sql();
end
$$;

-- Of these types, categories and boxes, which may leave some in that fail them.
create or replace function portal.search_hits(words text[], of_types text[], of_categories text[], boxes double precision[])
returns table (id integer, rank real)
language plpgsql stable security definer set search_path = pg_catalog, pg_temp set max_parallel_workers_per_gather = 0 set jit = off rows 100 as $$
declare
  who portal_private.caller := portal_private.who();
  hits text := portal_private.hits_sql(words, false, of_types, of_categories, boxes);
  is_found boolean := false;
begin
  return query execute 'select h.id, h.rank from (' || hits || ') h' using who;
  if found then
    return;
  end if;
  -- Similar words are for who sees nothing that has these words, of whatever type and wherever it is.
  if num_nonnulls(of_types, of_categories, boxes) > 0 then
    execute 'select exists (' || portal_private.hits_sql(words, false, null, null, null) || ')' into is_found using who;
  end if;
  hits := case when not is_found then portal_private.hits_sql(words, true, of_types, of_categories, boxes) end;
  if hits is not null then
    return query execute 'select h.id, h.rank from (' || hits || ') h' using who;
  end if;
end
$$;

-- The ids of a page, the best first and the newest of equals, each with the number of all that were found; where the page has none, one row without an id.
-- `types`: of these alone; null: of all.
create or replace function portal.search_page(words text[], types text[], skipped bigint, most integer) returns table (id integer, place bigint, total bigint)
language plpgsql stable security definer set search_path = pg_catalog, pg_temp set max_parallel_workers_per_gather = 0 set jit = off rows 100 as $$
declare
  who portal_private.caller := portal_private.who();
  is_guess boolean;
  hits text;
begin
  foreach is_guess in array array[false, true] loop
    hits := portal_private.hits_sql(words, is_guess, types, null, null);
    exit when hits is null;
    return query execute 'with seen as materialized (' || hits || '),
      page as (select s.* from seen s order by s.rank desc, s.updated desc, s.id desc offset $2 limit $3)
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

grant execute on function portal.fill_search() to survest_authenticator;

grant execute on function
  portal.search_ids(text[]), portal.search_hits(text[],text[],text[],double precision[]), portal.search_matches(text[],integer[]),
  portal.search_page(text[],text[],bigint,integer)
  to survest_anon, survest_user, survest_admin;

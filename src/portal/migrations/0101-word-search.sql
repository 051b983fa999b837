-- Search by words: in the language of the description, over everything that describes an item (title, keywords, category, regions, names of
-- attributes, abstract), the best first, and with a guess where a word is misspelt. What a caller does not see is not found, nor is it
-- guessed at: similar words are taken from all items, but only items that are seen come of them.

-- The release before fills none of these columns, and `fill_search` makes up for it.
alter table portal_private.search_text
  -- What hangs on the item, a line each.
  add column terms text,
  add column vector tsvector,
  -- Its words are in the dictionary below.
  add column worded boolean not null default false;
create index search_text_vector on portal_private.search_text using gin (vector);
create index search_text_unworded on portal_private.search_text (resource_id) where not worded;

-- Text search configurations that some item is written in. This and the dictionary are written by `fill_search` alone, soon after: transactions that
-- write items would wait for each other over common words.
create table portal_private.search_config (name text primary key);
insert into portal_private.search_config values ('simple'), ('english');
-- Words of items, and what they are alike by: three letters each. An array has an index on every engine, pg_trgm is not on every one.
create table portal_private.search_word (
  word text primary key,
  grams text[] not null,
  checked timestamptz not null default now()
);
create index search_word_grams on portal_private.search_word using gin (grams);
create index search_word_checked on portal_private.search_word (checked);
alter table portal_private.search_config enable row level security;
alter table portal_private.search_word enable row level security;

-- ISO 639-2 code → configuration that this server has; the plain one for all others.
create function portal_private.search_config_of(language text) returns text
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
create function portal_private.grams(word text) returns text[]
language sql immutable set search_path = pg_catalog, pg_temp
return array(select distinct substr('  ' || word || ' ', i, 3) from generate_series(1, length(word) + 1) i);

create function portal_private.index_text(ids integer[]) returns void
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
create function portal.fill_search() returns integer
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
create trigger words_are_searchable after update of language, category_id on portal.resource
  for each row when (new.language <> old.language or new.category_id is distinct from old.category_id)
  execute function portal_private.after_text();

-- Once for all rows of a statement: a layer has hundreds of attributes.
create function portal_private.after_terms() returns trigger
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
begin
  perform portal_private.index_text(array(select distinct c.resource_id from changed c));
  return null;
end
$$;
do $triggers$
declare
  part text;
begin
  foreach part in array array['resource_keyword', 'resource_tkeyword', 'resource_region', 'attribute'] loop
    execute pg_catalog.format('create trigger words_come after insert on portal.%I referencing new table as changed
      for each statement execute function portal_private.after_terms()', part);
    execute pg_catalog.format('create trigger words_go after delete on portal.%I referencing old table as changed
      for each statement execute function portal_private.after_terms()', part);
  end loop;
end
$triggers$;
create trigger words_change after update on portal.attribute referencing new table as changed
  for each statement execute function portal_private.after_terms();

-- A word in every language that some item is written in, or as the beginning of one.
create function portal_private.word_query(word text) returns tsquery
language plpgsql stable set search_path = pg_catalog, pg_temp as $$
declare
  low text := lower(word collate portal.people);
  parts text[] := array(select u.lexeme from unnest(to_tsvector('simple', low)) u);
  part text;
  config text;
  asked tsquery;
  stemmed tsquery;
begin
  -- `e-mail` is three words to the parser; all of them are wanted.
  foreach part in array parts loop
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

create function portal_private.like_pattern(word text) returns text
language sql immutable set search_path = pg_catalog, pg_temp
return '%' || replace(replace(replace(lower(word collate portal.people), '\', '\\'), '%', '\%'), '_', '\_') || '%';

-- Words of items that are like the one that was typed: as alike as the best of them, or nearly.
create function portal_private.similar_words(typed text) returns text[]
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
create function portal_private.similar_query(words text[], every boolean) returns tsquery
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

-- Items that the caller sees and that have every word, and how well they fit. Where nothing has them, what has words like them.
create function portal.search_hits(words text[]) returns table (id integer, rank real)
language plpgsql stable security definer set search_path = pg_catalog, pg_temp rows 1000 as $$
declare
  who portal_private.caller := portal_private.who();
  word text;
  one tsquery;
  asked tsquery;
  condition text := '';
begin
  foreach word in array words loop
    one := portal_private.word_query(word);
    asked := case when asked is null then one when one is null then asked else asked || one end;
    condition := condition || format(' and (t.body like %L%s)', portal_private.like_pattern(word),
      case when one is null then '' else format(' or t.vector @@ %L::tsquery', one::text) end);
  end loop;
  return query execute
    'select r.id, (coalesce(ts_rank(''{0.1, 0.2, 0.6, 1}''::real[], t.vector, $2), 0) + case when t.body like $3 then 1 else 0 end)::real
       from portal_private.search_text t join portal.resource r on r.id = t.resource_id
      where portal_private.shown($1, r.id, r.owner_id, r.private_group, r.is_public, r.viewers, r.obstacles)' || condition
    -- A title that begins with what was typed comes before all others.
    using who, asked, substr(portal_private.like_pattern(array_to_string(words, ' ')), 2);
  if found then
    return;
  end if;
  asked := portal_private.similar_query(words, true);
  if asked is null then
    return;
  end if;
  return query
    select r.id, ts_rank('{0.1, 0.2, 0.6, 1}'::real[], t.vector, asked)
      from portal_private.search_text t join portal.resource r on r.id = t.resource_id
     where t.vector @@ asked
       and portal_private.shown(who, r.id, r.owner_id, r.private_group, r.is_public, r.viewers, r.obstacles);
end
$$;

-- Where the words stand in items that the caller sees: those of title and abstract as they are written there, and the terms (keywords, category,
-- regions, attributes) that have one. `exact`: nothing was guessed.
create function portal.search_matches(words text[], ids integer[]) returns jsonb
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

-- At once where they are few; `fill_search` does the rest.
select portal_private.index_text(array(select t.resource_id from portal_private.search_text t order by t.resource_id limit 5000));

revoke all on all functions in schema portal_private from public;
revoke all on function portal.search_hits(text[]), portal.search_matches(text[], integer[]), portal.fill_search() from public;
grant execute on function portal.search_hits(text[]), portal.search_matches(text[], integer[]) to survest_anon, survest_user, survest_admin;
grant execute on function portal.fill_search() to survest_authenticator;

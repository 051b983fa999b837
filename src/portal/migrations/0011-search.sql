-- Search in titles and abstracts, and by extent. Under row-level security an index answers a condition only if its operator
-- is leakproof, and `like` is not; so the words are looked up here, in a text table that callers cannot reach, and the ids
-- found are then held against the catalogue with the caller's own rights. Keeping the text apart also keeps its large index
-- out of every change of permissions, flags and counters.

create table portal_private.search_text (
  resource_id integer primary key references portal.resource on delete cascade,
  -- Lower case; title and abstract in two lines, so a word found here is in one of them.
  body text not null,
  words tsvector not null generated always as (to_tsvector('simple', body)) stored
);
alter table portal_private.search_text enable row level security;
create index search_text_words on portal_private.search_text using gin (words);
do $trgm$
declare
  home text := (select n.nspname from pg_catalog.pg_extension e join pg_catalog.pg_namespace n on n.oid = e.extnamespace
                 where e.extname = 'pg_trgm');
begin
  if home is not null then
    execute pg_catalog.format(
      'create index search_text_body on portal_private.search_text using gin (body %I.gin_trgm_ops)', home);
  end if;
end
$trgm$;

create function portal_private.after_text() returns trigger
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
begin
  insert into portal_private.search_text (resource_id, body) values (new.id, lower(new.title || e'\n' || new.abstract))
    on conflict (resource_id) do update set body = excluded.body where search_text.body <> excluded.body;
  return null;
end
$$;
create trigger text_is_searchable after insert or update of title, abstract on portal.resource
  for each row execute function portal_private.after_text();

-- Every word occurs somewhere in the text. The patterns are built here, so that a word holds no wildcard.
create function portal_private.ids_with_words(words text[]) returns setof integer
language plpgsql stable security definer set search_path = pg_catalog, pg_temp rows 1000 as $$
declare
  word text;
  condition text := '';
begin
  foreach word in array words loop
    condition := condition || format(' and body like %L',
      '%' || replace(replace(replace(lower(word), '\', '\\'), '%', '\%'), '_', '\_') || '%');
  end loop;
  return query execute 'select resource_id from portal_private.search_text where true' || condition;
end
$$;
-- Ids of items the caller sees in whose title or abstract every word occurs, in any case.
create function portal.search_ids(words text[]) returns setof integer
language sql stable set search_path = pg_catalog, pg_temp rows 1000
begin atomic
  select r.id from portal_private.ids_with_words(words) f(id) join portal.resource r on r.id = f.id;
end;

create function portal_private.ids_with_text(query text) returns setof integer
language sql stable security definer set search_path = pg_catalog, pg_temp rows 1000
begin atomic
  select t.resource_id from portal_private.search_text t where t.words @@ websearch_to_tsquery('simple', query);
end;
-- The same as a full-text search: whole words, "phrases", or, -not.
create function portal.fulltext_ids(query text) returns setof integer
language sql stable set search_path = pg_catalog, pg_temp rows 1000
begin atomic
  select r.id from portal_private.ids_with_text(query) f(id) join portal.resource r on r.id = f.id;
end;

revoke all on all functions in schema portal_private from public;
grant execute on function portal_private.ids_with_words(text[]), portal_private.ids_with_text(text)
  to survest_anon, survest_user, survest_admin;
revoke all on function portal.search_ids(text[]), portal.fulltext_ids(text) from public;
grant execute on function portal.search_ids(text[]), portal.fulltext_ids(text) to survest_anon, survest_user, survest_admin;

-- Extents, for callers whose database does not let `&&` use an index under policies: ids of items the caller sees whose box
-- meets one of the boxes, four numbers each.
do $extent$
declare
  gis text := (select n.nspname from pg_catalog.pg_extension e join pg_catalog.pg_namespace n on n.oid = e.extnamespace
                where e.extname = 'postgis');
begin
  execute pg_catalog.format($f$
    create function portal_private.ids_in_extent(boxes double precision[]) returns setof integer
    language sql stable security definer set search_path = pg_catalog, pg_temp rows 1000
    begin atomic
      select distinct r.id
        from generate_series(1, coalesce(cardinality(boxes), 0), 4) n(i)
        join portal.resource r
          on r.ll_bbox_polygon operator(%1$I.&&) %1$I.st_makeenvelope(boxes[n.i], boxes[n.i + 1], boxes[n.i + 2], boxes[n.i + 3], 4326)
         and %1$I.st_intersects(r.ll_bbox_polygon,
               %1$I.st_makeenvelope(boxes[n.i], boxes[n.i + 1], boxes[n.i + 2], boxes[n.i + 3], 4326));
    end
  $f$, gis);
end
$extent$;
create function portal.extent_ids(boxes double precision[]) returns setof integer
language sql stable set search_path = pg_catalog, pg_temp rows 1000
begin atomic
  select r.id from portal_private.ids_in_extent(boxes) f(id) join portal.resource r on r.id = f.id;
end;
revoke all on function portal_private.ids_in_extent(double precision[]), portal.extent_ids(double precision[]) from public;
grant execute on function portal_private.ids_in_extent(double precision[]), portal.extent_ids(double precision[])
  to survest_anon, survest_user, survest_admin;

-- Search in titles and abstracts and by extent. Under row-level security an index answers a condition only if its operator
-- is leakproof, and `like` is not; so these functions look up the ids with the definer's rights and hold what they found
-- against the same rule as the policy. Keeping the text apart from the catalogue also keeps its large index out of every
-- change of permissions, flags and counters.

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

-- Ids of items the caller sees in whose title or abstract every word occurs, in any case. A word holds no wildcard.
create function portal.search_ids(words text[]) returns setof integer
language plpgsql stable security definer set search_path = pg_catalog, pg_temp rows 1000 as $$
declare
  word text;
  condition text := '';
begin
  foreach word in array words loop
    condition := condition || format(' and t.body like %L',
      '%' || replace(replace(replace(lower(word), '\', '\\'), '%', '\%'), '_', '\_') || '%');
  end loop;
  return query execute
    'select r.id from portal_private.search_text t join portal.resource r on r.id = t.resource_id
      where portal_private.shown($1, r.id, r.owner_id, r.private_group, r.is_public, r.viewers, r.obstacles)' || condition
    using portal_private.who();
end
$$;

-- The same as a full-text search: whole words, "phrases", or, -not.
create function portal.fulltext_ids(query text) returns setof integer
language plpgsql stable security definer set search_path = pg_catalog, pg_temp rows 1000 as $$
declare
  who portal_private.caller := portal_private.who();
begin
  return query
    select r.id from portal_private.search_text t join portal.resource r on r.id = t.resource_id
     where t.words @@ websearch_to_tsquery('simple', query)
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
    create function portal.extent_ids(boxes double precision[]) returns setof integer
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

revoke all on all functions in schema portal_private from public;
revoke all on function portal.search_ids(text[]), portal.fulltext_ids(text), portal.extent_ids(double precision[]) from public;
grant execute on function portal.search_ids(text[]), portal.fulltext_ids(text), portal.extent_ids(double precision[])
  to survest_anon, survest_user, survest_admin;

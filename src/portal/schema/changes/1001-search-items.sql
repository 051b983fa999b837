-- What a search asks of an item stands in one table; what words have found is no longer kept.

create table portal_private.search_item (
  resource_id integer primary key references portal.resource on delete cascade,
  resource_type text not null,
  category_id integer,
  extent box,
  updated timestamptz not null,
  is_open boolean not null,
  worded boolean not null default false,
  vector tsvector not null,
  body text not null,
  terms text not null
) with (fillfactor = 85);
alter table portal_private.search_item enable row level security;

insert into portal_private.search_item
  select r.id, r.resource_type, r.category_id, r.ll_bbox_polygon::box, r.last_updated, r.is_public and r.obstacles = 0,
         t.worded, coalesce(t.vector, t.words), t.body, coalesce(t.terms, '')
    from portal_private.search_text t join portal.resource r on r.id = t.resource_id order by r.id;

create index search_item_vector on portal_private.search_item using gin (vector);
create index search_item_unworded on portal_private.search_item (resource_id) where not worded;
do $trgm$
declare
  home text := (select n.nspname from pg_catalog.pg_extension e join pg_catalog.pg_namespace n on n.oid = e.extnamespace
                 where e.extname = 'pg_trgm');
begin
  if home is not null then
    execute pg_catalog.format(
      'create index search_item_body on portal_private.search_item using gin (body %I.gin_trgm_ops)', home);
  end if;
end
$trgm$;

drop table portal_private.search_text, portal_private.kept_search, portal_private.facts_written;
drop type if exists portal_private.search_terms cascade;

-- Search by words.

-- What a search asks of an item, kept in step with it by triggers: nothing else is read for hits that everybody sees.
create table portal_private.search_item (
  resource_id integer primary key references portal.resource on delete cascade,
  resource_type text not null,
  category_id integer,
  -- Around its own extent; what has none may have another one (maps have that of their layers), and stands everywhere.
  extent box not null,
  updated timestamptz not null,
  -- Public, and nothing in its way: seen by everybody, whatever the switches say. The others are looked up under the caller's policies.
  is_open boolean not null,
  -- Its words are in the dictionary below.
  worded boolean not null default false,
  -- Words of title, terms and abstract.
  vector tsvector not null,
  -- Lower case; title and abstract in two lines, so a word found here is in one of them.
  body text not null,
  -- What hangs on the item, a line each.
  terms text not null
) with (fillfactor = 85);
alter table portal_private.search_item enable row level security;
create index search_item_vector on portal_private.search_item using gin (vector);
-- Few items of a category or place are looked at one by one, whatever their words.
create index search_item_category on portal_private.search_item (category_id);
create index search_item_extent on portal_private.search_item using gist (extent);
create index search_item_unworded on portal_private.search_item (resource_id) where not worded;

-- Text search configurations that some item is written in. This and the dictionary are written by `fill_search` alone, soon after: transactions that
-- write items would wait for each other over common words.
create table portal_private.search_config (name text primary key);
alter table portal_private.search_config enable row level security;

-- Words of items, and what they are alike by: three letters each. An array has an index on every engine, pg_trgm is not on every one.
create table portal_private.search_word (
  word text primary key,
  grams text[] not null,
  checked timestamptz not null default now()
);
alter table portal_private.search_word enable row level security;
create index search_word_grams on portal_private.search_word using gin (grams);
create index search_word_checked on portal_private.search_word (checked);

-- A part of a word that no item has as a word is found by this; on other engines the table is read.
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

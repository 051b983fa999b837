-- Search by words, by extent.

create table portal_private.search_text (
  resource_id integer primary key references portal.resource on delete cascade,
  -- Lower case; title and abstract in two lines, so a word found here is in one of them.
  body text not null,
  words tsvector not null generated always as (to_tsvector('simple', body)) stored,
  -- Filled by `fill_search`, for what is not worded yet.
  -- What hangs on the item, a line each.
  terms text,
  vector tsvector,
  -- Its words are in the dictionary below.
  worded boolean not null default false,
  -- The transaction that last wrote what is searched. Null: older than this.
  written xid8
);
alter table portal_private.search_text enable row level security;
create index search_text_words on portal_private.search_text using gin (words);
create index search_text_vector on portal_private.search_text using gin (vector);
create index search_text_unworded on portal_private.search_text (resource_id) where not worded;
create index search_text_written on portal_private.search_text (written);

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

create table portal_private.kept_search (
  -- Of the statement that finds the hits: it has the words in it, and the languages that they are looked for in.
  asked bytea primary key,
  -- Numbers of transactions mean something in one cluster only; a backup may be restored in another.
  cluster bigint not null,
  snapshot pg_snapshot not null,
  hits integer not null,
  ids integer[] not null,
  ranks real[] not null,
  kept timestamptz not null default now(),
  is_open boolean[] not null,
  types text[] not null,
  categories integer[] not null,
  extents box[] not null,
  updated timestamptz[] not null,
  -- Where hits of a type that everybody sees (`part_open`), or not everybody, begin and end in `ids` and its companions; in each part they stand as on a page: what fits
  -- best first, then what was changed last. Null: kept before there was an order.
  part_types text[],
  part_open boolean[],
  part_starts integer[],
  part_ends integer[],
  sorted integer[] not null,
  places integer[] not null
);
alter table portal_private.kept_search enable row level security;
-- Numbers that are read whole every time.
alter table portal_private.kept_search alter column ids set storage external, alter column ranks set storage external;
alter table portal_private.kept_search alter column is_open set storage external, alter column types set storage external,
  alter column categories set storage external, alter column extents set storage external, alter column updated set storage external;
alter table portal_private.kept_search alter column sorted set storage external, alter column places set storage external;

-- The transaction that last changed one of these facts of an item, or deleted it; no row: none since anything was kept.
create table portal_private.facts_written (
  -- Items that are gone, too.
  resource_id integer primary key,
  written xid8 not null
) with (fillfactor = 50);
alter table portal_private.facts_written enable row level security;
create index facts_written_at on portal_private.facts_written (written);


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
create type portal_private.search_terms as (
  queries tsquery[],
  patterns text[],
  asked tsquery,
  beginning text
);

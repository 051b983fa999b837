-- Edits of layers' rows, undoing one.

create table portal_private.layer_edit (
  id bigint generated always as identity primary key,
  resource_id integer not null references portal.resource on delete cascade,
  made_at timestamptz not null default clock_timestamp(),
  -- As it was called then: accounts go, what they did stays.
  account_id integer,
  account text,
  kind text not null check (kind in ('insert', 'update', 'delete', 'bulk')),
  -- Of the feature, as text; null: of a bulk.
  key text,
  -- Columns with their values before and after; of an update only those that changed. Geometries are hexadecimal EWKB, whole.
  old_values jsonb,
  new_values jsonb,
  -- What a bulk was, and how many rows it wrote.
  bulk text,
  rows bigint
);
alter table portal_private.layer_edit enable row level security;
create index layer_edit_of_layer on portal_private.layer_edit (resource_id, id);
create index layer_edit_of_feature on portal_private.layer_edit (resource_id, key, id) where key is not null;

-- How much is kept: entries of a layer at most, days at most, rows of one statement that are noted one by one.
create table portal_private.history_limit (
  name text primary key check (name in ('entries', 'days', 'rows')),
  value integer not null check (value >= 0)
);
alter table portal_private.history_limit enable row level security;

-- Tables of the database registered as layers, joins of layers.

create table portal_private.layer_join (
  id bigint generated always as identity primary key,
  resource_id integer not null references portal.resource on delete cascade,
  table_id integer not null references portal.resource on delete cascade,
  layer_key text not null,
  table_key text not null,
  -- [{"from": column of the table, "to": column of the layer}, …]
  columns jsonb not null,
  -- Of the layer: how many there were, and how many had a row in the table.
  rows bigint not null,
  matched bigint not null,
  -- The version of the table's rows then.
  version text not null,
  made_at timestamptz not null default now(),
  -- As it was called then.
  account text
);
alter table portal_private.layer_join enable row level security;
create index layer_join_resource on portal_private.layer_join (resource_id);
create index layer_join_table on portal_private.layer_join (table_id);

create table portal_private.registered_table (
  resource_id integer primary key references portal.resource on delete cascade,
  -- As it was called when it was registered.
  source_schema text not null,
  source_table text not null,
  key_column text not null
);
alter table portal_private.registered_table enable row level security;

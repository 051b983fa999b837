-- Columns of layers; what a removed column or replaced data held, for a while.

create table portal_private.dropped_column (
  id bigint generated always as identity primary key,
  resource_id integer not null references portal.resource on delete cascade,
  name text not null,
  type text not null,
  not_null boolean not null,
  -- Its entry among the layer's attributes.
  attribute jsonb,
  dropped_at timestamptz not null default now(),
  -- As it was called then.
  account text
);
alter table portal_private.dropped_column enable row level security;
create index dropped_column_resource on portal_private.dropped_column (resource_id);

create table portal_private.dropped_value (
  column_id bigint not null references portal_private.dropped_column on delete cascade,
  -- Of the row, and what it had, as texts; rows that had nothing are not here.
  key text not null,
  value text not null,
  primary key (column_id, key)
);
alter table portal_private.dropped_value enable row level security;

create table portal_private.kept_data (
  id bigint generated always as identity primary key,
  resource_id integer not null references portal.resource on delete cascade,
  -- 'replace': the rows that were there; 'append': the keys of those that came; 'calculate', 'type': a value of each row, before and after, by key.
  kind text not null check (kind in ('replace', 'append', 'calculate', 'type')),
  made_at timestamptz not null default now(),
  -- As it was called then.
  account text,
  -- Of a column: which one, whether it was new, its type before and after.
  details jsonb
);
alter table portal_private.kept_data enable row level security;
create index kept_data_resource on portal_private.kept_data (resource_id);

create table portal_private.kept_row (
  kept_id bigint not null references portal_private.kept_data on delete cascade,
  content jsonb not null
);
alter table portal_private.kept_row enable row level security;
create index kept_row_kept on portal_private.kept_row (kept_id);

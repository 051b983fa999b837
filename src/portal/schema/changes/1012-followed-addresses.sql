-- Layers that follow an address, and the notification that one could not be renewed.
create table portal_private.layer_source (
  resource_id integer primary key references portal.resource on delete cascade,
  -- As whom the rows are replaced.
  account_id integer not null references portal.account on delete cascade,
  kind text not null check (kind in ('file', 'features', 'wfs')),
  address text not null check (length(address) between 1 and 2000),
  -- The feature type of a WFS.
  type_name text check (length(type_name) <= 400),
  -- The column by which rows are found again; null: all of them are replaced.
  key_column text check (length(key_column) <= 255),
  every_minutes integer not null check (every_minutes between 15 and 525600),
  is_paused boolean not null default false,
  next_at timestamptz not null default now(),
  asked_at timestamptz,
  changed_at timestamptz,
  -- What was wrong when it was last asked, and how often in a row.
  error text check (length(error) <= 500),
  failures integer not null default 0,
  -- Of what was last imported.
  fingerprint text
);
alter table portal_private.layer_source enable row level security;
create index layer_source_account on portal_private.layer_source (account_id);
create index layer_source_due on portal_private.layer_source (next_at) where not is_paused;

alter table portal_private.notification drop constraint notification_kind_check,
  add constraint notification_kind_check check (kind in ('comment', 'mention', 'data', 'content', 'metadata', 'deleted', 'new', 'source')) not valid;
alter table portal_private.notification_choice drop constraint notification_choice_kind_check,
  add constraint notification_choice_kind_check check (kind in ('comment', 'mention', 'data', 'content', 'metadata', 'deleted', 'new', 'source')) not valid;

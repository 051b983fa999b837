-- What a layer was made of by a process, as it was made last.
create table portal_private.layer_lineage (
  resource_id integer primary key references portal.resource on delete cascade,
  process text not null,
  inputs jsonb not null,
  -- [{"id": a layer, "version": of its rows when the process was asked for}, …]
  sources jsonb not null,
  made_at timestamptz not null default now(),
  -- As it was called then.
  account text
);
alter table portal_private.layer_lineage enable row level security;

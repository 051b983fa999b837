-- The ledger of stored files, backups that hold files.

create table portal_private.blob_made (
  key text primary key check (length(key) <= 512),
  made timestamptz not null default now()
);
alter table portal_private.blob_made enable row level security;

create table portal_private.backup_run (
  id uuid primary key,
  until timestamptz not null
);
alter table portal_private.backup_run enable row level security;

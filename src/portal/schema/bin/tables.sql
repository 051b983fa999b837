-- Deleted items, for a while.

create table portal_private.bin (
  resource_id integer primary key references portal.resource on delete cascade,
  binned_at timestamptz not null default now(),
  -- As it was called then: accounts go.
  account_id integer,
  account text,
  kept_until timestamptz
);
alter table portal_private.bin enable row level security;
alter table portal_private.bin alter column kept_until set default now() + interval '30 days', alter column kept_until set not null;
create index bin_kept_until on portal_private.bin (kept_until);

-- For how many days. None until the program says so when it starts, from its own settings; then nothing is put here, and what is deleted is gone.
create table portal_private.bin_limit (
  only_one boolean primary key default true check (only_one),
  days integer not null check (days >= 0)
);
alter table portal_private.bin_limit enable row level security;

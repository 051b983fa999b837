-- Mode of service, copies of the program, space and quotas, status.

create table portal_private.service_mode (
  only_row boolean primary key default true check (only_row),
  mode text not null default 'normal' check (mode in ('normal', 'read-only', 'maintenance')),
  message text not null default '' check (length(message) <= 500 and message !~ '[[:cntrl:]]'),
  since timestamptz not null default now()
);
alter table portal_private.service_mode enable row level security;

-- Copies of the program: each says every few seconds that it is there.
create table portal_private.program_copy (
  id uuid primary key,
  host text not null check (length(host) <= 255),
  pid integer not null,
  version text not null check (length(version) <= 100),
  services text not null check (services in ('all', 'portal', 'worker')),
  started timestamptz not null default now(),
  seen timestamptz not null default now(),
  is_stopping boolean not null default false
);
alter table portal_private.program_copy enable row level security;

-- Space: the table of a layer with its indexes, files of documents, rasters, files of uploads. The allowance of an account is its own row here, or what
-- the settings of the program say for everybody (0: as much as there is).
create table portal_private.storage_default (
  only_row boolean primary key default true check (only_row),
  bytes bigint not null default 0 check (bytes >= 0)
);
alter table portal_private.storage_default enable row level security;

create table portal_private.storage_quota (
  account_id integer primary key references portal.account on delete cascade,
  -- 0: as much as there is.
  bytes bigint not null check (bytes >= 0)
);
alter table portal_private.storage_quota enable row level security;

-- Files that are sent part by part (tus), until an upload takes them. What has come of one lies in the blob store, a blob for each request.
create table portal_private.sent_file (
  id uuid primary key default gen_random_uuid(),
  account_id integer not null references portal.account on delete cascade,
  name text not null check (length(name) between 1 and 4096),
  size bigint not null check (size >= 0),
  -- By which its sender tells it from others of this name and size: the time of its last change.
  mark text not null default '' check (length(mark) <= 100),
  received bigint not null default 0 check (received <= size),
  parts text[] not null default '{}',
  begun timestamptz not null default now(),
  changed timestamptz not null default now()
);
alter table portal_private.sent_file enable row level security;
create index sent_file_of_account on portal_private.sent_file (account_id, begun);
create index sent_file_parts on portal_private.sent_file using gin (parts);
create index sent_file_changed on portal_private.sent_file (changed);

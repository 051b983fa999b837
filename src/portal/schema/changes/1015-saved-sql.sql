-- Administrators keep statements in SQL by a name.
create table portal_private.sql_query (
  account_id integer not null references portal.account on delete cascade,
  name text not null check (length(name) between 1 and 100),
  statement text not null check (length(statement) between 1 and 20000),
  changed timestamptz not null default now(),
  primary key (account_id, name)
);
alter table portal_private.sql_query enable row level security;

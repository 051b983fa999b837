-- SQL of administrators.

create table portal_private.sql_console_rule (
  only_row boolean primary key default true check (only_row),
  is_on boolean not null default true
);
alter table portal_private.sql_console_rule enable row level security;

-- Statements that administrators have saved, each for itself.
create table portal_private.sql_query (
  account_id integer not null references portal.account on delete cascade,
  name text not null check (length(name) between 1 and 100),
  statement text not null check (length(statement) between 1 and 20000),
  changed timestamptz not null default now(),
  primary key (account_id, name)
);
alter table portal_private.sql_query enable row level security;

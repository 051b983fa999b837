-- SQL of administrators.

create table portal_private.sql_console_rule (
  only_row boolean primary key default true check (only_row),
  is_on boolean not null default true
);
alter table portal_private.sql_console_rule enable row level security;

-- The switches of the portal (portal.setting).

-- The switches that policies and defaults obey. The names are those of the documentation.
create table portal.setting (
  name text primary key,
  value boolean not null,
  about text not null
);
alter table portal.setting enable row level security;

-- Basemaps are switched on by administrators, too, who are offered that once.
create table portal.basemap (
  id text primary key check (id ~ '^[a-z0-9][a-z0-9-]{0,39}$'),
  definition jsonb not null check (jsonb_typeof(definition) = 'object' and length(definition::text) <= 20000),
  added timestamptz not null default now()
);
alter table portal.basemap enable row level security;
create unique index basemap_default on portal.basemap ((true)) where definition ->> 'default' = 'true';
alter table portal.preference drop constraint preference_known,
  add constraint preference_known check ((name, value) in (('tour', 'done'), ('basemaps', 'done'), ('theme', 'auto'), ('theme', 'light'), ('theme', 'dark'),
    ('language', 'en'), ('language', 'de'), ('language', 'fr'), ('language', 'es')));

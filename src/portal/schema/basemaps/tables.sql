-- Basemaps that administrators have switched on, besides those of the settings.

create table portal.basemap (
  id text primary key check (id ~ '^[a-z0-9][a-z0-9-]{0,39}$'),
  -- As an entry of the setting "basemaps", without the id. An archive that was uploaded has a key of the file store, its "bytes", and perhaps "off": true.
  definition jsonb not null check (jsonb_typeof(definition) = 'object' and length(definition::text) <= 20000),
  added timestamptz not null default now()
);
alter table portal.basemap enable row level security;
create unique index basemap_default on portal.basemap ((true)) where definition ->> 'default' = 'true';

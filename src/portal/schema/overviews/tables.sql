-- Overviews of large layers.

create table portal_private.overview (
  resource_id integer primary key references portal.resource on delete cascade,
  -- Which of the tiles are the present ones; null: none were made yet.
  generation integer,
  -- The state of the layer's rows (portal_private.layer_change) it was made of.
  data text not null default '',
  -- The form of the bytes: of another one they are made anew.
  form integer not null default 0,
  -- What maps have to know: mapserver/cells/detail.ts, and the columns of cells.
  facts json,
  -- The columns of cells.
  columns text[] not null default '{}',
  -- Made anew as a whole: styles or columns changed, or more rows at once than are noted.
  stale boolean not null default true,
  -- Begun and not finished: what was noted before is forgotten, so it is made from the beginning if its maker ended.
  building boolean not null default false,
  built timestamptz not null default now(),
  -- Why it could not be made of that state.
  failure text
);
alter table portal_private.overview enable row level security;

create table portal_private.overview_tile (
  resource_id integer not null references portal_private.overview on delete cascade,
  generation integer not null,
  z smallint not null,
  x integer not null,
  y integer not null,
  cells bytea not null,
  primary key (resource_id, generation, z, x, y)
);
alter table portal_private.overview_tile enable row level security;

-- Where rows came, went or changed since: tiles of zoom 16.
create table portal_private.overview_change (
  resource_id integer not null references portal_private.overview on delete cascade,
  n bigint not null generated always as identity,
  x integer not null,
  y integer not null,
  primary key (resource_id, n)
);
alter table portal_private.overview_change enable row level security;

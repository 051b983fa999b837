-- Versions of descriptions, maps, stories, apps and styles.

create table portal_private.version (
  id bigint generated always as identity primary key,
  resource_id integer references portal.resource on delete cascade,
  style_id integer references portal.style on delete cascade,
  part text not null check (part in ('content', 'metadata', 'style')),
  made_at timestamptz not null default clock_timestamp(),
  -- As it was called then: accounts go, what they did stays.
  account_id integer,
  account text,
  -- As a PATCH of the item takes it; of a style: its columns.
  body jsonb not null,
  check ((part = 'style') = (style_id is not null) and (part = 'style') = (resource_id is null))
);
alter table portal_private.version enable row level security;
create index version_of_item on portal_private.version (resource_id, part, id) where resource_id is not null;
create index version_of_style on portal_private.version (style_id, id) where style_id is not null;

-- How many of a part are kept, the newest ones. Set by the program when it starts, from its own settings.
create table portal_private.version_limit (
  only_one boolean primary key default true check (only_one),
  versions integer not null check (versions >= 0)
);
alter table portal_private.version_limit enable row level security;

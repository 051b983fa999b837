-- Links that show an item to whoever has them. They are principals of their own, and only read.
create table portal_private.share_link (
  id integer primary key generated always as identity (maxvalue 1000000000),
  resource_id integer not null references portal.resource on delete cascade,
  principal integer not null unique generated always as (-1000000000 - id) stored,
  title text not null default '' check (length(title) <= 100),
  secret bytea not null check (length(secret) = 24),
  digest bytea not null unique generated always as (sha256(secret)) stored,
  made_by integer not null references portal.account on delete cascade,
  created timestamptz not null default now(),
  renewed timestamptz,
  expires timestamptz,
  is_on boolean not null default true
);
alter table portal_private.share_link enable row level security;
create index share_link_resource on portal_private.share_link (resource_id);
create index share_link_made_by on portal_private.share_link (made_by);

alter table portal_private.resource_grant add constraint resource_grant_links_read check (principal > -1000000000 or perms < 4);

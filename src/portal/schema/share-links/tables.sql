-- Unlisted links: secret addresses that show an item, and what it shows, to whoever has them.

create table portal_private.share_link (
  id integer primary key generated always as identity (maxvalue 1000000000),
  resource_id integer not null references portal.resource on delete cascade,
  -- What it may see are rows of portal_private.resource_grant, as with accounts and groups.
  principal integer not null unique generated always as (-1000000000 - id) stored,
  title text not null default '' check (length(title) <= 100),
  -- Readable, so that who manages the item can copy the address again. Nothing is lost by it: this database has the item itself as well, and the keys
  -- that tokens are signed with.
  secret bytea not null check (length(secret) = 24),
  -- Requests bring this alone, so that claims, logs and plans never have the secret.
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

-- Comments and ratings.

create table portal_private.comment (
  id integer generated always as identity primary key,
  resource_id integer not null references portal.resource on delete cascade,
  -- Accounts go, what they said stays.
  account_id integer references portal.account on delete set null,
  body text not null check (length(body) between 1 and 5000),
  created timestamptz not null default now(),
  edited timestamptz,
  -- By the owner of the item: for its author and those who can show it again.
  hidden boolean not null default false
);
alter table portal_private.comment enable row level security;
create index comment_of_item on portal_private.comment (resource_id, id desc);
create index comment_of_account on portal_private.comment (account_id, created);

create table portal_private.rating (
  resource_id integer not null references portal.resource on delete cascade,
  account_id integer not null references portal.account on delete cascade,
  stars smallint not null check (stars between 1 and 5),
  rated timestamptz not null default now(),
  primary key (resource_id, account_id)
);
alter table portal_private.rating enable row level security;
create index rating_of_account on portal_private.rating (account_id);

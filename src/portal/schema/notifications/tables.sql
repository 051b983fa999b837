-- Following, notifications.

-- Owners follow what is theirs unless a row says otherwise.
create table portal_private.follow (
  account_id integer not null references portal.account on delete cascade,
  resource_id integer not null references portal.resource on delete cascade,
  wanted boolean not null,
  since timestamptz not null default now(),
  primary key (account_id, resource_id)
);
alter table portal_private.follow enable row level security;
create index follow_of_item on portal_private.follow (resource_id, account_id);

create table portal_private.notification (
  id bigint generated always as identity primary key,
  account_id integer not null references portal.account on delete cascade,
  kind text not null check (kind in ('comment', 'mention', 'data', 'content', 'metadata', 'deleted')),
  -- No key: that an item was deleted is told when it is gone.
  resource_id integer not null,
  resource_type text not null,
  title text not null,
  actor_id integer references portal.account on delete set null,
  comment_id integer references portal_private.comment on delete cascade,
  at timestamptz not null default now(),
  in_pages boolean not null,
  is_read boolean not null default false,
  -- Still to be sent by mail.
  mail_due boolean not null
);
alter table portal_private.notification enable row level security;
-- Wider than before, so that no row is against it.
alter table portal_private.notification drop constraint notification_kind_check,
  add constraint notification_kind_check check (kind in ('comment', 'mention', 'data', 'content', 'metadata', 'deleted', 'new', 'source')) not valid;
create index notification_of_account on portal_private.notification (account_id, id desc) where in_pages;
create index notification_unread on portal_private.notification (account_id) where in_pages and not is_read;
create index notification_of_item on portal_private.notification (resource_id, kind, at);
create index notification_due on portal_private.notification (account_id) where mail_due;
create index notification_at on portal_private.notification (at);
create index notification_actor on portal_private.notification (actor_id);
create index notification_comment on portal_private.notification (comment_id) where comment_id is not null;

-- What an account chose; without a row it is as usual: in the pages, and by mail where somebody is spoken to.
create table portal_private.notification_choice (
  account_id integer not null references portal.account on delete cascade,
  kind text not null check (kind in ('comment', 'mention', 'data', 'content', 'metadata', 'deleted')),
  in_pages boolean not null,
  by_mail boolean not null,
  -- Of letters: that of the page where it was chosen.
  language text not null default 'en' check (language ~ '^[a-z]{2}$'),
  primary key (account_id, kind)
);
alter table portal_private.notification_choice enable row level security;
alter table portal_private.notification_choice drop constraint notification_choice_kind_check,
  add constraint notification_choice_kind_check check (kind in ('comment', 'mention', 'data', 'content', 'metadata', 'deleted', 'new', 'source')) not valid;

create table portal_private.follow_owner (
  account_id integer not null references portal.account on delete cascade,
  owner_id integer not null references portal.account on delete cascade,
  since timestamptz not null default now(),
  primary key (account_id, owner_id)
);
alter table portal_private.follow_owner enable row level security;
create index follow_owner_of on portal_private.follow_owner (owner_id, account_id);

create table portal_private.follow_group (
  account_id integer not null references portal.account on delete cascade,
  group_id integer not null references portal.user_group on delete cascade,
  since timestamptz not null default now(),
  primary key (account_id, group_id)
);
alter table portal_private.follow_group enable row level security;
create index follow_group_of on portal_private.follow_group (group_id, account_id);

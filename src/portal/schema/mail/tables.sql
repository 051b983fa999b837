-- Links in letters: registration, password, address.

create table portal_private.mail_link (
  token_hash bytea primary key,
  purpose text not null check (purpose in ('password', 'registration', 'email')),
  account_id integer references portal.account on delete cascade,
  email text not null check (length(email) between 3 and 254),
  made timestamptz not null default now(),
  expires timestamptz not null,
  check ((purpose = 'registration') = (account_id is null))
);
alter table portal_private.mail_link enable row level security;
-- What only tells something is counted by itself: it keeps nobody from a new password.
alter table portal_private.mail_link drop constraint mail_link_purpose_check;
alter table portal_private.mail_link add constraint mail_link_purpose_check
  check (purpose in ('password', 'registration', 'email', 'notice'));
create index mail_link_account on portal_private.mail_link (account_id);
create index mail_link_email on portal_private.mail_link (lower(email));
create index mail_link_expires on portal_private.mail_link (expires);

create table portal_private.confirmed_email (
  account_id integer primary key references portal.account on delete cascade,
  email text not null,
  confirmed timestamptz not null default now()
);
alter table portal_private.confirmed_email enable row level security;
create index confirmed_email_email on portal_private.confirmed_email (lower(email));

-- Accounts of which administrators were told that they wait.
create table portal_private.approval_letter (
  account_id integer primary key references portal.account on delete cascade,
  at timestamptz not null default now()
);
alter table portal_private.approval_letter enable row level security;

-- What happened to an account's ways of signing in, until its owner is told by mail, at the address that the account had then.
create table portal_private.account_letter (
  id bigint generated always as identity primary key,
  account_id integer not null references portal.account on delete cascade,
  act text not null,
  detail jsonb,
  email text not null,
  at timestamptz not null default now()
);
alter table portal_private.account_letter enable row level security;
create index account_letter_account on portal_private.account_letter (account_id);

-- Owners are told by mail when a way to sign in to their account changed.
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

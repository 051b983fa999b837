-- Passwords, sessions, tokens, the provider's state, links to other providers.

create table portal_private.credential (
  account_id integer primary key references portal.account on delete cascade,
  password_hash text not null,
  changed timestamptz not null default now()
);
alter table portal_private.credential enable row level security;

create table portal_private.session (
  token_hash bytea primary key,
  account_id integer not null references portal.account on delete cascade,
  data jsonb not null default '{}',
  created timestamptz not null default now(),
  expires timestamptz not null,
  id bigint generated always as identity
);
alter table portal_private.session enable row level security;
create index session_account on portal_private.session (account_id);
create index session_expires on portal_private.session (expires);
create unique index session_id on portal_private.session (id);

-- One row per artefact of the OpenID provider (authorization codes, grants, refresh tokens, interactions …).
create table portal_private.oidc_state (
  kind text not null,
  id text not null,
  payload jsonb not null,
  grant_id text,
  user_code text,
  uid text,
  consumed timestamptz,
  expires timestamptz,
  primary key (kind, id)
);
alter table portal_private.oidc_state enable row level security;
create index oidc_state_grant on portal_private.oidc_state (grant_id) where grant_id is not null;
create unique index oidc_state_user_code on portal_private.oidc_state (kind, user_code) where user_code is not null;
create unique index oidc_state_uid on portal_private.oidc_state (kind, uid) where uid is not null;
create index oidc_state_expires on portal_private.oidc_state (expires) where expires is not null;
create index oidc_state_account on portal_private.oidc_state ((payload ->> 'accountId')) where payload ? 'accountId';

-- Keys the service makes for itself once and shares between its copies (token signing, cookies).
create table portal_private.service_secret (
  name text primary key,
  value jsonb not null,
  made timestamptz not null default now()
);
alter table portal_private.service_secret enable row level security;

create table portal_private.provider_identity (
  issuer text not null check (length(issuer) between 1 and 500),
  subject text not null check (length(subject) between 1 and 255),
  account_id integer not null references portal.account on delete cascade,
  made timestamptz not null default now(),
  primary key (issuer, subject)
);
alter table portal_private.provider_identity enable row level security;
create index provider_identity_account on portal_private.provider_identity (account_id);

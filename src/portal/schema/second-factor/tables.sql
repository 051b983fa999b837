-- Authenticator codes, recovery codes, passkeys.

create table portal_private.totp (
  account_id integer primary key references portal.account on delete cascade,
  secret bytea not null check (length(secret) between 16 and 64),
  -- Null: shown to its owner, who has entered no code of it yet. Counts for nothing.
  confirmed timestamptz,
  -- Of the last code that was taken: none is taken twice, and none older.
  last_step bigint not null default 0
);
alter table portal_private.totp enable row level security;

create table portal_private.recovery_code (
  account_id integer not null references portal.account on delete cascade,
  code_hash bytea not null,
  primary key (account_id, code_hash)
);
alter table portal_private.recovery_code enable row level security;

-- Tries at codes, as a bucket that leaks: six digits can be guessed by who may try often enough, from however many addresses and copies of the program.
create table portal_private.code_try (
  account_id integer primary key references portal.account on delete cascade,
  used double precision not null,
  at timestamptz not null
);
alter table portal_private.code_try enable row level security;

-- Whether administrators need one; as the settings say.
create table portal_private.sign_in_rule (
  only_row boolean primary key default true check (only_row),
  admins_need_factor boolean not null default false
);
alter table portal_private.sign_in_rule enable row level security;

create table portal_private.passkey (
  id bigint generated always as identity primary key,
  account_id integer not null references portal.account on delete cascade,
  credential_id bytea not null unique check (length(credential_id) between 1 and 1023),
  public_key bytea not null check (length(public_key) <= 4096),
  -- As the device counts; some never do.
  counter bigint not null,
  transports text[] not null default '{}',
  name text not null check (length(name) between 1 and 100),
  created timestamptz not null default now(),
  last_used timestamptz
);
alter table portal_private.passkey enable row level security;
create index passkey_account on portal_private.passkey (account_id);

-- Challenges that were answered: none is answered twice.
create table portal_private.used_challenge (
  hash bytea primary key,
  expires timestamptz not null
);
alter table portal_private.used_challenge enable row level security;
create index used_challenge_expires on portal_private.used_challenge (expires);

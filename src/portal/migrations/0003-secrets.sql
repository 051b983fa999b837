-- What no API role ever reads: password hashes, login sessions, the state of the OpenID provider, the service's own keys.
-- The tables have no grants at all. The functions belong to the service's own role, which holds no other privilege here;
-- tokens are stored as hashes, so a stolen backup opens no session.

create table portal_private.credential (
  account_id integer primary key references portal.account on delete cascade,
  password_hash text not null,
  changed timestamptz not null default now()
);

create table portal_private.session (
  token_hash bytea primary key,
  account_id integer not null references portal.account on delete cascade,
  data jsonb not null default '{}',
  created timestamptz not null default now(),
  expires timestamptz not null
);
create index session_account on portal_private.session (account_id);
create index session_expires on portal_private.session (expires);

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

alter table portal_private.credential enable row level security;
alter table portal_private.session enable row level security;
alter table portal_private.oidc_state enable row level security;
alter table portal_private.service_secret enable row level security;

-- Which role requests of this account run as.
create function portal_private.role_of(account integer) returns text
language sql stable set search_path = pg_catalog, pg_temp
begin atomic
  select case when d.is_superuser then 'survest_admin' else 'survest_user' end
    from portal.account_detail d
   where d.account_id = account;
end;

-- What a login needs to check a password. No row: no such account, or it has no password.
create function portal.credential_of(login text)
returns table (account_id integer, username text, password_hash text, is_active boolean, db_role text)
language sql stable security definer set search_path = pg_catalog, pg_temp
begin atomic
  select a.id, a.username, c.password_hash, d.is_active, portal_private.role_of(a.id)
    from portal.account a
    join portal.account_detail d on d.account_id = a.id
    join portal_private.credential c on c.account_id = a.id
   where lower(a.username) = lower(login);
end;

-- Who an account is, for tokens and the user-info endpoint. No row: gone or deactivated.
create function portal.identity_of(account integer)
returns table (account_id integer, username text, first_name text, last_name text, email text, db_role text, groups text[])
language sql stable security definer set search_path = pg_catalog, pg_temp
begin atomic
  select a.id, a.username, a.first_name, a.last_name, d.email, portal_private.role_of(a.id),
         array(select g.slug from portal.group_member m join portal.user_group g on g.id = m.group_id
                where m.account_id = a.id order by g.slug)
    from portal.account a
    join portal.account_detail d on d.account_id = a.id
   where a.id = account and d.is_active;
end;

-- Everything that was made for the account while it was trusted: codes, grants, refresh tokens, sessions of the provider.
create function portal_private.forget_oidc(account integer) returns void
language sql set search_path = pg_catalog, pg_temp
begin atomic
  delete from portal_private.oidc_state s where s.payload ? 'accountId' and s.payload ->> 'accountId' = account::text;
end;

-- Sets a password, and ends every session of the account and what applications were granted.
create function portal.set_password(account integer, new_hash text) returns void
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
begin
  perform portal_private.require_admin_or_service();
  insert into portal_private.credential (account_id, password_hash) values (account, new_hash)
    on conflict (account_id) do update set password_hash = excluded.password_hash, changed = now();
  delete from portal_private.session s where s.account_id = account;
  perform portal_private.forget_oidc(account);
end
$$;

create function portal.open_session(token_hash bytea, account integer, expires timestamptz, data jsonb default '{}')
returns void
language sql security definer set search_path = pg_catalog, pg_temp
begin atomic
  insert into portal_private.session (token_hash, account_id, expires, data)
    values (open_session.token_hash, open_session.account, open_session.expires, open_session.data);
  update portal.account_detail d set last_login = now() where d.account_id = open_session.account;
end;

-- The account behind a session token, only while the session lasts and the account is active.
create function portal.session_of(token_hash bytea)
returns table (account_id integer, username text, db_role text, data jsonb, expires timestamptz)
language sql stable security definer set search_path = pg_catalog, pg_temp
begin atomic
  select a.id, a.username, portal_private.role_of(a.id), s.data, s.expires
    from portal_private.session s
    join portal.account a on a.id = s.account_id
    join portal.account_detail d on d.account_id = a.id
   where s.token_hash = session_of.token_hash and s.expires > now() and d.is_active;
end;

create function portal.close_session(token_hash bytea) returns void
language sql security definer set search_path = pg_catalog, pg_temp
begin atomic
  delete from portal_private.session s where s.token_hash = close_session.token_hash;
end;

create function portal.close_sessions_of(account integer) returns void
language sql security definer set search_path = pg_catalog, pg_temp
begin atomic
  delete from portal_private.session s where s.account_id = account;
end;

-- Called now and then by the service; returns how many rows went.
create function portal.sweep_expired() returns integer
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  sessions integer;
  states integer;
begin
  delete from portal_private.session where expires <= now();
  get diagnostics sessions = row_count;
  delete from portal_private.oidc_state where expires <= now();
  get diagnostics states = row_count;
  return sessions + states;
end
$$;

-- Deactivating an account ends its sessions and grants; it is not merely refused while they last.
create function portal_private.after_deactivation() returns trigger
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
begin
  delete from portal_private.session where account_id = new.account_id;
  perform portal_private.forget_oidc(new.account_id);
  return null;
end
$$;
create trigger deactivated_account_is_logged_out after update of is_active on portal.account_detail
  for each row when (old.is_active and not new.is_active) execute function portal_private.after_deactivation();

-- The storage contract of the OpenID provider.
create function portal.oidc_put(kind text, id text, payload jsonb, expires timestamptz) returns void
language sql security definer set search_path = pg_catalog, pg_temp
begin atomic
  insert into portal_private.oidc_state (kind, id, payload, grant_id, user_code, uid, expires)
    values (oidc_put.kind, oidc_put.id, oidc_put.payload,
            oidc_put.payload ->> 'grantId', oidc_put.payload ->> 'userCode', oidc_put.payload ->> 'uid', oidc_put.expires)
    on conflict on constraint oidc_state_pkey do update
      set payload = excluded.payload, grant_id = excluded.grant_id, user_code = excluded.user_code,
          uid = excluded.uid, expires = excluded.expires;
end;

-- By id, or by the user code or uid kept beside it: exactly one of the three is given. A consumed artefact says when.
create function portal.oidc_get(kind text, id text default null, user_code text default null, uid text default null)
returns jsonb
language sql stable security definer set search_path = pg_catalog, pg_temp
begin atomic
  select case when s.consumed is null then s.payload
              else s.payload || jsonb_build_object('consumed', floor(extract(epoch from s.consumed))) end
    from portal_private.oidc_state s
   where s.kind = oidc_get.kind
     and (s.id = oidc_get.id or s.user_code = oidc_get.user_code or s.uid = oidc_get.uid)
     and (s.expires is null or s.expires > now());
end;

create function portal.oidc_consume(kind text, id text) returns void
language sql security definer set search_path = pg_catalog, pg_temp
begin atomic
  update portal_private.oidc_state s set consumed = now() where s.kind = oidc_consume.kind and s.id = oidc_consume.id;
end;

create function portal.oidc_drop(kind text, id text) returns void
language sql security definer set search_path = pg_catalog, pg_temp
begin atomic
  delete from portal_private.oidc_state s where s.kind = oidc_drop.kind and s.id = oidc_drop.id;
end;

create function portal.oidc_revoke(grant_id text) returns void
language sql security definer set search_path = pg_catalog, pg_temp
begin atomic
  delete from portal_private.oidc_state s where s.grant_id = oidc_revoke.grant_id;
end;

-- Returns the secret of that name, making it of `fresh` if there is none: every copy of the service gets the same one.
create function portal.service_secret(name text, fresh jsonb) returns jsonb
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  kept jsonb;
begin
  insert into portal_private.service_secret (name, value) values (service_secret.name, fresh)
    on conflict on constraint service_secret_pkey do nothing;
  select s.value into strict kept from portal_private.service_secret s where s.name = service_secret.name;
  return kept;
end
$$;

revoke all on all functions in schema portal_private from public;
revoke all on function
  portal.credential_of(text), portal.identity_of(integer), portal.set_password(integer, text),
  portal.open_session(bytea, integer, timestamptz, jsonb), portal.session_of(bytea), portal.close_session(bytea),
  portal.close_sessions_of(integer), portal.sweep_expired(), portal.oidc_put(text, text, jsonb, timestamptz),
  portal.oidc_get(text, text, text, text), portal.oidc_consume(text, text), portal.oidc_drop(text, text),
  portal.oidc_revoke(text), portal.service_secret(text, jsonb)
  from public;
grant execute on function
  portal.credential_of(text), portal.identity_of(integer), portal.set_password(integer, text),
  portal.open_session(bytea, integer, timestamptz, jsonb), portal.session_of(bytea), portal.close_session(bytea),
  portal.close_sessions_of(integer), portal.sweep_expired(), portal.oidc_put(text, text, jsonb, timestamptz),
  portal.oidc_get(text, text, text, text), portal.oidc_consume(text, text), portal.oidc_drop(text, text),
  portal.oidc_revoke(text), portal.service_secret(text, jsonb)
  to survest_authenticator;
grant execute on function portal.set_password(integer, text) to survest_admin;

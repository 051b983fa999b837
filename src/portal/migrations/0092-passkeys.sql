-- Passkeys (WebAuthn): keys of a device that sign in by themselves, without a password. One is a second factor as well: the password alone opens nothing then.
-- Here are public keys; who reads them can sign in nowhere.

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
create index passkey_account on portal_private.passkey (account_id);
-- Challenges that were answered: none is answered twice.
create table portal_private.used_challenge (
  hash bytea primary key,
  expires timestamptz not null
);
create index used_challenge_expires on portal_private.used_challenge (expires);
alter table portal_private.passkey enable row level security;
alter table portal_private.used_challenge enable row level security;

create or replace function portal_private.has_factor(account integer) returns boolean
language sql stable set search_path = pg_catalog, pg_temp
return exists (select from portal_private.totp t where t.account_id = account and t.confirmed is not null)
    or exists (select from portal_private.passkey k where k.account_id = account);

create function portal_private.use_challenge(challenge bytea) returns boolean
language plpgsql set search_path = pg_catalog, pg_temp as $$
begin
  insert into portal_private.used_challenge (hash, expires) values (challenge, now() + interval '1 hour') on conflict (hash) do nothing;
  return found;
end
$$;

-- What the service has verified. Null: the challenge was answered before, the key is known, or there are too many.
create function portal.add_passkey(
  account integer, challenge bytea, new_credential bytea, new_key bytea, new_counter bigint, new_transports text[], new_name text) returns bigint
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  made bigint;
begin
  perform from portal.account_detail d where d.account_id = account for update;
  if not portal_private.use_challenge(challenge)
     or (select count(*) from portal_private.passkey k where k.account_id = account) >= 20 then
    return null;
  end if;
  insert into portal_private.passkey (account_id, credential_id, public_key, counter, transports, name)
    values (account, new_credential, new_key, new_counter, new_transports, new_name)
    on conflict (credential_id) do nothing
    returning id into made;
  if made is not null then
    perform portal_private.audit_factor('factor-added', account, 'passkey');
  end if;
  return made;
end
$$;

-- No row: nobody's, or of an account that is switched off.
create function portal.passkey_of(credential bytea) returns table (account_id integer, public_key bytea, counter bigint)
language sql stable security definer set search_path = pg_catalog, pg_temp
begin atomic
  select k.account_id, k.public_key, k.counter
    from portal_private.passkey k join portal.account_detail d on d.account_id = k.account_id
   where k.credential_id = credential and d.is_active;
end;

-- False: the challenge was answered before, or the counter stands still, as that of a copied key does.
create function portal.use_passkey(credential bytea, challenge bytea, new_counter bigint) returns boolean
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
begin
  if not portal_private.use_challenge(challenge) then
    return false;
  end if;
  update portal_private.passkey k set counter = new_counter, last_used = now()
   where k.credential_id = credential and (k.counter < new_counter or (k.counter = 0 and new_counter = 0));
  return found;
end
$$;

-- Recovery codes stand in for a factor, and go with the last.
create function portal_private.tidy_recovery_codes(account integer) returns void
language sql set search_path = pg_catalog, pg_temp
begin atomic
  delete from portal_private.recovery_code c where c.account_id = account and not portal_private.has_factor(account);
end;

-- The caller's own. False: there is none of this number.
create function portal.remove_passkey(which bigint) returns boolean
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  me integer := portal.me();
begin
  delete from portal_private.passkey k where k.id = which and k.account_id = me;
  if not found then
    return false;
  end if;
  perform portal_private.tidy_recovery_codes(me);
  perform portal_private.audit_factor('factor-removed', me, 'passkey');
  return true;
end
$$;

-- The app alone: passkeys stay.
create or replace function portal.remove_second_factor(account integer) returns boolean
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
begin
  delete from portal_private.totp t where t.account_id = account;
  if not found then
    return false;
  end if;
  delete from portal_private.code_try t where t.account_id = account;
  perform portal_private.tidy_recovery_codes(account);
  perform portal_private.audit_factor('factor-removed', account, 'totp');
  return true;
end
$$;

create or replace function portal_private.remove_factors(account integer, act text) returns boolean
language plpgsql set search_path = pg_catalog, pg_temp as $$
declare
  had boolean := portal_private.has_factor(account);
begin
  delete from portal_private.totp t where t.account_id = account;
  delete from portal_private.passkey k where k.account_id = account;
  delete from portal_private.recovery_code c where c.account_id = account;
  delete from portal_private.code_try t where t.account_id = account;
  if had then
    perform portal_private.audit_factor(act, account, 'all');
  end if;
  return had;
end
$$;

create or replace function portal.my_second_factor() returns jsonb
language sql stable security definer set search_path = pg_catalog, pg_temp
return (select jsonb_build_object(
  'totp', exists (select from portal_private.totp t where t.account_id = (select portal.me()) and t.confirmed is not null),
  'recovery_codes', (select count(*) from portal_private.recovery_code c where c.account_id = (select portal.me())),
  'passkeys', coalesce((select jsonb_agg(jsonb_build_object('id', k.id, 'name', k.name,
      'created', to_char(k.created at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'),
      'last_used', to_char(k.last_used at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')) order by k.id)
    from portal_private.passkey k where k.account_id = (select portal.me())), '[]'),
  'is_required', coalesce((select r.admins_need_factor from portal_private.sign_in_rule r)
    and exists (select from portal.account_detail d where d.account_id = (select portal.me()) and d.is_superuser), false)));

create function portal.recovery_codes_left(account integer) returns integer
language sql stable security definer set search_path = pg_catalog, pg_temp
return (select count(*)::integer from portal_private.recovery_code c where c.account_id = account);

-- Keys that the caller's devices have already, so that none is made twice.
create function portal.my_credentials() returns jsonb
language sql stable security definer set search_path = pg_catalog, pg_temp
return (select coalesce(jsonb_agg(jsonb_build_object('id', encode(k.credential_id, 'hex'), 'transports', to_jsonb(k.transports))), '[]')
          from portal_private.passkey k where k.account_id = (select portal.me()));

create or replace function portal.sweep_expired() returns integer
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  sessions integer;
  states integer;
begin
  delete from portal_private.session where expires <= now();
  get diagnostics sessions = row_count;
  delete from portal_private.oidc_state where expires <= now();
  get diagnostics states = row_count;
  -- Those of this hour are still counted.
  delete from portal_private.mail_link where expires <= now() and made <= now() - interval '1 hour';
  delete from portal_private.used_challenge where expires <= now();
  return sessions + states;
end
$$;

revoke all on all functions in schema portal_private from public;
revoke all on function
  portal.add_passkey(integer, bytea, bytea, bytea, bigint, text[], text), portal.passkey_of(bytea), portal.use_passkey(bytea, bytea, bigint),
  portal.recovery_codes_left(integer), portal.remove_passkey(bigint), portal.my_credentials()
  from public;
grant execute on function
  portal.add_passkey(integer, bytea, bytea, bytea, bigint, text[], text), portal.passkey_of(bytea), portal.use_passkey(bytea, bytea, bigint),
  portal.recovery_codes_left(integer)
  to survest_authenticator;
grant execute on function portal.remove_passkey(bigint), portal.my_credentials() to survest_user, survest_admin;

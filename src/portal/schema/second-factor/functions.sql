create or replace function portal.set_sign_in_rule(admins_need_factor boolean) returns void
language sql security definer set search_path = pg_catalog, pg_temp
begin atomic
  update portal_private.sign_in_rule r set admins_need_factor = set_sign_in_rule.admins_need_factor
   where r.admins_need_factor <> set_sign_in_rule.admins_need_factor;
end;

create or replace function portal_private.has_factor(account integer) returns boolean
language sql stable set search_path = pg_catalog, pg_temp
return exists (select from portal_private.totp t where t.account_id = account and t.confirmed is not null)
    or exists (select from portal_private.passkey k where k.account_id = account);

create or replace function portal.has_second_factor(account integer) returns boolean
language sql stable security definer set search_path = pg_catalog, pg_temp
return portal_private.has_factor(account);

-- An administrator who has to have one and has none yet.
create or replace function portal.needs_second_factor(account integer) returns boolean
language sql stable security definer set search_path = pg_catalog, pg_temp
return (select r.admins_need_factor from portal_private.sign_in_rule r)
   and exists (select from portal.account_detail d where d.account_id = account and d.is_superuser)
   and not portal_private.has_factor(account);

-- False: too often. Ten at once, then one in five minutes.
create or replace function portal.take_code_try(account integer) returns boolean
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  used_now double precision;
begin
  insert into portal_private.code_try (account_id, used, at) values (account, 0, clock_timestamp()) on conflict (account_id) do nothing;
  select greatest(0, t.used - extract(epoch from clock_timestamp() - t.at) / 300) into used_now
    from portal_private.code_try t where t.account_id = account for update;
  if used_now + 1 > 10 then
    return false;
  end if;
  update portal_private.code_try t set used = used_now + 1, at = clock_timestamp() where t.account_id = account;
  return true;
end
$$;

create or replace function portal.totp_of(account integer) returns table (secret bytea, is_confirmed boolean)
language sql stable security definer set search_path = pg_catalog, pg_temp
begin atomic
  select t.secret, t.confirmed is not null from portal_private.totp t where t.account_id = account;
end;

-- A right code is taken once. With `confirming` it is the first, and switches the factor on.
create or replace function portal.use_totp(account integer, step bigint, confirming boolean) returns boolean
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
begin
  update portal_private.totp t set last_step = step, confirmed = coalesce(t.confirmed, now())
   where t.account_id = account and t.last_step < step and (t.confirmed is null) = confirming;
  if not found then
    return false;
  end if;
  delete from portal_private.code_try t where t.account_id = account;
  if confirming then
    perform portal_private.audit_factor('factor-added', account, 'totp');
  end if;
  return true;
end
$$;

create or replace function portal.set_recovery_codes(account integer, hashes bytea[]) returns void
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
begin
  delete from portal_private.recovery_code c where c.account_id = account;
  insert into portal_private.recovery_code (account_id, code_hash) select account, h from unnest(hashes) h;
end
$$;

create or replace function portal.use_recovery_code(account integer, hash bytea) returns boolean
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
begin
  delete from portal_private.recovery_code c where c.account_id = account and c.code_hash = hash;
  if not found then
    return false;
  end if;
  delete from portal_private.code_try t where t.account_id = account;
  perform portal_private.audit_factor('recovery-code-used', account, 'recovery');
  return true;
end
$$;

-- The caller's own. Also whether there is a password, so that the page asks for what can be given.
create or replace function portal.my_second_factor() returns jsonb
language sql stable security definer set search_path = pg_catalog, pg_temp
return (select jsonb_build_object(
  'totp', exists (select from portal_private.totp t where t.account_id = (select portal.me()) and t.confirmed is not null),
  'recovery_codes', (select count(*) from portal_private.recovery_code c where c.account_id = (select portal.me())),
  'has_password', exists (select from portal_private.credential c where c.account_id = (select portal.me())),
  'passkeys', coalesce((select jsonb_agg(jsonb_build_object('id', k.id, 'name', k.name,
      'created', to_char(k.created at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'),
      'last_used', to_char(k.last_used at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')) order by k.id)
    from portal_private.passkey k where k.account_id = (select portal.me())), '[]'),
  'is_required', coalesce((select r.admins_need_factor from portal_private.sign_in_rule r)
    and exists (select from portal.account_detail d where d.account_id = (select portal.me()) and d.is_superuser), false)));

-- A secret that counts when its first code was entered. False: there is one already, which has to be removed first.
create or replace function portal.begin_totp(new_secret bytea) returns boolean
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  me integer := portal.me();
begin
  perform portal_private.refuse_if(me is null, 'a second factor is set up by the account it belongs to');
  insert into portal_private.totp (account_id, secret) values (me, new_secret)
    on conflict (account_id) do update set secret = excluded.secret, last_step = 0 where portal_private.totp.confirmed is null;
  return found;
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

-- By the service, for an account that has just entered a code. The app alone: passkeys stay.
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

-- By an administrator, for somebody who has lost app and codes. Ends the sessions of the account. Null: there is no such account.
create or replace function portal.reset_second_factor(account integer) returns boolean
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  had boolean;
begin
  perform portal_private.require_admin_or_service();
  if not exists (select from portal.account a where a.id = account and a.id > 0) then
    return null;
  end if;
  had := portal_private.remove_factors(account, 'factor-reset');
  if had then
    delete from portal_private.session s where s.account_id = account and coalesce(s.data ->> 'kind', 'browser') = 'browser';
  end if;
  return had;
end
$$;

create or replace function portal_private.use_challenge(challenge bytea) returns boolean
language plpgsql set search_path = pg_catalog, pg_temp as $$
begin
  insert into portal_private.used_challenge (hash, expires) values (challenge, now() + interval '1 hour') on conflict (hash) do nothing;
  return found;
end
$$;

-- What the service has verified. Null: the challenge was answered before, the key is known, or there are too many.
create or replace function portal.add_passkey(
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
create or replace function portal.passkey_of(credential bytea) returns table (account_id integer, public_key bytea, counter bigint)
language sql stable security definer set search_path = pg_catalog, pg_temp
begin atomic
  select k.account_id, k.public_key, k.counter
    from portal_private.passkey k join portal.account_detail d on d.account_id = k.account_id
   where k.credential_id = credential and d.is_active;
end;

-- False: the challenge was answered before, or the counter stands still, as that of a copied key does.
create or replace function portal.use_passkey(credential bytea, challenge bytea, new_counter bigint) returns boolean
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
create or replace function portal_private.tidy_recovery_codes(account integer) returns void
language sql set search_path = pg_catalog, pg_temp
begin atomic
  delete from portal_private.recovery_code c where c.account_id = account and not portal_private.has_factor(account);
end;

-- The caller's own. False: there is none of this number. Two removals at once wait for each other.
create or replace function portal.remove_passkey(which bigint) returns boolean
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  me integer := portal.me();
begin
  perform from portal.account_detail d where d.account_id = me for update;
  delete from portal_private.passkey k where k.id = which and k.account_id = me;
  if not found then
    return false;
  end if;
  perform portal_private.require_way_in(me);
  perform portal_private.tidy_recovery_codes(me);
  perform portal_private.audit_factor('factor-removed', me, 'passkey');
  return true;
end
$$;

create or replace function portal.recovery_codes_left(account integer) returns integer
language sql stable security definer set search_path = pg_catalog, pg_temp
return (select count(*)::integer from portal_private.recovery_code c where c.account_id = account);

-- Whether a code is asked for after the provider has sent somebody: where the settings want it, and of administrators who have to have a second factor.
create or replace function portal.second_step_after_provider(account integer, is_wanted boolean) returns boolean
language sql stable security definer set search_path = pg_catalog, pg_temp
return portal_private.has_factor(account)
   and (is_wanted or ((select r.admins_need_factor from portal_private.sign_in_rule r)
                      and exists (select from portal.account_detail d where d.account_id = account and d.is_superuser)));

grant execute on function
  portal.reset_second_factor(integer)
  to survest_admin;

grant execute on function
  portal.set_sign_in_rule(boolean), portal.has_second_factor(integer), portal.needs_second_factor(integer),
  portal.take_code_try(integer), portal.totp_of(integer), portal.use_totp(integer,bigint,boolean),
  portal.set_recovery_codes(integer,bytea[]), portal.use_recovery_code(integer,bytea), portal.remove_second_factor(integer),
  portal.add_passkey(integer,bytea,bytea,bytea,bigint,text[],text), portal.passkey_of(bytea), portal.use_passkey(bytea,bytea,bigint),
  portal.recovery_codes_left(integer), portal.second_step_after_provider(integer,boolean)
  to survest_authenticator;

grant execute on function
  portal.my_second_factor(), portal.begin_totp(bytea), portal.remove_passkey(bigint)
  to survest_user, survest_admin;

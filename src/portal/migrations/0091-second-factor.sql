-- A second factor: codes of an authenticator app (TOTP), and recovery codes for who has lost it. An account that has one signs in with password and
-- code; its password alone opens nothing. Secrets are here and nowhere else; no role of the API reads them.

create table portal_private.totp (
  account_id integer primary key references portal.account on delete cascade,
  secret bytea not null check (length(secret) between 16 and 64),
  -- Null: shown to its owner, who has entered no code of it yet. Counts for nothing.
  confirmed timestamptz,
  -- Of the last code that was taken: none is taken twice, and none older.
  last_step bigint not null default 0
);
create table portal_private.recovery_code (
  account_id integer not null references portal.account on delete cascade,
  code_hash bytea not null,
  primary key (account_id, code_hash)
);
-- Tries at codes, as a bucket that leaks: six digits can be guessed by who may try often enough, from however many addresses and copies of the program.
create table portal_private.code_try (
  account_id integer primary key references portal.account on delete cascade,
  used double precision not null,
  at timestamptz not null
);
-- Whether administrators need one; as the settings say.
create table portal_private.sign_in_rule (
  only_row boolean primary key default true check (only_row),
  admins_need_factor boolean not null default false
);
insert into portal_private.sign_in_rule default values;
alter table portal_private.totp enable row level security;
alter table portal_private.recovery_code enable row level security;
alter table portal_private.code_try enable row level security;
alter table portal_private.sign_in_rule enable row level security;

create function portal.set_sign_in_rule(admins_need_factor boolean) returns void
language sql security definer set search_path = pg_catalog, pg_temp
begin atomic
  update portal_private.sign_in_rule r set admins_need_factor = set_sign_in_rule.admins_need_factor
   where r.admins_need_factor <> set_sign_in_rule.admins_need_factor;
end;

create function portal_private.has_factor(account integer) returns boolean
language sql stable set search_path = pg_catalog, pg_temp
return exists (select from portal_private.totp t where t.account_id = account and t.confirmed is not null);

create function portal.has_second_factor(account integer) returns boolean
language sql stable security definer set search_path = pg_catalog, pg_temp
return portal_private.has_factor(account);

-- An administrator who has to have one and has none yet.
create function portal.needs_second_factor(account integer) returns boolean
language sql stable security definer set search_path = pg_catalog, pg_temp
return (select r.admins_need_factor from portal_private.sign_in_rule r)
   and exists (select from portal.account_detail d where d.account_id = account and d.is_superuser)
   and not portal_private.has_factor(account);

-- Such an administrator is an ordinary account until then, whichever way the request came: session, password, token.
create or replace function portal_private.role_of(account integer) returns text
language sql stable set search_path = pg_catalog, pg_temp
begin atomic
  select case when d.is_superuser and not ((select r.admins_need_factor from portal_private.sign_in_rule r) and not portal_private.has_factor(account))
              then 'survest_admin' else 'survest_user' end
    from portal.account_detail d
   where d.account_id = account;
end;

-- False: too often. Ten at once, then one in five minutes.
create function portal.take_code_try(account integer) returns boolean
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

create function portal.totp_of(account integer) returns table (secret bytea, is_confirmed boolean)
language sql stable security definer set search_path = pg_catalog, pg_temp
begin atomic
  select t.secret, t.confirmed is not null from portal_private.totp t where t.account_id = account;
end;

-- A right code is taken once. With `confirming` it is the first, and switches the factor on.
create function portal.use_totp(account integer, step bigint, confirming boolean) returns boolean
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

create function portal_private.audit_factor(act text, account integer, factor text) returns void
language plpgsql set search_path = pg_catalog, pg_temp as $$
begin
  insert into portal_private.audit (actor, actor_name, act, subject, subject_id, name, detail)
    select coalesce(portal_private.find_me(), account), (select b.username from portal.account b where b.id = coalesce(portal_private.find_me(), account)),
           audit_factor.act, 'account', a.id, a.username, jsonb_build_object('factor', factor)
      from portal.account a where a.id = account;
end
$$;

create function portal.set_recovery_codes(account integer, hashes bytea[]) returns void
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
begin
  delete from portal_private.recovery_code c where c.account_id = account;
  insert into portal_private.recovery_code (account_id, code_hash) select account, h from unnest(hashes) h;
end
$$;

create function portal.use_recovery_code(account integer, hash bytea) returns boolean
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

-- The caller's own.
create function portal.my_second_factor() returns jsonb
language sql stable security definer set search_path = pg_catalog, pg_temp
return (select jsonb_build_object(
  'totp', portal_private.has_factor((select portal.me())),
  'recovery_codes', (select count(*) from portal_private.recovery_code c where c.account_id = (select portal.me())),
  'is_required', coalesce((select r.admins_need_factor from portal_private.sign_in_rule r)
    and exists (select from portal.account_detail d where d.account_id = (select portal.me()) and d.is_superuser), false)));

-- A secret that counts when its first code was entered. False: there is one already, which has to be removed first.
create function portal.begin_totp(new_secret bytea) returns boolean
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  me integer := portal.me();
begin
  if me is null then
    perform portal_private.refuse('a second factor is set up by the account it belongs to');
  end if;
  insert into portal_private.totp (account_id, secret) values (me, new_secret)
    on conflict (account_id) do update set secret = excluded.secret, last_step = 0 where portal_private.totp.confirmed is null;
  return found;
end
$$;

create function portal_private.remove_factors(account integer, act text) returns boolean
language plpgsql set search_path = pg_catalog, pg_temp as $$
declare
  had boolean := portal_private.has_factor(account);
begin
  delete from portal_private.totp t where t.account_id = account;
  delete from portal_private.recovery_code c where c.account_id = account;
  delete from portal_private.code_try t where t.account_id = account;
  if had then
    perform portal_private.audit_factor(act, account, 'all');
  end if;
  return had;
end
$$;

-- By the service, for an account that has just entered a code.
create function portal.remove_second_factor(account integer) returns boolean
language sql security definer set search_path = pg_catalog, pg_temp
return portal_private.remove_factors(account, 'factor-removed');

-- By an administrator, for somebody who has lost app and codes. Ends the sessions of the account. Null: there is no such account.
create function portal.reset_second_factor(account integer) returns boolean
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

revoke all on all functions in schema portal_private from public;
revoke all on function
  portal.set_sign_in_rule(boolean), portal.has_second_factor(integer), portal.needs_second_factor(integer), portal.take_code_try(integer), portal.totp_of(integer),
  portal.use_totp(integer, bigint, boolean), portal.set_recovery_codes(integer, bytea[]), portal.use_recovery_code(integer, bytea),
  portal.my_second_factor(), portal.begin_totp(bytea), portal.remove_second_factor(integer), portal.reset_second_factor(integer)
  from public;
grant execute on function
  portal.set_sign_in_rule(boolean), portal.has_second_factor(integer), portal.needs_second_factor(integer), portal.take_code_try(integer), portal.totp_of(integer),
  portal.use_totp(integer, bigint, boolean), portal.set_recovery_codes(integer, bytea[]), portal.use_recovery_code(integer, bytea),
  portal.remove_second_factor(integer)
  to survest_authenticator;
grant execute on function portal.my_second_factor(), portal.begin_totp(bytea) to survest_user, survest_admin;
grant execute on function portal.reset_second_factor(integer) to survest_admin;

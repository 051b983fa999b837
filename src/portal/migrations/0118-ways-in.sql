-- Ways into an account: what its owner can prove it with before one is added or removed, links to a provider that the owner makes and takes back, and
-- the promise that no removal leaves an account without a way in. And whom a letter tells that an account waits for approval.

-- Proving ----------------------------------------------------------------------------------------------------------

-- What the account could prove itself with. Who has neither password nor code (a person of the provider) proves it by having signed in just now.
create function portal.proofs_of(account integer, token_hash bytea) returns table (has_password boolean, has_code boolean, is_fresh boolean)
language sql stable security definer set search_path = pg_catalog, pg_temp
begin atomic
  select exists (select from portal_private.credential c where c.account_id = account),
         exists (select from portal_private.totp t where t.account_id = account and t.confirmed is not null)
           or exists (select from portal_private.recovery_code r where r.account_id = account),
         exists (select from portal_private.session s
                  where s.token_hash = proofs_of.token_hash and s.account_id = account and s.created > now() - interval '10 minutes');
end;

-- Also whether there is a password, so that the page asks for what can be given.
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

-- After a removal, in its transaction.
create function portal_private.require_way_in(account integer) returns void
language plpgsql set search_path = pg_catalog, pg_temp as $$
begin
  if not exists (select from portal_private.credential c where c.account_id = account)
     and not exists (select from portal_private.passkey k where k.account_id = account)
     and not exists (select from portal_private.provider_identity i where i.account_id = account) then
    raise exception 'This is the only way into your account. Choose a password, or add a passkey first.' using errcode = 'invalid_parameter_value';
  end if;
end
$$;

-- As before, but for the last line in; two removals at once wait for each other.
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

-- The provider -----------------------------------------------------------------------------------------------------

-- Whether the caller is linked to a person of this provider.
create function portal.my_provider_link(of_issuer text) returns jsonb
language sql stable security definer set search_path = pg_catalog, pg_temp
return (select jsonb_build_object('is_linked', count(*) > 0, 'since', to_char(min(i.made) at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'))
          from portal_private.provider_identity i where i.issuer = of_issuer and i.account_id = (select portal.me()));

-- By the service, which has seen the person at the provider. `linked`; `taken`: that person is another account here; `other`: the account is somebody
-- else there, and has to be unlinked first.
create function portal.link_provider(account integer, of_issuer text, of_subject text) returns text
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  holder integer;
begin
  perform pg_advisory_xact_lock(hashtextextended(of_issuer || ' ' || of_subject, 83));
  perform from portal.account_detail d where d.account_id = account and d.is_active for update;
  if not found then
    return 'other';
  end if;
  select i.account_id into holder from portal_private.provider_identity i where i.issuer = of_issuer and i.subject = of_subject;
  if holder is not null then
    return case when holder = account then 'linked' else 'taken' end;
  end if;
  if exists (select from portal_private.provider_identity i where i.issuer = of_issuer and i.account_id = account) then
    return 'other';
  end if;
  insert into portal_private.provider_identity (issuer, subject, account_id) values (of_issuer, of_subject, account);
  return 'linked';
end
$$;

-- The caller's own. False: there is no link. A person of another provider, whom the settings name no longer, is no way in.
create function portal.unlink_provider(of_issuer text) returns boolean
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  me integer := portal.me();
begin
  perform from portal.account_detail d where d.account_id = me for update;
  delete from portal_private.provider_identity i where i.issuer = of_issuer and i.account_id = me;
  if not found then
    return false;
  end if;
  if not exists (select from portal_private.credential c where c.account_id = me)
     and not exists (select from portal_private.passkey k where k.account_id = me) then
    raise exception 'This is the only way into your account. Choose a password, or add a passkey first.' using errcode = 'invalid_parameter_value';
  end if;
  perform portal_private.audit_note('identity-unlinked', 'account', me, (select a.username from portal.account a where a.id = me),
    jsonb_build_object('issuer', of_issuer));
  return true;
end
$$;

-- Whether a code is asked for after the provider has sent somebody: where the settings want it, and of administrators who have to have a second factor.
create function portal.second_step_after_provider(account integer, is_wanted boolean) returns boolean
language sql stable security definer set search_path = pg_catalog, pg_temp
return portal_private.has_factor(account)
   and (is_wanted or ((select r.admins_need_factor from portal_private.sign_in_rule r)
                      and exists (select from portal.account_detail d where d.account_id = account and d.is_superuser)));

-- Approval ---------------------------------------------------------------------------------------------------------

-- Accounts of which administrators were told that they wait.
create table portal_private.approval_letter (
  account_id integer primary key references portal.account on delete cascade,
  at timestamptz not null default now()
);
alter table portal_private.approval_letter enable row level security;

-- Administrators to write to about a new account that is switched off; once for each account, and five letters an hour to one address.
create function portal.approval_letters(account integer) returns table (username text, email text, language text, waiting text)
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  admin record;
begin
  if not exists (select from portal.account_detail d
                  where d.account_id = account and not d.is_active and d.last_login is null and d.date_joined > now() - interval '1 day') then
    return;
  end if;
  insert into portal_private.approval_letter (account_id) values (account) on conflict (account_id) do nothing;
  if not found then
    return;
  end if;
  select a.username into waiting from portal.account a where a.id = account;
  for admin in
    select a.id, a.username, d.email,
           coalesce((select min(c.language) from portal_private.notification_choice c where c.account_id = a.id), 'en') as language
      from portal.account_detail d join portal.account a on a.id = d.account_id
     where d.is_superuser and d.is_active and length(d.email) >= 3
     order by a.id limit 20
  loop
    if portal_private.add_mail_link(sha256(convert_to(gen_random_uuid()::text, 'UTF8')), 'notice', admin.id, admin.email, now()) then
      username := admin.username;
      email := admin.email;
      language := admin.language;
      return next;
    end if;
  end loop;
end
$$;

revoke all on all functions in schema portal_private from public;
revoke all on function
  portal.proofs_of(integer, bytea), portal.link_provider(integer, text, text), portal.second_step_after_provider(integer, boolean),
  portal.approval_letters(integer), portal.my_provider_link(text), portal.unlink_provider(text)
  from public;
grant execute on function
  portal.proofs_of(integer, bytea), portal.link_provider(integer, text, text), portal.second_step_after_provider(integer, boolean),
  portal.approval_letters(integer)
  to survest_authenticator;
grant execute on function portal.my_provider_link(text), portal.unlink_provider(text) to survest_user, survest_admin;

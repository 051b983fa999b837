-- May the caller create content?
create or replace function portal.may_add() returns boolean
language plpgsql stable parallel safe security definer set search_path = pg_catalog, pg_temp as $$
declare
  who portal_private.caller := portal_private.who();
begin
  return who.admin or (who.writable and coalesce((select a.can_add from portal.account a where a.id = who.me), false));
end
$$;

create or replace function portal_private.refresh_can_add(account integer) returns void
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  may boolean := exists (select from portal.group_member m where m.group_id = 3 and m.account_id = account)
              or exists (select from portal.account_detail d where d.account_id = account and (d.is_staff or d.is_superuser));
begin
  update portal.account a set can_add = may where a.id = account and a.can_add is distinct from may;
end
$$;

-- Every account is a contributor at first.
create or replace function portal_private.after_new_account() returns trigger
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
begin
  insert into portal.group_member (group_id, account_id) values (3, new.account_id) on conflict do nothing;
  return null;
end
$$;

create or replace function portal_private.after_account_flags() returns trigger
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
begin
  perform portal_private.refresh_can_add(new.account_id);
  return null;
end
$$;

-- A portal that lost its last administrator can only be mended by the operator of the database.
create or replace function portal_private.keep_one_admin() returns trigger
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
begin
  if tg_op = 'UPDATE' and new.is_superuser and new.is_active then
    return null;
  end if;
  lock table portal.account_detail in share row exclusive mode;
  if not exists (select from portal.account_detail where is_superuser and is_active) then
    raise exception 'The last administrator cannot be removed.' using errcode = 'restrict_violation';
  end if;
  return null;
end
$$;

create or replace function portal_private.guard_account() returns trigger
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  admin boolean := portal.is_admin();
begin
  perform portal_private.refuse_if(not portal.writable(), 'the portal is read-only');
  perform portal_private.refuse_if(not admin and (tg_op = 'INSERT' or old.id is distinct from portal.me()),
    'accounts are written by administrators, a profile by its account');
  perform portal_private.refuse_if(tg_op = 'UPDATE' and not admin and new.username is distinct from old.username,
    'user names are given by administrators');
  return coalesce(new, old);
end
$$;

-- An account has its own address confirmed by a link; administrators set any.
create or replace function portal_private.guard_account_detail() returns trigger
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  admin boolean := portal.is_admin();
begin
  perform portal_private.refuse_if(not portal.writable(), 'the portal is read-only');
  perform portal_private.refuse_if(not admin and (old.account_id is distinct from portal.me()
      or (new.is_active, new.is_staff, new.is_superuser) is distinct from (old.is_active, old.is_staff, old.is_superuser)),
    'flags of an account are set by administrators');
  if not admin and new.email is distinct from old.email then
    raise exception 'A mail address is changed by POST /account/email/, which sends a link to the new one. Administrators set it here.'
      using errcode = 'PT403';
  end if;
  return new;
end
$$;

-- A new account, for administrators and the service (sign-up, command line). The hash is made by the service.
create or replace function portal.create_account(
  username text,
  password_hash text default null,
  first_name text default '',
  last_name text default '',
  email text default '',
  is_staff boolean default false,
  is_superuser boolean default false
) returns integer
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  made integer;
begin
  perform portal_private.require_admin_or_service();
  insert into portal.account (username, first_name, last_name)
    values (create_account.username, create_account.first_name, create_account.last_name)
    returning id into made;
  insert into portal.account_detail (account_id, email, is_staff, is_superuser)
    values (made, create_account.email, create_account.is_staff, create_account.is_superuser);
  if create_account.password_hash is not null then
    insert into portal_private.credential (account_id, password_hash) values (made, create_account.password_hash);
  end if;
  return made;
end
$$;

grant execute on function
  portal.create_account(text,text,text,text,text,boolean,boolean)
  to survest_admin, survest_authenticator;

grant execute on function
  portal.may_add()
  to survest_anon, survest_user, survest_admin;

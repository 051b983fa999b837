-- At most five letters an hour to one address: nobody's inbox is filled by asking.
create or replace function portal_private.add_mail_link(token_hash bytea, purpose text, account integer, email text, expires timestamptz) returns boolean
language plpgsql set search_path = pg_catalog, pg_temp as $$
begin
  if (select count(*) from portal_private.mail_link l
       where lower(l.email) = lower(add_mail_link.email) and l.made > now() - interval '1 hour'
         and (l.purpose = 'notice') = (add_mail_link.purpose = 'notice')) >= 5 then
    return false;
  end if;
  insert into portal_private.mail_link (token_hash, purpose, account_id, email, expires)
    values (add_mail_link.token_hash, add_mail_link.purpose, account, add_mail_link.email, add_mail_link.expires);
  return true;
end
$$;

-- No row: there is no such account that could be written to, or it was written to often enough.
create or replace function portal.ask_new_password(login text, token_hash bytea, expires timestamptz) returns table (username text, email text)
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  found_account record;
begin
  select a.id, a.username, d.email into found_account
    from portal.account a join portal.account_detail d on d.account_id = a.id
   where a.id > 0 and d.is_active and length(d.email) >= 3 and (lower(a.username) = lower(login) or lower(d.email) = lower(login))
   order by lower(a.username) = lower(login) desc, d.last_login desc nulls last, a.id
   limit 1;
  if found and portal_private.add_mail_link(ask_new_password.token_hash, 'password', found_account.id, found_account.email, ask_new_password.expires) then
    return query select found_account.username, found_account.email;
  end if;
end
$$;

-- `new`: write the link; `known`, with the account's name: say that; no row: nothing is to be written.
create or replace function portal.ask_registration(new_email text, token_hash bytea, expires timestamptz) returns table (state text, username text)
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  known text;
begin
  if not portal_private.add_mail_link(ask_registration.token_hash, 'registration', null, new_email, ask_registration.expires) then
    return;
  end if;
  select a.username into known
    from portal.account a join portal.account_detail d on d.account_id = a.id
   where a.id > 0 and lower(d.email) = lower(new_email)
   order by a.id limit 1;
  if found then
    -- The row stays, without its use: it counts among the letters of this hour.
    update portal_private.mail_link l set expires = now() where l.token_hash = ask_registration.token_hash;
    return query select 'known', known;
  else
    return query select 'new', null::text;
  end if;
end
$$;

-- An administrator sends somebody the link to register with.
create or replace function portal.invite_person(new_email text, token_hash bytea, expires timestamptz) returns table (state text, username text)
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
begin
  perform portal_private.require_admin_or_service();
  return query select * from portal.ask_registration(new_email, invite_person.token_hash, invite_person.expires);
end
$$;

-- What a link is for. No row: it was used, has ended, or never was.
create or replace function portal.mail_link_about(token_hash bytea) returns table (purpose text, username text, email text)
language sql stable security definer set search_path = pg_catalog, pg_temp
begin atomic
  select l.purpose, a.username, l.email
    from portal_private.mail_link l
    left join portal.account a on a.id = l.account_id
    left join portal.account_detail d on d.account_id = l.account_id
   where l.token_hash = mail_link_about.token_hash and l.expires > now() and (l.account_id is null or d.is_active);
end;

-- Ends every other link for a new password with it.
create or replace function portal.use_password_link(token_hash bytea, new_hash text) returns boolean
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  link record;
begin
  select l.account_id, l.email into link
    from portal_private.mail_link l join portal.account_detail d on d.account_id = l.account_id
   where l.token_hash = use_password_link.token_hash and l.purpose = 'password' and l.expires > now() and d.is_active
     for update of l;
  if not found then
    return false;
  end if;
  update portal_private.mail_link l set expires = now() where l.account_id = link.account_id and l.expires > now();
  perform portal_private.confirm_email(link.account_id, link.email);
  perform portal.set_password(link.account_id, new_hash);
  return true;
end
$$;

-- NULL: there is no such link. A name that is taken is SQLSTATE 23505, and leaves the link good.
create or replace function portal.use_registration_link(
  token_hash bytea, new_username text, new_hash text, new_first_name text, new_last_name text, active boolean) returns integer
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  address text;
  made integer;
begin
  select l.email into address from portal_private.mail_link l
   where l.token_hash = use_registration_link.token_hash and l.purpose = 'registration' and l.expires > now()
     for update;
  if not found then
    return null;
  end if;
  made := portal.create_account(new_username, new_hash, new_first_name, new_last_name, address);
  perform portal_private.confirm_email(made, address);
  if not active then
    update portal.account_detail d set is_active = false where d.account_id = made;
  end if;
  update portal_private.mail_link l set expires = now() where lower(l.email) = lower(address) and l.purpose = 'registration' and l.expires > now();
  return made;
end
$$;

-- No row: the link was used, has ended, or another account has got the address since.
create or replace function portal.use_email_link(token_hash bytea) returns table (username text, old_email text, new_email text)
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  link record;
  before text;
begin
  select l.account_id, l.email into link
    from portal_private.mail_link l join portal.account_detail d on d.account_id = l.account_id
   where l.token_hash = use_email_link.token_hash and l.purpose = 'email' and l.expires > now() and d.is_active
     for update of l;
  if not found then
    return;
  end if;
  update portal_private.mail_link l set expires = now() where l.account_id = link.account_id and l.purpose = 'email' and l.expires > now();
  select d.email into before from portal.account_detail d where d.account_id = link.account_id for update;
  begin
    update portal.account_detail d set email = link.email where d.account_id = link.account_id;
  exception when unique_violation then
    return;
  end;
  perform portal_private.confirm_email(link.account_id, link.email);
  return query select a.username, before, link.email from portal.account a where a.id = link.account_id;
end
$$;

create or replace function portal_private.confirm_email(account integer, address text) returns void
language sql set search_path = pg_catalog, pg_temp
begin atomic
  insert into portal_private.confirmed_email (account_id, email) values (account, address)
    on conflict (account_id) do update set email = excluded.email, confirmed = now();
end;

-- Whether the address that the account has now is one that was confirmed.
create or replace function portal.email_is_confirmed(account integer) returns boolean
language sql stable security definer set search_path = pg_catalog, pg_temp
return exists (select from portal_private.confirmed_email c join portal.account_detail d on d.account_id = c.account_id
                where c.account_id = account and lower(c.email) = lower(d.email));

-- To whom the letter about an invitation goes. No row: nobody has this name, has no address, or was written to often enough.
create or replace function portal.invitation_letter(of_group integer, name text) returns table (username text, email text, title text, invited_by text)
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
begin
  return query
    select a.username::text, d.email::text, g.title::text, coalesce(inviter.username::text, '')
      from portal.group_invitation i
      join portal.user_group g on g.id = i.group_id
      join portal.account a on lower(a.username) = lower(i.username) and a.id > 0
      join portal.account_detail d on d.account_id = a.id
      left join portal.account inviter on inviter.id = i.invited_by
     where i.group_id = of_group and lower(i.username) = lower(name) and d.is_active and length(d.email) >= 3
       and portal_private.add_mail_link(sha256(convert_to(gen_random_uuid()::text, 'UTF8')), 'notice', a.id, d.email, now());
end
$$;

-- Administrators to write to about a new account that is switched off; once for each account, and five letters an hour to one address.
create or replace function portal.approval_letters(account integer) returns table (username text, email text, language text, waiting text)
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
           portal_private.language_of(a.id) as language
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

-- One address, one account. Accounts that share one from before keep it: a link to it reaches whom it always reached.
create or replace function portal_private.guard_email() returns trigger
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
begin
  if new.email = '' or (tg_op = 'UPDATE' and lower(new.email) = lower(old.email)) then
    return new;
  end if;
  perform pg_advisory_xact_lock(hashtextextended(lower(new.email), 129));
  if exists (select from portal.account_detail d where lower(d.email) = lower(new.email) and d.account_id <> new.account_id) then
    raise exception 'account_detail_email_key: another account has this address' using errcode = 'unique_violation';
  end if;
  return new;
end
$$;

-- A letter with a link that changes the address. `taken`: another account has the address. Its owner is told by mail, and nothing is changed.
create or replace function portal.ask_email_change(new_email text, token_hash bytea, expires timestamptz) returns table (state text, username text)
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  me integer := portal.me();
  holder text;
begin
  perform portal_private.refuse_if(me is null, 'a mail address is changed by the account it belongs to');
  if not portal_private.add_mail_link(ask_email_change.token_hash, 'email', me, new_email, ask_email_change.expires) then
    return;
  end if;
  select a.username into holder
    from portal.account a join portal.account_detail d on d.account_id = a.id
   where lower(d.email) = lower(new_email) and a.id <> me
   order by a.id limit 1;
  if found then
    -- The row stays, without its use: it counts among the letters of this hour.
    update portal_private.mail_link l set expires = now() where l.token_hash = ask_email_change.token_hash;
    return query select 'taken', holder;
  else
    return query select 'free', a.username::text from portal.account a where a.id = me;
  end if;
end
$$;

-- Whether the caller is told mail addresses: a token that may only read is not, unless its owner gave it just that.
create or replace function portal.sees_email() returns boolean
language sql stable parallel safe security definer set search_path = pg_catalog, pg_temp
return coalesce(string_to_array(portal_private.token_scope(), ' ') && array['write', 'email'], true);

-- A new address is told to the one before, so that its owner learns of it.
create or replace function portal_private.queue_email_letter() returns trigger
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
begin
  insert into portal_private.account_letter (account_id, act, detail, email)
    values (new.account_id, 'email-changed', jsonb_build_object('email', new.email), old.email);
  return null;
end
$$;

create or replace function portal_private.queue_account_letter() returns trigger
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
begin
  insert into portal_private.account_letter (account_id, act, detail, email)
    select d.account_id, new.act, new.detail, d.email from portal.account_detail d where d.account_id = new.subject_id and length(d.email) >= 3;
  return null;
end
$$;

grant execute on function
  portal.invite_person(text,bytea,timestamp with time zone)
  to survest_admin;

grant execute on function
  portal.ask_new_password(text,bytea,timestamp with time zone), portal.ask_registration(text,bytea,timestamp with time zone),
  portal.mail_link_about(bytea), portal.use_password_link(bytea,text), portal.use_registration_link(bytea,text,text,text,text,boolean),
  portal.use_email_link(bytea), portal.email_is_confirmed(integer), portal.invitation_letter(integer,text),
  portal.approval_letters(integer)
  to survest_authenticator;

grant execute on function
  portal.ask_email_change(text,bytea,timestamp with time zone), portal.sees_email()
  to survest_user, survest_admin;

-- Mail addresses that were confirmed: whoever used a link in a letter reads the mail of that address. An address that a person only typed in
-- proves nothing, so nobody is recognised by it. And letters that tell somebody of an invitation to a group.

create table portal_private.confirmed_email (
  account_id integer primary key references portal.account on delete cascade,
  email text not null,
  confirmed timestamptz not null default now()
);
create index confirmed_email_email on portal_private.confirmed_email (lower(email));
alter table portal_private.confirmed_email enable row level security;

create function portal_private.confirm_email(account integer, address text) returns void
language sql set search_path = pg_catalog, pg_temp
begin atomic
  insert into portal_private.confirmed_email (account_id, email) values (account, address)
    on conflict (account_id) do update set email = excluded.email, confirmed = now();
end;

-- Whether the address that the account has now is one that was confirmed.
create function portal.email_is_confirmed(account integer) returns boolean
language sql stable security definer set search_path = pg_catalog, pg_temp
return exists (select from portal_private.confirmed_email c join portal.account_detail d on d.account_id = c.account_id
                where c.account_id = account and lower(c.email) = lower(d.email));

-- What only tells something is counted by itself: it keeps nobody from a new password.
alter table portal_private.mail_link drop constraint mail_link_purpose_check;
alter table portal_private.mail_link add constraint mail_link_purpose_check
  check (purpose in ('password', 'registration', 'email', 'notice'));

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

-- To whom the letter about an invitation goes. No row: nobody has this name, has no address, or was written to often enough.
create function portal.invitation_letter(of_group integer, name text) returns table (username text, email text, title text, invited_by text)
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
  select d.email into before from portal.account_detail d where d.account_id = link.account_id for update;
  update portal.account_detail d set email = link.email where d.account_id = link.account_id;
  perform portal_private.confirm_email(link.account_id, link.email);
  update portal_private.mail_link l set expires = now() where l.account_id = link.account_id and l.purpose = 'email' and l.expires > now();
  return query select a.username, before, link.email from portal.account a where a.id = link.account_id;
end
$$;

revoke all on all functions in schema portal_private from public;
revoke all on function portal.email_is_confirmed(integer), portal.invitation_letter(integer, text) from public;
grant execute on function portal.email_is_confirmed(integer), portal.invitation_letter(integer, text) to survest_authenticator;

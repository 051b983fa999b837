-- Links that are sent by mail: for a new password, for registering, for another mail address. Each works once and ends; the text of a link is in
-- the letter alone, here is its hash. None of the functions tells a caller whether there is an account: they are the service's, which answers
-- the same either way and lets the letter tell the rest.

create table portal_private.mail_link (
  token_hash bytea primary key,
  purpose text not null check (purpose in ('password', 'registration', 'email')),
  account_id integer references portal.account on delete cascade,
  email text not null check (length(email) between 3 and 254),
  made timestamptz not null default now(),
  expires timestamptz not null,
  check ((purpose = 'registration') = (account_id is null))
);
create index mail_link_account on portal_private.mail_link (account_id);
create index mail_link_email on portal_private.mail_link (lower(email));
create index mail_link_expires on portal_private.mail_link (expires);
alter table portal_private.mail_link enable row level security;

-- At most five letters an hour to one address: nobody's inbox is filled by asking.
create function portal_private.add_mail_link(token_hash bytea, purpose text, account integer, email text, expires timestamptz) returns boolean
language plpgsql set search_path = pg_catalog, pg_temp as $$
begin
  if (select count(*) from portal_private.mail_link l
       where lower(l.email) = lower(add_mail_link.email) and l.made > now() - interval '1 hour') >= 5 then
    return false;
  end if;
  insert into portal_private.mail_link (token_hash, purpose, account_id, email, expires)
    values (add_mail_link.token_hash, add_mail_link.purpose, account, add_mail_link.email, add_mail_link.expires);
  return true;
end
$$;

-- No row: there is no such account that could be written to, or it was written to often enough.
create function portal.ask_new_password(login text, token_hash bytea, expires timestamptz) returns table (username text, email text)
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
create function portal.ask_registration(new_email text, token_hash bytea, expires timestamptz) returns table (state text, username text)
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
create function portal.invite_person(new_email text, token_hash bytea, expires timestamptz) returns table (state text, username text)
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
begin
  perform portal_private.require_admin_or_service();
  return query select * from portal.ask_registration(new_email, invite_person.token_hash, invite_person.expires);
end
$$;

-- The caller's own address; changed when the link was used.
create function portal.ask_new_email(new_email text, token_hash bytea, expires timestamptz) returns table (username text)
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  me integer := portal.me();
begin
  if me is null then
    perform portal_private.refuse('a mail address is changed by the account it belongs to');
  end if;
  if portal_private.add_mail_link(ask_new_email.token_hash, 'email', me, new_email, ask_new_email.expires) then
    return query select a.username from portal.account a where a.id = me;
  end if;
end
$$;

-- What a link is for. No row: it was used, has ended, or never was.
create function portal.mail_link_about(token_hash bytea) returns table (purpose text, username text, email text)
language sql stable security definer set search_path = pg_catalog, pg_temp
begin atomic
  select l.purpose, a.username, l.email
    from portal_private.mail_link l
    left join portal.account a on a.id = l.account_id
    left join portal.account_detail d on d.account_id = l.account_id
   where l.token_hash = mail_link_about.token_hash and l.expires > now() and (l.account_id is null or d.is_active);
end;

-- Ends every other link for a new password with it.
create function portal.use_password_link(token_hash bytea, new_hash text) returns boolean
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  account integer;
begin
  select l.account_id into account
    from portal_private.mail_link l join portal.account_detail d on d.account_id = l.account_id
   where l.token_hash = use_password_link.token_hash and l.purpose = 'password' and l.expires > now() and d.is_active
     for update of l;
  if not found then
    return false;
  end if;
  update portal_private.mail_link l set expires = now() where l.account_id = account and l.expires > now();
  perform portal.set_password(account, new_hash);
  return true;
end
$$;

-- NULL: there is no such link. A name that is taken is SQLSTATE 23505, and leaves the link good.
create function portal.use_registration_link(
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
  if not active then
    update portal.account_detail d set is_active = false where d.account_id = made;
  end if;
  update portal_private.mail_link l set expires = now() where lower(l.email) = lower(address) and l.purpose = 'registration' and l.expires > now();
  return made;
end
$$;

-- The address before is told, so that its owner can be.
create function portal.use_email_link(token_hash bytea) returns table (username text, old_email text, new_email text)
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
  update portal_private.mail_link l set expires = now() where l.account_id = link.account_id and l.purpose = 'email' and l.expires > now();
  return query select a.username, before, link.email from portal.account a where a.id = link.account_id;
end
$$;

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
  return sessions + states;
end
$$;

revoke all on all functions in schema portal_private from public;
revoke all on function
  portal.ask_new_password(text, bytea, timestamptz), portal.ask_registration(text, bytea, timestamptz),
  portal.invite_person(text, bytea, timestamptz), portal.ask_new_email(text, bytea, timestamptz), portal.mail_link_about(bytea),
  portal.use_password_link(bytea, text), portal.use_registration_link(bytea, text, text, text, text, boolean), portal.use_email_link(bytea)
  from public;
grant execute on function
  portal.ask_new_password(text, bytea, timestamptz), portal.ask_registration(text, bytea, timestamptz), portal.mail_link_about(bytea),
  portal.use_password_link(bytea, text), portal.use_registration_link(bytea, text, text, text, text, boolean), portal.use_email_link(bytea)
  to survest_authenticator;
grant execute on function portal.invite_person(text, bytea, timestamptz) to survest_admin;
grant execute on function portal.ask_new_email(text, bytea, timestamptz) to survest_user, survest_admin;

-- What a token may never do: change a way into its owner's account, or into an account with rights of its own. Whoever stole a token would otherwise
-- stay when it is revoked. A transaction of a token carries its scope among the claims, on the portal and on the REST service. And the mail address: it
-- is changed by who reads it, belongs to one account, and is not told to tokens that may only read.

create function portal_private.token_scope() returns text
language sql stable parallel safe set search_path = pg_catalog, pg_temp
return nullif(current_setting('request.jwt.claims', true), '')::jsonb ->> 'scope';

create function portal_private.is_closed_to_tokens(account integer) returns boolean
language sql stable set search_path = pg_catalog, pg_temp
return account = portal_private.claimed_account()
    or exists (select from portal.account_detail d where d.account_id = account and (d.is_staff or d.is_superuser));

create function portal_private.refuse_token() returns void
language plpgsql set search_path = pg_catalog, pg_temp as $$
begin
  raise exception 'A token cannot do this: sign in with the account itself.' using errcode = 'PT403';
end
$$;

-- Holds whoever's rights a statement runs with: definer functions and cascades write these tables as their owner.
create function portal_private.guard_way_in() returns trigger
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
begin
  if portal_private.token_scope() is not null
     and ((tg_op <> 'INSERT' and portal_private.is_closed_to_tokens(old.account_id))
       or (tg_op <> 'DELETE' and portal_private.is_closed_to_tokens(new.account_id))) then
    perform portal_private.refuse_token();
  end if;
  return case when tg_op = 'DELETE' then old else new end;
end
$$;

-- The list.
do $$
declare
  way text;
begin
  foreach way in array array['credential', 'session', 'mail_link', 'confirmed_email', 'provider_identity', 'totp', 'recovery_code', 'code_try', 'passkey'] loop
    execute format('create trigger not_by_token before insert or update or delete on portal_private.%I
                      for each row execute function portal_private.guard_way_in()', way);
  end loop;
end
$$;

create function portal_private.guard_account_by_token() returns trigger
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
begin
  if portal_private.token_scope() is not null and (tg_op = 'DELETE' or new.username is distinct from old.username)
     and portal_private.is_closed_to_tokens(old.id) then
    perform portal_private.refuse_token();
  end if;
  return case when tg_op = 'DELETE' then old else new end;
end
$$;
create trigger not_by_token before update of username or delete on portal.account
  for each row execute function portal_private.guard_account_by_token();

create function portal_private.guard_detail_by_token() returns trigger
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
begin
  if portal_private.token_scope() is null then
    return new;
  end if;
  if tg_op = 'INSERT' then
    if new.is_staff or new.is_superuser then
      perform portal_private.refuse_token();
    end if;
  elsif (new.email, new.is_active, new.is_staff, new.is_superuser) is distinct from (old.email, old.is_active, old.is_staff, old.is_superuser)
     and (new.is_staff or new.is_superuser or portal_private.is_closed_to_tokens(old.account_id)) then
    perform portal_private.refuse_token();
  end if;
  return new;
end
$$;
create trigger not_by_token before insert or update on portal.account_detail
  for each row execute function portal_private.guard_detail_by_token();

-- An account has its own address confirmed by a link; administrators set any.
create or replace function portal_private.guard_account_detail() returns trigger
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  admin boolean := portal.is_admin();
begin
  if not portal.writable() then
    perform portal_private.refuse('the portal is read-only');
  end if;
  if not admin and (old.account_id is distinct from portal.me()
      or (new.is_active, new.is_staff, new.is_superuser) is distinct from (old.is_active, old.is_staff, old.is_superuser)) then
    perform portal_private.refuse('flags of an account are set by administrators');
  end if;
  if not admin and new.email is distinct from old.email then
    raise exception 'A mail address is changed by POST /account/email/, which sends a link to the new one. Administrators set it here.'
      using errcode = 'PT403';
  end if;
  return new;
end
$$;

-- One address, one account. Accounts that share one from before keep it: a link to it reaches whom it always reached.
create function portal_private.guard_email() returns trigger
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
create index account_detail_email on portal.account_detail (lower(email)) where email <> '';
create trigger one_account_per_email before insert or update of email on portal.account_detail
  for each row execute function portal_private.guard_email();

-- In the place of `ask_new_email`, which the release before calls. `taken`: another account has the address. Its owner is told by mail, and nothing is changed.
create function portal.ask_email_change(new_email text, token_hash bytea, expires timestamptz) returns table (state text, username text)
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  me integer := portal.me();
  holder text;
begin
  if me is null then
    perform portal_private.refuse('a mail address is changed by the account it belongs to');
  end if;
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

create or replace function portal.sign_in_from_provider(person jsonb, rules jsonb)
returns table (state text, account_id integer, username text, db_role text, unknown_groups text[])
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  issuer_of text := person ->> 'issuer';
  subject_of text := person ->> 'subject';
  address text := coalesce(person ->> 'email', '');
  is_verified boolean := coalesce((person ->> 'email_verified')::boolean, false) and length(address) >= 3;
  governed text[] := array(select jsonb_array_elements_text(rules -> 'groups'));
  held text[] := array(select jsonb_array_elements_text(person -> 'groups'));
  how text := 'known';
  account integer;
  wanted text := person ->> 'username';
  tried integer := 1;
begin
  -- Two first sign-ins of one person make one account.
  perform pg_advisory_xact_lock(hashtextextended(issuer_of || ' ' || subject_of, 83));
  select i.account_id into account from portal_private.provider_identity i where i.issuer = issuer_of and i.subject = subject_of;

  if account is null and is_verified and coalesce((rules ->> 'link_by_email')::boolean, false) then
    -- An address that several accounts have is nobody's.
    select min(d.account_id) into account
      from portal.account_detail d join portal_private.confirmed_email c on c.account_id = d.account_id
     where lower(c.email) = lower(address) and lower(d.email) = lower(address)
    having count(*) = 1;
    if account is not null then
      how := 'linked';
      insert into portal_private.provider_identity (issuer, subject, account_id) values (issuer_of, subject_of, account);
    end if;
  end if;

  if account is null then
    if rules ->> 'registration' not in ('open', 'approval') then
      return query select 'unknown', null::integer, null::text, null::text, '{}'::text[];
      return;
    end if;
    while exists (select from portal.account a where lower(a.username) = lower(wanted)) loop
      tried := tried + 1;
      wanted := (person ->> 'username') || '-' || case when tried < 100 then tried::text else substr(md5(gen_random_uuid()::text), 1, 8) end;
    end loop;
    how := 'made';
    -- An address that another account has stays with it: the person signs in without one.
    if exists (select from portal.account_detail d where lower(d.email) = lower(address) and address <> '') then
      address := '';
      is_verified := false;
    end if;
    account := portal.create_account(wanted, null, coalesce(person ->> 'first_name', ''), coalesce(person ->> 'last_name', ''), address);
    insert into portal_private.provider_identity (issuer, subject, account_id) values (issuer_of, subject_of, account);
    if is_verified then
      perform portal_private.confirm_email(account, address);
    end if;
    if rules ->> 'registration' = 'approval' then
      update portal.account_detail d set is_active = false where d.account_id = account;
    end if;
  end if;

  perform portal_private.follow_provider_groups(account, governed, held);
  return query
    select case when d.is_active then how else 'inactive' end, a.id, a.username::text, portal_private.role_of(a.id),
           array(select s.slug from unnest(governed) s(slug)
                  where not exists (select from portal.user_group g where g.slug = s.slug and g.id not in (1, 2)))
      from portal.account a join portal.account_detail d on d.account_id = a.id where a.id = account;
end
$$;

-- Whether the caller is told mail addresses: a token that may only read is not, unless its owner gave it just that.
create function portal.sees_email() returns boolean
language sql stable parallel safe security definer set search_path = pg_catalog, pg_temp
return coalesce(string_to_array(portal_private.token_scope(), ' ') && array['write', 'email'], true);

revoke all on all functions in schema portal_private from public;
revoke all on function portal.sees_email(), portal.ask_email_change(text, bytea, timestamptz) from public;
grant execute on function portal.sees_email() to survest_user, survest_admin;
grant execute on function portal.ask_email_change(text, bytea, timestamptz) to survest_user, survest_admin;

-- Sign-in with an OpenID Connect provider of others: which account a person of theirs is here. A person is known by issuer and subject, which never
-- change hands; a mail address does, so nobody is taken for an account by it unless the settings say so, and then only where both sides have
-- confirmed the address.

create table portal_private.provider_identity (
  issuer text not null check (length(issuer) between 1 and 500),
  subject text not null check (length(subject) between 1 and 255),
  account_id integer not null references portal.account on delete cascade,
  made timestamptz not null default now(),
  primary key (issuer, subject)
);
create index provider_identity_account on portal_private.provider_identity (account_id);
alter table portal_private.provider_identity enable row level security;

create function portal_private.audit_provider_identity() returns trigger
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
begin
  perform portal_private.audit_note('identity-linked', 'account', new.account_id,
    (select a.username from portal.account a where a.id = new.account_id), jsonb_build_object('issuer', new.issuer));
  return null;
end
$$;
create trigger audit after insert on portal_private.provider_identity
  for each row execute function portal_private.audit_provider_identity();

-- Memberships of the groups that the provider decides about follow what it says; all others stay as they are.
create function portal_private.follow_provider_groups(account integer, governed text[], held text[]) returns void
language plpgsql set search_path = pg_catalog, pg_temp as $$
begin
  delete from portal.group_member m using portal.user_group g
   where g.id = m.group_id and m.account_id = account and g.slug = any (governed) and g.slug <> all (held) and g.id not in (1, 2);
  insert into portal.group_member (group_id, account_id)
    select g.id, account from portal.user_group g where g.slug = any (governed) and g.slug = any (held) and g.id not in (1, 2)
    on conflict (group_id, account_id) do nothing;
end
$$;

-- `person`: issuer, subject, email, email_verified, username, first_name, last_name, groups (slugs). `rules`: registration (off, open, approval),
-- link_by_email, groups (slugs that the provider decides about). The state is `known`, `linked` or `made`; `unknown`: nobody is made an account;
-- `inactive`: it is switched off, or waits for an administrator.
create function portal.sign_in_from_provider(person jsonb, rules jsonb)
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

revoke all on all functions in schema portal_private from public;
revoke all on function portal.sign_in_from_provider(jsonb, jsonb) from public;
grant execute on function portal.sign_in_from_provider(jsonb, jsonb) to survest_authenticator;

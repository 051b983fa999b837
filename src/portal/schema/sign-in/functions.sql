-- Such an administrator is an ordinary account until then, whichever way the request came: session, password, token.
create or replace function portal_private.role_of(account integer) returns text
language plpgsql stable set search_path = pg_catalog, pg_temp as $$
begin
  return (select case when d.is_superuser and not ((select r.admins_need_factor from portal_private.sign_in_rule r) and not portal_private.has_factor(account))
                      then 'survest_admin' else 'survest_user' end
            from portal.account_detail d where d.account_id = account);
end
$$;

-- What a login needs to check a password. No row: no such account, or it has no password.
create or replace function portal.credential_of(login text)
returns table (account_id integer, username text, password_hash text, is_active boolean, db_role text)
language sql stable security definer set search_path = pg_catalog, pg_temp
begin atomic
  select a.id, a.username, c.password_hash, d.is_active, portal_private.role_of(a.id)
    from portal.account a
    join portal.account_detail d on d.account_id = a.id
    join portal_private.credential c on c.account_id = a.id
   where lower(a.username) = lower(login);
end;

-- Who an account is, for tokens and the user-info endpoint. No row: gone or deactivated.
create or replace function portal.identity_of(account integer)
returns table (account_id integer, username text, first_name text, last_name text, email text, db_role text, groups text[])
language sql stable security definer set search_path = pg_catalog, pg_temp
begin atomic
  select a.id, a.username, a.first_name, a.last_name, d.email, portal_private.role_of(a.id),
         array(select g.slug from portal.group_member m join portal.user_group g on g.id = m.group_id
                where m.account_id = a.id order by g.slug)
    from portal.account a
    join portal.account_detail d on d.account_id = a.id
   where a.id = account and d.is_active;
end;

-- Everything that was made for the account while it was trusted: codes, grants, refresh tokens, sessions of the provider.
create or replace function portal_private.forget_oidc(account integer) returns void
language sql set search_path = pg_catalog, pg_temp
begin atomic
  delete from portal_private.oidc_state s where s.payload ? 'accountId' and s.payload ->> 'accountId' = account::text;
end;

-- Sets a password, and ends every session of the account and what applications were granted.
create or replace function portal.set_password(account integer, new_hash text) returns void
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
begin
  perform portal_private.require_admin_or_service();
  insert into portal_private.credential (account_id, password_hash) values (account, new_hash)
    on conflict (account_id) do update set password_hash = excluded.password_hash, changed = now();
  delete from portal_private.session s where s.account_id = account;
  perform portal_private.forget_oidc(account);
end
$$;

create or replace function portal.open_session(token_hash bytea, account integer, expires timestamptz, data jsonb default '{}')
returns void
language sql security definer set search_path = pg_catalog, pg_temp
begin atomic
  insert into portal_private.session (token_hash, account_id, expires, data)
    values (open_session.token_hash, open_session.account, open_session.expires, open_session.data);
  update portal.account_detail d set last_login = now() where d.account_id = open_session.account;
end;

-- The account behind a session token, only while the session lasts and the account is active.
create or replace function portal.session_of(token_hash bytea)
returns table (account_id integer, username text, db_role text, data jsonb, expires timestamptz)
language plpgsql stable security definer set search_path = pg_catalog, pg_temp rows 1 as $$
begin
  return query
    select a.id, a.username, portal_private.role_of(a.id), s.data, s.expires
      from portal_private.session s
      join portal.account a on a.id = s.account_id
      join portal.account_detail d on d.account_id = a.id
     where s.token_hash = session_of.token_hash and s.expires > now() and d.is_active;
end
$$;

create or replace function portal.close_session(token_hash bytea) returns void
language sql security definer set search_path = pg_catalog, pg_temp
begin atomic
  delete from portal_private.session s where s.token_hash = close_session.token_hash;
end;

-- Called now and then by the service; returns how many rows went.
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
  -- Where no mail is set up nobody takes them.
  delete from portal_private.account_letter where at <= now() - interval '1 day';
  return sessions + states;
end
$$;

-- Deactivating an account ends its sessions and grants; it is not merely refused while they last.
create or replace function portal_private.after_deactivation() returns trigger
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
begin
  delete from portal_private.session where account_id = new.account_id;
  perform portal_private.forget_oidc(new.account_id);
  return null;
end
$$;

-- The storage contract of the OpenID provider.
create or replace function portal.oidc_put(kind text, id text, payload jsonb, expires timestamptz) returns void
language sql security definer set search_path = pg_catalog, pg_temp
begin atomic
  insert into portal_private.oidc_state (kind, id, payload, grant_id, user_code, uid, expires)
    values (oidc_put.kind, oidc_put.id, oidc_put.payload,
            oidc_put.payload ->> 'grantId', oidc_put.payload ->> 'userCode', oidc_put.payload ->> 'uid', oidc_put.expires)
    on conflict on constraint oidc_state_pkey do update
      set payload = excluded.payload, grant_id = excluded.grant_id, user_code = excluded.user_code,
          uid = excluded.uid, expires = excluded.expires;
end;

-- By id, or by the user code or uid kept beside it: exactly one of the three is given. A consumed artefact says when.
create or replace function portal.oidc_get(kind text, id text default null, user_code text default null, uid text default null)
returns jsonb
language sql stable security definer set search_path = pg_catalog, pg_temp
begin atomic
  select case when s.consumed is null then s.payload
              else s.payload || jsonb_build_object('consumed', floor(extract(epoch from s.consumed))) end
    from portal_private.oidc_state s
   where s.kind = oidc_get.kind
     and (s.id = oidc_get.id or s.user_code = oidc_get.user_code or s.uid = oidc_get.uid)
     and (s.expires is null or s.expires > now());
end;

create or replace function portal.oidc_consume(kind text, id text) returns void
language sql security definer set search_path = pg_catalog, pg_temp
begin atomic
  update portal_private.oidc_state s set consumed = now() where s.kind = oidc_consume.kind and s.id = oidc_consume.id;
end;

create or replace function portal.oidc_drop(kind text, id text) returns void
language sql security definer set search_path = pg_catalog, pg_temp
begin atomic
  delete from portal_private.oidc_state s where s.kind = oidc_drop.kind and s.id = oidc_drop.id;
end;

create or replace function portal.oidc_revoke(grant_id text) returns void
language sql security definer set search_path = pg_catalog, pg_temp
begin atomic
  delete from portal_private.oidc_state s where s.grant_id = oidc_revoke.grant_id;
end;

-- Returns the secret of that name, making it of `fresh` if there is none: every copy of the service gets the same one.
create or replace function portal.service_secret(name text, fresh jsonb) returns jsonb
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  kept jsonb;
begin
  insert into portal_private.service_secret (name, value) values (service_secret.name, fresh)
    on conflict on constraint service_secret_pkey do nothing;
  select s.value into strict kept from portal_private.service_secret s where s.name = service_secret.name;
  return kept;
end
$$;

-- Ids are never used again, but what was granted in the name of one should not outlive it.
create or replace function portal_private.after_account_end() returns trigger
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
begin
  perform portal_private.forget_oidc(old.id);
  return null;
end
$$;

-- The account of a bearer token, while it is active and what the token hangs on is still there: the grant that a person
-- gave an application, or the session that the token was made in.
create or replace function portal.token_account(account integer, granted text, session_hash bytea)
returns table (account_id integer, username text, db_role text)
language plpgsql stable security definer set search_path = pg_catalog, pg_temp rows 1 as $$
begin
  return query
    select a.id, a.username, portal_private.role_of(a.id)
      from portal.account a
      join portal.account_detail d on d.account_id = a.id
     where a.id = account and d.is_active
       and (exists (select from portal_private.oidc_state s
                     where s.kind = 'Grant' and s.id = granted and s.payload ->> 'accountId' = account::text
                       and (s.expires is null or s.expires > now()))
         or exists (select from portal_private.session s
                     where s.token_hash = session_hash and s.account_id = account and s.expires > now()));
end
$$;

-- Artefacts of one kind, the registered clients for instance, by id.
create or replace function portal.oidc_list(kind text) returns table (id text, payload jsonb)
language sql stable security definer set search_path = pg_catalog, pg_temp
begin atomic
  select s.id, s.payload from portal_private.oidc_state s
   where s.kind = oidc_list.kind and (s.expires is null or s.expires > now())
   order by s.id;
end;

-- A secret made earlier; null: there is none yet, and it pays to make one.
create or replace function portal.known_secret(name text) returns jsonb
language sql stable security definer set search_path = pg_catalog, pg_temp
begin atomic
  select s.value from portal_private.service_secret s where s.name = known_secret.name;
end;

-- A token that may only read reads: whatever the request is, its transaction writes nothing.
create or replace function portal.check_token() returns void
language plpgsql volatile security definer set search_path = pg_catalog, pg_temp as $$
declare
  claims jsonb := nullif(current_setting('request.jwt.claims', true), '')::jsonb;
  sid text := claims ->> 'sid';
begin
  if claims ->> 'sub' ~ '^[1-9][0-9]{0,8}$' and exists (
    select from portal.token_account(
                  (claims ->> 'sub')::integer,
                  claims ->> 'gid',
                  decode(rpad(translate(sid, '-_', '+/'), (length(sid) + 3) / 4 * 4, '='), 'base64')) t
     -- A token that may only read and that a person gave an application names no role, and acts as a visitor does.
     where claims ->> 'role' in (t.db_role, 'survest_anon')) then
    if claims ->> 'scope' is not null and 'write' <> all (string_to_array(claims ->> 'scope', ' ')) then
      perform set_config('transaction_read_only', 'on', true);
    end if;
    return;
  end if;
  -- Whoever has a link (room share-links) and no account. It reads, and as long as the link is good.
  if claims ->> 'sub' is null and claims ->> 'role' = 'survest_anon' then
    perform set_config('transaction_read_only', 'on', true);
    if portal_private.find_share_link() is not null then
      return;
    end if;
  end if;
  raise exception 'the token is no longer good' using errcode = 'SV303';
end
$$;

-- The caller's own, the newest first. `data` has what kind it is: of a browser, a token, or the short one behind a script's password.
create or replace function portal.my_sign_ins(current_hash bytea) returns table (
  id bigint, kind text, data jsonb, created timestamptz, expires timestamptz, is_current boolean)
language sql stable security definer set search_path = pg_catalog, pg_temp
begin atomic
  select s.id, coalesce(s.data ->> 'kind', 'browser'), s.data, s.created, s.expires, s.token_hash is not distinct from current_hash
    from portal_private.session s
   where s.account_id = (select portal.me()) and s.expires > now()
   order by s.created desc, s.id desc
   limit 500;
end;

-- False: the caller has no such sign-in of this kind.
create or replace function portal.end_sign_in(which bigint, of_kind text) returns boolean
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
begin
  delete from portal_private.session s
   where s.id = which and s.account_id = portal.me() and coalesce(s.data ->> 'kind', 'browser') = of_kind;
  return found;
end
$$;

-- Every browser but the one that asks; access tokens stay. How many they were.
create or replace function portal.end_other_browsers(current_hash bytea) returns integer
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  ended integer;
begin
  delete from portal_private.session s
   where s.account_id = portal.me() and s.token_hash is distinct from current_hash and coalesce(s.data ->> 'kind', 'browser') = 'browser';
  get diagnostics ended = row_count;
  return ended;
end
$$;

-- For the caller. The hash is of a text that nobody has: no browser can sign in with it.
create or replace function portal.make_access_token(token_hash bytea, token_name text, token_scope text, expires timestamptz) returns bigint
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  me integer := portal.me();
  made bigint;
begin
  perform portal_private.refuse_if(me is null, 'access tokens are made by accounts');
  perform portal_private.invalid_if(token_scope is null or token_scope not in ('read', 'write') or length(token_name) not between 1 and 100
     or expires > now() + interval '367 days',
    'no such access token');
  -- One at a time: the count below is true until this one is in.
  perform from portal.account_detail d where d.account_id = me for update;
  if (select count(*) from portal_private.session s
       where s.account_id = me and s.data ->> 'kind' = 'token' and s.expires > now()) >= 100 then
    raise exception 'an account has at most 100 access tokens: revoke one of them first' using errcode = 'invalid_parameter_value', hint = 'name';
  end if;
  insert into portal_private.session (token_hash, account_id, expires, data)
    values (make_access_token.token_hash, me, make_access_token.expires,
            jsonb_build_object('kind', 'token', 'name', token_name, 'scope', token_scope))
    returning session.id into made;
  return made;
end
$$;

-- Memberships of the groups that the provider decides about follow what it says; all others stay as they are.
create or replace function portal_private.follow_provider_groups(account integer, governed text[], held text[]) returns void
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

-- Keys that the caller's devices have already, so that none is made twice.
create or replace function portal.my_credentials() returns jsonb
language sql stable security definer set search_path = pg_catalog, pg_temp
return (select coalesce(jsonb_agg(jsonb_build_object('id', encode(k.credential_id, 'hex'), 'transports', to_jsonb(k.transports))), '[]')
          from portal_private.passkey k where k.account_id = (select portal.me()));

-- What the account could prove itself with. Who has neither password nor code (a person of the provider) proves it by having signed in just now.
create or replace function portal.proofs_of(account integer, token_hash bytea) returns table (has_password boolean, has_code boolean, is_fresh boolean)
language sql stable security definer set search_path = pg_catalog, pg_temp
begin atomic
  select exists (select from portal_private.credential c where c.account_id = account),
         exists (select from portal_private.totp t where t.account_id = account and t.confirmed is not null)
           or exists (select from portal_private.recovery_code r where r.account_id = account),
         exists (select from portal_private.session s
                  where s.token_hash = proofs_of.token_hash and s.account_id = account and s.created > now() - interval '10 minutes');
end;

-- After a removal, in its transaction.
create or replace function portal_private.require_way_in(account integer) returns void
language plpgsql set search_path = pg_catalog, pg_temp as $$
begin
  perform portal_private.invalid_if(not exists (select from portal_private.credential c where c.account_id = account)
     and not exists (select from portal_private.passkey k where k.account_id = account)
     and not exists (select from portal_private.provider_identity i where i.account_id = account),
    'This is the only way into your account. Choose a password, or add a passkey first.');
end
$$;

-- Whether the caller is linked to a person of this provider.
create or replace function portal.my_provider_link(of_issuer text) returns jsonb
language sql stable security definer set search_path = pg_catalog, pg_temp
return (select jsonb_build_object('is_linked', count(*) > 0, 'since', to_char(min(i.made) at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'))
          from portal_private.provider_identity i where i.issuer = of_issuer and i.account_id = (select portal.me()));

-- By the service, which has seen the person at the provider. `linked`; `taken`: that person is another account here; `other`: the account is somebody
-- else there, and has to be unlinked first.
create or replace function portal.link_provider(account integer, of_issuer text, of_subject text) returns text
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
create or replace function portal.unlink_provider(of_issuer text) returns boolean
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  me integer := portal.me();
begin
  perform from portal.account_detail d where d.account_id = me for update;
  delete from portal_private.provider_identity i where i.issuer = of_issuer and i.account_id = me;
  if not found then
    return false;
  end if;
  perform portal_private.invalid_if(not exists (select from portal_private.credential c where c.account_id = me)
     and not exists (select from portal_private.passkey k where k.account_id = me),
    'This is the only way into your account. Choose a password, or add a passkey first.');
  perform portal_private.audit_note('identity-unlinked', 'account', me, (select a.username from portal.account a where a.id = me),
    jsonb_build_object('issuer', of_issuer));
  return true;
end
$$;

create or replace function portal_private.token_scope() returns text
language sql stable parallel safe set search_path = pg_catalog, pg_temp
return nullif(current_setting('request.jwt.claims', true), '')::jsonb ->> 'scope';

create or replace function portal_private.is_closed_to_tokens(account integer) returns boolean
language sql stable set search_path = pg_catalog, pg_temp
return account = portal_private.claimed_account()
    or exists (select from portal.account_detail d where d.account_id = account and (d.is_staff or d.is_superuser));

create or replace function portal_private.refuse_token() returns void
language plpgsql set search_path = pg_catalog, pg_temp as $$
begin
  raise exception 'A token cannot do this: sign in with the account itself.' using errcode = 'PT403';
end
$$;

-- Holds whoever's rights a statement runs with: definer functions and cascades write these tables as their owner.
create or replace function portal_private.guard_way_in() returns trigger
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

create or replace function portal_private.guard_account_by_token() returns trigger
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
begin
  if portal_private.token_scope() is not null and (tg_op = 'DELETE' or new.username is distinct from old.username)
     and portal_private.is_closed_to_tokens(old.id) then
    perform portal_private.refuse_token();
  end if;
  return case when tg_op = 'DELETE' then old else new end;
end
$$;

create or replace function portal_private.guard_detail_by_token() returns trigger
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

grant execute on function
  portal.credential_of(text), portal.identity_of(integer), portal.open_session(bytea,integer,timestamp with time zone,jsonb),
  portal.session_of(bytea), portal.close_session(bytea), portal.sweep_expired(),
  portal.oidc_put(text,text,jsonb,timestamp with time zone), portal.oidc_get(text,text,text,text), portal.oidc_consume(text,text),
  portal.oidc_drop(text,text), portal.oidc_revoke(text), portal.service_secret(text,jsonb), portal.token_account(integer,text,bytea),
  portal.oidc_list(text), portal.known_secret(text), portal.check_token(), portal.sign_in_from_provider(jsonb,jsonb),
  portal.proofs_of(integer,bytea), portal.link_provider(integer,text,text)
  to survest_authenticator;

grant execute on function
  portal.my_sign_ins(bytea), portal.end_sign_in(bigint,text), portal.end_other_browsers(bytea),
  portal.make_access_token(bytea,text,text,timestamp with time zone), portal.my_credentials(), portal.my_provider_link(text),
  portal.unlink_provider(text)
  to survest_user, survest_admin;

grant execute on function
  portal.set_password(integer,text)
  to survest_admin, survest_authenticator;

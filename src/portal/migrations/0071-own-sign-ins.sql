-- People see where they are signed in and end it. A personal access token is a sign-in of its own, without a browser: it has a name, a scope
-- and an end, and goes like the others with the password, the account or by hand.

alter table portal_private.session add column id bigint generated always as identity;
create unique index session_id on portal_private.session (id);

-- The caller's own, the newest first. `data` has what kind it is: of a browser, a token, or the short one behind a script's password.
create function portal.my_sign_ins(current_hash bytea) returns table (
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
create function portal.end_sign_in(which bigint, of_kind text) returns boolean
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
begin
  delete from portal_private.session s
   where s.id = which and s.account_id = portal.me() and coalesce(s.data ->> 'kind', 'browser') = of_kind;
  return found;
end
$$;

-- Every browser but the one that asks; access tokens stay. How many they were.
create function portal.end_other_browsers(current_hash bytea) returns integer
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
create function portal.make_access_token(token_hash bytea, token_name text, token_scope text, expires timestamptz) returns bigint
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  me integer := portal.me();
  made bigint;
begin
  if me is null then
    perform portal_private.refuse('access tokens are made by accounts');
  end if;
  if token_scope is null or token_scope not in ('read', 'write') or length(token_name) not between 1 and 100
     or expires > now() + interval '367 days' then
    raise exception 'no such access token' using errcode = 'invalid_parameter_value';
  end if;
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
  raise exception 'the token is no longer good' using errcode = 'SV303';
end
$$;

-- What is noted of them: browsers that sign in, tokens that are made and revoked. A script's password is noted where it is compared.
create or replace function portal_private.audit_session() returns trigger
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  noted portal_private.session;
  kind text;
begin
  if tg_op = 'DELETE' then
    noted := old;
  else
    noted := new;
  end if;
  kind := coalesce(noted.data ->> 'kind', 'browser');
  if kind = 'script' or (tg_op = 'DELETE' and (kind <> 'token' or noted.expires <= now())) then
    return null;
  end if;
  insert into portal_private.audit (actor, actor_name, act, subject, subject_id, name, detail)
    select a.id, a.username,
           case when kind = 'browser' then 'sign-in' when tg_op = 'INSERT' then 'token-made' else 'token-revoked' end,
           'account', a.id, a.username,
           case when kind = 'token' then jsonb_build_object('name', noted.data ->> 'name', 'scope', noted.data ->> 'scope') end
      from portal.account a where a.id = noted.account_id;
  return null;
end
$$;
create trigger audit_end after delete on portal_private.session for each row execute function portal_private.audit_session();

revoke all on all functions in schema portal_private from public;
revoke all on function
  portal.my_sign_ins(bytea), portal.end_sign_in(bigint, text), portal.end_other_browsers(bytea),
  portal.make_access_token(bytea, text, text, timestamptz)
  from public;
grant execute on function
  portal.my_sign_ins(bytea), portal.end_sign_in(bigint, text), portal.end_other_browsers(bytea),
  portal.make_access_token(bytea, text, text, timestamptz)
  to survest_user, survest_admin;

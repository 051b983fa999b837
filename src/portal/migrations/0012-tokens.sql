-- What tokens need besides 0003: a deleted account leaves nothing that was granted in its name; clients of the OpenID provider
-- can be listed; and one statement says whether a bearer token still stands for somebody.

-- Ids are never used again, but what was granted in the name of one should not outlive it.
create function portal_private.after_account_end() returns trigger
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
begin
  perform portal_private.forget_oidc(old.id);
  return null;
end
$$;
create trigger deleted_account_is_forgotten after delete on portal.account
  for each row execute function portal_private.after_account_end();

-- The account of a bearer token, while it is active and what the token hangs on is still there: the grant that a person
-- gave an application, or the session that the token was made in.
create function portal.token_account(account integer, granted text, session_hash bytea)
returns table (account_id integer, username text, db_role text)
language sql stable security definer set search_path = pg_catalog, pg_temp
begin atomic
  select a.id, a.username, portal_private.role_of(a.id)
    from portal.account a
    join portal.account_detail d on d.account_id = a.id
   where a.id = account and d.is_active
     and (exists (select from portal_private.oidc_state s
                   where s.kind = 'Grant' and s.id = granted and s.payload ->> 'accountId' = account::text
                     and (s.expires is null or s.expires > now()))
       or exists (select from portal_private.session s
                   where s.token_hash = session_hash and s.account_id = account and s.expires > now()));
end;

-- Artefacts of one kind, the registered clients for instance, by id.
create function portal.oidc_list(kind text) returns table (id text, payload jsonb)
language sql stable security definer set search_path = pg_catalog, pg_temp
begin atomic
  select s.id, s.payload from portal_private.oidc_state s
   where s.kind = oidc_list.kind and (s.expires is null or s.expires > now())
   order by s.id;
end;

-- A secret made earlier; null: there is none yet, and it pays to make one.
create function portal.known_secret(name text) returns jsonb
language sql stable security definer set search_path = pg_catalog, pg_temp
begin atomic
  select s.value from portal_private.service_secret s where s.name = known_secret.name;
end;

revoke all on all functions in schema portal_private from public;
revoke all on function
  portal.token_account(integer, text, bytea), portal.oidc_list(text), portal.known_secret(text)
  from public;
grant execute on function
  portal.token_account(integer, text, bytea), portal.oidc_list(text), portal.known_secret(text)
  to survest_authenticator;

-- Tokens end with what they hang on, in the REST service too: the session that was signed out, the grant that was taken back, the account
-- that was switched off, the role that it no longer has. Called in the request's own transaction, when its role and claims are set.

create function portal.check_token() returns void
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
     -- A token that may only read names no role, and acts as a visitor does.
     where claims ->> 'role' in (t.db_role, 'survest_anon')) then
    return;
  end if;
  raise exception 'the token is no longer good' using errcode = 'SV303';
end
$$;
revoke all on function portal.check_token() from public;
-- To the service's role alone: the right to call it is looked at before the statement that calls it has changed the role.
grant execute on function portal.check_token() to survest_authenticator;

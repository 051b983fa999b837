-- What is wrong with permissions that somebody wants to give, before there is anything to give them for: whoever sends a layer with them
-- is told at once, and not after its import.

create function portal.permission_fault(spec jsonb) returns text
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  who portal_private.caller := portal_private.who();
begin
  perform from portal_private.parse_perms(who, 0, spec, 'users');
  perform from portal_private.parse_perms(who, 0, spec, 'groups');
  return null;
exception when invalid_parameter_value then
  return sqlerrm;
end
$$;

revoke all on function portal.permission_fault(jsonb) from public;
grant execute on function portal.permission_fault(jsonb) to survest_user, survest_admin;

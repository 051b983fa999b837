-- What the import of an upload is doing: the phase that its worker is in, and null where none works on it. To whoever sees the upload; a
-- worker's own table is for the service only, so this looks for them.
create function portal.upload_step(id integer) returns text
language sql stable security definer set search_path = pg_catalog, pg_temp as $$
  select r.phase from staging.run r join portal.upload u on u.id = r.upload_id
   where u.id = upload_step.id and (u.user_id = portal.me() or portal.is_admin())
$$;
revoke all on function portal.upload_step(integer) from public;
grant execute on function portal.upload_step(integer) to survest_user, survest_admin;

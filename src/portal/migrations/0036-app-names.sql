-- Two people who give the same name at the same moment do not see each other's row: the second one waits for the first.

create or replace function portal_private.guard_app_name() returns trigger
language plpgsql set search_path = pg_catalog, pg_temp as $$
begin
  perform pg_advisory_xact_lock(hashtextextended('portal app ' || new.name, 0));
  if exists (select from portal.resource r
              where r.resource_type in ('geoapp', 'geostory') and r.name = new.name and r.id <> new.id) then
    raise exception 'A GeoApp with the same ''name'' already exists!' using errcode = 'unique_violation';
  end if;
  return new;
end
$$;

-- Row-level security forbids an index to answer a condition whose operator might tell something about rows the caller may
-- not see. `&&` on geometries looks at two boxes and never raises, so it may be called leakproof, and spatial indexes work
-- under policies. Only a superuser can say so; elsewhere spatial filters still answer right, but read the whole table.
-- A PostGIS upgrade forgets the mark, so the function can be called again.
create or replace function portal_private.mark_spatial_operators_leakproof() returns boolean
language plpgsql set search_path = pg_catalog, pg_temp as $$
declare
  fn regprocedure;
begin
  for fn in
    select p.oid::regprocedure
      from pg_proc p
      join pg_depend d on d.classid = 'pg_proc'::regclass and d.objid = p.oid and d.deptype = 'e'
      join pg_extension e on e.oid = d.refobjid and d.refclassid = 'pg_extension'::regclass
     where e.extname = 'postgis' and p.proname in ('geometry_overlaps', 'geometry_overlaps_nd') and p.pronargs = 2
       and not p.proleakproof
  loop
    execute format('alter function %s leakproof', fn);
  end loop;
  return true;
exception when insufficient_privilege then
  return false;
end
$$;

-- PostGIS may live in any schema: in a definition it is `%1$I`.
create or replace function portal_private.define_with_postgis(definition text) returns void
language plpgsql set search_path = pg_catalog, pg_temp as $$
begin
  execute format(definition, (select n.nspname from pg_extension e join pg_namespace n on n.oid = e.extnamespace where e.extname = 'postgis'));
end
$$;

-- Two habits of the functions here and below, both measured. They are in plpgsql, which keeps the plans of its statements for
-- the session; a function in SQL is planned anew by every statement that calls it (before PostgreSQL 18). And only the ones
-- that somebody calls from outside change the user and the search path, once; helpers that nobody else may execute inherit
-- both.
create or replace function portal.setting_on(setting text) returns boolean
language plpgsql stable parallel safe security definer set search_path = pg_catalog, pg_temp as $$
begin
  return coalesce((select s.value from portal.setting s where s.name = setting), false);
end
$$;

grant execute on function
  portal.setting_on(text)
  to survest_anon, survest_user, survest_admin, survest_authenticator;


select portal_private.mark_spatial_operators_leakproof();

-- Coordinate systems of ours have a text and no authority: PostGIS looks a name up before it reads the text, and the embedded
-- engine does not survive a name that nobody knows. They are told apart by their numbers.

do $crs$
declare
  gis text := (select n.nspname from pg_catalog.pg_extension e join pg_catalog.pg_namespace n on n.oid = e.extnamespace
                where e.extname = 'postgis');
begin
  execute pg_catalog.format($f$
    create or replace function portal.own_srid(wkt text) returns integer
    language plpgsql security definer set search_path = pg_catalog, pg_temp as $b$
    declare
      number integer;
    begin
      lock table %1$I.spatial_ref_sys in share row exclusive mode;
      select s.srid into number from %1$I.spatial_ref_sys s where s.srid between 960001 and 998999 and s.srtext = wkt limit 1;
      if number is null then
        select greatest(960000, coalesce(max(s.srid), 0)) + 1 into number
          from %1$I.spatial_ref_sys s where s.srid between 960001 and 998998;
        insert into %1$I.spatial_ref_sys (srid, auth_name, auth_srid, srtext, proj4text) values (number, null, null, wkt, '');
      end if;
      return number;
    exception when insufficient_privilege then
      return null;
    end
    $b$
  $f$, gis);
  execute pg_catalog.format(
    'update %I.spatial_ref_sys set auth_name = null, auth_srid = null where auth_name = ''SURVEST''', gis);
exception when insufficient_privilege then
  null;
end
$crs$;

-- Where a map is, when nobody has said so: the extent of its layers that the caller sees, else what its view shows, on a page of
-- 1024 by 768 pixels. Computed for each caller, since layers that one does not see must not tell where they are.

do $extent$
declare
  gis text := (select n.nspname from pg_catalog.pg_extension e join pg_catalog.pg_namespace n on n.oid = e.extnamespace
                where e.extname = 'postgis');
begin
  execute pg_catalog.format($make$
    create function portal.map_extent(map integer) returns %1$I.geometry
    language plpgsql stable set search_path = pg_catalog, pg_temp as $$
    declare
      around %1$I.box2d;
      shown record;
      world constant double precision := 20037508.342789244;
      x double precision;
      y double precision;
      half double precision;
    begin
      select %1$I.st_extent(l.ll_bbox_polygon) into around
        from portal.map_layer m
        join portal.resource l on l.resource_type = 'layer' and (l.id = m.layer_id or m.layer_id is null and l.alternate = m.name)
       where m.map_id = map and l.ll_bbox_polygon is not null;
      if around is not null then
        return %1$I.st_makeenvelope(%1$I.st_xmin(around::%1$I.box3d), %1$I.st_ymin(around::%1$I.box3d),
                                    %1$I.st_xmax(around::%1$I.box3d), %1$I.st_ymax(around::%1$I.box3d), 4326);
      end if;
      select r.zoom, r.center_x, r.center_y into shown from portal.resource r where r.id = map and r.zoom is not null;
      if not found then
        return null;
      end if;
      -- The centre is in degrees or in the metres of web maps, as clients write it; its size tells.
      if abs(shown.center_x) <= 180 and abs(shown.center_y) <= 90 then
        x := shown.center_x / 180 * world;
        y := ln(tan(pi() / 4 + radians(greatest(-85.05, least(85.05, shown.center_y))) / 2)) * 6378137;
      else
        x := greatest(-world, least(world, shown.center_x));
        y := greatest(-world, least(world, shown.center_y));
      end if;
      -- Half of a tile of 256 pixels.
      half := world / power(2, shown.zoom);
      return %1$I.st_transform(%1$I.st_makeenvelope(greatest(-world, x - 4 * half), greatest(-world, y - 3 * half),
                                                    least(world, x + 4 * half), least(world, y + 3 * half), 3857), 4326);
    end
    $$ $make$, gis);
end
$extent$;
revoke all on function portal.map_extent(integer) from public;
grant execute on function portal.map_extent(integer) to survest_anon, survest_user, survest_admin;

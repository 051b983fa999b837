-- Maps without an extent of their own that meet one of the boxes (four numbers each: xmin, ymin, xmax, ymax; WGS 84), by the same
-- extent that is shown of them (portal.map_extent): for each caller by the layers that the caller sees. The extents of all maps
-- are made at once, by two joins; one by one they would take a statement each.

do $maps$
declare
  gis text := (select n.nspname from pg_catalog.pg_extension e join pg_catalog.pg_namespace n on n.oid = e.extnamespace
                where e.extname = 'postgis');
begin
  execute pg_catalog.format($make$
    create function portal.maps_within(boxes double precision[]) returns setof integer
    language plpgsql stable set search_path = pg_catalog, pg_temp rows 100 as $$
    begin
      return query
        with wanted as materialized (
          select %1$I.st_makeenvelope(boxes[i], boxes[i + 1], boxes[i + 2], boxes[i + 3], 4326) as box
            from generate_series(1, coalesce(cardinality(boxes), 0), 4) i),
        unplaced as materialized (
          select r.id from portal.resource r
           where r.resource_type = 'map' and r.ll_bbox_polygon is null and r.srid = 'EPSG:4326'),
        around as materialized (
          select p.map_id, %1$I.st_extent(p.place) as box
            from (select m.map_id, l.ll_bbox_polygon
                    from portal.map_layer m join portal.resource l on l.id = m.layer_id
                   where l.resource_type = 'layer' and m.map_id in (table unplaced)
                  union all
                  select m.map_id, l.ll_bbox_polygon
                    from portal.map_layer m join portal.resource l on l.alternate = m.name
                   where m.layer_id is null and l.resource_type = 'layer' and m.map_id in (table unplaced)) p(map_id, place)
           where p.place is not null group by p.map_id)
        select u.id from unplaced u left join around a on a.map_id = u.id
         where exists (select from wanted w where case
           when a.box is not null then %1$I.st_intersects(%1$I.st_makeenvelope(
             %1$I.st_xmin(a.box::%1$I.box3d), %1$I.st_ymin(a.box::%1$I.box3d),
             %1$I.st_xmax(a.box::%1$I.box3d), %1$I.st_ymax(a.box::%1$I.box3d), 4326), w.box)
           else %1$I.st_intersects(portal.map_extent(u.id), w.box) end);
    end
    $$ $make$, gis);
end
$maps$;
revoke all on function portal.maps_within(double precision[]) from public;
grant execute on function portal.maps_within(double precision[]) to survest_anon, survest_user, survest_admin;

create index resource_map_unplaced on portal.resource (id) where resource_type = 'map' and ll_bbox_polygon is null;

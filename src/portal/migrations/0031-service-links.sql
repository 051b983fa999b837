-- Where a layer is served, as links of its catalogue entry, and the extent of a layer whose features are edited.

-- Links -----------------------------------------------------------------------------------------------------------

-- Addresses begin with a slash: whoever shows them puts the portal's own address before them, which only the service knows.
create function portal_private.add_service_links(layer integer, kind text) returns void
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
begin
  insert into portal.link (resource_id, extension, link_type, name, mime, url)
    select layer, l.extension, l.link_type, l.name, l.mime, format(l.url, layer)
      from (values
        ('both', 'html', 'OGC:WMS', 'WMS', 'text/html', '/wms?service=WMS&version=1.3.0&request=GetCapabilities'),
        ('both', 'html', 'OGC:WMTS', 'WMTS', 'text/html', '/wmts?service=WMTS&request=GetCapabilities'),
        ('vector', 'html', 'OGC:WFS', 'WFS', 'text/html', '/wfs?service=WFS&version=2.0.0&request=GetCapabilities'),
        ('vector', 'json', 'OGC:API-Features', 'OGC API Features', 'application/json', '/ogc/collections/%s'),
        ('vector', 'json', 'OGC:API-Tiles', 'OGC API Tiles', 'application/json', '/ogc/collections/%s/tiles'),
        ('vector', 'json', 'TileJSON', 'Vector tiles', 'application/json', '/tiles/%s.json'),
        ('vector', 'geojson', 'data', 'GeoJSON', 'application/geo+json', '/download/%s.geojson'),
        ('vector', 'gpkg', 'data', 'GeoPackage', 'application/geopackage+sqlite3', '/download/%s.gpkg'),
        ('vector', 'zip', 'data', 'Shapefile', 'application/zip', '/download/%s.shp.zip'),
        ('vector', 'csv', 'data', 'CSV', 'text/csv', '/download/%s.csv'),
        ('vector', 'kml', 'data', 'KML', 'application/vnd.google-earth.kml+xml', '/download/%s.kml'),
        ('vector', 'fgb', 'data', 'FlatGeobuf', 'application/flatgeobuf', '/download/%s.fgb'),
        ('raster', 'tif', 'data', 'GeoTIFF', 'image/tiff', '/download/%s.tif')
      ) as l(of, extension, link_type, name, mime, url)
     where l.of in ('both', kind)
       and not exists (select from portal.link x where x.resource_id = layer and x.link_type = l.link_type and x.name = l.name);
end
$$;

create function portal_private.after_data() returns trigger
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
begin
  perform portal_private.add_service_links(new.resource_id, tg_argv[0]);
  return null;
end
$$;
create trigger links after insert on portal_private.layer_table
  for each row execute function portal_private.after_data('vector');
create trigger links after insert on portal.raster
  for each row execute function portal_private.after_data('raster');

-- Extents ---------------------------------------------------------------------------------------------------------

-- Grows the recorded extent where new rows lie outside of it. It never shrinks: that would take a look at every row.
do $extent$
declare
  gis text := (select n.nspname from pg_catalog.pg_extension e join pg_catalog.pg_namespace n on n.oid = e.extnamespace
                where e.extname = 'postgis');
begin
  execute pg_catalog.format($f$
    create function portal.layer_extent_changed() returns trigger
    language plpgsql security definer set search_path = pg_catalog, pg_temp as $b$
    declare
      shape text := (select a.attname from pg_attribute a join pg_type t on t.oid = a.atttypid
                      where a.attrelid = tg_relid and a.attnum > 0 and not a.attisdropped and t.typname = 'geometry'
                      order by a.attnum limit 1);
      reached %1$I.geometry;
      known record;
      native %1$I.geometry;
    begin
      if shape is null then
        return null;
      end if;
      execute format('select %1$I.st_setsrid(%1$I.st_extent(%%1$I)::%1$I.geometry, max(%1$I.st_srid(%%1$I))) from changed', shape) into reached;
      if reached is null then
        return null;
      end if;
      select r.bbox_polygon, r.ll_bbox_polygon into known from portal.resource r where r.id = tg_argv[0]::integer;
      if known.bbox_polygon is not null and %1$I.st_srid(known.bbox_polygon) = %1$I.st_srid(reached)
         and %1$I.st_covers(known.bbox_polygon, reached) then
        return null;
      end if;
      native := case when known.bbox_polygon is null or %1$I.st_srid(known.bbox_polygon) <> %1$I.st_srid(reached)
                     then reached else %1$I.st_collect(known.bbox_polygon, reached) end;
      -- A point has a box, too, if a very small one.
      native := %1$I.st_envelope(%1$I.st_expand(native, 1e-9));
      update portal.resource r
         set bbox_polygon = native,
             ll_bbox_polygon = %1$I.st_envelope(%1$I.st_collect(known.ll_bbox_polygon,
               %1$I.st_envelope(%1$I.st_transform(%1$I.st_segmentize(native,
                 greatest(%1$I.st_xmax(native) - %1$I.st_xmin(native), %1$I.st_ymax(native) - %1$I.st_ymin(native)) / 20), 4326))))
       where r.id = tg_argv[0]::integer;
      return null;
    exception when internal_error or check_violation then
      -- Places that have no longitude and latitude: the extent stays as it was.
      return null;
    end
    $b$
  $f$, gis);
end
$extent$;

revoke all on all functions in schema portal_private from public;
revoke all on function portal.layer_extent_changed() from public;
grant execute on function portal.layer_extent_changed() to survest_authenticator;

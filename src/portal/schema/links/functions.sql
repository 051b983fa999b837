-- Addresses begin with a slash: whoever shows them puts the portal's own address before them, which only the service knows. What services say
-- of themselves is XML, and its links say so.
create or replace function portal_private.add_service_links(layer integer, kind text) returns void
language sql security definer set search_path = pg_catalog, pg_temp as $$
  insert into portal.link (resource_id, extension, link_type, name, mime, url)
    select layer, l.extension, l.link_type, l.name, l.mime, format(l.url, layer)
      from (values
        ('both', 'xml', 'OGC:WMS', 'WMS', 'text/xml', '/wms?service=WMS&version=1.3.0&request=GetCapabilities'),
        ('both', 'xml', 'OGC:WMTS', 'WMTS', 'text/xml', '/wmts?service=WMTS&request=GetCapabilities'),
        ('vector', 'xml', 'OGC:WFS', 'WFS', 'text/xml', '/wfs?service=WFS&version=2.0.0&request=GetCapabilities'),
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
       and not exists (select from portal.link x where x.resource_id = layer and x.link_type = l.link_type and x.name = l.name)
$$;

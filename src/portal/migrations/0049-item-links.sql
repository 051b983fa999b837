-- Links that every item has without anybody storing them: its picture, legend and small picture, its file, and its metadata in each format.
-- They follow from the item, so they are made when it is read, and are right for items that were there before. Links to files are told only
-- to who may download them.

do $links$
declare
  gis text := (select n.nspname from pg_catalog.pg_extension e join pg_catalog.pg_namespace n on n.oid = e.extnamespace
                where e.extname = 'postgis');
begin
  execute pg_catalog.format($make$
    create or replace function portal.item_parts(resources integer[])
    returns table (
      resource_id integer,
      perms text[],
      owner portal.account,
      poc portal.account,
      metadata_author portal.account,
      "group" portal.group_name,
      keywords portal.keyword[],
      regions portal.region[],
      links portal.link[],
      has_thumbnail boolean
    )
    language plpgsql stable parallel safe security definer set search_path = pg_catalog, pg_temp rows 100 as $$
    declare
      who portal_private.caller := portal_private.who();
    begin
      -- Look-ups by key, one by one: joined, the planner would read whole small tables for every item.
      return query
        select r.id,
               portal.perm_names(g.mask),
               (select a from portal.account a where a.id = r.owner_id),
               (select a from portal.account a where a.id = r.poc_id),
               (select a from portal.account a where a.id = r.metadata_author_id),
               (select row(g.id, g.slug)::portal.group_name from portal.user_group g
                 where g.id = r.group_id and (g.access <> 'private' or portal_private.sees_group(who, g))),
               array(select (select w from portal.keyword w where w.id = k.keyword_id)
                       from portal.resource_keyword k where k.resource_id = r.id),
               array(select (select n from portal.region n where n.id = k.region_id)
                       from portal.resource_region k where k.resource_id = r.id),
               array(select l from portal.link l
                      where l.resource_id = r.id and (l.link_type <> 'data' or g.mask & 2 <> 0))
                 || array(select row(2147483000 + m.n, r.id, m.extension, m.link_type, m.name, m.mime, m.url)::portal.link
                            from portal_private.made_links(r.id, r.resource_type, r.store_type, b.box, t.mime_type,
                                   case when r.resource_type = 'document' and g.mask & 2 <> 0
                                          and exists (select from portal.document_file f where f.resource_id = r.id)
                                        then coalesce(r.mime_type, 'application/octet-stream') end) m),
               t.mime_type is not null
          from portal.resource r
          cross join lateral (select portal_private.allowed(who, r.resource_type,
             (select bit_or(x.perms) from portal_private.resource_grant x
               where x.resource_id = r.id and x.principal = any (who.principals || 0))) as mask) g
          left join lateral (
            select t.mime_type from portal.thumbnail t
             where t.resource_id = r.id and (t.curated or r.resource_type <> 'document' or g.mask & 2 <> 0)
             order by t.curated desc limit 1) t on true
          left join lateral (
            select array[%1$I.st_xmin(e.box), %1$I.st_ymin(e.box), %1$I.st_xmax(e.box), %1$I.st_ymax(e.box)] as box
              from (select r.ll_bbox_polygon::%1$I.box3d as box) e where r.resource_type = 'layer' and r.store_type is not null) b on true
         where r.id = any (resources)
           and portal_private.shown(who, r.id, r.owner_id, r.private_group, r.is_public, r.viewers, r.obstacles);
    end
    $$ $make$, gis);
end
$links$;

-- A little more than the extent, so that what lies on its edge is seen, and never less than a hundred metres; nothing beyond the poles.
create function portal_private.pictured_box(box double precision[]) returns double precision[]
language sql immutable parallel safe
return (select array[greatest(-180, box[1] - s.pad), greatest(-90, box[2] - s.pad), least(180, box[3] + s.pad), least(90, box[4] + s.pad)]
          from (select greatest(0.001, greatest(box[3] - box[1], box[4] - box[2]) * 0.05) as pad) s);

-- `box`: of a layer that has data; `thumbnail`, `file`: their media types, where they are there for the caller. Layers are named by id, which needs no escaping.
create function portal_private.made_links(id integer, kind text, store text, box double precision[], thumbnail text, file text)
returns table (n integer, extension text, link_type text, name text, mime text, url text)
language sql immutable parallel safe rows 10
begin atomic
  select l.n, l.extension, l.link_type, l.name, l.mime, l.url
    from (select coalesce(portal_private.pictured_box(box), array[-180, -90, 180, 90]::double precision[]) as b) x,
         lateral (select x.b[3] - x.b[1] as wide, x.b[4] - x.b[2] as high) s,
         lateral (select '/wms?service=WMS&version=1.3.0&request=GetMap&layers=' || id || '&styles=&crs=CRS:84&bbox='
                         || concat_ws(',', x.b[1], x.b[2], x.b[3], x.b[4])
                         || '&width=' || greatest(1, round(800 * s.wide / greatest(s.wide, s.high)))
                         || '&height=' || greatest(1, round(800 * s.high / greatest(s.wide, s.high))) as url) m,
         lateral (values
           (1, store is not null, 'png', 'image', 'Legend', 'image/png',
              '/wms?service=WMS&version=1.3.0&request=GetLegendGraphic&layer=' || id || '&format=image/png'),
           (2, store is not null, 'png', 'image', 'PNG', 'image/png', m.url || '&format=image/png&transparent=true'),
           (3, store is not null, 'jpg', 'image', 'JPEG', 'image/jpeg', m.url || '&format=image/jpeg'),
           (4, thumbnail is not null, 'png', 'image', 'Thumbnail', thumbnail, '/thumbs/' || id || '.png'),
           (5, file is not null, '', 'uploaded', 'File', file, '/documents/' || id || '/download'),
           (6, true, 'xml', 'metadata', 'ISO', 'text/xml', '/metadata/' || id || '.iso19139.xml'),
           (7, true, 'xml', 'metadata', 'Dublin Core', 'text/xml', '/metadata/' || id || '.dc.xml'),
           (8, true, 'xml', 'metadata', 'FGDC', 'text/xml', '/metadata/' || id || '.fgdc.xml'),
           (9, true, 'xml', 'metadata', 'Atom', 'application/atom+xml', '/metadata/' || id || '.atom.xml'),
           (10, true, 'jsonld', 'metadata', 'DCAT', 'application/ld+json', '/metadata/' || id || '.dcat.jsonld')
         ) l(n, is_there, extension, link_type, name, mime, url)
   where l.is_there;
end;

-- What services say of themselves is XML, and its links say so.
create or replace function portal_private.add_service_links(layer integer, kind text) returns void
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
begin
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
       and not exists (select from portal.link x where x.resource_id = layer and x.link_type = l.link_type and x.name = l.name);
end
$$;
update portal.link set extension = 'xml', mime = 'text/xml'
 where mime = 'text/html' and link_type in ('OGC:WMS', 'OGC:WMTS', 'OGC:WFS') and url ~ '^/(wms|wmts|wfs)[?]';

revoke all on all functions in schema portal_private from public;

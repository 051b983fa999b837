-- Rasters have a link to the Web Coverage Service: clients look among the links for what to load a raster by.

-- `box`: of a layer that has data; `thumbnail`, `file`: their media types, where they are there for the caller. Layers are named by id, which needs no escaping.
create or replace function portal_private.made_links(id integer, kind text, store text, box double precision[], thumbnail text, file text)
returns table (n integer, extension text, link_type text, name text, mime text, url text)
language sql immutable parallel safe rows 11
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
           (10, true, 'jsonld', 'metadata', 'DCAT', 'application/ld+json', '/metadata/' || id || '.dcat.jsonld'),
           (11, store = 'coverageStore', 'xml', 'OGC:WCS', 'WCS', 'text/xml', '/wcs?service=WCS&version=2.0.1&request=GetCapabilities')
         ) l(n, is_there, extension, link_type, name, mime, url)
   where l.is_there;
end;

revoke all on all functions in schema portal_private from public;

-- Lists of items are quicker: what an expression of an item is used by several times is worked out once. The planner merges subqueries without
-- a fence into what is around them, so that the box of a layer was worked out some forty times for the addresses of its pictures.

-- In PL/pgSQL: as a function in SQL it is a query of its own for each item.
create or replace function portal.perm_names(mask integer) returns text[]
language plpgsql immutable parallel safe set search_path = pg_catalog, pg_temp as $$
begin
  return array_remove(array[
    case when mask & 1 <> 0 then 'view_resourcebase' end, case when mask & 2 <> 0 then 'download_resourcebase' end,
    case when mask & 4 <> 0 then 'change_resourcebase' end, case when mask & 8 <> 0 then 'change_resourcebase_metadata' end,
    case when mask & 16 <> 0 then 'delete_resourcebase' end, case when mask & 32 <> 0 then 'change_resourcebase_permissions' end,
    case when mask & 64 <> 0 then 'publish_resourcebase' end, case when mask & 128 <> 0 then 'change_layer_data' end,
    case when mask & 256 <> 0 then 'change_layer_style' end], null);
end
$$;

-- The links that every item has by what it is, behind those that somebody has given it. `store`: of a layer that can be drawn, `box` where
-- it is; `thumbnail`, `file`: their media types, where they are there for the caller. Layers are named by id, which needs no escaping.
create function portal_private.own_links(item integer, store text, box double precision[], thumbnail text, file text) returns portal.link[]
language plpgsql immutable parallel safe as $$
declare
  made portal.link[] := '{}';
  b double precision[];
  wide double precision;
  high double precision;
  picture text;
begin
  if store is not null then
    b := coalesce(portal_private.pictured_box(box), array[-180, -90, 180, 90]::double precision[]);
    wide := b[3] - b[1];
    high := b[4] - b[2];
    picture := '/wms?service=WMS&version=1.3.0&request=GetMap&layers=' || item || '&styles=&crs=CRS:84&bbox=' || concat_ws(',', b[1], b[2], b[3], b[4])
      || '&width=' || greatest(1, round(800 * wide / greatest(wide, high))) || '&height=' || greatest(1, round(800 * high / greatest(wide, high)));
    made := array[
      row(2147483001, item, 'png', 'image', 'Legend', 'image/png',
          '/wms?service=WMS&version=1.3.0&request=GetLegendGraphic&layer=' || item || '&format=image/png')::portal.link,
      row(2147483002, item, 'png', 'image', 'PNG', 'image/png', picture || '&format=image/png&transparent=true')::portal.link,
      row(2147483003, item, 'jpg', 'image', 'JPEG', 'image/jpeg', picture || '&format=image/jpeg')::portal.link];
  end if;
  if thumbnail is not null then
    made := made || row(2147483004, item, 'png', 'image', 'Thumbnail', thumbnail, '/thumbs/' || item || '.png')::portal.link;
  end if;
  if file is not null then
    made := made || row(2147483005, item, '', 'uploaded', 'File', file, '/documents/' || item || '/download')::portal.link;
  end if;
  made := made || array[
    row(2147483006, item, 'xml', 'metadata', 'ISO', 'text/xml', '/metadata/' || item || '.iso19139.xml')::portal.link,
    row(2147483007, item, 'xml', 'metadata', 'Dublin Core', 'text/xml', '/metadata/' || item || '.dc.xml')::portal.link,
    row(2147483008, item, 'xml', 'metadata', 'FGDC', 'text/xml', '/metadata/' || item || '.fgdc.xml')::portal.link,
    row(2147483009, item, 'xml', 'metadata', 'Atom', 'application/atom+xml', '/metadata/' || item || '.atom.xml')::portal.link,
    row(2147483010, item, 'jsonld', 'metadata', 'DCAT', 'application/ld+json', '/metadata/' || item || '.dcat.jsonld')::portal.link];
  if store = 'coverageStore' then
    made := made || row(2147483011, item, 'xml', 'OGC:WCS', 'WCS', 'text/xml', '/wcs?service=WCS&version=2.0.1&request=GetCapabilities')::portal.link;
  end if;
  return made;
end
$$;

do $parts$
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
      tkeywords portal.thesaurus_keyword[],
      links portal.link[],
      has_thumbnail boolean
    )
    language plpgsql stable parallel safe security definer set search_path = pg_catalog, pg_temp rows 100 as $$
    declare
      who portal_private.caller := portal_private.who();
      asking integer[] := who.principals || 0;
    begin
      -- Look-ups by key, one by one: joined, the planner would read whole small tables for every item. OFFSET 0 keeps it from working
      -- out an expression again wherever its name stands.
      return query
        select r.id,
               portal.perm_names(g.mask & case when r.is_registered then ~128 else -1 end),
               o.account,
               case when r.poc_id = r.owner_id then o.account else (select a from portal.account a where a.id = r.poc_id) end,
               case when r.metadata_author_id = r.owner_id then o.account
                    else (select a from portal.account a where a.id = r.metadata_author_id) end,
               case when r.group_id is not null then
                 (select row(g.id, g.slug)::portal.group_name from portal.user_group g
                   where g.id = r.group_id and (g.access <> 'private' or portal_private.sees_group(who, g))) end,
               array(select (select w from portal.keyword w where w.id = k.keyword_id)
                       from portal.resource_keyword k where k.resource_id = r.id),
               array(select (select n from portal.region n where n.id = k.region_id)
                       from portal.resource_region k where k.resource_id = r.id),
               array(select (select w from portal.thesaurus_keyword w where w.id = k.keyword_id)
                       from portal.resource_tkeyword k where k.resource_id = r.id),
               array(select l from portal.link l
                      where l.resource_id = r.id and (l.link_type <> 'data' or g.mask & 2 <> 0))
                 || portal_private.own_links(r.id, case when not r.is_tabular then r.store_type end, b.box, t.mime_type,
                      case when r.resource_type = 'document' and g.mask & 2 <> 0
                             and exists (select from portal.document_file f where f.resource_id = r.id)
                           then coalesce(r.mime_type, 'application/octet-stream') end),
               t.mime_type is not null
          from portal.resource r
          cross join lateral (select portal_private.allowed(who, r.resource_type,
             (select bit_or(x.perms) from portal_private.resource_grant x
               where x.resource_id = r.id and x.principal = any (asking))) as mask offset 0) g
          left join lateral (select a as account from portal.account a where a.id = r.owner_id offset 0) o on true
          left join lateral (
            select t.mime_type from portal.thumbnail t
             where t.resource_id = r.id and (t.curated or r.resource_type <> 'document' or g.mask & 2 <> 0)
             order by t.curated desc limit 1) t on true
          left join lateral (
            select array[%1$I.st_xmin(e.box), %1$I.st_ymin(e.box), %1$I.st_xmax(e.box), %1$I.st_ymax(e.box)] as box
              from (select r.ll_bbox_polygon::%1$I.box3d as box) e
             where r.resource_type = 'layer' and r.store_type is not null offset 0) b on true
         where r.id = any (resources)
           and portal_private.shown(who, r.id, r.owner_id, r.private_group, r.is_public, r.viewers, r.obstacles);
    end
    $$ $make$, gis);
end
$parts$;

drop function portal_private.made_links(integer, text, text, double precision[], text, text);

revoke all on all functions in schema portal_private from public;
revoke all on function portal.item_parts(integer[]) from public;
grant execute on function portal.item_parts(integer[]) to survest_anon, survest_user, survest_admin;

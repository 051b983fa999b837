-- Lists of items are quicker by a quarter: what is worked out for every item of a page is an expression of the query where it was a call of a function.

-- Expressions with bodies of the standard are read when they are made, so no search path has to be set around each call, and the planner puts
-- them in place of the call. Setting the path took three quarters of the time.
create or replace function portal.perm_names(mask integer) returns text[]
language sql immutable parallel safe
return array_remove(array[
    case when mask & 1 <> 0 then 'view_resourcebase' end, case when mask & 2 <> 0 then 'download_resourcebase' end,
    case when mask & 4 <> 0 then 'change_resourcebase' end, case when mask & 8 <> 0 then 'change_resourcebase_metadata' end,
    case when mask & 16 <> 0 then 'delete_resourcebase' end, case when mask & 32 <> 0 then 'change_resourcebase_permissions' end,
    case when mask & 64 <> 0 then 'publish_resourcebase' end, case when mask & 128 <> 0 then 'change_layer_data' end,
    case when mask & 256 <> 0 then 'change_layer_style' end], null);

-- What has something to be taken away or replaced.
create function portal.html_text(html text) returns text
language plpgsql immutable parallel safe set search_path = pg_catalog, pg_temp as $$
declare
  plain text := html;
begin
  if position('<' in plain) > 0 then
    plain := regexp_replace(plain, '<!--.*?-->|</?[A-Za-z!][^>]*>', '', 'g');
  end if;
  if position('&' in plain) > 0 then
    -- In one pass from piece to piece, so that what a reference stands for is never taken for the beginning of another.
    plain := (
      select string_agg(case when piece[1] like '&_%' then coalesce(portal.html_character(piece[1]), piece[1])
                             else piece[1] end, '' order by n)
        from regexp_matches(plain, '[^&]+|&#[0-9]{1,7};|&#[xX][0-9a-fA-F]{1,6};|&[A-Za-z][A-Za-z0-9]{1,31};|&[A-Za-z][A-Za-z0-9]{1,31}(?![A-Za-z0-9=;])|&', 'g')
             with ordinality as pieces(piece, n));
  end if;
  return btrim(replace(replace(plain, e'\r', ''), e'\n', ' '));
end
$$;
revoke all on function portal.html_text(text) from public;
grant execute on function portal.html_text(text) to survest_anon, survest_user, survest_admin;

-- Most texts are no HTML.
create or replace function portal.plain_text(html text) returns text
language sql immutable parallel safe
return case when html is null then ''
            when strpos(html, '<') = 0 and strpos(html, '&') = 0 then btrim(replace(replace(html, e'\r', ''), e'\n', ' '))
            else portal.html_text(html) end;

-- The box around a layer is worked out here: as a function in SQL it was a query of its own for each.
create or replace function portal_private.own_links(item integer, store text, box double precision[], thumbnail text, file text) returns portal.link[]
language plpgsql immutable parallel safe as $$
declare
  name text := item;
  pad double precision;
  b double precision[] := array[-180, -90, 180, 90];
  wide double precision;
  high double precision;
  picture text;
  drawn portal.link[];
begin
  if store is not null then
    if box is not null then
      pad := greatest(0.001, greatest(box[3] - box[1], box[4] - box[2]) * 0.05);
      b := array[greatest(-180, box[1] - pad), greatest(-90, box[2] - pad), least(180, box[3] + pad), least(90, box[4] + pad)];
    end if;
    wide := b[3] - b[1];
    high := b[4] - b[2];
    picture := '/wms?service=WMS&version=1.3.0&request=GetMap&layers=' || name || '&styles=&crs=CRS:84&bbox=' || concat_ws(',', b[1], b[2], b[3], b[4])
      || '&width=' || greatest(1, round(800 * wide / greatest(wide, high))) || '&height=' || greatest(1, round(800 * high / greatest(wide, high)));
    drawn := array[
      row(2147483001, item, 'png', 'image', 'Legend', 'image/png',
          '/wms?service=WMS&version=1.3.0&request=GetLegendGraphic&layer=' || name || '&format=image/png')::portal.link,
      row(2147483002, item, 'png', 'image', 'PNG', 'image/png', picture || '&format=image/png&transparent=true')::portal.link,
      row(2147483003, item, 'jpg', 'image', 'JPEG', 'image/jpeg', picture || '&format=image/jpeg')::portal.link];
  end if;
  return drawn
    || case when thumbnail is not null then
         array[row(2147483004, item, 'png', 'image', 'Thumbnail', thumbnail, '/thumbs/' || name || '.png')::portal.link] end
    || case when file is not null then
         array[row(2147483005, item, '', 'uploaded', 'File', file, '/documents/' || name || '/download')::portal.link] end
    || array[
         row(2147483006, item, 'xml', 'metadata', 'ISO', 'text/xml', '/metadata/' || name || '.iso19139.xml')::portal.link,
         row(2147483007, item, 'xml', 'metadata', 'Dublin Core', 'text/xml', '/metadata/' || name || '.dc.xml')::portal.link,
         row(2147483008, item, 'xml', 'metadata', 'FGDC', 'text/xml', '/metadata/' || name || '.fgdc.xml')::portal.link,
         row(2147483009, item, 'xml', 'metadata', 'Atom', 'application/atom+xml', '/metadata/' || name || '.atom.xml')::portal.link,
         row(2147483010, item, 'jsonld', 'metadata', 'DCAT', 'application/ld+json', '/metadata/' || name || '.dcat.jsonld')::portal.link]
    || case when store = 'coverageStore' then
         array[row(2147483011, item, 'xml', 'OGC:WCS', 'WCS', 'text/xml', '/wcs?service=WCS&version=2.0.1&request=GetCapabilities')::portal.link] end;
end
$$;

-- Everything in it is looked up by key. Of small tables the planner would read all rows for every item of a page, as few pages look cheap to it.
alter function portal.item_parts(integer[]) set enable_seqscan = off;

-- Does the description of an item differ: what editors of metadata may write, versions keep, and followers are told of?
create or replace function portal_private.redescribed(before portal.resource, after portal.resource) returns boolean
language sql immutable parallel safe
return (before.title, before.abstract, before.attribution, before.doi, before.date, before.date_type, before.edition, before.purpose,
    before.maintenance_frequency, before.restriction_code_type_id, before.constraints_other, before.license_id, before.language, before.category_id,
    before.spatial_representation_type_id, before.temporal_extent_start, before.temporal_extent_end, before.supplemental_information,
    before.data_quality_statement)
  is distinct from (after.title, after.abstract, after.attribution, after.doi, after.date, after.date_type, after.edition, after.purpose,
    after.maintenance_frequency, after.restriction_code_type_id, after.constraints_other, after.license_id, after.language, after.category_id,
    after.spatial_representation_type_id, after.temporal_extent_start, after.temporal_extent_end, after.supplemental_information,
    after.data_quality_statement);

-- After the guard in the alphabet. private_group follows group_id here, and the group's own access below.
create or replace function portal_private.prepare_resource() returns trigger
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
begin
  if new.srid <> old.srid then
    perform portal_private.check_srid(new.srid);
  end if;
  -- To a caller, any style but the layer's own is one that does not exist.
  if new.default_style_id is distinct from old.default_style_id and new.default_style_id is not null
     and not exists (select from portal.layer_style l where l.resource_id = new.id and l.style_id = new.default_style_id) then
    raise exception 'unknown style %', new.default_style_id using errcode = 'invalid_parameter_value';
  end if;
  if portal_private.redescribed(old, new) then
    perform portal_private.keep_first_description(new.id);
  end if;
  if new.group_id is distinct from old.group_id then
    new.private_group := (select g.id from portal.user_group g where g.id = new.group_id and g.access = 'private');
  end if;
  new.stamp := gen_random_uuid();
  return new;
end
$$;

create or replace function portal_private.after_group_access() returns trigger
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
begin
  update portal.resource set private_group = case when new.access = 'private' then new.id end where group_id = new.id;
  return null;
end
$$;

-- One more reader of an item.
create or replace function portal.count_view(target integer) returns void
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
begin
  if portal_private.sees(portal_private.who(), target) then
    update portal.resource set popular_count = popular_count + 1 where id = target;
  end if;
end
$$;

-- Guard of a part: `guard_part(bits, column)` wants one of the bits on the item that the column names.
create or replace function portal_private.guard_part() returns trigger
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  bits integer := tg_argv[0]::integer;
begin
  if tg_op <> 'INSERT' and portal_private.mask_of((to_jsonb(old) ->> tg_argv[1])::integer) & bits = 0
     or tg_op <> 'DELETE' and portal_private.mask_of((to_jsonb(new) ->> tg_argv[1])::integer) & bits = 0 then
    perform portal_private.refuse(array_to_string(portal.perm_names(bits), ' or ') || ' is needed');
  end if;
  return coalesce(new, old);
end
$$;

-- A word that stands only on hidden items is hidden too.
create or replace function portal_private.word_of_group(keyword integer) returns boolean
language plpgsql stable parallel safe security definer set search_path = pg_catalog, pg_temp as $$
declare
  who portal_private.caller := portal_private.who();
begin
  return exists (select from portal.group_keyword k join portal.user_group g on g.id = k.group_id
                  where k.keyword_id = keyword and portal_private.sees_group(who, g));
end
$$;

-- Names of other authorities are not looked at: systems without a number of EPSG are told apart by them.
select portal_private.define_with_postgis($make$
  create or replace function portal_private.check_srid(name text) returns void
  language plpgsql as $$
  begin
    if name <> 'EPSG:4326' and name ~* '^EPSG:[0-9]{1,9}$'
       and not exists (select from %1$I.spatial_ref_sys s where s.srid = substr(name, 6)::integer) then
      raise exception 'resource_srid_known: there is no coordinate system %%', name using errcode = 'check_violation';
    end if;
  end
  $$ $make$);

select portal_private.define_with_postgis($make$
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
  language plpgsql stable parallel safe security definer set search_path = pg_catalog, pg_temp set enable_seqscan = off set plan_cache_mode = force_generic_plan rows 100 as $$
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
  $$ $make$);

-- What uses an item: maps, stories, dashboards, and layers that the table is joined to. What the caller does not see is counted and not named.
create or replace function portal.used_by(target integer, most integer) returns jsonb
language plpgsql stable security definer set search_path = pg_catalog, pg_temp as $$
declare
  who portal_private.caller := portal_private.who();
  item record;
  part text;
begin
  perform portal_private.require(who, target, 16);
  select r.resource_type, r.alternate into item from portal.resource r where r.id = target;
  part := case item.resource_type when 'layer' then 'layer' when 'map' then 'map' when 'document' then 'document' end;
  return (
    with users as (
      select m.map_id as id from portal.map_layer m where m.layer_id = target
      union
      select j.resource_id from portal_private.layer_join j where j.table_id = target
      union
      select d.resource_id from portal.app_data d
       where part is not null
         and d.data @> jsonb_build_object('sections', jsonb_build_array(jsonb_build_object('media', jsonb_build_object(part, target))))
      union
      -- Charts and tables within stories, and dashboards.
      select d.resource_id from portal.app_data d
       where item.resource_type = 'layer'
         and (d.data @> jsonb_build_object('sections', jsonb_build_array(jsonb_build_object('media', jsonb_build_object('widget', jsonb_build_object('layer', target)))))
              or d.data @> jsonb_build_object('widgets', jsonb_build_array(jsonb_build_object('layer', target))))
      union
      select d.resource_id from portal.app_data d
       where item.resource_type = 'layer'
         and d.data @> jsonb_build_object('map', jsonb_build_object('layers', jsonb_build_array(jsonb_build_object('name', item.alternate))))
    ), told as (
      select r.id, r.resource_type, r.title,
             portal_private.shown(who, r.id, r.owner_id, r.private_group, r.is_public, r.viewers, r.obstacles) as is_seen
        from users u join portal.resource r on r.id = u.id
       -- What nobody sees, such as in the bin, uses nothing.
       where r.obstacles & 32 = 0 and r.id <> target
    )
    select jsonb_build_object(
        'items', coalesce((select jsonb_agg(jsonb_build_object('id', s.id, 'resource_type', s.resource_type, 'title', s.title) order by s.title, s.id)
                             from (select * from told t where t.is_seen order by t.title, t.id limit most) s), '[]'),
        'total', (select count(*) from told t where t.is_seen),
        'others', (select count(*) from told t where not t.is_seen)));
end
$$;

create or replace function portal.hand_over_items(from_account integer, to_username text) returns integer
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  heir integer;
  handed integer;
begin
  perform portal_private.refuse_if(not portal_private.find_admin(), 'administrators choose the owner');
  perform portal_private.missing_if(not exists (select from portal.account a where a.id = from_account and a.id > 0));
  select a.id into heir from portal.account a
    join portal.account_detail d on d.account_id = a.id and d.is_active
   where a.username = to_username and a.id > 0 for key share of a;
  perform portal_private.invalid_if(heir is null or heir = from_account, format('unknown user "%s"', to_username));
  update portal.resource r set poc_id = heir where r.poc_id = from_account;
  update portal.resource r set metadata_author_id = heir where r.metadata_author_id = from_account;
  update portal.resource r set owner_id = heir where r.owner_id = from_account;
  get diagnostics handed = row_count;
  perform portal_private.audit_note('handed-over', 'account', from_account,
    (select a.username from portal.account a where a.id = from_account), jsonb_build_object('to', to_username, 'items', handed));
  return handed;
end
$$;

-- The links that every item has by what it is, behind those that somebody has given it. `store`: of a layer that can be drawn, `box` where it
-- is; `thumbnail`, `file`: their media types, where they are there for the caller. Layers are named by id, which needs no escaping. The box
-- around a layer is worked out here: as a function in SQL it was a query of its own for each.
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

create or replace function portal_private.stamp_parts(item integer) returns void
language plpgsql set search_path = pg_catalog, pg_temp as $$
begin
  insert into portal_private.parts_stamp as p (resource_id, stamp)
    -- Of an item that is being deleted nobody needs one.
    select r.id, gen_random_uuid() from portal.resource r where r.id = item
    on conflict (resource_id) do update set stamp = excluded.stamp;
end
$$;

create or replace function portal_private.after_stamped_part() returns trigger
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
begin
  if tg_op <> 'INSERT' then
    perform portal_private.stamp_parts(old.resource_id);
  end if;
  if tg_op = 'INSERT' or tg_op = 'UPDATE' and new.resource_id <> old.resource_id then
    perform portal_private.stamp_parts(new.resource_id);
  end if;
  return null;
end
$$;

create or replace function portal_private.after_words() returns trigger
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
begin
  update portal_private.words_stamp w set stamp = gen_random_uuid();
  return null;
end
$$;

-- Of each of these items that the caller sees, in their order: the stamp of its record as the caller sees it, which holds all that the record
-- follows from besides the portal's address. Permissions, people and the group stand in it as they are. `is_placed`: its extent follows from
-- other items, which the stamp knows nothing of; compare it, too. That the portal is read-only is known of whoever asks, but for
-- administrators.
create or replace function portal.item_stamps(resources integer[]) returns table (resource_id integer, stamp text, is_placed boolean)
language plpgsql stable parallel safe security definer set search_path = pg_catalog, pg_temp set plan_cache_mode = force_generic_plan set enable_seqscan = off set plan_cache_mode = force_generic_plan rows 100 as $$
declare
  who portal_private.caller := portal_private.who();
  asking integer[] := who.principals || 0;
  is_read_only boolean := case when who.admin then portal.setting_on('READ_ONLY') else not who.writable end;
begin
  return query
    select r.id,
           row(r.stamp, p.stamp, (select w.stamp from portal_private.words_stamp w where w.is_one), is_read_only,
               portal_private.allowed(who, r.resource_type,
                 (select bit_or(x.perms) from portal_private.resource_grant x
                   where x.resource_id = r.id and x.principal = any (asking))),
               o.*,
               case when r.poc_id <> r.owner_id then (select a from portal.account a where a.id = r.poc_id) end,
               case when r.metadata_author_id <> r.owner_id then (select a from portal.account a where a.id = r.metadata_author_id) end,
               case when r.group_id is not null then
                 (select g.slug from portal.user_group g
                   where g.id = r.group_id and (g.access <> 'private' or portal_private.sees_group(who, g))) end)::text,
           r.resource_type = 'map' and r.srid = 'EPSG:4326' and (r.bbox_polygon is null or r.ll_bbox_polygon is null)
      from unnest(resources) with ordinality as wanted (id, n)
      join portal.resource r on r.id = wanted.id
      left join portal_private.parts_stamp p on p.resource_id = r.id
      left join portal.account o on o.id = r.owner_id
     where portal_private.shown(who, r.id, r.owner_id, r.private_group, r.is_public, r.viewers, r.obstacles)
     order by wanted.n;
end
$$;

-- A style that layers share changes all of them; in the order of their numbers, so that two who do so do not wait for each other.
create or replace function portal_private.after_stamped_style() returns trigger
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  layer integer;
begin
  for layer in select l.resource_id from portal.layer_style l where l.style_id = new.id
               union select r.id from portal.resource r where r.default_style_id = new.id order by 1 loop
    perform portal_private.stamp_parts(layer);
  end loop;
  return null;
end
$$;

-- As `item_stamps`, for records with styles: which of these the caller sees, and the layer that each is found under, follow from other layers, and stand in the stamp
-- as they are.
create or replace function portal.item_stamps_with_styles(resources integer[]) returns table (resource_id integer, stamp text, is_placed boolean)
language plpgsql stable parallel safe security definer set search_path = pg_catalog, pg_temp set enable_seqscan = off rows 100 as $$
declare
  who portal_private.caller := portal_private.who();
begin
  return query
    select s.resource_id,
           s.stamp || coalesce((
             select string_agg(concat(' ', u.id, ':', (
                      select l.resource_id from portal.layer_style l join portal.resource r on r.id = l.resource_id
                       where l.style_id = u.id
                         and portal_private.shown(who, r.id, r.owner_id, r.private_group, r.is_public, r.viewers, r.obstacles)
                       order by l.resource_id limit 1)), '' order by u.id)
               from (select o.style_id as id from portal.layer_style o where o.resource_id = s.resource_id
                     union select x.default_style_id from portal.resource x where x.id = s.resource_id and x.default_style_id is not null) u), ''),
           s.is_placed
      from portal.item_stamps(resources) s;
end
$$;

-- While what hangs on the item is still there: the audit log names it, tallies count it no longer, and its followers are told.
create or replace function portal_private.before_item_goes() returns trigger
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
begin
  perform portal_private.audit_note(
    case when exists (select from portal_private.bin b where b.resource_id = old.id) then 'purged' else 'deleted' end,
    old.resource_type, old.id, old.title, jsonb_build_object('owner', old.owner_id));
  perform portal_private.count_faces(old, -1), portal_private.count_parts(old, -1);
  delete from portal_private.notification n where n.resource_id = old.id and n.kind <> 'deleted';
  -- One in the bin is out of everybody's sight, and so nobody is told a second time.
  perform portal_private.tell(portal_private.followers(old.id), 'deleted', old.id, null);
  return old;
end
$$;

grant execute on function
  portal_private.word_of_group(integer), portal_private.redescribed(portal.resource,portal.resource), portal.used_by(integer,integer), portal.hand_over_items(integer,text)
  to survest_user, survest_admin;

grant execute on function
  portal.count_view(integer), portal.item_parts(integer[]), portal.item_stamps(integer[]), portal.item_stamps_with_styles(integer[])
  to survest_anon, survest_user, survest_admin;

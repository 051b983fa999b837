-- Two apps of one name would be mixed up by people who see both. A name that the caller cannot see is free: the answer
-- must not tell that it is taken. Two people who give the same name at the same moment do not see each other's row: the second one
-- waits for the first.
create or replace function portal_private.guard_app_name() returns trigger
language plpgsql set search_path = pg_catalog, pg_temp as $$
begin
  perform pg_advisory_xact_lock(hashtextextended('portal app ' || new.name, 0));
  if exists (select from portal.resource r
              where r.resource_type in ('geoapp', 'geostory') and r.name = new.name and r.id <> new.id) then
    raise exception 'A GeoApp with the same ''name'' already exists!' using errcode = 'unique_violation';
  end if;
  return new;
end
$$;

-- Layers of a map that the caller does not see: their number, for who sees the map.
create or replace function portal.hidden_layers(map integer) returns integer
language sql stable security definer set search_path = pg_catalog, pg_temp
return (select count(distinct m.layer_id)::integer
          from portal.map_layer m
         where m.map_id = map and m.layer_id is not null
           and not exists (select from portal_private.bin b where b.resource_id = m.layer_id)
           and portal_private.sees(portal_private.who(), map)
           and not portal_private.sees(portal_private.who(), m.layer_id));

-- The configuration of a map without them. Written back by somebody who does not see them, it does not have them any more.
create or replace function portal.seen_config(map integer, config jsonb) returns jsonb
language plpgsql stable security definer set search_path = pg_catalog, pg_temp as $$
declare
  who portal_private.caller := portal_private.who();
  is_map boolean := exists (select from portal.resource r where r.id = map and r.resource_type = 'map');
  tokens text[];
begin
  if config is null or (not is_map and portal_private.mask(who, map) & 4 <> 0) then
    return config;
  end if;
  tokens := array(
    select f.token from portal_private.map_reference f where f.map_id = map and not portal_private.sees(who, f.layer_id)
    union
    select m.name from portal.map_layer m where m.map_id = map and m.layer_id is not null and m.name is not null and not portal_private.sees(who, m.layer_id));
  if tokens <> '{}' then
    config := portal_private.unreferenced(config, '', 0, tokens);
  end if;
  return case when is_map then config else portal_private.seen_app(who, config) end;
end
$$;

select portal_private.define_with_postgis($make$
  create or replace function portal.map_extent(map integer) returns %1$I.geometry
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
  $$ $make$);

select portal_private.define_with_postgis($make$
  create or replace function portal.maps_within(boxes double precision[]) returns setof integer
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
  $$ $make$);

create or replace function portal_private.renamed_in(said text, old_name text, new_name text, space text) returns text
language plpgsql immutable as $$
declare
  verb text;
begin
  foreach verb in array array['get', 'has', '!has'] loop
    said := replace(said, format('["%s",%s%s]', verb, space, to_json(old_name)), format('["%s",%s%s]', verb, space, to_json(new_name)));
  end loop;
  -- Of filters, of what readers choose from, of columns.
  foreach verb in array array['property', 'column'] loop
    said := replace(said, format('"%s":%s%s', verb, space, to_json(old_name)), format('"%s":%s%s', verb, space, to_json(new_name)));
  end loop;
  return said;
end
$$;

-- Of a layer or of a map; the template of a map is in it.
create or replace function portal_private.popup_renamed(popup jsonb, old_name text, new_name text) returns jsonb
language plpgsql immutable as $$
declare
  member text;
  mark text := '{{' || old_name || '}}';
begin
  foreach member in array array['title', 'template'] loop
    if jsonb_typeof(popup -> member) = 'string' then
      popup := jsonb_set(popup, array[member], to_jsonb(replace(popup ->> member, mark, '{{' || new_name || '}}')));
    end if;
  end loop;
  if jsonb_typeof(popup -> 'columns') = 'array' then
    popup := jsonb_set(popup, '{columns}', (
      select coalesce(jsonb_agg(case when c = to_jsonb(old_name) then to_jsonb(new_name) else c end order by n), '[]')
        from jsonb_array_elements(popup -> 'columns') with ordinality e (c, n)));
  end if;
  if jsonb_typeof(popup -> 'charts') = 'array' then
    popup := jsonb_set(popup, '{charts}', (
      select coalesce(jsonb_agg(case when jsonb_typeof(h) = 'object' then portal_private.popup_renamed(h - 'title', old_name, new_name)
                 || case when h ? 'title' then jsonb_build_object('title', h -> 'title') else '{}' end else h end order by n), '[]')
        from jsonb_array_elements(popup -> 'charts') with ordinality e (h, n)));
  end if;
  return popup;
end
$$;

create or replace function portal_private.popup_in_entry_renamed(entry jsonb, old_name text, new_name text) returns jsonb
language sql immutable
return case when jsonb_typeof(entry -> 'survest:popup') = 'object'
  then jsonb_set(entry, '{survest:popup}', portal_private.popup_renamed(entry -> 'survest:popup', old_name, new_name)) else entry end;

create or replace function portal_private.rename_in_maps(target integer, old_name text, new_name text) returns void
language plpgsql as $$
declare
  layer_name text := (select r.alternate from portal.resource r where r.id = target);
begin
  -- As JSON is written by programs, and as the database writes it.
  update portal.map_layer m set layer_params = portal_private.renamed_in(portal_private.renamed_in(m.layer_params, old_name, new_name, ''), old_name, new_name, ' ')
   where m.layer_id = target and strpos(m.layer_params, to_json(old_name)::text) > 0;
  update portal.app_data d
     set data = jsonb_set(d.data, '{map,layers}', (
       select jsonb_agg(case when l.layer ->> 'name' = layer_name
                  then portal_private.renamed_in(portal_private.popup_in_entry_renamed(l.layer, old_name, new_name)::text, old_name, new_name, ' ')::jsonb
                  else l.layer end order by l.n)
         from jsonb_array_elements(d.data #> '{map,layers}') with ordinality l (layer, n)))
   where d.data @> jsonb_build_object('map', jsonb_build_object('layers', jsonb_build_array(jsonb_build_object('name', layer_name))))
     and strpos(d.data::text, to_json(old_name)::text) > 0;
end
$$;

-- `workspace:name` wherever it stands in a text, also in an address, and without what viewers append to make an id of it (`portal:roads__7`).
create or replace function portal_private.layer_tokens(said text) returns table (token text)
language sql immutable parallel safe set search_path = pg_catalog, pg_temp
begin atomic
  with found as (
    select m[1] as token
      from regexp_matches(regexp_replace(said, '%3A', ':', 'gi'), '[^\s"'':,;/?&=<>()\[\]{}\\%]+:[^\s"'':,;/?&=<>()\[\]{}\\%]+', 'g') m
  )
  select f.token from found f union select regexp_replace(f.token, '__[^_]*$', '') from found f;
end;

-- And names without a workspace, where they are called one.
create or replace function portal_private.layers_named_in(config jsonb) returns table (token text, layer_id integer)
language sql stable set search_path = pg_catalog, pg_temp
begin atomic
  select t.token, r.id
    from (select l.token, substr(l.token, strpos(l.token, ':') + 1) as name from portal_private.layer_tokens(config::text) l
          union
          select p.name #>> '{}', p.name #>> '{}' from jsonb_path_query(config, 'strict $.**.name ? (@.type() == "string")', '{}', true) p(name)) t
    join portal.resource r on r.resource_type = 'layer' and r.name = t.name
   where length(t.token) between 1 and 500;
end;

create or replace function portal_private.note_references() returns trigger
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  who portal_private.caller := portal_private.who();
begin
  if new.data is not null then
    insert into portal_private.map_reference (map_id, token, layer_id)
      select distinct on (n.token) new.resource_id, n.token, n.layer_id from portal_private.layers_named_in(new.data) n
       where portal_private.sees(who, n.layer_id)
       order by n.token, n.layer_id
       limit greatest(0, 10000 - (select count(*) from portal_private.map_reference f where f.map_id = new.resource_id))
      on conflict (map_id, token) do nothing;
  end if;
  return null;
end
$$;

-- A configuration without what refers to one of the tokens; null: nothing of it is left. What refers to a layer goes with the object that it is part of
-- (a widget, a layer of a list), up to the next list; of the configuration itself, and of `map` in it, only the member.
create or replace function portal_private.unreferenced(value jsonb, under text, depth integer, tokens text[]) returns jsonb
language plpgsql immutable set search_path = pg_catalog, pg_temp as $$
declare
  kept jsonb;
  has_lost boolean;
begin
  case jsonb_typeof(value)
    when 'string' then
      return case when (under = 'name' and value #>> '{}' = any (tokens))
                    or exists (select from portal_private.layer_tokens(value #>> '{}') t where t.token = any (tokens)) then null else value end;
    when 'array' then
      select coalesce(jsonb_agg(e.kept order by e.n) filter (where e.kept is not null), '[]') into kept
        from (select portal_private.unreferenced(a.item, under, depth + 1, tokens) as kept, a.n
                from jsonb_array_elements(value) with ordinality a(item, n)) e;
      return case when kept = '[]' and value <> '[]' and under <> all (array['layers', 'groups', 'nodes', 'maps', 'widgets', 'backgrounds']) then null
                  else kept end;
    when 'object' then
      select coalesce(jsonb_object_agg(m.key, m.kept) filter (where m.kept is not null), '{}'), bool_or(m.kept is null)
        into kept, has_lost
        from (select o.key, portal_private.unreferenced(o.value, o.key, depth + 1, tokens) as kept
                from jsonb_each(value) o
               where not exists (select from portal_private.layer_tokens(o.key) t where t.token = any (tokens))) m;
      return case when has_lost and depth > 0 and not (depth = 1 and under = 'map') then null else kept end;
    else
      return value;
  end case;
end
$$;

create or replace function portal_private.item_number(reference jsonb) returns integer
language sql immutable parallel safe set search_path = pg_catalog, pg_temp
return case when jsonb_typeof(reference) = 'number' and reference::numeric between 1 and 2147483646 and reference::numeric % 1 = 0
            then reference::integer end;

-- Dashboards and stories name layers, maps and documents by their ids, and beside them columns and places. Who may not change the app is told of those
-- that they see: of the others a reader knows that something stands there, and nothing of it. Who may change an app reads all of it, since what was left
-- out would be lost when they save it. Other apps name layers as maps do, and are read like maps. False where there is no reference at all.
create or replace function portal_private.is_unseen(who portal_private.caller, reference jsonb) returns boolean
language sql stable set search_path = pg_catalog, pg_temp
begin atomic
  select n.id is not null and not portal_private.sees(who, n.id) from (select portal_private.item_number(reference)) n(id);
end;

-- No item has this number: readers are told that what stands there is not shared with them.
create or replace function portal_private.blank_widget(widget jsonb) returns jsonb
language sql immutable parallel safe set search_path = pg_catalog, pg_temp
return (widget - array['columns', 'title', 'unit', 'text', 'column', 'across', 'of'])
    || '{"title": "", "layer": 2147483647}'
    || coalesce((select jsonb_object_agg(name, '…') from unnest(array['column', 'across', 'of']) name where widget ? name), '{}');

create or replace function portal_private.seen_media(who portal_private.caller, media jsonb) returns jsonb
language plpgsql stable set search_path = pg_catalog, pg_temp as $$
declare
  part text;
begin
  if jsonb_typeof(media) is distinct from 'object' then
    return media;
  end if;
  if portal_private.is_unseen(who, media #> '{widget,layer}') then
    return jsonb_set(media, '{widget}', portal_private.blank_widget(media -> 'widget'));
  end if;
  foreach part in array array['layer', 'map', 'document'] loop
    if portal_private.is_unseen(who, media -> part) then
      return jsonb_build_object('kind', media -> 'kind', part, 2147483647, 'alt', '');
    end if;
  end loop;
  return media;
end
$$;

create or replace function portal_private.seen_app(who portal_private.caller, config jsonb) returns jsonb
language plpgsql stable set search_path = pg_catalog, pg_temp as $$
begin
  if jsonb_typeof(config) is distinct from 'object' then
    return config;
  end if;
  if jsonb_typeof(config -> 'widgets') = 'array' then
    config := jsonb_set(config, '{widgets}', (
      select coalesce(jsonb_agg(case when jsonb_typeof(w.item) = 'object' and portal_private.is_unseen(who, w.item -> 'layer')
                                     then portal_private.blank_widget(w.item) else w.item end order by w.n), '[]')
        from jsonb_array_elements(config -> 'widgets') with ordinality w(item, n)));
  end if;
  if jsonb_typeof(config -> 'sections') = 'array' then
    config := jsonb_set(config, '{sections}', (
      select coalesce(jsonb_agg(case when jsonb_typeof(s.item) = 'object' and s.item ? 'media'
                                     then jsonb_set(s.item, '{media}', portal_private.seen_media(who, s.item -> 'media')) else s.item end order by s.n), '[]')
        from jsonb_array_elements(config -> 'sections') with ordinality s(item, n)));
  end if;
  return config;
end
$$;

-- What a map, a dashboard or a story shows of the catalogue, and what that takes: to see it, and where a table lists its rows to download it as well.
-- Maps bring their layers. `config`: what an app or a story says, `{"layers": [id, …]}` of a map that does not exist yet.
create or replace function portal_private.shown_items(target integer, config jsonb) returns table (item integer, needs integer)
language sql stable set search_path = pg_catalog, pg_temp
begin atomic
  with media as (
    select m.media from jsonb_path_query(config, 'lax $.sections[*].media', '{}', true) m(media)
  ), widget as (
    select w.widget from jsonb_path_query(config, 'lax $.widgets[*]', '{}', true) w(widget)
    union all
    select m.media -> 'widget' from media m
  ), named as (
    select portal_private.item_number(w.widget -> 'layer') as item, case w.widget ->> 'kind' when 'table' then 3 else 1 end as needs from widget w
    union all
    select portal_private.item_number(m.media -> p.part), 1 from media m, unnest(array['layer', 'map', 'document']) p(part)
    union all
    select portal_private.item_number(l.layer), 1 from jsonb_path_query(config, 'lax $.layers[*]', '{}', true) l(layer)
    union all
    -- Apps of others name layers in ways of their own.
    select f.layer_id, 1 from portal_private.layers_named_in(config) f where coalesce(config ->> 'type', '') !~ '^survest-'
  ), whole as (
    select n.item, n.needs from named n
    union all
    select m.layer_id, 1 from portal.map_layer m where m.map_id = target or m.map_id in (select n.item from named n)
  )
  select w.item, bit_or(w.needs) from whole w where w.item <> coalesce(target, 0) group by w.item order by w.item limit 1000;
end;

-- Whom an item is shared with, besides its owner and those who have a link: one number where that is everybody, or every account. With `spec`, as `set_perms` takes it: whom it
-- would be shared with.
create or replace function portal_private.audience(who portal_private.caller, target integer, spec jsonb) returns integer[]
language plpgsql as $$
declare
  viewers integer[];
begin
  if spec is null then
    viewers := array(select g.principal from portal_private.resource_grant g
                      where g.resource_id = target and g.perms & 1 <> 0 and not portal_private.is_link(g.principal));
  else
    viewers := array(select p.principal from portal_private.parse_perms(who, coalesce(target, 0), spec, 'users') p where p.perms & 1 <> 0
                     union
                     select p.principal from portal_private.parse_perms(who, coalesce(target, 0), spec, 'groups') p where p.perms & 1 <> 0);
  end if;
  return case when viewers && '{-1, 0}' then '{-1}'
              when -2 = any (viewers) then '{-2}'
              else array(select v.n from unnest(viewers) v(n)
                          where v.n is distinct from coalesce((select r.owner_id from portal.resource r where r.id = target), who.me)) end;
end
$$;

-- What the item shows and its audience lacks, as far as the caller sees it. Whom an item is shared with is told to who may read that; of others is known
-- whether everybody sees them. What people hold by a group that the caller does not see counts as lacking, so that nothing is told of the group.
create or replace function portal_private.find_lacking(who portal_private.caller, target integer, audience integer[], config jsonb)
returns table (item integer, needs integer, principal integer, may_share boolean)
language sql stable
begin atomic
  select s.item, s.needs, a.principal,
         portal_private.mask(who, s.item) & 32 <> 0 and (who.staff or s.needs & ~portal_private.mask(who, s.item) = 0)
    from portal_private.shown_items(target, config) s
    join portal.resource r on r.id = s.item
    cross join unnest(audience) a(principal)
   where portal_private.sees(who, s.item) and a.principal is distinct from r.owner_id
     and s.needs & ~coalesce((
       select bit_or(g.perms) from portal_private.resource_grant g
        where g.resource_id = s.item
          and (g.principal in (-1, 0)
            or portal_private.reads_grants(who, s.item)
               and (g.principal = a.principal or g.principal = -2 and a.principal <> -1
                 or exists (select from portal.group_member m join portal.user_group u on u.id = m.group_id
                             where m.account_id = a.principal and -m.group_id = g.principal and portal_private.sees_group(who, u))))), 0) <> 0;
end;

-- {"public": …, "members": …, "groups": n, "people": n, "shown": n, "lacking": [{"pk", "title", "resource_type", "needs", "may_share", "from": {"groups": […], "users": […]}}]}
create or replace function portal_private.describe_audience(who portal_private.caller, target integer, audience integer[], config jsonb) returns jsonb
language sql stable
begin atomic
  select jsonb_build_object(
    'public', -1 = any (audience),
    'members', -2 = any (audience),
    'groups', (select count(*) from unnest(audience) a(n) where a.n < -2),
    'people', (select count(*) from unnest(audience) a(n) where a.n > 0),
    'lacking', (
      select coalesce(jsonb_agg(jsonb_build_object(
               'pk', r.id::text, 'title', r.title, 'resource_type', r.resource_type, 'needs', to_jsonb(portal.perm_names(l.needs)),
               'may_share', l.may_share, 'groups', l.groups, 'users', l.users) order by r.title collate portal.people, r.id), '[]')
        from (select f.item, f.needs, f.may_share,
                     coalesce(jsonb_agg(u.slug order by u.slug) filter (where u.id is not null), '[]') as groups,
                     coalesce(jsonb_agg(a.username order by a.username) filter (where a.id is not null), '[]') as users
                from portal_private.find_lacking(who, target, audience, config) f
                left join portal.user_group u on u.id = -f.principal
                left join portal.account a on a.id = f.principal and f.principal > 0
               group by f.item, f.needs, f.may_share) l
        join portal.resource r on r.id = l.item));
end;

-- Of an item that the caller shares. With `spec` and `config` also of what it would be, and with a target of null of one that does not exist yet.
create or replace function portal.item_audience(target integer, spec jsonb, config jsonb) returns jsonb
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  who portal_private.caller := portal_private.who();
begin
  perform portal_private.missing_if(target is not null and not portal_private.sees(who, target));
  perform portal_private.refuse_if(target is not null and not portal_private.reads_grants(who, target), 'change_resourcebase_permissions is needed');
  return portal_private.describe_audience(who, target, portal_private.audience(who, target, spec),
    coalesce(config, (select d.data from portal.app_data d join portal.resource r on r.id = d.resource_id
                       where d.resource_id = target and r.resource_type in ('geoapp', 'geostory'))));
end
$$;

-- Gives those who see the item what they lack of what it shows, where the caller may: that, and nothing else. What is lacking still.
create or replace function portal.share_with_audience(target integer) returns jsonb
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  who portal_private.caller := portal_private.who();
  config jsonb := (select d.data from portal.app_data d join portal.resource r on r.id = d.resource_id
                    where d.resource_id = target and r.resource_type in ('geoapp', 'geostory'));
begin
  perform portal_private.require(who, target, 32);
  -- As `set_perms` has it: one writer per item at a time.
  perform from portal.resource r where r.id in (select s.item from portal_private.shown_items(target, config) s) order by r.id for no key update;
  insert into portal_private.resource_grant (resource_id, principal, perms)
    select f.item, f.principal, f.needs
      from portal_private.find_lacking(who, target, portal_private.audience(who, target, null), config) f
     where f.may_share
    on conflict (resource_id, principal) do update set perms = resource_grant.perms | excluded.perms;
  return portal.item_audience(target, null, null);
end
$$;

grant execute on function
  portal.hidden_layers(integer), portal.seen_config(integer,jsonb), portal.map_extent(integer), portal.maps_within(double precision[])
  to survest_anon, survest_user, survest_admin;

grant execute on function
  portal.item_audience(integer,jsonb,jsonb), portal.share_with_audience(integer)
  to survest_user, survest_admin;

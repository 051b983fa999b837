-- Run by the owner of the table, in the transaction that loads it. From here on nobody, the owner included, reads or writes a row without the
-- grant. `(select …)` is run once per statement; the id is a constant in the policy's text. Every change is noted, and the recorded extent
-- follows the rows. Its rows are logged, too (`portal.log_layer_table`), by the same owner.
create or replace function portal.protect_layer_table(layer_table regclass, target integer) returns void
language plpgsql set search_path = pg_catalog, pg_temp as $$
declare
  serial regclass;
begin
  perform portal.bind_layer_table(layer_table, target);
  execute format('alter table %s enable row level security', layer_table);
  execute format('alter table %s force row level security', layer_table);
  execute format('create policy survest_read on %s for select to survest_anon, survest_user, survest_admin
                    using ((select portal.may(%s, ''view_resourcebase'')))', layer_table, target);
  execute format('create policy survest_insert on %s for insert to survest_user, survest_admin
                    with check ((select portal.may(%s, ''change_layer_data'')))', layer_table, target);
  execute format('create policy survest_update on %1$s for update to survest_user, survest_admin
                    using ((select portal.may(%2$s, ''view_resourcebase'')))
                    with check ((select portal.may(%2$s, ''change_layer_data'')))', layer_table, target);
  execute format('create policy survest_delete on %s for delete to survest_user, survest_admin
                    using ((select portal.may(%s, ''view_resourcebase'')))', layer_table, target);
  -- An update is refused by the check above; a delete has no check, so a trigger refuses it instead of finding nothing.
  execute format('create trigger survest_guard before delete on %s for each statement
                    execute function portal.guard_layer_table(%L)', layer_table, target);
  execute format('create trigger survest_version after insert or update or delete or truncate on %s for each statement
                    execute function portal.layer_data_changed(%L)', layer_table, target);
  execute format('create trigger survest_extent_insert after insert on %s referencing new table as changed for each statement
                    execute function portal.layer_extent_changed(%L)', layer_table, target);
  execute format('create trigger survest_extent_update after update on %s referencing new table as changed for each statement
                    execute function portal.layer_extent_changed(%L)', layer_table, target);
  perform portal.log_layer_table(layer_table, target);
  execute format('revoke all on %s from public', layer_table);
  execute format('grant select on %s to survest_anon, survest_user, survest_admin', layer_table);
  execute format('grant insert, update, delete on %s to survest_user, survest_admin', layer_table);
  for serial in
    select d.objid::regclass from pg_depend d join pg_class c on c.oid = d.objid
     where d.refclassid = 'pg_class'::regclass and d.refobjid = layer_table and d.classid = 'pg_class'::regclass
       and c.relkind = 'S' and d.deptype in ('a', 'i')
  loop
    execute format('grant usage on sequence %s to survest_user, survest_admin', serial);
  end loop;
  perform survest_live.follow(layer_table);
end
$$;

create or replace function portal.guard_layer_table() returns trigger
language plpgsql set search_path = pg_catalog, pg_temp as $$
begin
  -- Apart from the question below, which the owner of the table may not even ask.
  if not row_security_active(tg_relid) then
    return null;
  elsif not portal.may(tg_argv[0]::integer, 'change_layer_data') then
    raise exception 'You do not have permission to perform this action.'
      using errcode = 'insufficient_privilege', detail = 'change_layer_data is needed';
  end if;
  return null;
end
$$;

-- Notes which table belongs to which layer. Only the service's own role gets here, and a table or a layer only once. What the table is, its
-- record says.
create or replace function portal.bind_layer_table(layer_table regclass, target integer) returns void
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  found_name text;
begin
  select c.relname into found_name
    from pg_class c join pg_namespace n on n.oid = c.relnamespace
   where c.oid = layer_table and n.nspname = 'layers' and c.relkind in ('r', 'p');
  perform portal_private.invalid_if(found_name is null, format('%s is not a table in the schema layers', layer_table));
  perform portal_private.invalid_if(not exists (select from portal.resource r where r.id = target and r.resource_type = 'layer'),
    format('unknown layer %s', target));
  insert into portal_private.layer_table (resource_id, table_name) values (target, found_name);
  if not portal_private.has_geometry(layer_table) then
    update portal.resource r set is_tabular = true where r.id = target;
  end if;
end
$$;

-- The table behind a layer, for callers who see the layer; null for layers without one.
create or replace function portal.layer_table(target integer) returns text
language plpgsql stable parallel safe security definer set search_path = pg_catalog, pg_temp as $$
begin
  return (select t.table_name from portal_private.layer_table t
           where t.resource_id = target and portal_private.sees(portal_private.who(), target));
end
$$;

-- A deleted layer takes its table along, in the same transaction. The owner of a schema may drop what is in it. A view goes as a view: what it
-- shows stays where it is.
create or replace function portal_private.after_layer_table_gone() returns trigger
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  gone oid := to_regclass(format('layers.%I', old.table_name));
  kind text := (select case c.relkind when 'v' then 'view' else 'table' end from pg_class c where c.oid = gone);
begin
  if gone is null then
    return null;
  end if;
  begin
    execute format('drop %s layers.%I', kind, old.table_name);
    perform pg_notify('pgrst', 'reload schema ' || gone);
  exception when dependent_objects_still_exist then
    execute format('drop %s layers.%I cascade', kind, old.table_name);
    perform pg_notify('pgrst', 'reload schema');
  end;
  return null;
end
$$;

-- A number for a coordinate system that has none: the same text always under the same number, one of a range of ours. Without an
-- authority: PostGIS looks a name up before it reads the text, and the embedded engine does not survive a name that nobody
-- knows. Null where the database does not let us.
select portal_private.define_with_postgis($f$
  create or replace function portal.own_srid(wkt text) returns integer
  language plpgsql security definer set search_path = pg_catalog, pg_temp as $b$
  declare
    number integer;
  begin
    lock table %1$I.spatial_ref_sys in share row exclusive mode;
    select s.srid into number from %1$I.spatial_ref_sys s where s.srid between 960001 and 998999 and s.srtext = wkt limit 1;
    if number is null then
      select greatest(960000, coalesce(max(s.srid), 0)) + 1 into number
        from %1$I.spatial_ref_sys s where s.srid between 960001 and 998998;
      insert into %1$I.spatial_ref_sys (srid, auth_name, auth_srid, srtext, proj4text) values (number, null, null, wkt, '');
    end if;
    return number;
  exception when insufficient_privilege then
    return null;
  end
  $b$ $f$);

-- The REST service learns of tables that come and go.
create or replace function portal_private.tell_of_tables() returns trigger
language plpgsql set search_path = pg_catalog, pg_temp as $$
declare
  added text := (select string_agg(c.oid::text, ' ')
                   from added_table t
                   join pg_class c on c.relname = t.table_name and c.relnamespace = 'layers'::regnamespace);
begin
  -- A notification holds 8000 bytes.
  perform pg_notify('pgrst', case when length(added) < 7000 then 'reload schema ' || added else 'reload schema' end);
  return null;
end
$$;

-- Tables without a layer, and layers without their table.
create or replace function portal.stray_tables() returns table (kind text, name text, resource_id integer)
language sql stable security definer set search_path = pg_catalog, pg_temp as $$
  select 'table without layer', c.relname::text, null::integer
    from pg_class c
   where c.relnamespace = 'layers'::regnamespace and c.relkind in ('r', 'p')
     and not exists (select from portal_private.layer_table t where t.table_name = c.relname)
  union all
  select 'layer without table', t.table_name, t.resource_id
    from portal_private.layer_table t
   where to_regclass(format('layers.%I', t.table_name)) is null
  union all
  select 'layer without data', r.name, r.id
    from portal.resource r
   where r.resource_type = 'layer' and r.store is not null
     and not exists (select from portal_private.layer_table t where t.resource_id = r.id)
     and not exists (select from portal.raster p where p.resource_id = r.id)
  union all
  select 'staged table', c.relname::text, null::integer
    from pg_class c
   where c.relnamespace = 'staging'::regnamespace and c.relkind = 'r' and c.relname <> 'run'
     and not exists (select from staging.run u where c.relname like 'u' || u.upload_id || '\_%')
$$;

-- Adds a number and takes the others away, as far as no other writer is at them. Nothing for an item that is just going.
create or replace function portal_private.note_layer_change(target integer, changed text) returns void
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  added bigint;
begin
  insert into portal_private.layer_change (resource_id, part)
    select r.id, changed from portal.resource r where r.id = target and r.resource_type = 'layer'
    returning n into added;
  delete from portal_private.layer_change c
   where c.resource_id = target and c.part = changed
     and c.n in (select o.n from portal_private.layer_change o
                  where o.resource_id = target and o.part = changed and o.n < added for update skip locked);
end
$$;

-- On the tables of layers, once per statement.
create or replace function portal.layer_data_changed() returns trigger
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
begin
  perform portal_private.note_layer_change(tg_argv[0]::integer, 'data');
  return null;
end
$$;

-- Pixels, styles, and what columns are called.
create or replace function portal_private.after_raster() returns trigger
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
begin
  perform portal_private.note_layer_change(coalesce(new.resource_id, old.resource_id), 'data');
  return null;
end
$$;

-- What a map service asks before anything else: is there such a layer for the caller, and which state of it. By id, by alternate
-- name, or by name.
--   data, look   change with the rows and with the looks
--   described    changes with whatever else is said of the layer: title, extent, columns
--   own_rules    its table has row rules besides ours: callers may see different rows
--   cacheable    every change of what a caller sees is noted
create or replace function portal.layer_stamp(wanted text)
returns table (id integer, data text, look text, described text, own_rules boolean, cacheable boolean)
language plpgsql stable parallel safe security definer set search_path = pg_catalog, pg_temp rows 1 as $$
declare
  item record;
  behind oid;
  kind "char";
  has_children boolean;
begin
  if wanted ~ '^[0-9]{1,9}$' then
    select r.id, r.owner_id, r.private_group, r.is_public, r.viewers, r.obstacles, r.xmin::text as state into item
      from portal.resource r where r.id = wanted::integer and r.resource_type = 'layer';
  end if;
  if item is null then
    select r.id, r.owner_id, r.private_group, r.is_public, r.viewers, r.obstacles, r.xmin::text as state into item
      from portal.resource r
     where r.resource_type = 'layer' and r.alternate = case when strpos(wanted, ':') > 0 then wanted else 'portal:' || wanted end;
  end if;
  if item is null then
    select r.id, r.owner_id, r.private_group, r.is_public, r.viewers, r.obstacles, r.xmin::text as state into item
      from portal.resource r where r.resource_type = 'layer' and r.name = wanted order by r.id limit 1;
  end if;
  if item is null or not portal_private.shown(portal_private.who(), item.id, item.owner_id, item.private_group,
       item.is_public, item.viewers, item.obstacles) then
    return;
  end if;
  id := item.id;
  data := coalesce((select string_agg(c.n::text, '.' order by c.n) from portal_private.layer_change c
                     where c.resource_id = item.id and c.part = 'data'), '0');
  look := coalesce((select string_agg(c.n::text, '.' order by c.n) from portal_private.layer_change c
                     where c.resource_id = item.id and c.part = 'look'), '0');
  own_rules := false;
  cacheable := true;
  select c.oid, c.relkind, c.relhassubclass into behind, kind, has_children
    from portal_private.layer_table t
    join pg_class c on c.relname = t.table_name and c.relnamespace = 'layers'::regnamespace
   where t.resource_id = item.id;
  if behind is not null then
    own_rules := exists (
      select from pg_policy p where p.polrelid = behind
         and p.polname not in ('survest_read', 'survest_insert', 'survest_update', 'survest_delete'));
    -- Changes of a part of a divided table do not pass by the trigger of the whole.
    cacheable := not own_rules and kind = 'r' and not has_children and exists (
      select from pg_trigger g where g.tgrelid = behind and g.tgname = 'survest_version' and g.tgenabled <> 'D');
    item.state := item.state || '/' || coalesce((
      select hashtextextended(string_agg(a.attnum || ' ' || a.xmin::text, ',' order by a.attnum), 0)::text
        from pg_attribute a where a.attrelid = behind and a.attnum > 0), '');
  end if;
  described := item.state;
  return next;
end
$$;

-- The layers of the catalogue that have data behind them, as far as the caller sees them, by name; a page of ids with the total.
create or replace function portal.served_layers(page_size integer, page_start integer)
returns table (id integer, total bigint)
language plpgsql stable parallel safe security definer set search_path = pg_catalog, pg_temp rows 100 as $$
declare
  who portal_private.caller := portal_private.who();
begin
  return query
    with seen as materialized (
      select r.id, r.name from portal.resource r
       where r.resource_type = 'layer' and not r.is_tabular
         and (exists (select from portal_private.layer_table t where t.resource_id = r.id)
              or exists (select from portal.raster p where p.resource_id = r.id))
         and portal_private.shown(who, r.id, r.owner_id, r.private_group, r.is_public, r.viewers, r.obstacles)
    )
    select p.id, (select count(*) from seen)
      from (select s.id, s.name from seen s order by s.name, s.id limit page_size offset page_start) p
     order by p.name, p.id;
end
$$;

-- Addresses of map services are those of layers with places.
create or replace function portal_private.after_data() returns trigger
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
begin
  if tg_argv[0] = 'vector'
     and not portal_private.has_geometry(to_regclass(format('layers.%I', to_jsonb(new) ->> 'table_name'))) then
    return null;
  end if;
  perform portal_private.add_service_links(new.resource_id, tg_argv[0]);
  return null;
end
$$;

-- Grows the recorded extent where new rows lie outside of it. It never shrinks: that would take a look at every row.
select portal_private.define_with_postgis($f$
  create or replace function portal.layer_extent_changed() returns trigger
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
  $b$ $f$);

create or replace function portal.visible_relations(relations regclass[], required boolean) returns regclass[]
language plpgsql stable security definer set search_path = pg_catalog, pg_temp as $$
declare
  hidden bigint[];
  layers integer[];
  method text := current_setting('request.method', true);
begin
  select array_agg(t.resource_id),
         array_agg(asked.place order by asked.place) filter (where not portal.may(t.resource_id, 'view_resourcebase'))
    into layers, hidden
    from unnest(relations) with ordinality asked (relation, place)
    join pg_class c on c.oid = asked.relation
    join pg_namespace n on n.oid = c.relnamespace and n.nspname = 'layers'
    cross join lateral (
      select l.resource_id from portal_private.layer_table l where l.table_name = c.relname::text collate "default" offset 0) t;
  hidden := coalesce(hidden, '{}');
  if required and hidden <> '{}' then
    raise exception 'the relation is hidden' using errcode = 'SV205', detail = hidden[1]::text;
  end if;
  -- A body can ask as well: in a transaction of its own such a request is read-only, in a batch it is told by its address.
  if required and method is distinct from 'OPTIONS'
     and (method in ('GET', 'HEAD', 'QUERY') or current_setting('transaction_read_only') = 'on'
          or current_setting('request.path', true) like '%_/query') then
    if exists (
      select from unnest(layers) asked (id)
       where not portal.may(asked.id, 'download_resourcebase') and not portal.may(asked.id, 'change_layer_data')) then
      raise exception 'Reading the rows of this layer needs the permission to download it.'
        using errcode = 'insufficient_privilege';
    end if;
  end if;
  return array(
    select asked.relation
      from unnest(relations) with ordinality asked (relation, place)
     where asked.place <> all (hidden));
end
$$;

create or replace function portal_private.has_geometry(relation oid) returns boolean
language sql stable
return exists (select from pg_attribute a join pg_type t on t.oid = a.atttypid
                where a.attrelid = relation and a.attnum > 0 and not a.attisdropped and t.typname in ('geometry', 'geography'));

create or replace function portal_private.hold_number(target integer) returns bigint
language sql immutable
return hashtextextended('portal table ' || target, 0);

-- For callers who may change the rows of the layer; raises otherwise.
create or replace function portal.hold_table(target integer) returns void
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
begin
  perform portal.changeable_table(target);
  perform pg_advisory_xact_lock(portal_private.hold_number(target));
end
$$;

-- Both sides of a join, the lower number first, whichever of them is the layer; then what they are. Raises as `portal.join_sides` does.
create or replace function portal.hold_join(target integer, source integer) returns jsonb
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
begin
  perform portal.join_sides(target, source);
  perform pg_advisory_xact_lock(portal_private.hold_number(least(target, source)));
  perform pg_advisory_xact_lock(portal_private.hold_number(greatest(target, source)));
  return portal.join_sides(target, source);
end
$$;

create or replace function portal.layers_after(after_name text, after_id integer, page_size integer)
returns table (id integer, name text)
language plpgsql stable parallel safe security definer set search_path = pg_catalog, pg_temp rows 100 as $$
declare
  who portal_private.caller := portal_private.who();
begin
  return query
    select r.id, coalesce(r.name, '') from portal.resource r
     where r.resource_type = 'layer' and not r.is_tabular
       and (coalesce(r.name, ''), r.id) > (after_name, after_id)
       -- Not `exists`: of a table that is asked so often the planner makes a hash, of all its rows and for every page.
       and coalesce((select true from portal_private.layer_table t where t.resource_id = r.id),
                    (select true from portal.raster p where p.resource_id = r.id))
       and portal_private.shown(who, r.id, r.owner_id, r.private_group, r.is_public, r.viewers, r.obstacles)
     order by coalesce(r.name, ''), r.id limit page_size;
end
$$;

-- The space of all layers, for the state of the program. To measure a table PostgreSQL reads all about it, its policies and triggers among it: of a
-- hundred thousand tables that took a minute, for one figure. Of more than some thousands their pages are added up as the catalogue has them since
-- each was last analysed.
create or replace function portal_private.space_of_layers() returns bigint
language plpgsql stable set search_path = pg_catalog, pg_temp as $$
declare
  place oid := 'layers'::regnamespace;
begin
  if (select count(*) from pg_class c where c.relnamespace = place and c.relkind in ('r', 'm')) <= 5000 then
    return (select coalesce(sum(pg_total_relation_size(c.oid)), 0) from pg_class c where c.relnamespace = place and c.relkind in ('r', 'm'));
  end if;
  return (select coalesce(sum(c.relpages::bigint + coalesce(long.relpages, 0)), 0) * current_setting('block_size')::bigint
            from pg_class c left join pg_class long on long.oid = c.reltoastrelid and c.reltoastrelid <> 0
           where c.relnamespace = place and c.relkind in ('r', 'm', 'i'));
end
$$;

grant execute on function
  portal.protect_layer_table(regclass,integer), portal.guard_layer_table(), portal.bind_layer_table(regclass,integer),
  portal.own_srid(text), portal.stray_tables(), portal.layer_data_changed(), portal.layer_extent_changed()
  to survest_authenticator;

grant execute on function
  portal.hold_table(integer), portal.hold_join(integer,integer)
  to survest_user, survest_admin;

grant execute on function
  portal.layer_table(integer), portal.layer_stamp(text), portal.served_layers(integer,integer),
  portal.visible_relations(regclass[],boolean), portal.layers_after(text,integer,integer)
  to survest_anon, survest_user, survest_admin;

-- Tables without places: layers of the catalogue whose table has no geometry. Rows, permissions, history and the REST service are those of any
-- layer; the map services do not know them.

alter table portal.resource add column is_tabular boolean not null default false;
grant select (is_tabular) on portal.resource to survest_anon, survest_user, survest_admin;

create function portal_private.has_geometry(relation oid) returns boolean
language sql stable
return exists (select from pg_attribute a join pg_type t on t.oid = a.atttypid
                where a.attrelid = relation and a.attnum > 0 and not a.attisdropped and t.typname in ('geometry', 'geography'));

-- What the table is, its record says.
create or replace function portal.bind_layer_table(layer_table regclass, target integer) returns void
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  found_name text;
begin
  select c.relname into found_name
    from pg_class c join pg_namespace n on n.oid = c.relnamespace
   where c.oid = layer_table and n.nspname = 'layers' and c.relkind in ('r', 'p');
  if found_name is null then
    raise exception '% is not a table in the schema layers', layer_table using errcode = 'invalid_parameter_value';
  end if;
  if not exists (select from portal.resource r where r.id = target and r.resource_type = 'layer') then
    raise exception 'unknown layer %', target using errcode = 'invalid_parameter_value';
  end if;
  insert into portal_private.layer_table (resource_id, table_name) values (target, found_name);
  if not portal_private.has_geometry(layer_table) then
    update portal.resource r set is_tabular = true where r.id = target;
  end if;
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

-- Nor is there a picture of them.
do $$
declare
  known text := pg_get_functiondef('portal.item_parts(integer[])'::regprocedure);
  made text := replace(known, 'r.resource_type, r.store_type, b.box', 'r.resource_type, case when not r.is_tabular then r.store_type end, b.box');
begin
  if made = known then
    raise exception 'portal.item_parts is not as this migration knows it';
  end if;
  execute made;
end
$$;

revoke all on all functions in schema portal_private from public;

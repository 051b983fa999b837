-- Tables and views of the database that administrators register as layers: nothing is copied. In `layers` stands a view over what was registered, which
-- shows its rows to whoever may see the layer and is only read; when the layer goes, the view goes, and nothing else.

create table portal_private.registered_table (
  resource_id integer primary key references portal.resource on delete cascade,
  -- As it was called when it was registered.
  source_schema text not null,
  source_table text not null,
  key_column text not null
);
alter table portal_private.registered_table enable row level security;

alter table portal.resource add column is_registered boolean not null default false;
grant select (is_registered) on portal.resource to survest_anon, survest_user, survest_admin;

-- The tables that a relation reads, itself among them: a view by way of others, too.
create function portal_private.read_by(relation oid) returns setof oid
language sql stable
begin atomic
  with recursive family (oid) as (
    select relation
    union
    select n.oid
      from family f
      cross join lateral (
        select d.refobjid as oid
          from pg_rewrite w
          join pg_depend d on d.classid = 'pg_rewrite'::regclass and d.objid = w.oid and d.refclassid = 'pg_class'::regclass
         where w.ev_class = f.oid and d.refobjid <> f.oid
        union all
        select i.inhrelid from pg_inherits i where i.inhparent = f.oid) n
  )
  select f.oid from family f;
end;

-- Why it cannot be registered; null: it can. The role that logged in owns the view, so it has to be able to read what is behind it.
create function portal_private.register_fault(relation oid) returns text
language plpgsql stable as $$
declare
  item record;
begin
  select c.relkind, n.nspname, c.relname, c.relnamespace into item from pg_class c join pg_namespace n on n.oid = c.relnamespace where c.oid = relation;
  if exists (select from portal_private.read_by(relation) r (oid) join pg_class c on c.oid = r.oid where c.relrowsecurity) then
    return 'It has row security of its own, or reads a table that has. Who sees which row is decided there, and the portal would show the same rows to everybody.';
  end if;
  if not has_schema_privilege(session_user, item.relnamespace, 'usage') or not has_table_privilege(session_user, relation, 'select') then
    return format('The portal may not read it. Run: grant usage on schema %I to %I; grant select on %I.%I to %I;',
      item.nspname, session_user, item.nspname, item.relname, session_user);
  end if;
  return null;
end
$$;

create function portal_private.key_of(relation oid) returns name
language sql stable
return (select a.attname from pg_index i join pg_attribute a on a.attrelid = i.indrelid and a.attnum = i.indkey[0]
         where i.indrelid = relation and i.indisprimary and i.indnkeyatts = 1);

create function portal_private.is_registrable(relation oid) returns boolean
language sql stable
return exists (
  select from pg_class c join pg_namespace n on n.oid = c.relnamespace
   where c.oid = relation and c.relkind in ('r', 'p', 'v', 'm', 'f') and not c.relispartition and c.relpersistence <> 't'
     and n.nspname not in ('portal', 'portal_private', 'layers', 'staging', 'jobs', 'survest_live', 'information_schema') and n.nspname !~ '^pg_'
     and not exists (select from pg_depend d where d.classid = 'pg_class'::regclass and d.objid = c.oid and d.deptype = 'e'));

create function portal_private.require_admin() returns void
language plpgsql as $$
begin
  if not portal.is_admin() then
    perform portal_private.refuse('administrators register tables');
  end if;
end
$$;

-- What there is in the database besides the portal, for administrators. `most` at once, by schema and name.
create function portal.database_tables(search text, most integer) returns jsonb
language plpgsql stable security definer set search_path = pg_catalog, pg_temp as $$
begin
  perform portal_private.require_admin();
  return jsonb_build_object('tables', (
    select coalesce(jsonb_agg(jsonb_build_object(
        'schema', x.nspname, 'name', x.relname, 'kind', case x.relkind when 'v' then 'view' when 'm' then 'materialized view' when 'f' then 'foreign table' else 'table' end,
        'key', portal_private.key_of(x.oid),
        'columns', (select coalesce(jsonb_agg(a.attname order by a.attnum), '[]') from pg_attribute a join pg_type t on t.oid = a.atttypid
                     where a.attrelid = x.oid and a.attnum > 0 and not a.attisdropped and t.typname not in ('geometry', 'geography')),
        'geometry', (select a.attname from pg_attribute a join pg_type t on t.oid = a.atttypid
                      where a.attrelid = x.oid and a.attnum > 0 and not a.attisdropped and t.typname = 'geometry' order by a.attnum limit 1),
        'fault', portal_private.register_fault(x.oid),
        'layer', (select g.resource_id::text from portal_private.registered_table g
                   where g.source_schema = x.nspname and g.source_table = x.relname and portal_private.sees(portal_private.who(), g.resource_id)
                   order by g.resource_id limit 1)) order by x.nspname, x.relname), '[]')
      from (select c.oid, n.nspname, c.relname, c.relkind from pg_class c join pg_namespace n on n.oid = c.relnamespace
             where portal_private.is_registrable(c.oid) and (search = '' or strpos(lower(n.nspname || '.' || c.relname), lower(search)) > 0)
             order by n.nspname, c.relname limit least(most, 500)) x));
end
$$;

-- One of them as it is to be registered, for administrators: its columns, its key, its geometry; or why it cannot be.
create function portal.database_table(schema_name text, table_name text) returns jsonb
language plpgsql stable security definer set search_path = pg_catalog, pg_temp as $$
declare
  relation oid;
begin
  perform portal_private.require_admin();
  select c.oid into relation from pg_class c join pg_namespace n on n.oid = c.relnamespace
   where n.nspname = schema_name and c.relname = table_name and portal_private.is_registrable(c.oid);
  if relation is null then
    raise exception 'There is no such table.' using errcode = 'no_data_found';
  end if;
  return jsonb_build_object('fault', portal_private.register_fault(relation), 'key', portal_private.key_of(relation),
    'comment', obj_description(relation, 'pg_class'),
    'columns', (
      select coalesce(jsonb_agg(jsonb_build_object('name', a.attname, 'label', coalesce(nullif(col_description(relation, a.attnum), ''), a.attname),
                 'type', format_type(a.atttypid, a.atttypmod), 'geometry', t.typname = 'geometry') order by a.attnum), '[]')
        from pg_attribute a join pg_type t on t.oid = a.atttypid
       where a.attrelid = relation and a.attnum > 0 and not a.attisdropped));
end
$$;

-- For the service, in the transaction that has made the view.
create function portal.bind_registered_view(layer_view regclass, target integer, schema_name text, table_name text, key_name text) returns void
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  found_name text;
begin
  select c.relname into found_name from pg_class c where c.oid = layer_view and c.relnamespace = 'layers'::regnamespace and c.relkind = 'v';
  if found_name is null then
    raise exception '% is not a view in the schema layers', layer_view using errcode = 'invalid_parameter_value';
  end if;
  insert into portal_private.registered_table (resource_id, source_schema, source_table, key_column)
    values (target, schema_name, table_name, key_name);
  update portal.resource r set is_registered = true, is_tabular = not portal_private.has_geometry(layer_view) where r.id = target;
  insert into portal_private.layer_table (resource_id, table_name) values (target, found_name);
end
$$;

-- The column that names a row of a layer, for callers who see the layer.
create function portal.layer_key(target integer) returns text
language plpgsql stable parallel safe security definer set search_path = pg_catalog, pg_temp as $$
declare
  behind text := portal.layer_table(target);
begin
  return coalesce((select g.key_column from portal_private.registered_table g where behind is not null and g.resource_id = target),
                  portal_private.key_of(to_regclass(format('layers.%I', behind))));
end
$$;

-- What is registered is only read: nobody has the permission to change its rows, administrators included.
create or replace function portal.may(target integer, permission text) returns boolean
language plpgsql stable parallel safe security definer set search_path = pg_catalog, pg_temp as $$
declare
  who portal_private.caller := portal_private.who();
begin
  return coalesce(portal_private.sees(who, target)
              and portal_private.mask(who, target) & portal.perm_bit(permission) <> 0
              and (permission <> 'change_layer_data'
                   or not exists (select from portal_private.registered_table g where g.resource_id = target)), false);
end
$$;

create or replace function portal.my_perms(target integer) returns text[]
language plpgsql stable parallel safe security definer set search_path = pg_catalog, pg_temp as $$
declare
  who portal_private.caller := portal_private.who();
begin
  return portal.perm_names(case when portal_private.sees(who, target) then portal_private.mask(who, target) else 0 end
    & case when exists (select from portal_private.registered_table g where g.resource_id = target)
           then ~portal.perm_bit('change_layer_data') else -1 end);
end
$$;

do $$
declare
  one text;
  known text;
  made text;
begin
  foreach one in array array['portal.item_parts(integer[])', 'portal.my_perms_of(integer[])'] loop
    known := pg_get_functiondef(one::regprocedure);
    made := replace(replace(known, 'portal.perm_names(g.mask)',
      'portal.perm_names(g.mask & case when r.is_registered then ~portal.perm_bit(''change_layer_data'') else -1 end)'),
      'portal.perm_names(portal_private.allowed(who, r.resource_type, g.perms))',
      'portal.perm_names(portal_private.allowed(who, r.resource_type, g.perms) & case when r.is_registered then ~portal.perm_bit(''change_layer_data'') else -1 end)');
    if made = known then
      raise exception '% is not as this migration knows it', one;
    end if;
    execute made;
  end loop;
end
$$;

-- A view goes as a view: what it shows stays where it is.
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

revoke all on all functions in schema portal_private from public;
revoke all on function portal.database_tables(text, integer), portal.database_table(text, text),
  portal.bind_registered_view(regclass, integer, text, text, text), portal.layer_key(integer) from public;
grant execute on function portal.bind_registered_view(regclass, integer, text, text, text) to survest_authenticator;
grant execute on function portal.database_tables(text, integer), portal.database_table(text, text) to survest_admin;
grant execute on function portal.layer_key(integer) to survest_anon, survest_user, survest_admin;

-- The table of a layer whose columns the caller may change: who may change its rows and decides who else may. Raises otherwise.
create or replace function portal.managed_table(target integer) returns text
language plpgsql stable security definer set search_path = pg_catalog, pg_temp as $$
declare
  found_table text := portal.layer_table(target);
begin
  perform portal_private.missing_if(found_table is null, 'There is no such table.');
  perform portal_private.refuse_if(not (portal.may(target, 'change_layer_data') and portal.may(target, 'change_resourcebase_permissions')),
    'change_layer_data and change_resourcebase_permissions are needed');
  return found_table;
end
$$;

-- Both sides of a join, for callers who manage the layer and may read the rows of the table; raises otherwise.
create or replace function portal.join_sides(target integer, source integer) returns jsonb
language plpgsql stable security definer set search_path = pg_catalog, pg_temp as $$
declare
  into_table text := portal.managed_table(target);
  from_table text := portal.layer_table(source);
begin
  perform portal_private.missing_if(from_table is null or source = target, 'There is no such table.');
  perform portal_private.refuse_if(not (portal.may(source, 'download_resourcebase') or portal.may(source, 'change_layer_data')),
    'download_resourcebase is needed on the table');
  return (
    select jsonb_object_agg(s.side, jsonb_build_object('table', s.name, 'key', (
          select a.attname from pg_index i join pg_attribute a on a.attrelid = i.indrelid and a.attnum = i.indkey[0]
           where i.indrelid = s.relation and i.indisprimary and i.indnkeyatts = 1),
        'columns', (
          select coalesce(jsonb_agg(jsonb_build_object('name', a.attname, 'label', coalesce(l.attribute_label, a.attname),
                     'type', format_type(a.atttypid, a.atttypmod), 'xsd', coalesce(l.attribute_type, 'xsd:string'),
                     'number', t.typcategory = 'N', 'shape', t.typname in ('geometry', 'geography', 'raster')) order by a.attnum), '[]')
            from pg_attribute a
            join pg_type t on t.oid = a.atttypid
            left join portal.attribute l on l.resource_id = s.id and l.attribute = a.attname
           where a.attrelid = s.relation and a.attnum > 0 and not a.attisdropped)))
      from (values ('layer', target, into_table, format('layers.%I', into_table)::regclass::oid),
                   ('table', source, from_table, format('layers.%I', from_table)::regclass::oid)) s (side, id, name, relation));
end
$$;

-- The joins of a layer, the newest first, for who manages it. A table that the caller does not see any more has no title.
create or replace function portal.layer_joins(target integer) returns jsonb
language plpgsql stable security definer set search_path = pg_catalog, pg_temp as $$
begin
  perform portal.managed_table(target);
  return jsonb_build_object('joins', (
    select coalesce(jsonb_agg(jsonb_build_object(
        'id', j.id, 'table', case when portal_private.sees(portal_private.who(), j.table_id) then j.table_id::text end,
        'title', case when portal_private.sees(portal_private.who(), j.table_id) then r.title end,
        'layer_key', j.layer_key, 'table_key', j.table_key, 'columns', j.columns, 'rows', j.rows, 'matched', j.matched,
        'changed', j.version <> portal_private.data_version(j.table_id),
        'at', to_char(j.made_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"'), 'by', j.account) order by j.id desc), '[]')
      from portal_private.layer_join j join portal.resource r on r.id = j.table_id
     where j.resource_id = target));
end
$$;

-- One join as it was made, for who manages the layer; null: there is none.
create or replace function portal.layer_join(target integer, wanted bigint) returns jsonb
language plpgsql stable security definer set search_path = pg_catalog, pg_temp as $$
begin
  perform portal.managed_table(target);
  return (select jsonb_build_object('table', j.table_id, 'layer_key', j.layer_key, 'table_key', j.table_key, 'columns', j.columns)
            from portal_private.layer_join j where j.id = wanted and j.resource_id = target);
end
$$;

-- The values stay in the layer: only that they came from a table is forgotten.
create or replace function portal.forget_join(target integer, wanted bigint) returns void
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
begin
  perform portal.managed_table(target);
  delete from portal_private.layer_join j where j.id = wanted and j.resource_id = target;
  perform portal_private.missing_if(not found, 'There is no such join.');
end
$$;

-- For the service, in the transaction that copied the values. `known`: a join that was done again.
create or replace function portal.note_join(target integer, source integer, known bigint, keys text[], taken jsonb, found_rows bigint, found_matches bigint, by text)
returns bigint
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  noted bigint := known;
begin
  if known is null then
    insert into portal_private.layer_join (resource_id, table_id, layer_key, table_key, columns, rows, matched, version, account)
      values (target, source, keys[1], keys[2], taken, found_rows, found_matches, portal_private.data_version(source), by)
      returning id into noted;
  else
    update portal_private.layer_join j
       set rows = found_rows, matched = found_matches, version = portal_private.data_version(source), made_at = now(), account = by
     where j.id = known;
  end if;
  return noted;
end
$$;

-- Joins go on under the new name of a column, on whichever side it is.
create or replace function portal_private.rename_in_joins(target integer, old_name text, new_name text) returns void
language sql
begin atomic
  update portal_private.layer_join j
     set layer_key = case when j.layer_key = old_name then new_name else j.layer_key end,
         columns = (select coalesce(jsonb_agg(case when c ->> 'to' = old_name then c || jsonb_build_object('to', new_name) else c end), '[]')
                      from jsonb_array_elements(j.columns) c)
   where j.resource_id = target;
  update portal_private.layer_join j
     set table_key = case when j.table_key = old_name then new_name else j.table_key end,
         columns = (select coalesce(jsonb_agg(case when c ->> 'from' = old_name then c || jsonb_build_object('from', new_name) else c end), '[]')
                      from jsonb_array_elements(j.columns) c)
   where j.table_id = target;
end;

create or replace function portal_private.after_attribute_renamed() returns trigger
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
begin
  perform portal_private.rename_in_joins(new.resource_id, old.attribute, new.attribute);
  perform portal_private.rename_in_maps(new.resource_id, old.attribute, new.attribute);
  return null;
end
$$;

-- The tables that a relation reads, itself among them: a view by way of others, too.
create or replace function portal_private.read_by(relation oid) returns setof oid
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
create or replace function portal_private.register_fault(relation oid) returns text
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

create or replace function portal_private.key_of(relation oid) returns name
language sql stable
return (select a.attname from pg_index i join pg_attribute a on a.attrelid = i.indrelid and a.attnum = i.indkey[0]
         where i.indrelid = relation and i.indisprimary and i.indnkeyatts = 1);

create or replace function portal_private.is_registrable(relation oid) returns boolean
language sql stable
return exists (
  select from pg_class c join pg_namespace n on n.oid = c.relnamespace
   where c.oid = relation and c.relkind in ('r', 'p', 'v', 'm', 'f') and not c.relispartition and c.relpersistence <> 't'
     and n.nspname not in ('portal', 'portal_private', 'layers', 'staging', 'jobs', 'survest', 'survest_live', 'information_schema') and n.nspname !~ '^pg_'
     and not exists (select from pg_depend d where d.classid = 'pg_class'::regclass and d.objid = c.oid and d.deptype = 'e'));

-- What there is in the database besides the portal, for administrators. `most` at once, by schema and name.
create or replace function portal.database_tables(search text, most integer) returns jsonb
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
create or replace function portal.database_table(schema_name text, table_name text) returns jsonb
language plpgsql stable security definer set search_path = pg_catalog, pg_temp as $$
declare
  relation oid;
begin
  perform portal_private.require_admin();
  select c.oid into relation from pg_class c join pg_namespace n on n.oid = c.relnamespace
   where n.nspname = schema_name and c.relname = table_name and portal_private.is_registrable(c.oid);
  perform portal_private.missing_if(relation is null, 'There is no such table.');
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
create or replace function portal.bind_registered_view(layer_view regclass, target integer, schema_name text, table_name text, key_name text) returns void
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  found_name text;
begin
  select c.relname into found_name from pg_class c where c.oid = layer_view and c.relnamespace = 'layers'::regnamespace and c.relkind = 'v';
  perform portal_private.invalid_if(found_name is null, format('%s is not a view in the schema layers', layer_view));
  insert into portal_private.registered_table (resource_id, source_schema, source_table, key_column)
    values (target, schema_name, table_name, key_name);
  update portal.resource r set is_registered = true, is_tabular = not portal_private.has_geometry(layer_view) where r.id = target;
  insert into portal_private.layer_table (resource_id, table_name) values (target, found_name);
end
$$;

-- The column that names a row of a layer, for callers who see the layer.
create or replace function portal.layer_key(target integer) returns text
language plpgsql stable parallel safe security definer set search_path = pg_catalog, pg_temp as $$
declare
  behind text := portal.layer_table(target);
begin
  return coalesce((select g.key_column from portal_private.registered_table g where behind is not null and g.resource_id = target),
                  portal_private.key_of(to_regclass(format('layers.%I', behind))));
end
$$;

grant execute on function
  portal.database_tables(text,integer), portal.database_table(text,text)
  to survest_admin;

grant execute on function
  portal.note_join(integer,integer,bigint,text[],jsonb,bigint,bigint,text), portal.bind_registered_view(regclass,integer,text,text,text)
  to survest_authenticator;

grant execute on function
  portal.managed_table(integer), portal.join_sides(integer,integer), portal.layer_joins(integer), portal.layer_join(integer,bigint),
  portal.forget_join(integer,bigint)
  to survest_user, survest_admin;

grant execute on function
  portal.layer_key(integer)
  to survest_anon, survest_user, survest_admin;

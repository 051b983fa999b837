-- Tables joined to layers by a key. The values are copied into columns of the layer, so that styles, filters, tiles, downloads and the REST service
-- know nothing of joins; what was joined is remembered here, so that it can be done again when the table has changed.

create table portal_private.layer_join (
  id bigint generated always as identity primary key,
  resource_id integer not null references portal.resource on delete cascade,
  table_id integer not null references portal.resource on delete cascade,
  layer_key text not null,
  table_key text not null,
  -- [{"from": column of the table, "to": column of the layer}, …]
  columns jsonb not null,
  -- Of the layer: how many there were, and how many had a row in the table.
  rows bigint not null,
  matched bigint not null,
  -- The version of the table's rows then.
  version text not null,
  made_at timestamptz not null default now(),
  -- As it was called then.
  account text
);
create index layer_join_resource on portal_private.layer_join (resource_id);
create index layer_join_table on portal_private.layer_join (table_id);
alter table portal_private.layer_join enable row level security;

create function portal_private.data_version(target integer) returns text
language sql stable
return (select coalesce(string_agg(c.n::text, '.' order by c.n), '0') from portal_private.layer_change c
         where c.resource_id = target and c.part = 'data');

-- Both sides of a join, for callers who manage the layer and may read the rows of the table; raises otherwise.
create function portal.join_sides(target integer, source integer) returns jsonb
language plpgsql stable security definer set search_path = pg_catalog, pg_temp as $$
declare
  into_table text := portal.managed_table(target);
  from_table text := portal.layer_table(source);
begin
  if from_table is null or source = target then
    raise exception 'There is no such table.' using errcode = 'no_data_found';
  end if;
  if not (portal.may(source, 'download_resourcebase') or portal.may(source, 'change_layer_data')) then
    perform portal_private.refuse('download_resourcebase is needed on the table');
  end if;
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
create function portal.layer_joins(target integer) returns jsonb
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
create function portal.layer_join(target integer, wanted bigint) returns jsonb
language plpgsql stable security definer set search_path = pg_catalog, pg_temp as $$
begin
  perform portal.managed_table(target);
  return (select jsonb_build_object('table', j.table_id, 'layer_key', j.layer_key, 'table_key', j.table_key, 'columns', j.columns)
            from portal_private.layer_join j where j.id = wanted and j.resource_id = target);
end
$$;

-- The values stay in the layer: only that they came from a table is forgotten.
create function portal.forget_join(target integer, wanted bigint) returns void
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
begin
  perform portal.managed_table(target);
  delete from portal_private.layer_join j where j.id = wanted and j.resource_id = target;
  if not found then
    raise exception 'There is no such join.' using errcode = 'no_data_found';
  end if;
end
$$;

-- For the service, in the transaction that copied the values. `known`: a join that was done again.
create function portal.note_join(target integer, source integer, known bigint, keys text[], taken jsonb, found_rows bigint, found_matches bigint, by text)
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
create function portal_private.rename_in_joins(target integer, old_name text, new_name text) returns void
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

create function portal_private.after_attribute_renamed() returns trigger
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
begin
  perform portal_private.rename_in_joins(new.resource_id, old.attribute, new.attribute);
  return null;
end
$$;
create trigger joins_follow after update of attribute on portal.attribute
  for each row when (old.attribute is distinct from new.attribute) execute function portal_private.after_attribute_renamed();

-- Layers that a table is joined to use it.
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
         and d.data @> jsonb_build_object('sections', jsonb_build_array(
                         jsonb_build_object('media', jsonb_build_object('kind', case part when 'document' then 'image' else part end, part, target))))
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

revoke all on all functions in schema portal_private from public;
revoke all on function portal.join_sides(integer, integer), portal.layer_joins(integer), portal.layer_join(integer, bigint),
  portal.forget_join(integer, bigint), portal.note_join(integer, integer, bigint, text[], jsonb, bigint, bigint, text) from public;
grant execute on function portal.note_join(integer, integer, bigint, text[], jsonb, bigint, bigint, text) to survest_authenticator;
grant execute on function portal.join_sides(integer, integer), portal.layer_joins(integer), portal.layer_join(integer, bigint),
  portal.forget_join(integer, bigint) to survest_user, survest_admin;

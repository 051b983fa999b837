-- The tables behind vector layers. Each stands in `layers` under policies that ask the grants of its catalogue entry, so a
-- row read by the REST service, a tile and the item's page always agree.

create table portal_private.layer_table (
  resource_id integer primary key references portal.resource on delete cascade,
  table_name text not null unique
);
alter table portal_private.layer_table enable row level security;

-- Run by the owner of the table, in the transaction that loads it. From here on nobody, the owner included, reads or writes
-- a row without the grant. `(select …)` is run once per statement; the id is a constant in the policy's text.
-- Every change is noted (0030), and the recorded extent follows the rows (0031).
create function portal.protect_layer_table(layer_table regclass, target integer) returns void
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
end
$$;

create function portal.guard_layer_table() returns trigger
language plpgsql set search_path = pg_catalog, pg_temp as $$
begin
  if row_security_active(tg_relid) and not portal.may(tg_argv[0]::integer, 'change_layer_data') then
    raise exception 'You do not have permission to perform this action.'
      using errcode = 'insufficient_privilege', detail = 'change_layer_data is needed';
  end if;
  return null;
end
$$;

-- Notes which table belongs to which layer. Only the service's own role gets here, and a table or a layer only once.
create function portal.bind_layer_table(layer_table regclass, target integer) returns void
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
end
$$;

-- The table behind a layer, for callers who see the layer; null for layers without one.
create function portal.layer_table(target integer) returns text
language plpgsql stable parallel safe security definer set search_path = pg_catalog, pg_temp as $$
begin
  return (select t.table_name from portal_private.layer_table t
           where t.resource_id = target and portal_private.sees(portal_private.who(), target));
end
$$;

-- A deleted layer takes its table along, in the same transaction. The owner of a schema may drop what is in it.
create function portal_private.after_layer_table_gone() returns trigger
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
begin
  execute format('drop table if exists layers.%I cascade', old.table_name);
  return null;
end
$$;
create trigger table_goes_too after delete on portal_private.layer_table
  for each row execute function portal_private.after_layer_table_gone();

revoke all on all functions in schema portal_private from public;
revoke all on function
  portal.protect_layer_table(regclass, integer), portal.bind_layer_table(regclass, integer), portal.layer_table(integer),
  portal.guard_layer_table()
  from public;
-- Firing a trigger takes no privilege, but naming its function in a new one does.
grant execute on function
  portal.protect_layer_table(regclass, integer), portal.bind_layer_table(regclass, integer), portal.guard_layer_table()
  to survest_authenticator;
grant execute on function portal.layer_table(integer) to survest_anon, survest_user, survest_admin;

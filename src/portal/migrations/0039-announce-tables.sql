-- Tables of layers that come and go are announced by their oids, so that REST services look at those alone, however many there are.

drop trigger tell on portal_private.layer_table;

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
create trigger tell after insert on portal_private.layer_table
  referencing new table as added_table for each statement execute function portal_private.tell_of_tables();

-- A deleted layer takes its table along, in the same transaction, and whatever was made of the table. Then anything may be gone.
create or replace function portal_private.after_layer_table_gone() returns trigger
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  gone oid := to_regclass(format('layers.%I', old.table_name));
begin
  if gone is null then
    return null;
  end if;
  begin
    execute format('drop table layers.%I', old.table_name);
    perform pg_notify('pgrst', 'reload schema ' || gone);
  exception when dependent_objects_still_exist then
    execute format('drop table layers.%I cascade', old.table_name);
    perform pg_notify('pgrst', 'reload schema');
  end;
  return null;
end
$$;

revoke all on function portal_private.tell_of_tables(), portal_private.after_layer_table_gone() from public;

-- Rows of layers can be followed (live streams): the change log, its triggers on every layer's table, and an entry where permissions change,
-- so that whoever may not read a layer any more is told at once.

-- The change log: which rows of followed tables were changed, by which transaction. Live streams read it.
--
-- A statement is one entry, however many rows it changed, with the primary keys of these rows as texts. Beyond 500 rows, after TRUNCATE, and
-- in tables without a primary key it only says that anything may have changed. What the rows hold is not in it: listeners read them under
-- their own role.

create schema if not exists survest_live;

create table if not exists survest_live.change (
  -- Of the whole transaction, whatever savepoints it had: a reader tells by it what it has not seen yet.
  xid xid8 not null default pg_current_xact_id(),
  relation oid not null,
  -- Each key an array of texts, in the order of the primary key's columns. Null: any row may have changed.
  keys jsonb,
  at timestamptz not null default clock_timestamp()
);

create index if not exists change_xid on survest_live.change (xid);

-- Texts of keys are read back by other sessions, so they must not depend on how this one likes dates.
create or replace function survest_live.record() returns trigger
language plpgsql security definer
set search_path = pg_catalog, pg_temp
set datestyle = 'ISO, YMD' set intervalstyle = 'postgres' set timezone = 'UTC' set extra_float_digits = 1 set bytea_output = 'hex'
as $$
declare
  most constant integer := 500;
  key text;
  sources text[] := case tg_op when 'INSERT' then '{new_rows}' when 'DELETE' then '{old_rows}' when 'UPDATE' then '{new_rows,old_rows}' else '{}' end;
  source text;
  part jsonb;
  changed jsonb := '[]';
begin
  if tg_op = 'TRUNCATE' then
    changed := null;
  else
    select string_agg(format('r.%I::text', a.attname), ', ' order by k.place) into key
    from pg_index i
      cross join lateral unnest(i.indkey::int2[]) with ordinality as k (attnum, place)
      join pg_attribute a on a.attrelid = i.indrelid and a.attnum = k.attnum
    where i.indrelid = tg_relid and i.indisprimary and k.place <= i.indnkeyatts;
    foreach source in array sources loop
      if key is null then
        execute format('select case when exists (select from %I) then null else ''[]''::jsonb end', source) into part;
      else
        execute format('select case when count(*) > $1 then null else coalesce(jsonb_agg(k), ''[]'') end from (select jsonb_build_array(%s) as k from %I as r limit $1 + 1) as s', key, source)
          into part using most;
      end if;
      changed := changed || part;
    end loop;
    if changed = '[]' then
      return null;
    end if;
  end if;
  insert into survest_live.change (relation, keys) values (tg_relid, changed);
  -- Without a payload: equal notifications of a transaction are one.
  perform pg_notify('survest_live', '');
  return null;
end
$$;

-- Follows a table, and its partitions and children: needs the rights of its owner. Following it again changes nothing.
create or replace function survest_live.follow(relation regclass) returns void
language plpgsql
set search_path = pg_catalog, pg_temp
as $$
declare
  one regclass;
begin
  if (select c.relkind from pg_class c where c.oid = relation) not in ('r', 'p') then
    raise exception '% is no table', relation using errcode = 'wrong_object_type',
      hint = 'A view is followed by its tables.';
  end if;
  for one in
    with recursive family (oid) as (
      select relation::oid union select i.inhrelid from family f join pg_inherits i on i.inhparent = f.oid
    )
    select f.oid from family f join pg_class c on c.oid = f.oid where c.relkind in ('r', 'p')
  loop
    execute format('create or replace trigger survest_live_insert after insert on %s referencing new table as new_rows for each statement execute function survest_live.record()', one);
    execute format('create or replace trigger survest_live_update after update on %s referencing old table as old_rows new table as new_rows for each statement execute function survest_live.record()', one);
    execute format('create or replace trigger survest_live_delete after delete on %s referencing old table as old_rows for each statement execute function survest_live.record()', one);
    execute format('create or replace trigger survest_live_truncate after truncate on %s for each statement execute function survest_live.record()', one);
  end loop;
end
$$;

create or replace function survest_live.unfollow(relation regclass) returns void
language plpgsql
set search_path = pg_catalog, pg_temp
as $$
declare
  found record;
begin
  for found in
    with recursive family (oid) as (
      select relation::oid union select i.inhrelid from family f join pg_inherits i on i.inhparent = f.oid
    )
    select t.tgrelid::regclass as on_table, t.tgname from family f join pg_trigger t on t.tgrelid = f.oid
    where t.tgfoid = 'survest_live.record()'::regprocedure and not t.tgisinternal
  loop
    execute format('drop trigger %I on %s', found.tgname, found.on_table);
  end loop;
end
$$;

revoke all on schema survest_live from public;
revoke all on function survest_live.record(), survest_live.follow(regclass), survest_live.unfollow(regclass) from public;

grant usage on schema survest_live to survest_authenticator;
grant select, delete on survest_live.change to survest_authenticator;
grant execute on function survest_live.record(), survest_live.follow(regclass) to survest_authenticator;

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

-- What is no longer there, or belongs to somebody else, is passed over: it is answered as a table that is not followed.
do $$
declare
  one regclass;
begin
  for one in
    select c.oid from portal_private.layer_table t
      join pg_catalog.pg_class c on c.relname = t.table_name and c.relnamespace = 'layers'::regnamespace
     where c.relkind in ('r', 'p')
  loop
    begin
      perform survest_live.follow(one);
    exception when insufficient_privilege then
      raise warning '% is not followed: it belongs to another role', one;
    end;
  end loop;
end
$$;

-- Grants of a layer decide who sees its rows: any of them may be seen, or not, from now on.
create function portal_private.grants_changed() returns trigger
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
begin
  insert into survest_live.change (relation)
    select distinct c.oid from changed g
      join portal_private.layer_table t on t.resource_id = g.resource_id
      join pg_class c on c.relname = t.table_name and c.relnamespace = 'layers'::regnamespace;
  if found then
    perform pg_notify('survest_live', '');
  end if;
  return null;
end
$$;
revoke all on function portal_private.grants_changed() from public;
create trigger live_insert after insert on portal_private.resource_grant referencing new table as changed
  for each statement execute function portal_private.grants_changed();
create trigger live_update after update on portal_private.resource_grant referencing new table as changed
  for each statement execute function portal_private.grants_changed();
create trigger live_delete after delete on portal_private.resource_grant referencing old table as changed
  for each statement execute function portal_private.grants_changed();

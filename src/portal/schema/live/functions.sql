-- Changes of layers' rows for live streams.

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

revoke all on schema survest_live from public;
grant usage on schema survest_live to survest_authenticator;
grant select, delete on survest_live.change to survest_authenticator;


-- Grants of a layer decide who sees its rows: any of them may be seen, or not, from now on.
create or replace function portal_private.grants_changed() returns trigger
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

grant execute on function
  survest_live.record(), survest_live.follow(regclass)
  to survest_authenticator;

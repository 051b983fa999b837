create or replace function portal_private.history_limit_of(wanted text) returns integer
language sql stable
return (select l.value from portal_private.history_limit l where l.name = wanted);

-- Set by the program when it starts, from its own settings.
create or replace function portal.set_history_limits(entries integer, days integer) returns void
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
begin
  update portal_private.history_limit l set value = case l.name when 'entries' then entries else days end
   where l.name in ('entries', 'days') and l.value <> case l.name when 'entries' then entries else days end;
end
$$;

-- A row as the log keeps it.
create or replace function portal_private.geometry_columns(layer_table oid) returns name[]
language sql stable
return array(select a.attname from pg_attribute a join pg_type t on t.oid = a.atttypid
              where a.attrelid = layer_table and a.attnum > 0 and not a.attisdropped and t.typname in ('geometry', 'geography'));

create or replace function portal_private.logged_row(layer_table oid, alias text) returns text
language plpgsql stable as $$
declare
  shape name;
  said text := format('to_jsonb(%I.*)', alias);
begin
  foreach shape in array portal_private.geometry_columns(layer_table) loop
    said := said || format(' || jsonb_build_object(%L, %I.%I::text)', shape, alias, shape);
  end loop;
  return said;
end
$$;

-- On the tables of layers, once per statement. A write is never refused for its history: a table without a key of one column has bulk
-- entries alone.
create or replace function portal.layer_rows_logged() returns trigger
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  target integer := tg_argv[0]::integer;
  key name := (select a.attname from pg_index i join pg_attribute a on a.attrelid = i.indrelid and a.attnum = i.indkey[0]
                where i.indrelid = tg_relid and i.indisprimary and i.indnkeyatts = 1);
  -- An import says so in its own transaction, with who ordered it.
  import text := nullif(current_setting('survest.bulk', true), '');
  who integer := coalesce(nullif(current_setting('survest.bulk_by', true), '')::integer, portal.me());
  who_name text := (select a.username from portal.account a where a.id = who);
  most integer := portal_private.history_limit_of('rows');
  written bigint;
  row_text text := portal_private.logged_row(tg_relid, 't');
  last_id bigint;
begin
  if portal_private.history_limit_of('entries') = 0 then
    return null;
  end if;
  if tg_op = 'TRUNCATE' then
    if import is null then
      insert into portal_private.layer_edit (resource_id, account_id, account, kind, bulk) values (target, who, who_name, 'bulk', 'truncate')
        returning id into last_id;
    end if;
    return null;
  elsif tg_op = 'DELETE' then
    select count(*) into written from (select from old_rows limit case when import is null and key is not null then most + 1 end) x;
  else
    select count(*) into written from (select from new_rows limit case when import is null and key is not null then most + 1 end) x;
  end if;
  if written = 0 then
    return null;
  end if;
  if import is not null or key is null or written > most then
    if tg_op = 'DELETE' then select count(*) into written from old_rows; else select count(*) into written from new_rows; end if;
    insert into portal_private.layer_edit (resource_id, account_id, account, kind, bulk, rows)
      values (target, who, who_name, 'bulk', coalesce(import, lower(tg_op)), written) returning id into last_id;
  elsif tg_op = 'INSERT' then
    execute format('insert into portal_private.layer_edit (resource_id, account_id, account, kind, key, new_values)
                    select $1, $2, $3, ''insert'', t.%I::text, %s from new_rows t', key, row_text) using target, who, who_name;
  elsif tg_op = 'DELETE' then
    execute format('insert into portal_private.layer_edit (resource_id, account_id, account, kind, key, old_values)
                    select $1, $2, $3, ''delete'', t.%I::text, %s from old_rows t', key, row_text) using target, who, who_name;
  else
    execute format($sql$
      insert into portal_private.layer_edit (resource_id, account_id, account, kind, key, old_values, new_values)
      select $1, $2, $3, case when o.k is null then 'insert' when n.k is null then 'delete' else 'update' end, coalesce(n.k, o.k),
             case when n.k is null then o.j else (select jsonb_object_agg(e.key, e.value) from jsonb_each(o.j) e where e.value is distinct from n.j -> e.key) end,
             case when o.k is null then n.j else (select jsonb_object_agg(e.key, e.value) from jsonb_each(n.j) e where e.value is distinct from o.j -> e.key) end
        from (select t.%1$I::text as k, %2$s as j from old_rows t) o
        full join (select t.%1$I::text as k, %2$s as j from new_rows t) n on n.k = o.k
       where o.j is distinct from n.j$sql$, key, row_text) using target, who, who_name;
  end if;
  perform portal_private.prune_history(target);
  return null;
end
$$;

-- Cheap where there is nothing to do: the oldest entry and the newest are looked at. Only a layer whose ids lie further apart than it may
-- have entries can have too many.
create or replace function portal_private.prune_history(target integer) returns void
language plpgsql as $$
declare
  too_old timestamptz := now() - make_interval(days => portal_private.history_limit_of('days'));
  most integer := portal_private.history_limit_of('entries');
  oldest bigint := (select min(e.id) from portal_private.layer_edit e where e.resource_id = target);
  newest bigint := (select max(e.id) from portal_private.layer_edit e where e.resource_id = target);
begin
  if exists (select from portal_private.layer_edit e where e.id = oldest and e.made_at < too_old) then
    delete from portal_private.layer_edit e where e.resource_id = target and e.made_at < too_old;
  end if;
  if newest - oldest >= most then
    delete from portal_private.layer_edit e
     where e.resource_id = target
       and e.id <= (select o.id from portal_private.layer_edit o where o.resource_id = target order by o.id desc offset most limit 1);
  end if;
end
$$;

-- Run by the owner of the table.
create or replace function portal.log_layer_table(layer_table regclass, target integer) returns void
language plpgsql set search_path = pg_catalog, pg_temp as $$
begin
  execute format('create or replace trigger survest_history_insert after insert on %s referencing new table as new_rows for each statement
                    execute function portal.layer_rows_logged(%L)', layer_table, target);
  execute format('create or replace trigger survest_history_update after update on %s referencing old table as old_rows new table as new_rows
                    for each statement execute function portal.layer_rows_logged(%L)', layer_table, target);
  execute format('create or replace trigger survest_history_delete after delete on %s referencing old table as old_rows for each statement
                    execute function portal.layer_rows_logged(%L)', layer_table, target);
  execute format('create or replace trigger survest_history_truncate after truncate on %s for each statement
                    execute function portal.layer_rows_logged(%L)', layer_table, target);
end
$$;

-- May the caller read the rows of this layer? Where the table has row rules besides ours, callers see different rows of it, and the log is
-- for administrators.
create or replace function portal_private.reads_history(target integer) returns boolean
language plpgsql stable as $$
declare
  behind oid := (select c.oid from portal_private.layer_table t
                   join pg_class c on c.relname = t.table_name and c.relnamespace = 'layers'::regnamespace where t.resource_id = target);
begin
  if not portal.may(target, 'view_resourcebase')
     or not (portal.may(target, 'download_resourcebase') or portal.may(target, 'change_layer_data')) then
    return false;
  end if;
  return portal.is_admin() or not exists (
    select from pg_policy p where p.polrelid = behind
       and p.polname not in ('survest_read', 'survest_insert', 'survest_update', 'survest_delete'));
end
$$;

-- The newest first. Null: the caller may not read it.
create or replace function portal.layer_history(target integer, feature text, before bigint, most integer) returns jsonb
language plpgsql stable security definer set search_path = pg_catalog, pg_temp as $$
declare
  shapes name[] := (select portal_private.geometry_columns(c.oid) from portal_private.layer_table t
                      join pg_class c on c.relname = t.table_name and c.relnamespace = 'layers'::regnamespace where t.resource_id = target);
begin
  if not portal_private.reads_history(target) then
    return null;
  end if;
  return (
    select coalesce(jsonb_agg(jsonb_build_object(
        'id', e.id, 'at', to_char(e.made_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'), 'by', e.account, 'kind', e.kind,
        'feature', e.key, 'old', e.old_values - shapes::text[], 'new', e.new_values - shapes::text[],
        'geometry', coalesce(e.old_values ?| shapes::text[], false) or coalesce(e.new_values ?| shapes::text[], false),
        'bulk', e.bulk, 'rows', e.rows) order by e.id desc), '[]')
      from (select * from portal_private.layer_edit x
             where x.resource_id = target and (feature is null or x.key = feature) and (before is null or x.id < before)
             order by x.id desc limit least(most, 200)) e);
end
$$;

-- One edit with all that its undoing needs; for callers who read the history.
create or replace function portal.layer_edit_whole(target integer, edit bigint) returns jsonb
language plpgsql stable security definer set search_path = pg_catalog, pg_temp as $$
begin
  if not portal_private.reads_history(target) then
    return null;
  end if;
  return (
    select jsonb_build_object('kind', e.kind, 'key', e.key, 'old', e.old_values, 'new', e.new_values,
        'row', portal_private.logged_row(c.oid, 'f'), 'table', t.table_name,
        'key_column', (select a.attname from pg_index i join pg_attribute a on a.attrelid = i.indrelid and a.attnum = i.indkey[0]
                        where i.indrelid = c.oid and i.indisprimary and i.indnkeyatts = 1),
        'key_type', (select format_type(a.atttypid, a.atttypmod) from pg_index i
                       join pg_attribute a on a.attrelid = i.indrelid and a.attnum = i.indkey[0]
                      where i.indrelid = c.oid and i.indisprimary and i.indnkeyatts = 1),
        -- Columns that can be written, as far as they are still there.
        'writable', array(select a.attname from pg_attribute a
                           where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped and a.attgenerated = ''),
        'later', exists (select from portal_private.layer_edit l where l.resource_id = target and l.key = e.key and l.id > e.id))
      from portal_private.layer_edit e
      join portal_private.layer_table t on t.resource_id = e.resource_id
      join pg_class c on c.relname = t.table_name and c.relnamespace = 'layers'::regnamespace
     where e.resource_id = target and e.id = edit);
end
$$;

-- Undoes one edit as a new one, with the caller's own rights: the policies of the table decide. 'done', 'changed' (the feature is not any
-- more as the edit left it), 'bulk' (many rows at once cannot be undone), or null: there is no such edit for the caller.
create or replace function portal.undo_layer_edit(target integer, edit bigint) returns text
language plpgsql set search_path = pg_catalog, pg_temp as $$
declare
  e jsonb := portal.layer_edit_whole(target, edit);
  relation text;
  names text[];
  places text;
  hit bigint;
begin
  if e is null or e ->> 'key_column' is null then
    return null;
  end if;
  if e ->> 'kind' = 'bulk' then
    return 'bulk';
  end if;
  if (e ->> 'later')::boolean then
    return 'changed';
  end if;
  relation := format('layers.%I', e ->> 'table');
  if e ->> 'kind' = 'insert' then
    execute format('delete from %s f where f.%I = $1::%s and (%s) = $2', relation, e ->> 'key_column', e ->> 'key_type', e ->> 'row')
      using e ->> 'key', e -> 'new';
  else
    names := array(select n from jsonb_object_keys(e -> 'old') n where n in (select jsonb_array_elements_text(e -> 'writable')));
    if (select count(*) from jsonb_object_keys(e -> 'old') n where n not in (select jsonb_array_elements_text(e -> 'writable')))
       > (select count(*) from pg_attribute a where a.attrelid = relation::regclass and a.attgenerated <> '') then
      return 'changed';
    end if;
    select string_agg(format('%I', n), ', ') into places from unnest(names) n;
    if e ->> 'kind' = 'delete' then
      execute format('insert into %1$s (%2$s) overriding system value select %2$s from jsonb_populate_record(null::%1$s, $1) v
                      on conflict do nothing', relation, places) using e -> 'old';
    else
      execute format('update %1$s f set (%2$s) = row(%3$s) from jsonb_populate_record(null::%1$s, $1) v
                       where f.%4$I = $2::%5$s and not exists (
                         select from jsonb_each($3) x where (%6$s) -> x.key is distinct from x.value)',
        relation, places, (select string_agg(format('v.%I', n), ', ') from unnest(names) n), e ->> 'key_column', e ->> 'key_type',
        e ->> 'row') using e -> 'old', e ->> 'key', e -> 'new';
    end if;
  end if;
  get diagnostics hit = row_count;
  return case when hit = 1 then 'done' else 'changed' end;
end
$$;

grant execute on function
  portal.set_history_limits(integer,integer), portal.layer_rows_logged(), portal.log_layer_table(regclass,integer)
  to survest_authenticator;

grant execute on function
  portal.layer_edit_whole(integer,bigint), portal.undo_layer_edit(integer,bigint)
  to survest_user, survest_admin;

grant execute on function
  portal.layer_history(integer,text,bigint,integer)
  to survest_anon, survest_user, survest_admin;

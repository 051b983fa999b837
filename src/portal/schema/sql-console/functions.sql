create or replace function portal.run_sql(statement text, wanted text, most integer) returns jsonb
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  max_bytes constant integer := 4000000;
  max_cell constant integer := 10000;
  one record;
  plan jsonb;
  names jsonb;
  cells jsonb;
  found_rows jsonb[] := '{}';
  bytes integer := 0;
  counted bigint := 0;
  has_more boolean := false;
  is_told boolean := true;
begin
  if not portal.is_admin() then
    raise exception 'Administrators run SQL.' using errcode = 'insufficient_privilege';
  end if;
  perform portal.check_sql_console();
  if statement !~* '^(\s|--[^\n]*(\n|$))*[(\s]*(select|values|table|with|insert|update|delete|merge)\M' then
    raise exception 'Statements that begin with SELECT, VALUES, TABLE, WITH, INSERT, UPDATE, DELETE or MERGE are run here.' using errcode = 'syntax_error';
  end if;
  if statement ~* 'set_config|_to_xml|ts_stat|ts_rewrite|\mu&"' then
    raise exception 'set_config, functions that run a text as SQL, and names with escapes (U&) are not run here.' using errcode = 'insufficient_privilege';
  end if;
  -- Names without a schema are those of layers, and of PostGIS, wherever that stands. Until the function ends.
  perform set_config('search_path', concat_ws(', ', 'layers', 'portal', (
    select quote_ident(n.nspname) from pg_extension e join pg_namespace n on n.oid = e.extnamespace where e.extname = 'postgis')), true);
  begin
    for one in execute format('explain (format json, verbose%s) %s', case wanted when 'analyze' then ', analyze, buffers' else '' end, statement) loop
      plan := to_jsonb(one) -> 'QUERY PLAN';
    end loop;
  exception when invalid_cursor_definition then
    raise exception 'One statement at a time is run here.' using errcode = 'syntax_error';
  end;
  if wanted <> 'run' then
    return jsonb_build_object('plan', plan);
  end if;
  begin
    for one in execute statement loop
      counted := counted + 1;
      cells := (select coalesce(jsonb_agg(case when length(c.value) > max_cell then left(c.value, max_cell) || '…' else c.value end order by c.ordinality), '[]')
                  from json_each_text(row_to_json(one)) with ordinality c);
      bytes := bytes + octet_length(cells::text);
      if counted > most or bytes > max_bytes then
        has_more := true;
        exit;
      end if;
      if names is null then
        names := (select coalesce(jsonb_agg(c.key order by c.ordinality), '[]') from json_each_text(row_to_json(one)) with ordinality c);
      end if;
      found_rows := found_rows || cells;
    end loop;
  exception when invalid_cursor_definition then
    -- It returns no rows.
    is_told := false;
    execute statement;
    get diagnostics counted = row_count;
  end;
  return jsonb_build_object(
    'columns', case when is_told then coalesce(names, plan #> '{0,Plan,Output}', '[]') else '[]' end,
    'rows', to_jsonb(found_rows), 'more', has_more, 'written', case when is_told then null else counted end);
end
$$;

-- A statement that only reads, for a layer of its rows. `columns`: a name and a type for each column; `rows`: the values of each row as texts, shapes in
-- degrees. All that is held against a statement in the console is held against this one.
create or replace function portal.sql_rows(statement text, wanted text, most integer) returns setof text[]
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  gis text;
  names text[];
  types text[];
begin
  -- It stands in parentheses below, where its end is not written.
  statement := rtrim(statement, E'; \t\r\n');
  if statement ~* '^\s*(insert|update|delete|merge)\M' then
    raise exception 'A layer is made of the rows of SELECT, VALUES, TABLE or WITH.' using errcode = 'syntax_error';
  end if;
  perform portal.run_sql(statement, 'explain', 0);
  gis := (select n.nspname from pg_extension e join pg_namespace n on n.oid = e.extnamespace where e.extname = 'postgis');
  perform set_config('search_path', concat_ws(', ', 'layers', 'portal', quote_ident(gis)), true);
  execute format(E'select array(select json_object_keys(row_to_json(q))) from (%s\n) q limit 1', statement) into names;
  if names is null then
    return;
  end if;
  execute format(E'select array[%s]::text[] from (%s\n) q limit 1',
    (select string_agg(format('pg_typeof(q.%I)::text', n), ', ' order by o) from unnest(names) with ordinality u(n, o)), statement) into types;
  if wanted = 'columns' then
    return query select array[n, t] from unnest(names, types) with ordinality u(n, t, o) order by o;
  else
    return query execute format(E'select array[%s]::text[] from (%s\n) q limit %s',
      (select string_agg(
         case when t ~ '(^|\.)geo(metry|graphy)$' then format('%2$I.st_transform(%2$I.st_force2d(q.%1$I::%2$I.geometry), 4326)::text', n, gis) else format('q.%I::text', n) end,
         ', ' order by o) from unnest(names, types) with ordinality u(n, t, o)), statement, most);
  end if;
end
$$;

-- Every statement is noted whole, before it runs: what only reads cannot be noted in its own transaction.
create or replace function portal.note_sql(statement text, wanted text, writes boolean) returns void
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
begin
  perform portal_private.refuse_if(not portal.is_admin(), 'administrators run SQL');
  perform portal.check_sql_console();
  -- Whichever address it came by.
  if portal_private.token_scope() is not null then
    perform portal_private.refuse_token();
  end if;
  perform portal_private.audit_note('sql', 'database', null, statement, jsonb_build_object('statement', statement, 'wanted', wanted, 'writes', writes));
end
$$;

-- What an administrator has saved, and tables with their columns to be completed.
create or replace function portal.sql_queries() returns table (name text, statement text, changed timestamptz)
language plpgsql stable security definer set search_path = pg_catalog, pg_temp rows 20 as $$
begin
  perform portal_private.refuse_if(not portal.is_admin(), 'administrators run SQL');
  perform portal.check_sql_console();
  return query select q.name, q.statement, q.changed from portal_private.sql_query q where q.account_id = portal.me() order by lower(q.name), q.name;
end
$$;

-- False: there are as many as there may be.
create or replace function portal.save_sql_query(named text, wanted text, most integer) returns boolean
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  me constant integer := portal.me();
begin
  perform portal_private.refuse_if(not portal.is_admin() or me is null, 'administrators run SQL');
  perform portal.check_sql_console();
  perform pg_advisory_xact_lock(hashtext('sql_query'), me);
  if not exists (select from portal_private.sql_query q where q.account_id = me and q.name = named)
      and (select count(*) from portal_private.sql_query q where q.account_id = me) >= most then
    return false;
  end if;
  insert into portal_private.sql_query as q (account_id, name, statement) values (me, named, wanted)
    on conflict (account_id, name) do update set statement = excluded.statement, changed = now();
  return true;
end
$$;

-- False: there is none of this name.
create or replace function portal.drop_sql_query(named text) returns boolean
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
begin
  perform portal_private.refuse_if(not portal.is_admin(), 'administrators run SQL');
  delete from portal_private.sql_query q where q.account_id = portal.me() and q.name = named;
  return found;
end
$$;

create or replace function portal.sql_names(most integer) returns jsonb
language plpgsql stable security definer set search_path = pg_catalog, pg_temp as $$
begin
  perform portal_private.refuse_if(not portal.is_admin(), 'administrators run SQL');
  perform portal.check_sql_console();
  return (
    select coalesce(jsonb_agg(jsonb_build_object('schema', t.schema, 'name', t.name, 'columns', t.columns) order by t.schema, t.name), '[]')
      from (select n.nspname as schema, c.relname as name,
                   (select jsonb_agg(a.attname order by a.attnum) from pg_attribute a
                     where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped and has_column_privilege('survest_admin', c.oid, a.attnum, 'select')) as columns
              from pg_class c join pg_namespace n on n.oid = c.relnamespace
             where n.nspname in ('layers', 'portal') and c.relkind in ('r', 'v', 'm', 'p', 'f') and has_any_column_privilege('survest_admin', c.oid, 'select')
             order by n.nspname, c.relname limit most) t);
end
$$;

create or replace function portal.set_sql_console(is_on boolean) returns void
language sql security definer set search_path = pg_catalog, pg_temp
begin atomic
  update portal_private.sql_console_rule r set is_on = set_sql_console.is_on where r.is_on <> set_sql_console.is_on;
end;

create or replace function portal.check_sql_console() returns void
language plpgsql stable security definer set search_path = pg_catalog, pg_temp as $$
begin
  perform portal_private.refuse_if(not (select r.is_on from portal_private.sql_console_rule r),
    'SQL for administrators is switched off by the setting sql-console');
end
$$;

-- They run with the rights of survest_admin. Who is to own something in a schema must be able to make it there, for this moment.
grant create on schema portal to survest_admin;
alter function portal.run_sql(text, text, integer) owner to survest_admin;
alter function portal.sql_rows(text, text, integer) owner to survest_admin;
revoke create on schema portal from survest_admin;

grant execute on function
  portal.note_sql(text,text,boolean), portal.check_sql_console(), portal.sql_queries(), portal.save_sql_query(text,text,integer),
  portal.drop_sql_query(text), portal.sql_names(integer)
  to survest_admin;

grant execute on function
  portal.set_sql_console(boolean)
  to survest_authenticator;

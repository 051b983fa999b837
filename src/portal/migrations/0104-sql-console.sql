-- SQL that administrators write. It runs as `survest_admin`, the role of every administrator's request, under the same grants and policies, and
-- never as the role that logged in, which owns the tables of layers: a transaction that has taken a role could give it back, but not inside a
-- SECURITY DEFINER function, where PostgreSQL refuses every change of `role` and `session_authorization`. So the function that runs the text is
-- one, and belongs to `survest_admin`.
--
-- One statement that reads or writes rows, and nothing else. Anything that outlives the transaction is refused by that: PREPARE and DEALLOCATE (statements
-- of the program have names on the same connection), DECLARE … WITH HOLD (which would be executed at COMMIT, outside of the function), SET, LISTEN, DO.
-- EXPLAIN is asked first, by a cursor, which takes one statement alone; what it cannot explain is not run.
--
-- Who asks stands in a parameter of the transaction, which `set_config` could change: an administrator would write in somebody else's name. So it is
-- refused, with the functions that run a text, in which it could be hidden, and names with escapes.

create function portal.run_sql(statement text, wanted text, most integer) returns jsonb
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

revoke all on function portal.run_sql(text, text, integer) from public;
-- Who is to own something in a schema must be able to make it there, for this moment.
grant create on schema portal to survest_admin;
alter function portal.run_sql(text, text, integer) owner to survest_admin;
revoke create on schema portal from survest_admin;

-- Every statement is noted whole, before it runs: what only reads cannot be noted in its own transaction.
create function portal.note_sql(statement text, wanted text, writes boolean) returns void
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
begin
  if not portal.is_admin() then
    perform portal_private.refuse('administrators run SQL');
  end if;
  perform portal_private.audit_note('sql', 'database', null, statement, jsonb_build_object('statement', statement, 'wanted', wanted, 'writes', writes));
end
$$;
revoke all on function portal.note_sql(text, text, boolean) from public;
grant execute on function portal.note_sql(text, text, boolean) to survest_admin;

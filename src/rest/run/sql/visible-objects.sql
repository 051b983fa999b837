-- What the current role may use of the schema $1, and the schema's comment; no row when there is no such schema.
-- Runs in the request's transaction after the role was switched, so every privilege is asked for the caller.
-- A function comes as [name, argument names, argument modes, number of inputs]: overloads have privileges of their own.
select
  pg_catalog.obj_description(n.oid, 'pg_namespace') as comment,
  case when may_enter then (
    select pg_catalog.json_agg(c.relname order by c.relname)
    from pg_catalog.pg_class c
    where c.relnamespace = n.oid
      and c.relkind in ('r', 'p', 'v', 'm', 'f')
      and not c.relispartition
      -- relation guard
      and (
        pg_catalog.pg_has_role(c.relowner, 'USAGE')
        or pg_catalog.has_table_privilege(c.oid, 'SELECT, INSERT, UPDATE, DELETE, TRUNCATE, REFERENCES, TRIGGER')
        or pg_catalog.has_any_column_privilege(c.oid, 'SELECT, INSERT, UPDATE, REFERENCES')
      )
  ) end as tables,
  case when may_enter then (
    select pg_catalog.json_agg(
      pg_catalog.json_build_array(p.proname, p.proargnames, p.proargmodes, p.pronargs)
      order by p.proname, p.oid
    )
    from pg_catalog.pg_proc p
    where p.pronamespace = n.oid
      and p.prokind in ('f', 'p')
      and pg_catalog.has_function_privilege(p.oid, 'EXECUTE')
  ) end as routines
from pg_catalog.pg_namespace n
cross join lateral pg_catalog.has_schema_privilege(n.oid, 'USAGE') as may_enter
where n.nspname = $1

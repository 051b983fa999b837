-- What decides on the current role's access to relations: privileges, row-level security, policies. $1: schemas, $2: names, in pairs. Runs in
-- the caller's scope; catalogues alone are read, and no row of a relation.
select pg_catalog.json_agg(fact order by place)
from (
  select
    asked.place,
    n.nspname as schema,
    c.relname as name,
    c.relkind as kind,
    current_user as role,
    pg_catalog.pg_get_userbyid(c.relowner) as owner,
    pg_catalog.has_schema_privilege(n.oid, 'USAGE') as "mayEnter",
    array(
      select privilege
      from pg_catalog.unnest(array['SELECT', 'INSERT', 'UPDATE', 'DELETE']) as privilege
      where pg_catalog.has_table_privilege(c.oid, privilege)
    ) as privileges,
    array(
      select privilege || ' ' || a.attname
      from pg_catalog.unnest(array['SELECT', 'INSERT', 'UPDATE']) as privilege
      join pg_catalog.pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
      where not pg_catalog.has_table_privilege(c.oid, privilege)
        and pg_catalog.has_column_privilege(c.oid, a.attnum, privilege)
      order by a.attnum
      limit 200
    ) as "columnPrivileges",
    c.relrowsecurity as "hasPolicies",
    pg_catalog.row_security_active(c.oid) as "isSecured",
    coalesce((
      select pg_catalog.bool_or(o.option_value::boolean)
      from pg_catalog.pg_options_to_table(c.reloptions) o
      where o.option_name = 'security_invoker'
    ), false) as "asInvoker",
    coalesce((
      select pg_catalog.json_agg(pg_catalog.json_build_object(
        'name', p.polname,
        'command', p.polcmd,
        'permissive', p.polpermissive,
        'using', left(pg_catalog.pg_get_expr(p.polqual, p.polrelid), 300),
        'check', left(pg_catalog.pg_get_expr(p.polwithcheck, p.polrelid), 300)
      ) order by p.polname)
      from (select * from pg_catalog.pg_policy where polrelid = c.oid order by polname limit 50) p
      where exists (
        select
        from pg_catalog.unnest(p.polroles) as member
        where member = 0 or pg_catalog.pg_has_role(member, 'USAGE')
      )
    ), '[]') as policies,
    case when c.relkind in ('r', 'm') then pg_catalog.pg_relation_size(c.oid) end as bytes,
    case when c.relkind in ('r', 'm') then pg_catalog.pg_stat_get_live_tuples(c.oid) end as "rows"
  from rows from (pg_catalog.unnest($1::text[]), pg_catalog.unnest($2::text[])) with ordinality as asked(schema, name, place)
  join pg_catalog.pg_namespace n on n.nspname = asked.schema
  join pg_catalog.pg_class c on c.relnamespace = n.oid and c.relname = asked.name
) fact

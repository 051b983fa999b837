-- Relations whose rows a policy may hide: those with row-level security, views that ask a function with other rights than the caller's (SECURITY DEFINER)
-- who may see them, and the views that read either, directly or through other views.
-- A materialized view shows what it holds to everyone who may read it.
with recursive secured (oid) as (
  select hiding.oid
  from (
    select oid from pg_class where relrowsecurity
    union
    select rule.ev_class
    from pg_rewrite rule
    join pg_class v on v.oid = rule.ev_class and v.relkind = 'v' and v.relnamespace <> 'pg_catalog'::regnamespace
    join pg_depend d on d.classid = 'pg_rewrite'::regclass and d.objid = rule.oid and d.refclassid = 'pg_proc'::regclass
    join pg_proc f on f.oid = d.refobjid and f.prosecdef
  ) hiding
  union
  select rule.ev_class
  from secured
  join pg_depend d
    on d.refclassid = 'pg_class'::regclass and d.refobjid = secured.oid and d.classid = 'pg_rewrite'::regclass
  join pg_rewrite rule on rule.oid = d.objid
  join pg_class v on v.oid = rule.ev_class and v.relkind = 'v'
)
select json_build_object('schema', n.nspname, 'name', c.relname)
from secured
join pg_class c on c.oid = secured.oid
join pg_namespace n on n.oid = c.relnamespace

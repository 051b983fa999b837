-- Functions and procedures of the exposed schemas, callable or not: routines.ts decides that, and finds computed relationships among
-- them. $1: exposed schemas. Arguments are parallel arrays as pg_proc has them.
-- Domains are looked through as deep as types.sql does.
with recursive domain as (
  select t.oid, t.typbasetype as base, 1 as depth
  from pg_type t
  where t.typtype = 'd'
  union all
  select d.oid, t.typbasetype, d.depth + 1
  from domain d
  join pg_type t on t.oid = d.base
  where t.typtype = 'd' and d.depth < 64
),
domain_base as (
  select d.oid, d.base
  from domain d
  join pg_type t on t.oid = d.base
  where t.typtype <> 'd'
)
select row_to_json(routine)
from (
  select
    n.nspname as schema,
    p.proname as name,
    d.description,
    p.prokind as kind,
    p.provolatile as volatility,
    p.proconfig as settings,
    p.proargnames as "argumentNames",
    p.proargmodes as "argumentModes",
    coalesce(p.proallargtypes, p.proargtypes::oid[])::int8[] as "argumentTypes",
    p.pronargdefaults as defaults,
    p.proretset as "returnsSet",
    p.prorows as "expectedRows",
    p.prorettype::int8 as "resultType",
    case when t.typtype = 'd' then t.typname end as "resultDomain",
    case
      when p.prorettype = 'void'::regtype then 'void'
      when p.prorettype = 'record'::regtype then 'record'
      when c.oid is not null then 'composite'
      else 'scalar'
    end as "resultKind",
    case when c.oid is not null then
      json_build_object('oid', c.oid::int8, 'schema', cn.nspname, 'name', c.relname, 'kind', c.relkind)
    end as "resultRelation"
  from pg_proc p
  join pg_namespace n on n.oid = p.pronamespace
  join pg_type t on t.oid = p.prorettype
  left join domain_base b on b.oid = t.oid
  left join pg_type bt on bt.oid = coalesce(b.base, t.oid)
  left join pg_class c on c.oid = bt.typrelid and bt.typtype = 'c'
  left join pg_namespace cn on cn.oid = c.relnamespace
  left join pg_description d on d.objoid = p.oid and d.classoid = 'pg_proc'::regclass and d.objsubid = 0
  where n.nspname = any ($1::text[])
    and p.prokind in ('f', 'p')
    and p.prorettype not in ('trigger'::regtype, 'event_trigger'::regtype)
  order by p.oid
) routine

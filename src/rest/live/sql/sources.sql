-- What a read of relations depends on ($1: their schemas, $2: their names), and which of it is followed: by triggers, or by logical decoding. Views are taken apart into what they read,
-- policies into what they ask, and partitions and children belong to their parents: a change is recorded for the table that a statement
-- names. `required`: without it changes of the rows themselves would be missed. `why`: of a relation that cannot be followed.
with recursive asked (oid, place) as (
  -- By name, not by regclass: the service itself may have no right to the schema.
  select c.oid, a.place
  from unnest($1::text[], $2::text[]) with ordinality as a (schema, name, place)
    join pg_catalog.pg_namespace as s on s.nspname = a.schema
    join pg_catalog.pg_class as c on c.relnamespace = s.oid and c.relname = a.name
), reached (oid, required) as (
  select a.oid, true from asked as a
  union
  select n.oid, r.required and n.required
  from reached as r cross join lateral (
    select d.refobjid as oid, true as required
    from pg_catalog.pg_rewrite as w
      join pg_catalog.pg_depend as d on d.classid = 'pg_catalog.pg_rewrite'::regclass and d.objid = w.oid
        and d.refclassid = 'pg_catalog.pg_class'::regclass and d.refobjid <> w.ev_class
    where w.ev_class = r.oid
    union
    select d.refobjid, false
    from pg_catalog.pg_policy as p
      join pg_catalog.pg_depend as d on d.classid = 'pg_catalog.pg_policy'::regclass and d.objid = p.oid
        and d.refclassid = 'pg_catalog.pg_class'::regclass and d.refobjid <> p.polrelid
    where p.polrelid = r.oid
    union
    select i.inhrelid, false from pg_catalog.pg_inherits as i where i.inhparent = r.oid
    union
    select i.inhparent, false from pg_catalog.pg_inherits as i where i.inhrelid = r.oid
  ) as n
)
select c.oid::text, pg_catalog.format('%I.%I', s.nspname, c.relname), c.relkind::text, bool_or(r.required)::text, c.relrowsecurity::text,
  case
    when 4 = (
      select count(*) from pg_catalog.pg_trigger as t
        join pg_catalog.pg_proc as f on f.oid = t.tgfoid
        join pg_catalog.pg_namespace as n on n.oid = f.pronamespace
      where t.tgrelid = c.oid and t.tgenabled in ('O', 'A') and n.nspname = 'survest_live' and f.proname = 'record'
    ) then 'triggers'
    -- A partition is published with its root.
    when exists (
      select from pg_catalog.pg_publication_rel as m join pg_catalog.pg_publication as p on p.oid = m.prpubid
      where p.pubname = 'survest_live'
        and (m.prrelid = c.oid or m.prrelid in (select a.relid from pg_catalog.pg_partition_ancestors(c.oid) as a (relid)))
    ) then 'decoding'
  end,
  (c.oid in (select a.oid from asked as a where a.place = 1))::text
from reached as r
  join pg_catalog.pg_class as c on c.oid = r.oid
  join pg_catalog.pg_namespace as s on s.oid = c.relnamespace
where c.relkind in ('r', 'p', 'v', 'm', 'f')
group by c.oid, s.nspname, c.relname, c.relkind, c.relrowsecurity

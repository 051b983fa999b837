-- Tables that are followed, and how. Triggers are heard of whether there is a slot or not: of a table that has both they are named.
select pg_catalog.format('%I.%I', s.nspname, c.relname), case when bool_or(f.by_triggers) then 'triggers' else 'decoding' end
from (
  select t.tgrelid as oid, true as by_triggers
  from pg_catalog.pg_trigger as t
    join pg_catalog.pg_proc as p on p.oid = t.tgfoid
    join pg_catalog.pg_namespace as n on n.oid = p.pronamespace
  where n.nspname = 'survest_live' and p.proname = 'record'
  union all
  select r.prrelid, false
  from pg_catalog.pg_publication_rel as r join pg_catalog.pg_publication as p on p.oid = r.prpubid
  where p.pubname = 'survest_live'
) as f
  join pg_catalog.pg_class as c on c.oid = f.oid
  join pg_catalog.pg_namespace as s on s.oid = c.relnamespace
group by s.nspname, c.relname
order by 1

-- Tables by their names ($1, as SQL writes them): how each is followed now, and whether logical decoding could name its rows.
select case
    when exists (
      select from pg_catalog.pg_trigger as t
        join pg_catalog.pg_proc as f on f.oid = t.tgfoid
        join pg_catalog.pg_namespace as n on n.oid = f.pronamespace
      where t.tgrelid = c.oid and n.nspname = 'survest_live' and f.proname = 'record'
    ) then 'triggers'
    when exists (
      select from pg_catalog.pg_publication_rel as r join pg_catalog.pg_publication as p on p.oid = r.prpubid
      where r.prrelid = c.oid and p.pubname = 'survest_live'
    ) then 'decoding'
  end,
  c.relpersistence = 'p' and (c.relreplident in ('f', 'i') or c.relreplident = 'd' and exists (
    select from pg_catalog.pg_index as i where i.indrelid = c.oid and i.indisprimary
  ))
from unnest($1::text[]) with ordinality as a (name, place)
  cross join lateral pg_catalog.parse_ident(a.name) as p (parts)
  left join pg_catalog.pg_class as c on c.oid = case pg_catalog.cardinality(p.parts)
    when 1 then pg_catalog.to_regclass(a.name)::oid
    -- By name, not by regclass: who asks may have no right to the schema.
    else (
      select t.oid from pg_catalog.pg_class as t join pg_catalog.pg_namespace as s on s.oid = t.relnamespace
      where s.nspname = p.parts[1] and t.relname = p.parts[2]
    )
  end
order by a.place

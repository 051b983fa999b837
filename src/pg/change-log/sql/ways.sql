-- Tables by their names ($1, as SQL writes them): how each is followed now, and whether logical decoding could name its rows.
select case
    when exists (
      select from pg_catalog.pg_trigger as t
        join pg_catalog.pg_proc as p on p.oid = t.tgfoid
        join pg_catalog.pg_namespace as n on n.oid = p.pronamespace
      where t.tgrelid = c.oid and n.nspname = 'survest_live' and p.proname = 'record'
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
  left join pg_catalog.pg_class as c on c.oid = pg_catalog.to_regclass(a.name)
order by a.place

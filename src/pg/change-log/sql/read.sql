-- Entries of transactions that this statement sees and the position did not: each is read once, in whatever order transactions end. $1: the
-- position, a snapshot; $2: most entries. What a restored backup brought along is of transactions that this server has not had: it is passed over.
select s.snapshot::text, c.relation::text, c.keys::text, c.age_ms::text
from (select pg_catalog.pg_current_snapshot() as snapshot) as s
  left join lateral (
    select e.relation, e.keys, (extract(epoch from pg_catalog.clock_timestamp() - e.at) * 1000)::bigint as age_ms
    from survest_live.change as e
    where e.xid >= pg_catalog.pg_snapshot_xmin($1::pg_snapshot) and not pg_catalog.pg_visible_in_snapshot(e.xid, $1::pg_snapshot)
      and pg_catalog.pg_visible_in_snapshot(e.xid, s.snapshot)
    limit $2::integer
  ) as c on true

-- Slots of live streams in this database, and how much of the log each has not read yet.
select s.slot_name, s.active,
  case when pg_catalog.pg_is_in_recovery() then null else greatest(0, pg_catalog.pg_wal_lsn_diff(pg_catalog.pg_current_wal_lsn(), s.confirmed_flush_lsn))::bigint end
from pg_catalog.pg_replication_slots as s
where s.slot_name ~ '^survest_live_' and s.database = pg_catalog.current_database()
order by 1

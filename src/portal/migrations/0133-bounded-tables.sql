-- Two tables that grew for ever get a bound: facts of items that no kept search needs any more, and records of uploads that ended long ago.

-- So far these went only when another search was kept (0128), and stayed where nobody searched.
create function portal.sweep_facts() returns integer
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  oldest xid8;
  gone integer;
begin
  -- Whoever keeps a search holds it: what its snapshot does not see yet is not taken away under it.
  perform pg_advisory_xact_lock(hashtextextended('portal kept searches', 0));
  oldest := coalesce((select min(pg_snapshot_xmin(k.snapshot)) from portal_private.kept_search k where k.cluster = portal_private.cluster()),
                     pg_snapshot_xmin(pg_current_snapshot()));
  delete from portal_private.facts_written f
   where f.resource_id in (select o.resource_id from portal_private.facts_written o
                            where o.written < oldest or o.written >= pg_snapshot_xmax(pg_current_snapshot())
                            for update skip locked)
     and (f.written < oldest or f.written >= pg_snapshot_xmax(pg_current_snapshot()));
  get diagnostics gone = row_count;
  return gone;
end
$$;

-- Those that have ended, or wait for somebody who has not answered, after so many days; their files are found by the sweep of files. The newest one of each
-- layer says where the layer comes from, and stays with it.
create function portal.sweep_uploads(days integer) returns integer
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  gone integer;
begin
  delete from portal.upload u
   where u.id in (
     select o.id from portal.upload o
      where o.create_date < now() - make_interval(days => days)
        and o.state in ('READY', 'WAITING', 'PROCESSED', 'INVALID', 'INCOMPLETE')
        and not exists (select from staging.run r where r.upload_id = o.id and r.beat <> 'infinity')
        and not (o.state = 'PROCESSED' and exists (
              select from portal.upload_layer l
               where l.upload_id = o.id
                 and not exists (select from portal.upload_layer m join portal.upload n on n.id = m.upload_id
                                  where m.resource_id = l.resource_id and n.state = 'PROCESSED' and n.id > o.id)))
      order by o.create_date limit 10000);
  get diagnostics gone = row_count;
  return gone;
end
$$;

revoke all on function portal.sweep_facts(), portal.sweep_uploads(integer) from public;
grant execute on function portal.sweep_facts(), portal.sweep_uploads(integer) to survest_authenticator;

-- Backups under way: while one copies files, none is removed. A row is taken before the snapshot and renewed as long as the backup goes on, so
-- that one which died holds nothing for long. Files that lose their last reference meanwhile are swept away later, as those of a crash are.

create table portal_private.backup_run (
  id uuid primary key,
  until timestamptz not null
);
alter table portal_private.backup_run enable row level security;

create function portal.hold_files(run uuid, seconds integer) returns void
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
begin
  delete from portal_private.backup_run b where b.until < clock_timestamp();
  insert into portal_private.backup_run (id, until) values (run, clock_timestamp() + make_interval(secs => seconds))
    on conflict (id) do update set until = excluded.until;
end
$$;

create function portal.release_files(run uuid) returns void
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
begin
  delete from portal_private.backup_run b where b.id = run;
end
$$;

create function portal.files_held() returns boolean
language plpgsql stable security definer set search_path = pg_catalog, pg_temp as $$
begin
  return exists (select from portal_private.backup_run b where b.until > clock_timestamp());
end
$$;

revoke all on function portal.hold_files(uuid, integer), portal.release_files(uuid), portal.files_held() from public;
grant execute on function portal.hold_files(uuid, integer), portal.release_files(uuid), portal.files_held() to survest_authenticator;

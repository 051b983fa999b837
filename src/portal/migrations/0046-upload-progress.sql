-- One figure for how far an import is, and a number for it that nobody can guess, under which newer clients of GeoNode ask for it.

-- In percent of the work; written with every sign of life of the worker.
alter table staging.run add column progress double precision not null default 0 check (progress between 0 and 100);

comment on column portal.upload.progress is 'By the state alone. What is shown is portal.upload_progress(id).';

-- To whoever sees the upload; null to others. A worker's own table is for the service only, so this looks for them.
create function portal.upload_progress(id integer) returns double precision
language plpgsql stable security definer set search_path = pg_catalog, pg_temp as $$
declare
  found_upload portal.upload;
begin
  select u.* into found_upload from portal.upload u
   where u.id = upload_progress.id and (u.user_id = portal.me() or portal.is_admin());
  return case
    when found_upload.id is null then null
    when found_upload.state = 'PROCESSED' then 100
    when found_upload.state = 'WAITING' then 50
    when found_upload.state in ('PENDING', 'RUNNING', 'COMPLETE')
      then coalesce((select r.progress from staging.run r where r.upload_id = found_upload.id), 0)
    else 0
  end;
end
$$;
revoke all on function portal.upload_progress(integer) from public;
grant execute on function portal.upload_progress(integer) to survest_user, survest_admin;

alter table portal.upload
  add column execution_id uuid not null unique default gen_random_uuid(),
  -- When it came to an end, good or bad; one that is tried again has none.
  add column finished timestamptz;

create function portal_private.note_end_of_upload() returns trigger
language plpgsql set search_path = pg_catalog, pg_temp as $$
begin
  new.finished := case when new.state in ('PROCESSED', 'INVALID', 'INCOMPLETE') then clock_timestamp() end;
  return new;
end
$$;
create trigger note_end before update of state on portal.upload
  for each row when (new.state is distinct from old.state) execute function portal_private.note_end_of_upload();

revoke all on all functions in schema portal_private from public;

-- The import's own number, and whose it is where the caller did not say.
create or replace function portal_private.prepare_upload() returns trigger
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
begin
  new.import_id := coalesce(new.import_id, nextval('portal_private.import_id')::integer);
  new.user_id := coalesce(new.user_id, portal.me());
  return new;
end
$$;

-- Creating content is what an upload is for.
create or replace function portal_private.guard_upload() returns trigger
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
begin
  if not portal.may_add() then
    perform portal_private.refuse('add_resource is needed');
  end if;
  return coalesce(new, old);
end
$$;

-- The last layer of an upload takes the record of it along, and with it the claim on the files that were sent.
create or replace function portal_private.after_upload_layer_gone() returns trigger
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
begin
  delete from portal.upload u
   where u.id = old.upload_id and u.state = 'PROCESSED'
     and not exists (select from portal.upload_layer l where l.upload_id = old.upload_id);
  return null;
end
$$;

-- Whoever waits for an import hears of every step of it.
create or replace function portal_private.tell_of_upload() returns trigger
language plpgsql set search_path = pg_catalog, pg_temp as $$
declare
  seen jsonb := to_jsonb(case when tg_op = 'DELETE' then old else new end);
begin
  perform pg_notify('survest_uploads', coalesce(seen ->> 'upload_id', seen ->> 'id'));
  return null;
end
$$;

-- To whoever sees the upload; null to others. A worker's own table is for the service only, so this looks for them.
create or replace function portal.upload_progress(id integer) returns double precision
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

create or replace function portal_private.note_end_of_upload() returns trigger
language plpgsql set search_path = pg_catalog, pg_temp as $$
begin
  new.finished := case when new.state in ('PROCESSED', 'INVALID', 'INCOMPLETE') then clock_timestamp() end;
  return new;
end
$$;

-- What the import of an upload is doing: the phase that its worker is in, and null where none works on it. To whoever sees the upload; a
-- worker's own table is for the service only, so this looks for them.
create or replace function portal.upload_step(id integer) returns text
language sql stable security definer set search_path = pg_catalog, pg_temp as $$
  select r.phase from staging.run r join portal.upload u on u.id = r.upload_id
   where u.id = upload_step.id and (u.user_id = portal.me() or portal.is_admin())
$$;

-- A document can be described before it has a file or an address; until then it is out of sight (metadata_only). Its content brings it into
-- sight. Called before the change, since rows out of sight cannot be changed; set_metadata_only decides who may.
create or replace function portal.show_filled(target integer) returns void
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
begin
  if exists (select from portal.resource r
              where r.id = target and r.resource_type = 'document' and r.metadata_only and r.doc_url is null
                and not exists (select from portal.document_file f where f.resource_id = r.id)
                and not exists (select from portal_private.bin b where b.resource_id = r.id)
                and portal_private.mask(portal_private.who(), r.id) & 4 <> 0) then
    perform portal.set_metadata_only(target, false);
  end if;
end
$$;

-- Those that have ended, or wait for somebody who has not answered, after so many days; their files are found by the sweep of files. The newest one of each
-- layer says where the layer comes from, and stays with it.
create or replace function portal.sweep_uploads(days integer) returns integer
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

grant execute on function
  portal.sweep_uploads(integer)
  to survest_authenticator;

grant execute on function
  portal.upload_progress(integer), portal.upload_step(integer), portal.show_filled(integer)
  to survest_user, survest_admin;

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
  perform portal_private.refuse_if(not portal.may_add(), 'add_resource is needed');
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

-- Where the layer comes from, if a process made it: the record of the upload goes one day, and this stays with the layer.
create or replace function portal_private.note_lineage() returns trigger
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
begin
  insert into portal_private.layer_lineage as l (resource_id, process, inputs, sources, account)
    select new.resource_id, u.session -> 'process' ->> 'id', u.session -> 'process' -> 'inputs', u.session -> 'process' -> 'sources', a.username
      from portal.upload u left join portal.account a on a.id = u.user_id
     where u.id = new.upload_id and u.session ? 'process'
    on conflict (resource_id) do update
      set process = excluded.process, inputs = excluded.inputs, sources = excluded.sources, made_at = now(), account = excluded.account;
  return null;
end
$$;

-- What a layer was made of, for callers who see it; null: no process made it. A source that the caller does not see is counted and not named. The
-- inputs tell of values in the sources: they are for who may change the rows.
create or replace function portal.layer_lineage(target integer) returns jsonb
language plpgsql stable security definer set search_path = pg_catalog, pg_temp as $$
begin
  perform portal_private.missing_if(portal.layer_table(target) is null, 'There is no such layer.');
  return (
    with told as (
      select r.id, r.title, (s.source ->> 'version') is distinct from portal_private.data_version(r.id) as changed
        from portal_private.layer_lineage l
        cross join lateral jsonb_array_elements(l.sources) s (source)
        join portal.resource r on r.id = (s.source ->> 'id')::integer
       where l.resource_id = target and portal_private.sees(portal_private.who(), r.id))
    select jsonb_build_object(
        'process', l.process,
        'sources', coalesce((select jsonb_agg(jsonb_build_object('id', t.id, 'title', t.title, 'changed', t.changed) order by t.id) from told t), '[]'),
        'hidden', jsonb_array_length(l.sources) - (select count(*) from told),
        'at', to_char(l.made_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"'),
        'by', l.account,
        'inputs', case when portal.may(target, 'change_layer_data') then l.inputs end)
      from portal_private.layer_lineage l where l.resource_id = target);
end
$$;

grant execute on function
  portal.sweep_uploads(integer)
  to survest_authenticator;

grant execute on function
  portal.layer_lineage(integer)
  to survest_anon, survest_user, survest_admin;

grant execute on function
  portal.upload_progress(integer), portal.upload_step(integer), portal.show_filled(integer)
  to survest_user, survest_admin;

-- A file that its sender is going to send part by part. Whoever may add items may begin a hundred; what is left alone for a week goes.
create or replace function portal.begin_file(name text, size bigint, mark text) returns uuid
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  me integer := portal_private.find_me();
  made uuid;
begin
  perform portal_private.refuse_if(me is null or not portal.writable() or not (portal.may_add() or exists (select from portal_private.resource_grant g
       where g.principal = any (portal.my_principals()) and g.perms & 128 <> 0)),
    'add_resource is needed');
  perform portal.check_storage(begin_file.size);
  perform portal_private.invalid_if((select count(*) from portal_private.sent_file f where f.account_id = me) >= 100,
    'You are sending 100 files already. Finish or give up some of them first.');
  insert into portal_private.sent_file (account_id, name, size, mark) values (me, begin_file.name, begin_file.size, left(begin_file.mark, 100)) returning id into made;
  return made;
end
$$;

-- Those of the caller; `wanted` null: all of them.
create or replace function portal.my_files(wanted uuid[]) returns table (id uuid, name text, size bigint, mark text, received bigint, parts text[], begun timestamptz)
language plpgsql stable security definer set search_path = pg_catalog, pg_temp rows 10 as $$
begin
  return query
    select f.id, f.name, f.size, f.mark, f.received, f.parts, f.begun from portal_private.sent_file f
     where f.account_id = portal_private.find_me() and (wanted is null or f.id = any (wanted)) order by f.begun, f.id;
end
$$;

-- What a request has brought, which began at `start`. False: the file is not as far, or is further by now, or gone.
create or replace function portal.add_to_file(target uuid, start bigint, part text, bytes bigint) returns boolean
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
begin
  perform portal.check_storage(bytes);
  update portal_private.sent_file f set received = f.received + bytes, parts = f.parts || part, changed = now()
   where f.id = target and f.account_id = portal_private.find_me() and f.received = start and f.received + bytes <= f.size;
  return found;
end
$$;

-- Its parts are one blob now.
create or replace function portal.join_file(target uuid, before text[], whole text) returns boolean
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
begin
  update portal_private.sent_file f set parts = array[whole], changed = now()
   where f.id = target and f.account_id = portal_private.find_me() and f.parts = before;
  return found;
end
$$;

-- Given up, or taken by an upload. No row: there was none.
create or replace function portal.drop_files(targets uuid[]) returns table (id uuid, parts text[])
language sql security definer set search_path = pg_catalog, pg_temp as $$
  delete from portal_private.sent_file f where f.id = any (targets) and f.account_id = portal_private.find_me() returning f.id, f.parts
$$;

-- Their blobs belong to nothing then, and are found by the next sweep of files.
create or replace function portal.sweep_sent_files() returns integer
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  gone integer;
begin
  delete from portal_private.sent_file f where f.changed < now() - interval '7 days';
  get diagnostics gone = row_count;
  return gone;
end
$$;

grant execute on function
  portal.begin_file(text,bigint,text), portal.my_files(uuid[]), portal.add_to_file(uuid,bigint,text,bigint), portal.join_file(uuid,text[],text),
  portal.drop_files(uuid[])
  to survest_user, survest_admin;

grant execute on function
  portal.sweep_sent_files()
  to survest_authenticator;

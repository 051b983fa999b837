-- Which of these keys of the blob store something in the catalogue refers to.
create or replace function portal.known_blobs(keys text[]) returns setof text
language sql stable security definer set search_path = pg_catalog, pg_temp as $$
  select f.blob from portal.upload_file f where f.blob = any (keys)
  union select d.blob from portal.document_file d where d.blob = any (keys)
  union select t.blob from portal.thumbnail t where t.blob = any (keys)
  union select r.blob from portal.raster r where r.blob = any (keys)
  union select b.definition ->> 'key' from portal.basemap b where b.definition ->> 'key' = any (keys)
  union select p.blob from portal_private.sent_file s, unnest(s.parts) p(blob) where s.parts && keys and p.blob = any (keys)
$$;

-- Every key that is referred to, with what refers to it.
create or replace function portal.used_blobs() returns table (blob text, used_by text)
language sql stable security definer set search_path = pg_catalog, pg_temp as $$
  select f.blob, 'upload ' || f.upload_id from portal.upload_file f
  union all select d.blob, 'document ' || d.resource_id from portal.document_file d
  union all select t.blob, 'thumbnail of ' || t.resource_id from portal.thumbnail t
  union all select r.blob, 'raster ' || r.resource_id from portal.raster r
  union all select b.definition ->> 'key', 'basemap ' || b.id from portal.basemap b where b.definition ? 'key'
  union all select p.blob, 'file ' || s.id || ' that is being sent' from portal_private.sent_file s, unnest(s.parts) p(blob)
$$;

create or replace function portal.note_blob(noted text) returns void
language sql security definer set search_path = pg_catalog, pg_temp as $$
  insert into portal_private.blob_made (key) values (noted) on conflict do nothing
$$;

create or replace function portal.forget_blob(gone text) returns void
language sql security definer set search_path = pg_catalog, pg_temp as $$
  delete from portal_private.blob_made m where m.key = gone
$$;

-- Those of the keys that were made here and that nothing refers to any more.
create or replace function portal.orphan_blobs(keys text[]) returns setof text
language sql stable security definer set search_path = pg_catalog, pg_temp as $$
  select m.key from portal_private.blob_made m where m.key = any (keys)
  except select k from portal.known_blobs(keys) k
$$;

create or replace function portal.hold_files(run uuid, seconds integer) returns void
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
begin
  delete from portal_private.backup_run b where b.until < clock_timestamp();
  insert into portal_private.backup_run (id, until) values (run, clock_timestamp() + make_interval(secs => seconds))
    on conflict (id) do update set until = excluded.until;
end
$$;

create or replace function portal.release_files(run uuid) returns void
language sql security definer set search_path = pg_catalog, pg_temp as $$
  delete from portal_private.backup_run b where b.id = run
$$;

create or replace function portal.files_held() returns boolean
language sql stable security definer set search_path = pg_catalog, pg_temp as $$
  select exists (select from portal_private.backup_run b where b.until > clock_timestamp())
$$;

grant execute on function
  portal.known_blobs(text[]), portal.used_blobs(), portal.note_blob(text), portal.forget_blob(text), portal.orphan_blobs(text[]),
  portal.hold_files(uuid,integer), portal.release_files(uuid), portal.files_held()
  to survest_authenticator;

-- A ledger of files: every one that this database has had made, noted before it is written. Only what is noted here is ever swept away.
-- Files of another database in the same place, and those that were made after the copy of this one was taken that is in use now, are
-- referred to by nothing, and still somebody's.

create table portal_private.blob_made (
  key text primary key check (length(key) <= 512),
  made timestamptz not null default now()
);
insert into portal_private.blob_made (key) select distinct u.blob from portal.used_blobs() u on conflict do nothing;

create function portal.note_blob(noted text) returns void
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
begin
  insert into portal_private.blob_made (key) values (noted) on conflict do nothing;
end
$$;

create function portal.forget_blob(gone text) returns void
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
begin
  delete from portal_private.blob_made m where m.key = gone;
end
$$;

-- Those of the keys that were made here and that nothing refers to any more.
create function portal.orphan_blobs(keys text[]) returns setof text
language plpgsql stable security definer set search_path = pg_catalog, pg_temp as $$
begin
  return query
    select m.key from portal_private.blob_made m where m.key = any (keys)
    except select k from portal.known_blobs(keys) k;
end
$$;

revoke all on function portal.note_blob(text), portal.forget_blob(text), portal.orphan_blobs(text[]) from public;
grant execute on function portal.note_blob(text), portal.forget_blob(text), portal.orphan_blobs(text[]) to survest_authenticator;

create or replace function portal_private.check_document_content() returns trigger
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
begin
  if exists (select from portal.resource r where r.id = new.id and r.doc_url is null)
     and not exists (select from portal.document_file f where f.resource_id = new.id) then
    raise exception 'document_is_somewhere: document % has neither a file nor an address', new.id using errcode = 'check_violation';
  end if;
  return null;
end
$$;

-- No row: there is none for the caller to look at.
create or replace function portal.shown_file(target integer) returns table (blob text, file_name text, mime_type text, address text)
language plpgsql stable security definer set search_path = pg_catalog, pg_temp as $$
begin
  return query
    select f.blob, f.file_name, r.mime_type::text, r.doc_url::text
      from portal.resource r left join portal.document_file f on f.resource_id = r.id
     where r.id = target and r.resource_type = 'document' and portal_private.sees(portal_private.who(), target)
       and (f.blob is null or r.mime_type ~ '^(image|video|audio)/');
end
$$;

-- A document that was made without content, and has none yet: out of sight, but its owner may delete it, and it comes back as it was.
create or replace function portal_private.is_without_content(target integer) returns boolean
language sql stable set search_path = pg_catalog, pg_temp
return exists (select from portal.resource r
                where r.id = target and r.resource_type = 'document' and r.doc_url is null
                  and not exists (select from portal.document_file f where f.resource_id = r.id));

create or replace function portal.uncover_for_deletion(targets integer[]) returns void
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  who portal_private.caller := portal_private.who();
begin
  update portal.resource r set metadata_only = false
   where r.id = any (targets) and r.metadata_only and portal_private.is_without_content(r.id)
     and not exists (select from portal_private.bin b where b.resource_id = r.id)
     and portal_private.mask(who, r.id) & 16 <> 0;
end
$$;

grant execute on function
  portal.shown_file(integer)
  to survest_anon, survest_user, survest_admin;

grant execute on function
  portal.uncover_for_deletion(integer[])
  to survest_user, survest_admin;

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

grant execute on function
  portal.shown_file(integer)
  to survest_anon, survest_user, survest_admin;

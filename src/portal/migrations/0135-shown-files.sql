-- Pictures, films and sounds inside a page are for who sees the item that they are, as a layer on a map is; the file itself stays with *download*. And
-- layers of other services belong to who adds them, until they are shared.

-- No row: there is none for the caller to look at.
create function portal.shown_file(target integer) returns table (blob text, file_name text, mime_type text, address text)
language plpgsql stable security definer set search_path = pg_catalog, pg_temp as $$
begin
  return query
    select f.blob, f.file_name, r.mime_type::text, r.doc_url::text
      from portal.resource r left join portal.document_file f on f.resource_id = r.id
     where r.id = target and r.resource_type = 'document' and portal_private.sees(portal_private.who(), target)
       and (f.blob is null or r.mime_type ~ '^(image|video|audio)/');
end
$$;

create function portal.add_remote_record(service integer, wanted text, permissions jsonb) returns jsonb
language plpgsql set search_path = pg_catalog, pg_temp as $$
declare
  known integer := portal.known_remote_layer(service, wanted);
  added jsonb := portal.add_remote_record(service, wanted);
  made integer := coalesce(added ->> 'layer', added ->> 'document')::integer;
begin
  if known is null and made is not null then
    perform portal.set_new_perms(made, coalesce(permissions, '{"users": {}, "groups": {}}'));
  end if;
  return added;
end
$$;

revoke all on function portal.shown_file(integer), portal.add_remote_record(integer, text, jsonb) from public;
grant execute on function portal.shown_file(integer) to survest_anon, survest_user, survest_admin;
grant execute on function portal.add_remote_record(integer, text, jsonb) to survest_user, survest_admin;

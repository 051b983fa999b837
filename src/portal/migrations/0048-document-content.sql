-- A document whose address is taken away has to have a file, or nobody could open it any more. Looked at when the transaction ends,
-- since the file that takes the place of an address is written after the row. Rows that are as they are may stay so.

create function portal_private.check_document_content() returns trigger
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
begin
  if exists (select from portal.resource r where r.id = new.id and r.doc_url is null)
     and not exists (select from portal.document_file f where f.resource_id = new.id) then
    raise exception 'document_is_somewhere: document % has neither a file nor an address', new.id using errcode = 'check_violation';
  end if;
  return null;
end
$$;
revoke all on function portal_private.check_document_content() from public;
create constraint trigger document_is_somewhere after update of doc_url on portal.resource deferrable initially deferred
  for each row when (new.resource_type = 'document' and new.doc_url is null and old.doc_url is not null)
  execute function portal_private.check_document_content();

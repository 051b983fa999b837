-- A document can be described before it has a file or an address; until then it is out of sight (metadata_only). Its content brings it into
-- sight. Called before the change, since rows out of sight cannot be changed; set_metadata_only decides who may.
create function portal.show_filled(target integer) returns void
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
revoke all on function portal.show_filled(integer) from public;
grant execute on function portal.show_filled(integer) to survest_user, survest_admin;

-- Nobody but those named here.
revoke all on portal.document_file, portal.document_link
  from public, survest_anon, survest_user, survest_admin, survest_authenticator;

grant select on portal.document_file to survest_anon, survest_user, survest_admin;
grant insert, update (blob, file_name, size, uploaded), delete on portal.document_file to survest_user, survest_admin;
create policy seen on portal.document_file for all to survest_anon, survest_user, survest_admin
  using (exists (select from portal.resource r where r.id = resource_id) and portal_private.mask_of(resource_id) & 2 <> 0);

grant select on portal.document_link to survest_anon, survest_user, survest_admin;
grant insert, delete on portal.document_link to survest_user, survest_admin;
create policy seen on portal.document_link for all to survest_anon, survest_user, survest_admin
  using (exists (select from portal.resource r where r.id = document_id)
    and exists (select from portal.resource r where r.id = resource_id));

-- Nobody but those named here.
revoke all on portal.thumbnail
  from public, survest_anon, survest_user, survest_admin, survest_authenticator;

grant select on portal.thumbnail to survest_anon, survest_user, survest_admin;
grant insert, update (blob, mime_type, made), delete on portal.thumbnail to survest_user, survest_admin;
-- One that is made of a document's file is for those who get the file.
create policy seen on portal.thumbnail for all to survest_anon, survest_user, survest_admin
  using (exists (select from portal.resource r where r.id = resource_id
                    and (curated or r.resource_type <> 'document' or portal_private.mask_of(resource_id) & 2 <> 0)));

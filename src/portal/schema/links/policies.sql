-- Nobody but those named here.
revoke all on portal.link, portal.resource_link
  from public, survest_anon, survest_user, survest_admin, survest_authenticator;

grant select on portal.link to survest_anon, survest_user, survest_admin;
grant insert (resource_id, extension, link_type, name, mime, url), update (extension, link_type, name, mime, url), delete on portal.link
  to survest_user, survest_admin;
create policy seen on portal.link for all to survest_anon, survest_user, survest_admin
  using (exists (select from portal.resource r where r.id = resource_id));

grant select on portal.resource_link to survest_anon, survest_user, survest_admin;
grant insert, delete on portal.resource_link to survest_user, survest_admin;
create policy seen on portal.resource_link for all to survest_anon, survest_user, survest_admin
  using (exists (select from portal.resource r where r.id = source_id)
    and exists (select from portal.resource r where r.id = target_id));

-- Nobody but those named here.
revoke all on portal.attribute, portal.raster
  from public, survest_anon, survest_user, survest_admin, survest_authenticator;

grant select on portal.attribute to survest_anon, survest_user, survest_admin;
grant update (description, attribute_label, visible, display_order, featureinfo_type, format) on portal.attribute to survest_user;
grant insert, delete on portal.attribute to survest_user, survest_admin;
grant update on portal.attribute to survest_admin;
create policy seen on portal.attribute for all to survest_anon, survest_user, survest_admin
  using (exists (select from portal.resource r where r.id = resource_id));

grant select on portal.raster to survest_anon, survest_user, survest_admin;
grant insert, update (blob, size, width, height, bands), delete on portal.raster to survest_user, survest_admin;
create policy seen on portal.raster for all to survest_anon, survest_user, survest_admin
  using (exists (select from portal.resource r where r.id = resource_id));

-- Nobody but those named here.
revoke all on portal.style, portal.layer_style
  from public, survest_anon, survest_user, survest_admin, survest_authenticator;

grant select on portal.style to survest_anon, survest_user, survest_admin;
grant update (sld_title, sld_body, sld_version, maplibre) on portal.style to survest_user, survest_admin;
create policy seen on portal.style for all to survest_anon, survest_user, survest_admin
  using (exists (select from portal.layer_style l where l.style_id = style.id));

grant select on portal.layer_style to survest_anon, survest_user, survest_admin;
create policy seen on portal.layer_style for select to survest_anon, survest_user, survest_admin
  using (exists (select from portal.resource r where r.id = resource_id));

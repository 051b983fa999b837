-- Nobody but those named here.
revoke all on portal.category, portal.license, portal.restriction_code_type, portal.spatial_representation_type, portal.region
  from public, survest_anon, survest_user, survest_admin, survest_authenticator;

do $policies$
declare
  list text;
begin
  foreach list in array array['category', 'license', 'restriction_code_type', 'spatial_representation_type', 'region', 'group_category', 'setting']
  loop
    execute pg_catalog.format('create policy read_by_all on portal.%I for select
      to survest_anon, survest_user, survest_admin using (true)', list);
    execute pg_catalog.format('create policy written_by_admins on portal.%I for all
      to survest_admin using ((select portal.is_admin()))', list);
  end loop;
end
$policies$;

grant select on portal.category to survest_anon, survest_user, survest_admin;
grant insert, update, delete on portal.category to survest_admin;

grant select on portal.license to survest_anon, survest_user, survest_admin;
grant insert, update, delete on portal.license to survest_admin;

grant select on portal.restriction_code_type to survest_anon, survest_user, survest_admin;
grant insert, update, delete on portal.restriction_code_type to survest_admin;

grant select on portal.spatial_representation_type to survest_anon, survest_user, survest_admin;
grant insert, update, delete on portal.spatial_representation_type to survest_admin;

grant select on portal.region to survest_anon, survest_user, survest_admin;
grant insert, update, delete on portal.region to survest_admin;

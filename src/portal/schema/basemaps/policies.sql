-- Nobody but those named here.
revoke all on portal.basemap
  from public, survest_anon, survest_user, survest_admin, survest_authenticator;

-- What visitors' browsers load is in every page anyway.
grant select on portal.basemap to survest_anon, survest_user, survest_admin;
grant insert, update, delete on portal.basemap to survest_admin;
create policy read_by_all on portal.basemap for select to survest_anon, survest_user, survest_admin using (true);
create policy written_by_admins on portal.basemap for all to survest_admin using ((select portal.is_admin()));

-- Nobody but those named here.
revoke all on portal.upload, portal.upload_file, portal.upload_size_limit, staging.run, portal.upload_layer
  from public, survest_anon, survest_user, survest_admin, survest_authenticator;

grant insert (user_id, name, date, session), update (name, session) on portal.upload to survest_user;
grant select, delete on portal.upload to survest_user, survest_admin;
grant insert, update on portal.upload to survest_admin;
create policy own on portal.upload for all to survest_user, survest_admin
  using (user_id = (select portal.me()))
  with check (user_id = (select portal.me()) and (select portal.writable()));
create policy all_by_admins on portal.upload for all to survest_admin using ((select portal.is_admin()));

grant select, insert (upload_id, name, slug, base, blob, size), delete on portal.upload_file to survest_user, survest_admin;
grant update on portal.upload_file to survest_admin;
create policy own on portal.upload_file for all to survest_user, survest_admin
  using (exists (select from portal.upload u where u.id = upload_id));

grant select on portal.upload_size_limit to survest_anon, survest_user, survest_admin;
grant insert, update, delete on portal.upload_size_limit to survest_admin;
create policy read_by_all on portal.upload_size_limit for select to survest_anon, survest_user, survest_admin using (true);
create policy written_by_admins on portal.upload_size_limit for all to survest_admin using ((select portal.is_admin()));

grant select, insert, update, delete on staging.run to survest_authenticator;

grant select on portal.upload_layer to survest_user, survest_admin;
grant insert on portal.upload_layer to survest_admin;
create policy own on portal.upload_layer for all to survest_user, survest_admin
  using (exists (select from portal.upload u where u.id = upload_id));

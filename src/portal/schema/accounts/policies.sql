-- Nobody but those named here.
revoke all on portal.account, portal.account_detail, portal.preference
  from public, survest_anon, survest_user, survest_admin, survest_authenticator;

grant select on portal.account to survest_anon, survest_user, survest_admin;
grant update (username, first_name, last_name, avatar), delete on portal.account to survest_user, survest_admin;
create policy seen on portal.account
  for all to survest_anon, survest_user, survest_admin
  using (id > 0 and (
    id = (select portal.me())
    or (select portal.is_staff())
    or exists (select from portal.resource r where r.owner_id = account.id)
    or portal_private.knows(id)
  ));

grant update (email) on portal.account_detail to survest_user;
grant select on portal.account_detail to survest_user, survest_admin;
grant update (email, is_active, is_staff, is_superuser) on portal.account_detail to survest_admin;
create policy seen on portal.account_detail
  for all to survest_user, survest_admin
  using (account_id = (select portal.me()) or (select portal.is_staff()));

grant select, insert (account_id, name, value), update (value), delete on portal.preference to survest_user, survest_admin;
create policy own on portal.preference for all to survest_user, survest_admin
  using (account_id = (select portal.me()))
  with check (account_id = (select portal.me()) and (select portal.writable()));

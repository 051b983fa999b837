-- Nobody but those named here.
revoke all on portal.group_category, portal.user_group, portal.group_member, portal.group_in_category, portal.group_invitation
  from public, survest_anon, survest_user, survest_admin, survest_authenticator;

grant select on portal.group_category to survest_anon, survest_user, survest_admin;
grant insert, update, delete on portal.group_category to survest_admin;

grant select (id, slug) on portal.user_group to survest_anon;
grant select, insert (slug, title, description, email, logo, access), update (slug, title, description, email, logo, access), delete on portal.user_group
  to survest_user, survest_admin;
create policy seen on portal.user_group
  for all to survest_user, survest_admin
  using ((select portal.me()) is not null and (access <> 'private' or id = any ((select portal.my_groups())::integer[]))
      or (select portal.is_staff()));
create policy named_on_items on portal.user_group
  for select to survest_anon
  using (access <> 'private' and exists (select from portal.resource r where r.group_id = user_group.id));

grant select on portal.group_member to survest_user, survest_admin;
create policy seen on portal.group_member
  for select to survest_user, survest_admin
  using (account_id = (select portal.me()) or (select portal.is_staff())
      or (group_id > 10 and exists (select from portal.user_group g where g.id = group_id)));

grant select, insert, delete on portal.group_in_category to survest_user, survest_admin;
create policy seen on portal.group_in_category
  for all to survest_user, survest_admin
  using (exists (select from portal.user_group g where g.id = group_id));

grant select on portal.group_invitation to survest_user, survest_admin;
create policy seen on portal.group_invitation
  for select to survest_user, survest_admin
  using (lower(username) = (select lower(a.username) from portal.account a where a.id = (select portal.me()))
      or (select portal.is_admin())
      or portal.is_manager(group_id));

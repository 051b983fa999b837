-- Nobody but those named here.
revoke all on portal.keyword, portal.resource_keyword, portal.group_keyword, portal.resource_region, portal.thesaurus,
  portal.thesaurus_keyword, portal.resource_tkeyword
  from public, survest_anon, survest_user, survest_admin, survest_authenticator;

do $policies$
declare
  list text;
begin
  foreach list in array array['thesaurus', 'thesaurus_keyword'] loop
    execute pg_catalog.format('create policy read_by_all on portal.%I for select
      to survest_anon, survest_user, survest_admin using (true)', list);
    execute pg_catalog.format('create policy written_by_admins on portal.%I for all
      to survest_admin using ((select portal.is_admin()))', list);
  end loop;
end
$policies$;

grant select on portal.keyword to survest_anon, survest_user, survest_admin;
create policy seen on portal.keyword for select to survest_anon
  using (exists (select from portal.resource_keyword k where k.keyword_id = keyword.id));
create policy seen_by_accounts on portal.keyword for select to survest_user, survest_admin
  using (exists (select from portal.resource_keyword k where k.keyword_id = keyword.id) or portal_private.word_of_group(id));

grant select on portal.resource_keyword to survest_anon, survest_user, survest_admin;
create policy seen on portal.resource_keyword for select to survest_anon, survest_user, survest_admin
  using (exists (select from portal.resource r where r.id = resource_id));

grant select on portal.group_keyword to survest_user, survest_admin;
create policy seen on portal.group_keyword for select to survest_user, survest_admin
  using (exists (select from portal.user_group g where g.id = group_id));

grant select on portal.resource_region to survest_anon, survest_user, survest_admin;
create policy seen on portal.resource_region for select to survest_anon, survest_user, survest_admin
  using (exists (select from portal.resource r where r.id = resource_id));

grant select on portal.thesaurus to survest_anon, survest_user, survest_admin;
grant insert, update, delete on portal.thesaurus to survest_admin;

grant select on portal.thesaurus_keyword to survest_anon, survest_user, survest_admin;
grant insert, update, delete on portal.thesaurus_keyword to survest_admin;

grant select on portal.resource_tkeyword to survest_anon, survest_user, survest_admin;
create policy seen on portal.resource_tkeyword for select to survest_anon, survest_user, survest_admin
  using (exists (select from portal.resource r where r.id = resource_id));

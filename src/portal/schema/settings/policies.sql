-- Nobody but those named here.
revoke all on portal.setting
  from public, survest_anon, survest_user, survest_admin, survest_authenticator;

grant select on portal.setting to survest_anon, survest_user, survest_admin;
grant update (value) on portal.setting to survest_admin;

-- Whether accounts may make groups.
insert into portal.setting (name, value, about) values ('GROUPS_BY_ACCOUNTS', true, 'Accounts may make groups, which they then lead; off: administrators do.')
  on conflict (name) do nothing;

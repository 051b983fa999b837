insert into portal.user_group (id, slug, title, description, builtin) values
  (1, 'anonymous', 'anonymous', 'Everybody, logged in or not', true),
  (2, 'registered-members', 'Registered members', 'Every account', true),
  (3, 'contributors', 'Contributors', 'Accounts that may create content', true);

insert into portal.setting (name, value, about) values
  ('ADMIN_MODERATE_UPLOADS', false, 'New items wait for approval; visitors see approved items only.'),
  ('RESOURCE_PUBLISHING', false, 'New items wait to be published; visitors see published items only.'),
  ('GROUP_PRIVATE_RESOURCES', false, 'Items of a private group are for its members only.'),
  ('DEFAULT_ANONYMOUS_VIEW_PERMISSION', true, 'Everybody may see a new item; off: only the groups of its owner.'),
  ('DEFAULT_ANONYMOUS_DOWNLOAD_PERMISSION', true, 'Everybody may download a new item; off: only the groups of its owner.'),
  ('READ_ONLY', false, 'Nobody but administrators changes anything.');

insert into portal.setting (name, value, about) values ('GROUPS_BY_ACCOUNTS', true, 'Accounts may make groups, which they then lead; off: administrators do.');
insert into portal.setting (name, value, about) values ('COMMENTS', true, 'Accounts may comment on what they see; off: nobody writes comments.');

-- The small world of the access tests, over the portal's migrations: people, groups, and items as people made and shared them.
-- Items are made in their owners' names, so that defaults and guards have had their say.

create function pg_temp.be(caller text) returns void language plpgsql as $$
begin
  perform set_config('role', 'none', true), set_config('request.jwt.claims', '', true);
  if caller is not null then
    perform set_config('request.jwt.claims', json_build_object('sub', id::text)::text, true) from portal.account where username = caller;
    perform set_config('role', case when caller = 'root' then 'survest_admin' else 'survest_user' end, true);
  end if;
end
$$;

select portal.create_account('root', 'hash-of-root', 'Ruth', 'Root', 'root@example.org', false, true);
select portal.create_account('stella', 'hash-of-stella', 'Stella', 'Staff', 'stella@example.org', true, false);
select portal.create_account(name, 'hash-of-' || name, initcap(name), 'Person', name || '@example.org')
  from unnest(array['ada', 'bob', 'carl', 'mia', 'vera', 'otto', 'dora', 'nick', 'zoe']) name;
update portal.account_detail set is_active = false
 where account_id = (select id from portal.account where username = 'dora');
delete from portal.group_member
 where group_id = 3 and account_id = (select id from portal.account where username = 'nick');

insert into portal.user_group (slug, title, access, email) values
  ('rangers', 'Rangers', 'public', 'rangers@example.org'),
  ('vault', 'Vault', 'private', 'vault@example.org'),
  ('empty', 'Empty', 'public-invite', '');
insert into portal.group_member (group_id, account_id, is_manager)
  select g.id, a.id, a.username in ('mia')
    from (values ('rangers', 'ada'), ('rangers', 'carl'), ('rangers', 'mia'), ('vault', 'ada'), ('vault', 'vera')) m(slug, username)
    join portal.user_group g on g.slug = m.slug join portal.account a on a.username = m.username;

select pg_temp.be('ada');
insert into portal.resource (resource_type, title, zoom, projection, center_x, center_y, app_type) values
  ('layer', 'open', null, null, null, null, null),
  ('layer', 'closed', null, null, null, null, null),
  ('map', 'shared', 4, 'EPSG:3857', 0, 0, null),
  ('layer', 'worked', null, null, null, null, null),
  ('document', 'described', null, null, null, null, null),
  ('geostory', 'judged', null, null, null, null, 'GeoStory'),
  ('geoapp', 'registered', null, null, null, null, 'GeoApp'),
  ('layer', 'gone', null, null, null, null, null),
  ('layer', 'unready', null, null, null, null, null);
select pg_temp.be('bob');
insert into portal.resource (resource_type, title) values ('document', 'bobs');

select pg_temp.be('ada');
create function pg_temp.item(wanted text) returns integer language sql as $$ select id from portal.resource where title = wanted $$;
select portal.set_perms(pg_temp.item('closed'), '{}');
select portal.set_perms(pg_temp.item('shared'), '{
  "users": {"bob": ["view_resourcebase", "change_resourcebase"]},
  "groups": {"rangers": ["view_resourcebase", "download_resourcebase"]}}');
select portal.set_perms(pg_temp.item('worked'), '{
  "users": {"bob": ["view_resourcebase", "change_layer_data", "change_layer_style"], "otto": ["view_resourcebase", "change_layer_data"]},
  "groups": {"vault": ["view_resourcebase", "download_resourcebase"]}}');
select portal.set_perms(pg_temp.item('described'), '{
  "users": {"bob": ["view_resourcebase", "change_resourcebase_metadata"], "carl": ["delete_resourcebase", "change_resourcebase"],
            "otto": ["view_resourcebase", "delete_resourcebase"]}}');
select portal.set_perms(pg_temp.item('judged'), '{
  "users": {"bob": ["view_resourcebase", "publish_resourcebase"], "AnonymousUser": ["view_resourcebase"]},
  "groups": {"rangers": ["view_resourcebase", "change_resourcebase_permissions"]}}');
select portal.set_perms(pg_temp.item('registered'), '{
  "groups": {"registered-members": ["view_resourcebase"], "contributors": ["view_resourcebase", "download_resourcebase"]}}');

-- Something of every kind hangs on every item.
insert into portal.link (resource_id, extension, link_type, name, mime, url)
  select id, 'html', 'html', 'page', 'text/html', 'https://example.org/' || id from portal.resource where owner_id = portal.me();
insert into portal.thumbnail (resource_id, blob) select id, 'thumb-' || id from portal.resource where owner_id = portal.me();
insert into portal.app_data (resource_id, data) select id, '{"secret": true}' from portal.resource where owner_id = portal.me();
insert into portal.attribute (resource_id, attribute) select id, 'name' from portal.resource where owner_id = portal.me();
insert into portal.document_file (resource_id, blob, file_name, size) select id, 'file-' || id, 'a.txt', 5 from portal.resource where owner_id = portal.me();
select portal.set_keywords(id, array['word of ' || title, 'common']) from portal.resource where owner_id = portal.me();
select portal.set_regions(id, array[1, 2]) from portal.resource where owner_id = portal.me();
insert into portal.map_layer (map_id, layer_id, name) values (pg_temp.item('shared'), pg_temp.item('open'), 'open');
select portal.add_style(id, 'style of ' || title, '<sld/>', as_default => true) from portal.resource
 where resource_type = 'layer' and owner_id = portal.me();
insert into portal.favourite (account_id, resource_id) values (portal.me(), pg_temp.item('open'));
insert into portal.upload (name) values ('rivers');

select pg_temp.be('bob');
insert into portal.document_file (resource_id, blob, file_name, size) values (pg_temp.item('bobs'), 'file', 'b.txt', 5);
insert into portal.thumbnail (resource_id, blob) values (pg_temp.item('bobs'), 'thumb');
insert into portal.app_data (resource_id) values (pg_temp.item('bobs'));
insert into portal.attribute (resource_id, attribute) values (pg_temp.item('bobs'), 'name');
insert into portal.link (resource_id, extension, link_type, name, mime, url)
  values (pg_temp.item('bobs'), 'html', 'html', 'page', 'text/html', 'https://example.org/bobs');

select pg_temp.be(null);
-- As an importer does it: the table is made and protected in the name of the service.
do $$
declare
  layer record;
begin
  for layer in select id, title from portal.resource where resource_type = 'layer' loop
    perform set_config('role', 'survest_authenticator', true);
    execute format('create table layers.%I (id serial primary key, name text)', layer.title);
    execute format('insert into layers.%I (name) values (''one''), (''two'')', layer.title);
    perform portal.protect_layer_table(format('layers.%I', layer.title)::regclass, layer.id);
    perform set_config('role', 'none', true);
  end loop;
end
$$;
update portal.resource set metadata_only = true where title = 'gone';
update portal.resource set dirty = true where title = 'unready';
drop function pg_temp.item(text);
drop function pg_temp.be(text);

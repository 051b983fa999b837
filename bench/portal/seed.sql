-- A large catalogue for measurements: 100,000 resources, 1,000 accounts, 100 groups, 300,000 grants, over the portal's
-- migrations in an empty database. Run as a superuser: triggers are off while rows are poured in, so the visibility columns are
-- filled here, and checked at the end against the function that the triggers call. The numbers are the same on every run.

begin;
set local session_replication_role = replica;
select setseed(0.42);

insert into portal.account (id, username, first_name, last_name, can_add)
  select i, 'user' || i, 'First' || i, 'Last' || i, true from generate_series(1, 1000) i;
insert into portal.account_detail (account_id, email, is_superuser)
  select i, 'user' || i || '@example.org', i = 1 from generate_series(1, 1000) i;
insert into portal.group_member (group_id, account_id) select 3, i from generate_series(1, 1000) i;
insert into portal.user_group (id, slug, title, access)
  select 100 + i, 'group' || i, 'Group ' || i, case when i % 10 = 0 then 'private' else 'public' end
    from generate_series(1, 100) i;
-- Every account in five groups, the first ten of each group its managers.
insert into portal.group_member (group_id, account_id, is_manager)
  select 101 + (i * 7 + k * 13) % 100, i, i <= 10 from generate_series(1, 1000) i, generate_series(0, 4) k
  on conflict do nothing;

insert into portal.keyword (id, name, slug) select i, 'keyword ' || i, 'keyword-' || i from generate_series(1, 500) i;

-- 100,000 owners, 70,000 items for everybody, 65,000 shared with a group, 65,000 with another account.
insert into portal_private.resource_grant
  select i, 1 + (i * 37) % 1000, case when i % 10 < 4 then 511 else 127 end from generate_series(1, 100000) i;
insert into portal_private.resource_grant select i, -1, 3 from generate_series(1, 100000) i where i % 10 < 7;
insert into portal_private.resource_grant
  select i, -(101 + (i / 7) % 100), 1 from generate_series(1, 100000) i where i % 100 >= 35;
insert into portal_private.resource_grant
  select i, 1 + (i * 37 + 1 + i % 17) % 1000, 5 from generate_series(1, 100000) i where i % 100 < 65;
analyze portal_private.resource_grant;

insert into portal.resource (id, resource_type, owner_id, group_id, private_group, title, abstract, name, alternate, workspace,
    store, store_type, zoom, projection, center_x, center_y, app_type, doc_type, category_id, license_id, created, last_updated, date,
    popular_count, featured, bbox_polygon, ll_bbox_polygon, poc_id, metadata_author_id, is_public, viewers)
  select i, kind, 1 + (i * 37) % 1000, g, case when (g - 100) % 10 = 0 then g end,
         initcap(w1) || ' ' || w2 || ' ' || i,
         'An item about ' || w1 || ' and ' || w2 || '. ' || repeat('It says what the data are, where they come from and how they were made. ', 6),
         case when kind <> 'document' then 'item_' || i end, case when kind = 'layer' then 'portal:item_' || i end,
         case when kind = 'layer' then 'portal' end, case when kind = 'layer' then 'data' end,
         case when kind = 'layer' then 'dataStore' end,
         case when kind = 'map' then 5 end, case when kind = 'map' then 'EPSG:3857' end,
         case when kind = 'map' then x end, case when kind = 'map' then y end,
         case when kind in ('geoapp', 'geostory') then 'GeoStory' end, case when kind = 'document' then 'text' end,
         1 + i % 20, 1 + i % 7, t, t, t, i % 977, i % 500 = 0, box, box, 1 + (i * 37) % 1000, 1 + (i * 37) % 1000,
         v.is_public, case when v.is_public then '{}' else v.viewers end
    from (select i,
                 (array['layer', 'layer', 'layer', 'layer', 'map', 'map', 'document', 'document', 'geoapp', 'geostory'])[1 + i % 10] as kind,
                 case when i % 3 = 0 then 101 + i % 100 end as g,
                 (array['rivers', 'roads', 'soils', 'forests', 'parcels', 'schools', 'floods', 'heights'])[1 + (random() * 7)::int] as w1,
                 (array['survey', 'atlas', 'inventory', 'census', 'monitoring', 'register'])[1 + (random() * 5)::int] as w2,
                 timestamptz '2020-01-01' + i * interval '11 minutes' as t,
                 x, y, st_makeenvelope(x, y, x + 1, y + 1, 4326) as box
            from (select i, -180 + random() * 359 as x, -85 + random() * 169 as y from generate_series(1, 100000) i) p) n
    join (select resource_id, bool_or(principal = -1) as is_public, array_agg(principal order by principal) as viewers
            from portal_private.resource_grant group by resource_id) v on v.resource_id = n.i;
select setval(pg_get_serial_sequence('portal.resource', 'id'), 100000);
select setval(pg_get_serial_sequence('portal.account', 'id'), 1000);
select setval(pg_get_serial_sequence('portal.user_group', 'id'), 200);
select setval(pg_get_serial_sequence('portal.keyword', 'id'), 500);

insert into portal.resource_keyword select i, 1 + (i * k) % 500 from generate_series(1, 100000) i, generate_series(1, 2) k on conflict do nothing;
insert into portal.resource_region select i, 1 + i % 259 from generate_series(1, 100000) i;

-- As triggers and the job of the search would have left it.
select portal_private.index_text(array(select id from portal.resource));
update portal_private.search_item set worded = true;
insert into portal_private.search_config select portal_private.search_config_of('eng') on conflict do nothing;
select portal_private.recount();
commit;
vacuum full portal_private.search_item;
vacuum analyze;
do $$
declare
  before text := (select md5(string_agg(r.is_public::text || r.viewers::text, ',' order by r.id)) from portal.resource r where r.id % 997 = 0);
begin
  perform portal_private.refresh_viewers(r.id) from portal.resource r where r.id % 997 = 0;
  if before <> (select md5(string_agg(r.is_public::text || r.viewers::text, ',' order by r.id)) from portal.resource r where r.id % 997 = 0) then
    raise exception 'the visibility columns do not follow from the grants';
  end if;
end
$$;

-- Public items are found by `resource_tally`, which begins with `is_public`; searches begin with a category or a place where these are few.
drop index if exists portal.resource_public;
update portal_private.search_item set extent = box '(1000,1000),(-1000,-1000)' where extent is null;
alter table portal_private.search_item alter column extent set not null;
create index search_item_category on portal_private.search_item (category_id);
create index search_item_extent on portal_private.search_item using gist (extent);

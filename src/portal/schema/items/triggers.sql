-- What happens with a write of an item. PostgreSQL runs triggers of one moment in the order of the alphabet, so names begin with `zz_` where a
-- trigger has to be the last: nobody refuses the write any more. Triggers of one function are apart where their conditions need the old row, the
-- new one, or all rows of a statement.

-- Refuses a coordinate system that PostGIS does not know and a style of another layer, keeps the description as it was before the first change, keeps
-- `private_group`, which the policy reads, in step with the group, and renews the stamp: the record of a list is made anew.
create trigger prepare_change before update on portal.resource
  for each row execute function portal_private.prepare_resource();

-- Owner, names and defaults of a new item; its coordinate system has to be known.
create trigger prepare_new before insert on portal.resource
  for each row execute function portal_private.prepare_new_resource();

-- The owner and whom the switches name get their grants, in the same statement; searches find the item; a map is drawn (layers ask for that with their
-- data).
create trigger new_resource_has_grants after insert on portal.resource
  for each row execute function portal_private.after_new_resource();

-- A new owner gets what the old one held.
create trigger grants_follow_owner after update of owner_id on portal.resource
  for each row when (old.owner_id is distinct from new.owner_id) execute function portal_private.after_owner();

-- Refuses what callers may not create. Before `prepare_new` in the alphabet, which works with the owner found here.
create trigger guard_new before insert on portal.resource
  for each row when (pg_catalog.row_security_active('portal.resource'))
  execute function portal_private.guard_new_resource();

-- Refuses what callers reach and may not change, column by column.
create trigger guard before update or delete on portal.resource
  for each row when (pg_catalog.row_security_active('portal.resource')) execute function portal_private.guard_resource();

-- Names of apps are addresses: taken ones are refused, for callers only.
create trigger named_once before insert or update of name on portal.resource
  for each row when (new.resource_type in ('geoapp', 'geostory') and pg_catalog.row_security_active('portal.resource'))
  execute function portal_private.guard_app_name();

-- What a search asks of the item (search/).
create trigger searched_update after update on portal.resource
  for each row when ((old.title, old.abstract, old.language, old.category_id, old.resource_type, old.last_updated, old.is_public, old.obstacles,
      old.ll_bbox_polygon::bytea)
    is distinct from (new.title, new.abstract, new.language, new.category_id, new.resource_type, new.last_updated, new.is_public, new.obstacles,
      new.ll_bbox_polygon::bytea))
  execute function portal_private.after_item_searched();

-- Caches of pictures are keyed by the version of the looks.
create trigger version after update of default_style_id on portal.resource
  for each row when (old.default_style_id is distinct from new.default_style_id)
  execute function portal_private.after_default_style();

-- Another place, or a layer of another service that comes or is found elsewhere: what is drawn is no longer right.
create trigger thumbnail_of_moved after update of zoom, center_x, center_y, projection, ll_bbox_polygon, remote on portal.resource
  for each row when (new.resource_type in ('layer', 'map') and
      (old.zoom, old.center_x, old.center_y, old.projection, old.ll_bbox_polygon::text)
        is distinct from (new.zoom, new.center_x, new.center_y, new.projection, new.ll_bbox_polygon::text)
    or new.remote is not null and old.remote is distinct from new.remote)
  execute function portal_private.thumbnail_after_place();

-- What a thumbnail may show follows from who sees it.
create trigger thumbnail_of_audience after update of is_public, viewers, is_approved, is_published, metadata_only, dirty, group_id on portal.resource
  for each row when (new.resource_type in ('layer', 'map') and
    (old.is_public, old.viewers, old.obstacles) is distinct from (new.is_public, new.viewers, new.obstacles))
  execute function portal_private.thumbnail_after_audience();

-- Totals, facets, and whom an item is shared with (tallies/).
create trigger counted_insert after insert on portal.resource
  referencing new table as changed for each statement execute function portal_private.after_items();

create trigger counted_delete after delete on portal.resource
  referencing old table as changed for each statement execute function portal_private.after_items();

create trigger counted_update after update on portal.resource
  for each row when ((old.is_public, old.viewers, old.obstacles, old.resource_type, old.category_id, old.owner_id)
    is distinct from (new.is_public, new.viewers, new.obstacles, new.resource_type, new.category_id, new.owner_id))
  execute function portal_private.after_item_counts_elsewhere();

-- At the end of the transaction: a document has an address or a file.
create constraint trigger document_is_somewhere after update of doc_url on portal.resource deferrable initially deferred
  for each row when (new.resource_type = 'document' and new.doc_url is null and old.doc_url is not null)
  execute function portal_private.check_document_content();

-- Keeps the description that results. At the end of the transaction, when keywords and regions are there as well: they touch the item after they were set.
create constraint trigger versions after update on portal.resource deferrable initially deferred
  for each row when (old.last_updated is distinct from new.last_updated) execute function portal_private.version_after_metadata();

-- Who follows the item is told of a new description.
create trigger told after update on portal.resource
  for each row when (portal_private.redescribed(old, new)) execute function portal_private.told_of('metadata');

-- Last of those in the alphabet: nobody refuses it any more, and what hangs on the item is still there.
create trigger zz_going before delete on portal.resource for each row execute function portal_private.before_item_goes();

-- At the end of the transaction, when the grants of the item are there: who follows its owner or group is told of an item they see.
create constraint trigger told_of_new after insert on portal.resource deferrable initially deferred
  for each row execute function portal_private.told_of_new();

-- The same, where an item comes into sight later.
create constraint trigger told_of_shared after update on portal.resource deferrable initially deferred
  for each row when ((old.is_public, old.viewers, old.obstacles, old.private_group, old.group_id)
    is distinct from (new.is_public, new.viewers, new.obstacles, new.private_group, new.group_id))
  execute function portal_private.told_of_new();

-- What parts of items have in common: who may change which (bits of the permissions, any of them, on the item of the column), the stamp of the item's
-- record, which they renew, and their words, which a search finds the item by.
do $parts$
declare
  part record;
begin
  for part in
    select * from (values
      ('attribute', 'guard', 'update', 12, 'resource_id'), ('attribute', 'guard_set', 'insert or delete', 4, 'resource_id'),
      ('raster', 'guard', 'insert or update or delete', 4, 'resource_id'), ('map_layer', 'guard', 'insert or update or delete', 4, 'map_id'),
      ('app_data', 'guard', 'insert or update or delete', 4, 'resource_id'), ('document_file', 'guard', 'insert or update or delete', 4, 'resource_id'),
      ('document_link', 'guard', 'insert or update or delete', 12, 'document_id'), ('link', 'guard', 'insert or update or delete', 4, 'resource_id'),
      ('resource_link', 'guard', 'insert or update or delete', 12, 'source_id'), ('thumbnail', 'guard', 'insert or update or delete', 4, 'resource_id')
    ) p(name, guard, writes, bits, item)
  loop
    execute pg_catalog.format('create trigger %1$I before %2$s on portal.%3$I
      for each row when (pg_catalog.row_security_active(%4$L)) execute function portal_private.guard_part(%5$L, %6$L)',
      part.guard, part.writes, part.name, 'portal.' || part.name, part.bits, part.item);
  end loop;
  for part in
    select unnest(array['resource_keyword', 'resource_region', 'resource_tkeyword', 'attribute', 'document_file', 'link', 'layer_style', 'thumbnail']) as name
  loop
    execute pg_catalog.format('create trigger stamped after insert or update or delete on portal.%I
      for each row execute function portal_private.after_stamped_part()', part.name);
  end loop;
  for part in select unnest(array['resource_keyword', 'resource_region', 'resource_tkeyword', 'attribute']) as name loop
    execute pg_catalog.format('create trigger words_come after insert on portal.%I
      referencing new table as changed for each statement execute function portal_private.after_terms()', part.name);
    execute pg_catalog.format('create trigger words_go after delete on portal.%I
      referencing old table as changed for each statement execute function portal_private.after_terms()', part.name);
  end loop;
end
$parts$;

create trigger prepare_group before update of group_id on portal.resource
  for each row execute function portal_private.prepare_resource();

create trigger prepare_new before insert on portal.resource
  for each row execute function portal_private.prepare_new_resource();

create trigger new_resource_has_grants after insert on portal.resource
  for each row execute function portal_private.after_new_resource();

create trigger grants_follow_owner after update of owner_id on portal.resource
  for each row when (old.owner_id is distinct from new.owner_id) execute function portal_private.after_owner();

-- Before `prepare_new` in the alphabet, which works with the owner found here.
create trigger guard_new before insert on portal.resource
  for each row when (pg_catalog.row_security_active('portal.resource'))
  execute function portal_private.guard_new_resource();

create trigger guard before update or delete on portal.resource
  for each row when (pg_catalog.row_security_active('portal.resource')) execute function portal_private.guard_resource();

create trigger named_once before insert or update of name on portal.resource
  for each row when (new.resource_type in ('geoapp', 'geostory') and pg_catalog.row_security_active('portal.resource'))
  execute function portal_private.guard_app_name();

create trigger style_of_this_layer before update of default_style_id on portal.resource
  for each row when (new.default_style_id is not null and new.default_style_id is distinct from old.default_style_id)
  execute function portal_private.check_default_style();

create trigger text_is_searchable after insert or update of title, abstract on portal.resource
  for each row execute function portal_private.after_text();

create trigger version after update of default_style_id on portal.resource
  for each row when (old.default_style_id is distinct from new.default_style_id)
  execute function portal_private.after_default_style();

create trigger thumbnail_of_new_map after insert on portal.resource
  for each row when (new.resource_type = 'map') execute function portal_private.thumbnail_after_place();

create trigger thumbnail_of_moved after update of zoom, center_x, center_y, projection, ll_bbox_polygon on portal.resource
  for each row when (new.resource_type in ('layer', 'map') and
    (old.zoom, old.center_x, old.center_y, old.projection, old.ll_bbox_polygon::text)
      is distinct from (new.zoom, new.center_x, new.center_y, new.projection, new.ll_bbox_polygon::text))
  execute function portal_private.thumbnail_after_place();

create trigger thumbnail_of_audience after update of is_public, viewers, is_approved, is_published, metadata_only, dirty, group_id on portal.resource
  for each row when (new.resource_type in ('layer', 'map') and
    (old.is_public, old.viewers, old.obstacles) is distinct from (new.is_public, new.viewers, new.obstacles))
  execute function portal_private.thumbnail_after_audience();

create trigger counted_insert after insert on portal.resource
  referencing new table as changed for each statement execute function portal_private.after_items();

create trigger counted_delete after delete on portal.resource
  referencing old table as changed for each statement execute function portal_private.after_items();

create trigger counted_update after update on portal.resource
  for each row when ((old.is_public, old.obstacles, old.resource_type)
    is distinct from (new.is_public, new.obstacles, new.resource_type))
  execute function portal_private.after_items();

create trigger faceted_insert after insert on portal.resource
  for each row execute function portal_private.after_faces();

create trigger faceted_update after update on portal.resource
  for each row when ((old.is_public, old.obstacles, old.resource_type, old.category_id, old.owner_id)
    is distinct from (new.is_public, new.obstacles, new.resource_type, new.category_id, new.owner_id))
  execute function portal_private.after_faces();

-- Before, and last of those in the alphabet: then nobody refuses it any more, and what hangs on the item is still there.
create trigger zz_faceted_delete before delete on portal.resource
  for each row execute function portal_private.after_faces();

create trigger srid_is_known before insert on portal.resource
  for each row when (new.srid ~* '^EPSG:[0-9]{1,9}$' and new.srid <> 'EPSG:4326') execute function portal_private.check_srid();

create trigger srid_stays_known before update of srid on portal.resource
  for each row when (new.srid is distinct from old.srid and new.srid ~* '^EPSG:[0-9]{1,9}$' and new.srid <> 'EPSG:4326')
  execute function portal_private.check_srid();

create constraint trigger document_is_somewhere after update of doc_url on portal.resource deferrable initially deferred
  for each row when (new.resource_type = 'document' and new.doc_url is null and old.doc_url is not null)
  execute function portal_private.check_document_content();

create trigger zz_audit before delete on portal.resource for each row execute function portal_private.audit_item_gone();

-- Last of those in the alphabet: nobody refuses it any more.
create trigger zz_versions_before before update on portal.resource
  for each row when ((old.title, old.abstract, old.attribution, old.doi, old.date, old.date_type, old.edition, old.purpose,
      old.maintenance_frequency, old.restriction_code_type_id, old.constraints_other, old.license_id, old.language, old.category_id,
      old.spatial_representation_type_id, old.temporal_extent_start, old.temporal_extent_end, old.supplemental_information,
      old.data_quality_statement)
    is distinct from (new.title, new.abstract, new.attribution, new.doi, new.date, new.date_type, new.edition, new.purpose,
      new.maintenance_frequency, new.restriction_code_type_id, new.constraints_other, new.license_id, new.language, new.category_id,
      new.spatial_representation_type_id, new.temporal_extent_start, new.temporal_extent_end, new.supplemental_information,
      new.data_quality_statement))
  execute function portal_private.version_before_metadata();

-- At the end of the transaction, when keywords and regions are there as well: they touch the item after they were set.
create constraint trigger versions after update on portal.resource deferrable initially deferred
  for each row when (old.last_updated is distinct from new.last_updated) execute function portal_private.version_after_metadata();

create trigger words_are_searchable after update of language, category_id on portal.resource
  for each row when (new.language <> old.language or new.category_id is distinct from old.category_id)
  execute function portal_private.after_text();

create trigger told after update on portal.resource
  for each row when ((old.title, old.abstract, old.attribution, old.doi, old.date, old.date_type, old.edition, old.purpose,
      old.maintenance_frequency, old.restriction_code_type_id, old.constraints_other, old.license_id, old.language, old.category_id,
      old.spatial_representation_type_id, old.temporal_extent_start, old.temporal_extent_end, old.supplemental_information,
      old.data_quality_statement)
    is distinct from (new.title, new.abstract, new.attribution, new.doi, new.date, new.date_type, new.edition, new.purpose,
      new.maintenance_frequency, new.restriction_code_type_id, new.constraints_other, new.license_id, new.language, new.category_id,
      new.spatial_representation_type_id, new.temporal_extent_start, new.temporal_extent_end, new.supplemental_information,
      new.data_quality_statement))
  execute function portal_private.told_of_metadata();

-- Last of those in the alphabet: nobody refuses it any more, and who follows it is still known.
create trigger zz_told before delete on portal.resource for each row execute function portal_private.told_of_deletion();

-- A layer of others is drawn when it comes, and when it is found elsewhere.
create trigger thumbnail_of_remote after update of remote on portal.resource
  for each row when (new.remote is not null and old.remote is distinct from new.remote)
  execute function portal_private.thumbnail_after_place();

create constraint trigger told_of_new after insert on portal.resource deferrable initially deferred
  for each row execute function portal_private.told_of_new();

create constraint trigger told_of_shared after update on portal.resource deferrable initially deferred
  for each row when ((old.is_public, old.viewers, old.obstacles, old.private_group, old.group_id)
    is distinct from (new.is_public, new.viewers, new.obstacles, new.private_group, new.group_id))
  execute function portal_private.told_of_new();

create trigger zz_stamped before update on portal.resource for each row execute function portal_private.stamp_item();

create trigger zz_facts_changed after update on portal.resource
  for each row when (old.last_updated <> new.last_updated or old.is_public <> new.is_public or old.obstacles <> new.obstacles
    or old.category_id is distinct from new.category_id or old.resource_type <> new.resource_type
    or old.ll_bbox_polygon::bytea is distinct from new.ll_bbox_polygon::bytea)
  execute function portal_private.note_facts();

-- New items are among those whose text was written since.
create trigger zz_facts_gone after delete on portal.resource for each row execute function portal_private.note_facts();

create trigger shared_insert after insert on portal.resource
  for each row when (new.viewers <> '{}') execute function portal_private.after_shared();

create trigger shared_delete after delete on portal.resource
  for each row when (old.viewers <> '{}') execute function portal_private.after_shared();

create trigger shared_update after update on portal.resource
  for each row when ((old.viewers <> '{}' or new.viewers <> '{}')
    and (old.id, old.viewers, old.obstacles, old.resource_type) is distinct from (new.id, new.viewers, new.obstacles, new.resource_type))
  execute function portal_private.after_shared();

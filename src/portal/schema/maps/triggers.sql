create trigger thumbnail after insert or update or delete on portal.map_layer
  for each row execute function portal_private.thumbnail_after_map_layer();

create trigger overview after insert or update of layer_id, layer_params on portal.map_layer
  for each row when (new.layer_id is not null and strpos(new.layer_params, '"survest:style"') > 0)
  execute function portal_private.overview_after_style();

create trigger zz_versions_before before update on portal.app_data
  for each row when (old.data is distinct from new.data) execute function portal_private.version_before_content();

create trigger versions after update on portal.app_data
  for each row when (old.data is distinct from new.data) execute function portal_private.version_after_content();

create trigger told after update on portal.app_data
  for each row when (old.data is distinct from new.data) execute function portal_private.told_of('content');

create trigger note_references after insert or update of data on portal.app_data
  for each row execute function portal_private.note_references();

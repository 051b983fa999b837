create trigger version after insert or update or delete on portal.attribute
  for each row execute function portal_private.after_look();

create trigger joins_follow after update of attribute on portal.attribute
  for each row when (old.attribute is distinct from new.attribute) execute function portal_private.after_attribute_renamed();

create trigger words_change after update on portal.attribute referencing new table as changed
  for each statement execute function portal_private.after_terms();

create trigger table_goes_too after delete on portal_private.layer_table
  for each row execute function portal_private.after_layer_table_gone();

create trigger links after insert on portal_private.layer_table
  for each row execute function portal_private.after_data('vector');

create trigger thumbnail after insert on portal_private.layer_table
  for each row execute function portal_private.thumbnail_after_layer();

create trigger tell after insert on portal_private.layer_table
  referencing new table as added_table for each statement execute function portal_private.tell_of_tables();

create trigger version after insert or update or delete on portal.raster
  for each row execute function portal_private.after_raster();

create trigger links after insert on portal.raster
  for each row execute function portal_private.after_data('raster');

create trigger thumbnail after insert on portal_private.layer_change
  for each row execute function portal_private.thumbnail_after_layer();

create trigger told after insert on portal_private.layer_change
  for each row when (new.part = 'data') execute function portal_private.told_of('data');


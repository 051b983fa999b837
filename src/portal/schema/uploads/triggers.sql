create trigger prepare before insert on portal.upload for each row execute function portal_private.prepare_upload();

create trigger guard before insert or update or delete on portal.upload
  for each row when (pg_catalog.row_security_active('portal.upload')) execute function portal_private.guard_upload();

create trigger tell after update or delete on portal.upload for each row execute function portal_private.tell_of_upload();

create trigger note_end before update of state on portal.upload
  for each row when (new.state is distinct from old.state) execute function portal_private.note_end_of_upload();

create trigger storage after insert on portal.upload_file for each statement execute function portal_private.check_storage_after();

create trigger tell after insert or update on staging.run for each row execute function portal_private.tell_of_upload();

create trigger note_lineage after insert on portal.upload_layer
  for each row execute function portal_private.note_lineage();

create trigger upload_goes_too after delete on portal.upload_layer
  for each row execute function portal_private.after_upload_layer_gone();

create trigger audit after insert or update or delete on portal.upload_size_limit for each row execute function portal_private.audit_setting('slug', 'max_size');

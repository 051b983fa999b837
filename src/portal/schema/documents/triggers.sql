create trigger guard before insert or update or delete on portal.document_file
  for each row when (pg_catalog.row_security_active('portal.document_file'))
  execute function portal_private.guard_part('4', 'resource_id');

create trigger thumbnail after insert or update of blob on portal.document_file
  for each row execute function portal_private.thumbnail_after_file();

create trigger storage after insert or update on portal.document_file for each statement execute function portal_private.check_storage_after();

create trigger told after insert or update on portal.document_file
  for each row execute function portal_private.told_of('content');

create trigger stamped after insert or update or delete on portal.document_file
  for each row execute function portal_private.after_stamped_part();

create trigger guard before insert or update or delete on portal.document_link
  for each row when (pg_catalog.row_security_active('portal.document_link'))
  execute function portal_private.guard_part('12', 'document_id');

create trigger thumbnail after insert or update of blob on portal.document_file
  for each row execute function portal_private.thumbnail_after_file();

create trigger storage after insert or update on portal.document_file for each statement execute function portal_private.check_storage_after();

create trigger told after insert or update on portal.document_file
  for each row execute function portal_private.told_of('content');


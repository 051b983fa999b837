create trigger source_imported after update of state on portal.upload
  for each row when (new.session ? 'source' and new.state is distinct from old.state and new.state in ('PROCESSED', 'INVALID', 'WAITING'))
  execute function portal_private.source_imported();

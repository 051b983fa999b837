create trigger guard before insert or update or delete on portal.thumbnail
  for each row when (pg_catalog.row_security_active('portal.thumbnail'))
  execute function portal_private.guard_part('4', 'resource_id');

create trigger stamped after insert or update or delete on portal.thumbnail
  for each row execute function portal_private.after_stamped_part();

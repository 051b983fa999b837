create trigger guard before insert or update or delete on portal.link
  for each row when (pg_catalog.row_security_active('portal.link'))
  execute function portal_private.guard_part('4', 'resource_id');

create trigger stamped after insert or update or delete on portal.link
  for each row execute function portal_private.after_stamped_part();

create trigger guard before insert or update or delete on portal.resource_link
  for each row when (pg_catalog.row_security_active('portal.resource_link'))
  execute function portal_private.guard_part('12', 'source_id');

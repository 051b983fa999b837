create trigger guard before insert or update or delete on portal.user_group
  for each row when (pg_catalog.row_security_active('portal.user_group')) execute function portal_private.guard_group();

create trigger access_reaches_resources after update of access on portal.user_group
  for each row when ((old.access = 'private') <> (new.access = 'private'))
  execute function portal_private.after_group_access();

create trigger grants_go_too after delete on portal.user_group
  for each row execute function portal_private.after_principal_gone();

create trigger audit after insert or delete on portal.user_group for each row execute function portal_private.audit_made('group', 'title');

create trigger contributors_may_add after insert or delete on portal.group_member
  for each row execute function portal_private.after_membership();

create trigger audit after insert or update or delete on portal.group_member for each row execute function portal_private.audit_member();

create trigger guard before insert or delete on portal.group_in_category
  for each row when (pg_catalog.row_security_active('portal.group_in_category'))
  execute function portal_private.guard_group_category();

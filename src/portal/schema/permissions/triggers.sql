create trigger viewers_follow_insert after insert on portal_private.resource_grant
  referencing new table as changed for each statement execute function portal_private.after_grants();

create trigger viewers_follow_update after update on portal_private.resource_grant
  referencing new table as changed for each statement execute function portal_private.after_grants();

create trigger viewers_follow_delete after delete on portal_private.resource_grant
  referencing old table as changed for each statement execute function portal_private.after_grants();

create trigger live_insert after insert on portal_private.resource_grant referencing new table as changed
  for each statement execute function portal_private.grants_changed();

create trigger live_update after update on portal_private.resource_grant referencing new table as changed
  for each statement execute function portal_private.grants_changed();

create trigger live_delete after delete on portal_private.resource_grant referencing old table as changed
  for each statement execute function portal_private.grants_changed();

create trigger audit_insert after insert on portal_private.resource_grant referencing new table as changed
  for each statement execute function portal_private.audit_grants('granted');

create trigger audit_update after update on portal_private.resource_grant referencing new table as changed
  for each statement execute function portal_private.audit_grants('granted');

create trigger audit_delete after delete on portal_private.resource_grant referencing old table as changed
  for each statement execute function portal_private.audit_grants('revoked');

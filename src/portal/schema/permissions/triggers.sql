-- Viewers of the item, live streams of its rows and the audit log follow its grants. A trigger has the rows of one kind of write.
create trigger granted after insert on portal_private.resource_grant referencing new table as changed
  for each statement execute function portal_private.after_grants();
create trigger changed after update on portal_private.resource_grant referencing new table as changed
  for each statement execute function portal_private.after_grants();
create trigger revoked after delete on portal_private.resource_grant referencing old table as changed
  for each statement execute function portal_private.after_grants();
